import { type Kysely, sql } from 'kysely';
import type { Day } from '../../domain/day.ts';
import { encodeBlock } from '../../history/codec.ts';
import type { BlockDay } from '../../history/provenance.ts';
import { SPAN_DAYS, SPANS, sealedSpan } from '../../history/spans.ts';
import type { Database, HistoryRecentRow, HistoryRow } from '../catalogue/schema.ts';
import { readPages } from '../engine/paging.ts';
import { DamagedHistory, recentDays, sealedDays } from './blocks.ts';

/** Reads all blocks, a page of rows at a time. */

/** A page has about 200 KB of blocks, which take some 20 ms to decode. */
const PAGE_ROWS = 500;

/** A block of either table. */
export interface StoredBlock {
  /** Its size in bytes. */
  readonly size: number;
  /**
   * Runs every check on the block and decodes its days.
   *
   * @throws DamagedHistory
   */
  read<Provenance>(provenanceOf: (number: number) => Provenance): BlockDay<Provenance>[];
  /** Overwrites the block unless another writer changed it. Returns its new size in bytes. */
  replace(transaction: Kysely<Database>, days: readonly BlockDay[]): Promise<number>;
}

/** Yields all blocks in pages, none of them empty. */
export async function* storedBlocks(db: Kysely<Database>): AsyncGenerator<StoredBlock[]> {
  for await (const page of sealedRows(db)) yield page.map(sealedBlock);
  for await (const page of recentRows(db)) yield page.map(recentBlock);
}

/** Returns the number of blocks. */
export async function countBlocks(db: Kysely<Database>): Promise<number> {
  const query = sql<{ blocks: number }>`select
    (select count(*) from history) + (select count(*) from history_recent) as blocks`;
  return (await query.execute(db)).rows[0]?.blocks ?? 0;
}

/** Returns the sealed blocks that are never read because their printing has no recent block. */
export async function orphanedBlocks(db: Kysely<Database>): Promise<DamagedHistory[]> {
  const query = sql<{ id: number }>`select id from history where not exists
    (select 1 from history_recent where printing_id = history.id / ${sql.lit(SPANS)})`;
  const { rows } = await query.execute(db);
  return rows.map(({ id }) => {
    const { printing, firstDay } = sealedSpan(id);
    return new DamagedHistory(printing, firstDay, 'its printing has no recent block');
  });
}

/** Yields all recent blocks in the order of printings, in pages, none of them empty. */
export function recentRows(db: Kysely<Database>): AsyncGenerator<HistoryRecentRow[]> {
  const rows = db.selectFrom('history_recent').selectAll().orderBy('printing_id').limit(PAGE_ROWS);
  return readPages(
    (above) => rows.where('printing_id', '>', above).execute(),
    (row) => row.printing_id,
  );
}

function sealedRows(db: Kysely<Database>): AsyncGenerator<HistoryRow[]> {
  const rows = db.selectFrom('history').selectAll().orderBy('id').limit(PAGE_ROWS);
  return readPages(
    (above) => rows.where('id', '>', above).execute(),
    (row) => row.id,
  );
}

/** The sealed block of a row. */
export function sealedBlock(row: HistoryRow): StoredBlock {
  return {
    size: row.block.length,
    read: (provenanceOf) => verifiedSealed(row, provenanceOf),
    async replace(transaction, days) {
      const block = encodeBlock(days, row.id);
      await transaction
        .updateTable('history')
        .set({ block })
        .where('id', '=', row.id)
        .where('block', '=', row.block)
        .execute();
      return block.length;
    },
  };
}

function recentBlock(row: HistoryRecentRow): StoredBlock {
  return {
    size: row.block.length,
    read: (provenanceOf) => verifiedRecent(row, provenanceOf),
    async replace(transaction, days) {
      const block = encodeBlock(days, row.printing_id);
      await transaction
        .updateTable('history_recent')
        .set({ block, first_day: days[0]?.day ?? row.first_day })
        .where('printing_id', '=', row.printing_id)
        .where('block', '=', row.block)
        .execute();
      return block.length;
    },
  };
}

function verifiedSealed<Provenance>(
  row: HistoryRow,
  provenanceOf: (number: number) => Provenance,
): BlockDay<Provenance>[] {
  const { printing, firstDay } = sealedSpan(row.id);
  const days = sealedDays(row, provenanceOf);
  const outside = days.some(({ day }) => day < firstDay || day >= firstDay + SPAN_DAYS);
  if (outside) throw new DamagedHistory(printing, firstDay, 'it holds days of another span');
  return days;
}

function verifiedRecent<Provenance>(
  row: HistoryRecentRow,
  provenanceOf: (number: number) => Provenance,
): BlockDay<Provenance>[] {
  const days = recentDays(row, provenanceOf);
  if (days[0]?.day === row.first_day && days.at(-1)?.day === row.last_day) return days;
  const reason = 'its days differ from the days in its row';
  throw new DamagedHistory(row.printing_id, row.first_day as Day, reason);
}
