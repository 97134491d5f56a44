import type { Kysely } from 'kysely';
import type { Day, Millis } from '../../domain/day.ts';
import type { DayPrices } from '../../domain/price.ts';
import { mergeDays, sortDays, splitDays } from '../../history/days.ts';
import { RECENT_KEPT, recentLimit, sealedId, sealedSpan } from '../../history/spans.ts';
import type { Store } from '../connect.ts';
import type { BulkRow } from '../engine.ts';
import type { Database, HistoryCorrectionRow, HistoryRecentRow, HistoryRow } from '../schema.ts';
import { RECENT, recentDays, recentRow, SEALED, sealedDays, sealedRow } from './blocks.ts';

/** The prices of one printing on one day. */
export interface PrintingDay {
  readonly printing: number;
  readonly prices: DayPrices;
  /** What is known of the day already stays: these prices only fill a gap. */
  readonly fills?: boolean;
}

/** How many days of printings came to be known, and how many got other prices than before. */
export interface Recorded {
  readonly added: number;
  readonly corrected: number;
}

/** The rows to write, as far as they are known. */
interface Writes {
  readonly recent: BulkRow[];
  /** By id of the sealed row, the days that go there. */
  readonly sealed: Map<number, DayPrices[]>;
  /** Those of the days that only fill gaps. */
  readonly fills: ReadonlySet<DayPrices>;
  readonly corrections: HistoryCorrectionRow[];
  added: number;
}

/**
 * Merges days, any number per printing and in any order, into the history, inside of
 * `transaction`. A day that is there already takes the new prices, unless they only fill gaps; the
 * old ones are kept apart with the moment `at`. What is there already changes nothing and writes
 * nothing.
 *
 * @throws DamagedHistory when a block to be changed cannot be read.
 */
export async function recordHistory(
  store: Store,
  transaction: Kysely<Database>,
  days: readonly PrintingDay[],
  at: Millis,
): Promise<Recorded> {
  const { engine } = store;
  const fills = days.filter((day) => day.fills);
  const incoming = daysByPrinting([...fills, ...days.filter((day) => !day.fills)]);
  const writes: Writes = {
    recent: [],
    sealed: new Map(),
    fills: new Set(fills.map(({ prices }) => prices)),
    corrections: [],
    added: 0,
  };
  const rows = await engine.lookup<HistoryRecentRow>(transaction, RECENT, [...incoming.keys()]);
  const recent = new Map(rows.map((row) => [row.printing_id, row]));
  for (const [printing, unsorted] of incoming) {
    mergeRecent(writes, printing, recent.get(printing), sortDays(unsorted), at);
  }
  const sealed = await mergeSealed(store, transaction, writes, at);
  await engine.upsert(transaction, RECENT, writes.recent);
  await engine.upsert(transaction, SEALED, sealed);
  await keepReplaced(transaction, writes.corrections);
  return { added: writes.added, corrected: writes.corrections.length };
}

function daysByPrinting(days: readonly PrintingDay[]): Map<number, DayPrices[]> {
  const byPrinting = new Map<number, DayPrices[]>();
  for (const { printing, prices } of days) {
    const list = byPrinting.get(printing);
    if (list) list.push(prices);
    else byPrinting.set(printing, [prices]);
  }
  return byPrinting;
}

/** Days from the recent block's first on go into that block, older ones into sealed blocks. */
function mergeRecent(
  writes: Writes,
  printing: number,
  row: HistoryRecentRow | undefined,
  incoming: readonly DayPrices[],
  at: Millis,
): void {
  const [older, newer] = row ? splitDays(incoming, row.first_day as Day) : [[], incoming];
  seal(writes, printing, older);
  if (newer.length === 0) return;
  const known = row ? recentDays(row) : [];
  const { days, added, replaced } = mergeDays(known, wanted(writes, known, newer));
  if (added + replaced.length === 0) return;
  correct(writes, printing, replaced, at);
  writes.added += added;
  if (days.length <= recentLimit(printing)) {
    writes.recent.push(recentRow(printing, days));
    return;
  }
  const moving = days.slice(0, -RECENT_KEPT);
  seal(writes, printing, moving);
  // They are counted, and will be once more when they are added to their sealed blocks.
  writes.added -= moving.length;
  writes.recent.push(recentRow(printing, days.slice(-RECENT_KEPT)));
}

/** Those of the days that change what is known, or may. */
function wanted(
  { fills }: Writes,
  known: readonly DayPrices[],
  incoming: readonly DayPrices[],
): readonly DayPrices[] {
  if (fills.size === 0 || known.length === 0) return incoming;
  const told = new Set(known.map(({ day }) => day));
  return incoming.filter((prices) => !fills.has(prices) || !told.has(prices.day));
}

function seal(writes: Writes, printing: number, days: readonly DayPrices[]): void {
  for (const prices of days) {
    const id = sealedId(printing, prices.day);
    const list = writes.sealed.get(id);
    if (list) list.push(prices);
    else writes.sealed.set(id, [prices]);
  }
}

async function mergeSealed(
  store: Store,
  transaction: Kysely<Database>,
  writes: Writes,
  at: Millis,
): Promise<BulkRow[]> {
  const ids = [...writes.sealed.keys()];
  const stored = await store.engine.lookup<HistoryRow>(transaction, SEALED, ids);
  const rows = new Map(stored.map((row) => [row.id, row]));
  const changed: BulkRow[] = [];
  for (const [id, incoming] of writes.sealed) {
    const row = rows.get(id);
    // Older days and days that move here may both be in the list, each in ascending order.
    const known = row ? sealedDays(row) : [];
    const { days, added, replaced } = mergeDays(known, wanted(writes, known, sortDays(incoming)));
    if (added + replaced.length === 0) continue;
    correct(writes, sealedSpan(id).printing, replaced, at);
    writes.added += added;
    changed.push(sealedRow(id, days));
  }
  return changed;
}

function correct(
  writes: Writes,
  printing: number,
  replaced: readonly DayPrices[],
  at: Millis,
): void {
  for (const prices of replaced) {
    writes.corrections.push({ printing_id: printing, replaced_at: at, ...prices });
  }
}

/** SQLite takes 32,766 parameters in a statement; this many rows are far below it. */
const CORRECTIONS_AT_ONCE = 1000;

/** Of several corrections of a day at one moment the first tells what was served before it. */
async function keepReplaced(
  transaction: Kysely<Database>,
  corrections: readonly HistoryCorrectionRow[],
): Promise<void> {
  for (let at = 0; at < corrections.length; at += CORRECTIONS_AT_ONCE) {
    await transaction
      .insertInto('history_corrections')
      .values(corrections.slice(at, at + CORRECTIONS_AT_ONCE))
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
}
