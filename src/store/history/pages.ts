import { type Kysely, sql } from 'kysely';
import type { Day } from '../../domain/day.ts';
import type { DayPrices } from '../../domain/price.ts';
import { encodeBlock } from '../../history/codec.ts';
import { SPAN_DAYS, SPANS, sealedSpan } from '../../history/spans.ts';
import type { Database, HistoryRecentRow, HistoryRow } from '../schema.ts';
import { DamagedHistory, recentDays, sealedDays } from './blocks.ts';

/** Whole tables of history, some rows at a time. */

/** About 200 KB of blocks, which take some 20 ms to decode. */
const PAGE_ROWS = 500;

/** A block of either table. */
export interface StoredBlock {
  /** Its size in bytes. */
  readonly size: number;
  /**
   * Its days, after every check there is.
   *
   * @throws DamagedHistory
   */
  read(): DayPrices[];
  /** Writes other days in its place, unless it has changed meanwhile, and gives their size. */
  replace(transaction: Kysely<Database>, days: readonly DayPrices[]): Promise<number>;
}

/** Every block, in pages of at least one. */
export async function* storedBlocks(db: Kysely<Database>): AsyncGenerator<StoredBlock[]> {
  for await (const page of sealedRows(db)) yield page.map(sealedBlock);
  for await (const page of recentRows(db)) yield page.map(recentBlock);
}

/** How many blocks there are. */
export async function countBlocks(db: Kysely<Database>): Promise<number> {
  const query = sql<{ blocks: number }>`select
    (select count(*) from history) + (select count(*) from history_recent) as blocks`;
  return (await query.execute(db)).rows[0]?.blocks ?? 0;
}

/** Sealed blocks that nobody would read, because the recent row of their printing is gone. */
export async function orphanedBlocks(db: Kysely<Database>): Promise<DamagedHistory[]> {
  const query = sql<{ id: number }>`select id from history where not exists
    (select 1 from history_recent where printing_id = history.id / ${sql.lit(SPANS)})`;
  const { rows } = await query.execute(db);
  return rows.map(({ id }) => {
    const { printing, firstDay } = sealedSpan(id);
    return new DamagedHistory(printing, firstDay, 'its printing has no recent block');
  });
}

/** All recent rows, by printing, in pages of at least one row. */
export async function* recentRows(db: Kysely<Database>): AsyncGenerator<HistoryRecentRow[]> {
  const rows = db.selectFrom('history_recent').selectAll().orderBy('printing_id').limit(PAGE_ROWS);
  let page = await rows.execute();
  for (let last = page.at(-1); last; last = page.at(-1)) {
    yield page;
    page = await rows.where('printing_id', '>', last.printing_id).execute();
  }
}

async function* sealedRows(db: Kysely<Database>): AsyncGenerator<HistoryRow[]> {
  const rows = db.selectFrom('history').selectAll().orderBy('id').limit(PAGE_ROWS);
  let page = await rows.execute();
  for (let last = page.at(-1); last; last = page.at(-1)) {
    yield page;
    page = await rows.where('id', '>', last.id).execute();
  }
}

function sealedBlock(row: HistoryRow): StoredBlock {
  return {
    size: row.block.length,
    read: () => verifiedSealed(row),
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
    read: () => verifiedRecent(row),
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

function verifiedSealed(row: HistoryRow): DayPrices[] {
  const { printing, firstDay } = sealedSpan(row.id);
  const days = sealedDays(row);
  const outside = days.some(({ day }) => day < firstDay || day >= firstDay + SPAN_DAYS);
  if (outside) throw new DamagedHistory(printing, firstDay, 'it holds days of another span');
  return days;
}

function verifiedRecent(row: HistoryRecentRow): DayPrices[] {
  const days = recentDays(row);
  if (days[0]?.day === row.first_day && days.at(-1)?.day === row.last_day) return days;
  const reason = 'its days are not those of its row';
  throw new DamagedHistory(row.printing_id, row.first_day as Day, reason);
}
