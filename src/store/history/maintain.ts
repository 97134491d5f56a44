import { sql } from 'kysely';
import { addDays, type Day } from '../../domain/day.ts';
import { downsampleToWeeks } from '../../history/days.ts';
import { findHistorySince } from '../catalogue/history-since.ts';
import type { Store } from '../connect.ts';
import { asNumber, DamagedHistory } from './blocks.ts';
import { KnownProvenances } from './provenances.ts';
import { countBlocks, orphanedBlocks, type StoredBlock, storedBlocks } from './stored-blocks.ts';

/** Called after each page, with the number of processed blocks and of all blocks. */
export type Progress = (done: number, total: number) => void;

/** A block that cannot be decoded. */
export interface Damage {
  readonly printing: number;
  /** The first day that the block can hold. */
  readonly firstDay: Day;
  readonly reason: string;
}

/** The result of checking all blocks. */
export interface Check {
  readonly blocks: number;
  /** The days in the decodable blocks, summed over all printings. */
  readonly points: number;
  /** The size of all blocks in bytes, without the overhead of the database. */
  readonly bytes: number;
  readonly damaged: readonly Damage[];
}

/** Decodes and verifies all blocks, in constant memory. */
export async function checkHistory(store: Store, onProgress?: Progress): Promise<Check> {
  const damaged: Damage[] = (await orphanedBlocks(store.db)).map(damageOf);
  const found = { blocks: 0, points: 0, bytes: 0 };
  const total = await countBlocks(store.db);
  const provenances = new KnownProvenances(store.db);
  for await (const page of storedBlocks(store.db)) {
    for (const block of page) {
      const read = async () => provenances.resolve((provenanceOf) => block.read(provenanceOf));
      found.points += (await readOrNote(read, damaged)).length;
    }
    found.blocks += page.length;
    found.bytes += sizeOf(page);
    onProgress?.(found.blocks, total);
  }
  return { ...found, damaged };
}

export interface CompactOptions {
  /** The day from which `keepDailyFor` counts back. */
  readonly now: Day;
  /**
   * The number of days, including `now`, for which every day is kept. Before that, only the last
   * day of each week is.
   */
  readonly keepDailyFor?: number;
}

/** The result of a compaction. */
export interface Compaction {
  readonly blocks: number;
  /** Removed days, summed over all printings. */
  readonly removed: number;
  /** The size of all blocks in bytes before and after, without the overhead of the database. */
  readonly bytesBefore: number;
  readonly bytesAfter: number;
  /** The blocks that cannot be decoded. They stay unchanged. */
  readonly damaged: readonly Damage[];
}

/**
 * Downsamples the days before `keepDailyFor` to weeks, a few hundred blocks per transaction. Then
 * vacuums the database, because growing blocks leave its pages partly empty. Vacuuming rewrites the
 * whole SQLite file, and other writers wait for it.
 */
export async function compactHistory(
  store: Store,
  options: CompactOptions,
  onProgress?: Progress,
): Promise<Compaction> {
  const damaged: Damage[] = [];
  const done = { blocks: 0, removed: 0, bytesBefore: 0, bytesAfter: 0 };
  const dailyFrom = firstDailyDay(options);
  const total = await countBlocks(store.db);
  for await (const page of storedBlocks(store.db)) {
    const shrunk = await downsamplePage(store, page, dailyFrom, damaged);
    done.blocks += page.length;
    done.removed += shrunk.removed;
    done.bytesBefore += sizeOf(page);
    done.bytesAfter += sizeOf(page) - shrunk.saved;
    onProgress?.(done.blocks, total);
  }
  await findHistorySince(store.db);
  await sql`vacuum`.execute(store.db);
  return { ...done, damaged };
}

function firstDailyDay({ now, keepDailyFor }: CompactOptions): Day {
  return keepDailyFor === undefined ? (0 as Day) : addDays(now, 1 - keepDailyFor);
}

/** Returns the numbers of days and bytes removed from a page of blocks. */
async function downsamplePage(
  store: Store,
  page: readonly StoredBlock[],
  dailyFrom: Day,
  damaged: Damage[],
): Promise<{ removed: number; saved: number }> {
  const shrunk = { removed: 0, saved: 0 };
  await store.db.transaction().execute(async (transaction) => {
    for (const block of page) {
      const days = await readOrNote(async () => block.read(asNumber), damaged);
      const kept = downsampleToWeeks(days, dailyFrom);
      if (kept.length === days.length) continue;
      shrunk.removed += days.length - kept.length;
      shrunk.saved += block.size - (await block.replace(transaction, kept));
    }
  });
  return shrunk;
}

/** Returns the days of a block. A block that cannot be decoded has none and goes to `damaged`. */
async function readOrNote<BlockDay>(
  read: () => Promise<BlockDay[]>,
  damaged: Damage[],
): Promise<BlockDay[]> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof DamagedHistory)) throw error;
    damaged.push(damageOf(error));
    return [];
  }
}

function damageOf({ printing, firstDay, reason }: DamagedHistory): Damage {
  return { printing, firstDay, reason };
}

function sizeOf(page: readonly StoredBlock[]): number {
  return page.reduce((bytes, block) => bytes + block.size, 0);
}
