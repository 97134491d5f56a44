import type { Kysely } from 'kysely';
import { addDays, type Day } from '../../domain/day.ts';
import type { Cents } from '../../domain/money.ts';
import { type DayPrices, type HistoryDay, hasPrice } from '../../domain/price.ts';
import { SPAN_DAYS, sealedId, sealedSpan } from '../../history/spans.ts';
import type { Database, HistoryRecentRow } from '../catalogue/schema.ts';
import type { Store } from '../connect.ts';
import {
  asNumber,
  DamagedHistory,
  LOOK_BACK,
  RECENT_BLOCKS,
  recentDays,
  SEALED_BLOCKS,
  sealedDays,
} from './blocks.ts';
import { type ProvenanceOf, readProvenances } from './provenances.ts';

/**
 * Reads a few days of many histories. The number of statements does not depend on the number of
 * histories.
 */

/**
 * Returns the newest days of each history, in ascending order: the `count` days that end with the
 * newest one. The map omits printings without a history or with a damaged one.
 *
 * @param printings By row id.
 */
export async function newestDays(
  { engine }: Store,
  transaction: Kysely<Database>,
  printings: readonly number[],
  count: number,
): Promise<Map<number, HistoryDay[]>> {
  const known = await readProvenances(transaction);
  const provenanceOf: ProvenanceOf = (number) => known.get(number) ?? null;
  const rows = await engine.lookup(transaction, RECENT_BLOCKS, printings);
  const older = await engine.lookup(
    transaction,
    SEALED_BLOCKS,
    rows.flatMap((row) => sealedIds(row, count)),
  );
  const sealed = Map.groupBy(older, ({ id }) => sealedSpan(id).printing);
  const found = new Map<number, HistoryDay[]>();
  for (const row of rows) {
    const from = firstDay(row, count);
    const blocks = (sealed.get(row.printing_id) ?? []).sort((a, b) => a.id - b.id);
    try {
      const before = blocks.flatMap((block) => sealedDays(block, provenanceOf, from));
      found.set(row.printing_id, before.concat(recentDays(row, provenanceOf, from)));
    } catch (error) {
      if (!(error instanceof DamagedHistory)) throw error;
    }
  }
  return found;
}

function firstDay({ last_day }: HistoryRecentRow, count: number): Day {
  return Math.max(0, addDays(last_day as Day, 1 - count)) as Day;
}

/** Returns the ids of the sealed blocks that may hold some of the newest `count` days. */
function sealedIds(row: HistoryRecentRow, count: number): number[] {
  const from = firstDay(row, count);
  const ids: number[] = [];
  for (let day = from; day < row.first_day; day = addDays(day, SPAN_DAYS)) {
    ids.push(sealedId(row.printing_id, day));
  }
  const last = sealedId(row.printing_id, addDays(row.first_day as Day, -1));
  if (row.first_day > from && ids.at(-1) !== last) ids.push(last);
  return ids;
}

/** The market prices of a printing, day by day. */
export interface MarketTrail {
  readonly from: Day;
  /** In cents, from the first day on; null for days without a known price. */
  readonly market: readonly (Cents | null)[];
}

/**
 * Returns the market prices of the `count` days that end with the newest day of each history, by
 * row id of the printing. The map omits printings without a history or with a damaged one.
 */
export async function marketTrails(
  store: Store,
  printings: readonly number[],
  count: number,
): Promise<Map<number, MarketTrail>> {
  const histories = await newestDays(store, store.db, [...new Set(printings)], count);
  return new Map(
    [...histories].flatMap(([printing, days]) => {
      const trail = trailOf(days);
      return trail ? [[printing, trail]] : [];
    }),
  );
}

function trailOf(days: readonly HistoryDay[]): MarketTrail | undefined {
  const [first, last] = [days[0]?.day, days.at(-1)?.day];
  if (first === undefined || last === undefined) return undefined;
  const byDay = new Map(days.map(({ day, market }) => [day, market]));
  const length = last - first + 1;
  const market = Array.from({ length }, (_, at) => byDay.get(addDays(first, at)) ?? null);
  return { from: first, market };
}

/**
 * Returns, for each printing, the newest day with a price among the 90 days before a given day. The
 * map omits printings without such a day, and printings whose history is damaged there.
 *
 * @param before The day of each printing, by row id.
 */
export async function lastDaysBefore(
  { engine }: Store,
  transaction: Kysely<Database>,
  before: ReadonlyMap<number, Day>,
): Promise<Map<number, DayPrices>> {
  const found = new Map<number, DayPrices>();
  const recent = await engine.lookup(transaction, RECENT_BLOCKS, [...before.keys()]);
  const sealedIds = new Set<number>();
  for (const row of recent) {
    const day = before.get(row.printing_id) ?? (0 as Day);
    keepLast(found, row.printing_id, () => recentDays(row, asNumber, ...window(day)));
    if (found.has(row.printing_id)) continue;
    for (const one of window(day)) sealedIds.add(sealedId(row.printing_id, one));
  }
  const sealed = await engine.lookup(transaction, SEALED_BLOCKS, [...sealedIds]);
  for (const row of sealed.sort((a, b) => a.id - b.id)) {
    const { printing } = sealedSpan(row.id);
    const day = before.get(printing) ?? (0 as Day);
    keepLast(found, printing, () => sealedDays(row, asNumber, ...window(day)));
  }
  return found;
}

function window(day: Day): [from: Day, to: Day] {
  return [Math.max(0, addDays(day, -LOOK_BACK)) as Day, Math.max(0, addDays(day, -1)) as Day];
}

function keepLast(
  found: Map<number, DayPrices>,
  printing: number,
  read: () => readonly DayPrices[],
): void {
  try {
    const last = read().findLast(hasPrice);
    if (last) found.set(printing, last);
  } catch (error) {
    if (!(error instanceof DamagedHistory)) throw error;
  }
}
