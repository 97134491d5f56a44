import { sql } from 'kysely';
import { addDays, type Day } from '../../domain/day.ts';
import type { DayPrices } from '../../domain/price.ts';
import { thinToWeeks } from '../../history/days.ts';
import type { Store } from '../connect.ts';
import { DamagedHistory } from './blocks.ts';
import { countBlocks, orphanedBlocks, type StoredBlock, storedBlocks } from './pages.ts';

/** Told now and then how many blocks are done, of how many. */
export type Progress = (done: number, total: number) => void;

/** Where history cannot be read. */
export interface Damage {
  readonly printing: number;
  /** The first day that the block may hold. */
  readonly firstDay: Day;
  readonly reason: string;
}

/** What a check of every block found. */
export interface Check {
  readonly blocks: number;
  /** Days of printings in the blocks that can be read. */
  readonly points: number;
  /** The size of all blocks, without what the database adds. */
  readonly bytes: number;
  readonly damaged: readonly Damage[];
}

/** Reads and verifies every block, in constant memory. */
export async function checkHistory(store: Store, onProgress?: Progress): Promise<Check> {
  const damaged: Damage[] = (await orphanedBlocks(store.db)).map(damageOf);
  const found = { blocks: 0, points: 0, bytes: 0 };
  const total = await countBlocks(store.db);
  for await (const page of storedBlocks(store.db)) {
    for (const block of page) found.points += readOrNote(block, damaged).length;
    found.blocks += page.length;
    found.bytes += sizeOf(page);
    onProgress?.(found.blocks, total);
  }
  return { ...found, damaged };
}

export interface CompactOptions {
  /** The day from which `keepDailyFor` counts back. */
  readonly now: Day;
  /** For how many days, `now` among them, every day is kept; before, the last of each week. */
  readonly keepDailyFor?: number;
}

/** What a compaction did. */
export interface Compaction {
  readonly blocks: number;
  /** Days of printings that were thinned out. */
  readonly removed: number;
  /** The size of all blocks before and after, without what the database adds. */
  readonly bytesBefore: number;
  readonly bytesAfter: number;
  /** Blocks that cannot be read, and were left as they are. */
  readonly damaged: readonly Damage[];
}

/**
 * Thins out old days where `keepDailyFor` asks for it, a few hundred blocks a transaction, then
 * has the database fill its pages again, which growing blocks leave partly empty. That last step
 * rewrites a SQLite file as a whole: other writers wait for it.
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
    const thinned = await thinPage(store, page, dailyFrom, damaged);
    done.blocks += page.length;
    done.removed += thinned.removed;
    done.bytesBefore += sizeOf(page);
    done.bytesAfter += sizeOf(page) - thinned.saved;
    onProgress?.(done.blocks, total);
  }
  await sql`vacuum`.execute(store.db);
  return { ...done, damaged };
}

function firstDailyDay({ now, keepDailyFor }: CompactOptions): Day {
  return keepDailyFor === undefined ? (0 as Day) : addDays(now, 1 - keepDailyFor);
}

/** How many days went from a page of blocks, and how many bytes with them. */
async function thinPage(
  store: Store,
  page: readonly StoredBlock[],
  dailyFrom: Day,
  damaged: Damage[],
): Promise<{ removed: number; saved: number }> {
  const thinned = { removed: 0, saved: 0 };
  await store.db.transaction().execute(async (transaction) => {
    for (const block of page) {
      const days = readOrNote(block, damaged);
      const kept = thinToWeeks(days, dailyFrom);
      if (kept.length === days.length) continue;
      thinned.removed += days.length - kept.length;
      thinned.saved += block.size - (await block.replace(transaction, kept));
    }
  });
  return thinned;
}

/** The days of a block; none, and a note in `damaged`, when it cannot be read. */
function readOrNote(block: StoredBlock, damaged: Damage[]): DayPrices[] {
  try {
    return block.read();
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
