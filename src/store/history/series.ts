import type { Kysely } from 'kysely';
import type { CopyName } from '../../domain/copy.ts';
import type { Day } from '../../domain/day.ts';
import type { Database, HistorySeriesRow } from '../catalogue/schema.ts';
import type { Opened } from '../engine/engine.ts';
import { isOneOf } from '../engine/id-lists.ts';
import { writeInChunks } from '../engine/paging.ts';
import type { PrintingDay } from './record.ts';

/**
 * SQL of `history_series`. A series is the history of one condition or grade of a printing. In the
 * tables of the history, its id takes the place of a printing's row id, and its amounts are market
 * prices. So blocks, corrections and repairs need no special cases.
 */

type Db = Kysely<Database>;

/**
 * The first id of a series. It is above all row ids of printings, which stay small because the
 * catalogue keeps columns by them, and low enough for an integer of 32 bits.
 */
export const FIRST_SERIES = 2 ** 30;

/** A day of a printing, or of one condition or grade of it. */
export interface CopyDay extends PrintingDay {
  /** Undefined for the four figures. */
  readonly copy?: CopyName;
}

/** Returns the days with the ids of their series. A new series gets an id. */
export async function withSeries(
  transaction: Db,
  days: readonly CopyDay[],
): Promise<readonly PrintingDay[]> {
  const copies = days.filter(({ copy }) => copy !== undefined);
  if (copies.length === 0) return days;
  const ids = await numberSeries(transaction, copies);
  return days.map((day) => {
    return day.copy === undefined ? day : { ...day, printing: ids.get(keyOf(day)) ?? 0 };
  });
}

async function numberSeries(transaction: Db, wanted: readonly CopyDay[]) {
  const printings = [...new Set(wanted.map(({ printing }) => printing))];
  const known = await seriesOf(transaction, printings);
  const ids = new Map(known.map((series) => [keyOf(series), series.id]));
  const missing = new Map(wanted.map((one) => [keyOf(one), one]));
  for (const key of ids.keys()) missing.delete(key);
  let next = missing.size === 0 ? 0 : await nextSeries(transaction);
  const added = [...missing].map(([key, { printing, copy = '' }]): HistorySeriesRow => {
    ids.set(key, next);
    return { id: next++, printing_id: printing, name: copy };
  });
  await writeInChunks(added, (rows) => {
    return transaction.insertInto('history_series').values(rows).execute();
  });
  return ids;
}

function keyOf({ printing, copy }: Pick<CopyDay, 'printing' | 'copy'>): string {
  return `${printing} ${copy}`;
}

/** Only the holder of the import lock adds series. */
async function nextSeries(db: Db): Promise<number> {
  const row = await db
    .selectFrom('history_series')
    .select(({ fn }) => fn.max('id').as('last'))
    .executeTakeFirst();
  return (row?.last ?? FIRST_SERIES - 1) + 1;
}

/** The history of one condition or grade of a printing. */
export interface HistorySeries {
  readonly id: number;
  /** The printing's row id. */
  readonly printing: number;
  readonly copy: CopyName;
}

/** Returns the series of printings. */
export async function seriesOf(db: Db, printings: readonly number[]): Promise<HistorySeries[]> {
  return readSeries(db, 'printing_id', printings);
}

/** Returns the series with these ids. */
export async function seriesById(db: Db, ids: readonly number[]): Promise<HistorySeries[]> {
  return readSeries(db, 'id', ids);
}

async function readSeries(db: Db, column: 'id' | 'printing_id', ids: readonly number[]) {
  const rows = await db
    .selectFrom('history_series')
    .where(isOneOf(column, ids))
    .selectAll()
    .execute();
  return rows.map(({ id, printing_id: printing, name }): HistorySeries => {
    return { id, printing, copy: name as CopyName };
  });
}

/** The id of a series, and the newest day of its history. */
export interface FoundSeries {
  readonly id: number;
  readonly last_day: Day;
}

/** Returns a function that finds the series of a printing by name; undefined without a history. */
export function seriesReader({
  engine,
}: Opened<Database>): (printing: number, copy: CopyName) => Promise<FoundSeries | undefined> {
  const find = engine.prepare<FoundSeries>(
    `select history_series.id, history_recent.last_day from history_series
      join history_recent on history_recent.printing_id = history_series.id
      where history_series.printing_id = $1 and history_series.name = $2`,
  );
  return async (printing, copy) => (await find([printing, copy]))[0];
}
