import type { Kysely } from 'kysely';
import { dayOf, startOfDay } from '../../domain/day.ts';
import type { Cents } from '../../domain/money.ts';
import type { DayPrices, PriceFigures } from '../../domain/price.ts';
import { type Rate, type Rates, rateFor } from '../../domain/rates.ts';
import { printingsById, upsertPrintings } from '../../store/catalogue.ts';
import {
  type DamagedHistory,
  type PrintingDay,
  type RemovedDays,
  recordHistory,
  removeSourceDays,
  type SourceDays,
  takeReplacedDays,
  type WantedDay,
} from '../../store/history.ts';
import {
  observationsOf,
  type StoredObservation,
  upsertObservations,
} from '../../store/observations.ts';
import { deleteObservations } from '../../store/rollback.ts';
import type { Database } from '../../store/schema.ts';
import type { ImportRun } from '../run.ts';
import { servedDay } from './history.ts';
import { isSameSeries, KnownPrintings } from './printings.ts';

/** Rolling back days of a source, printing by printing. */

/** What was rolled back of some printings. */
export interface RollbackCounts {
  /** Printings of which anything was rolled back. */
  readonly printings: number;
  /** Days of printings that were removed from the history. */
  readonly days: number;
  /** Days of printings that stay, because their source was not recorded. */
  readonly unknownDays: number;
  /** Observations that went back to an earlier day, and that are gone. */
  readonly putBack: number;
  readonly removed: number;
  /** Printings that serve another price than before. */
  readonly pricesChanged: number;
}

export interface RolledBack {
  readonly counts: RollbackCounts;
  /** Damaged histories: everything of their printings stays as it was. */
  readonly damaged: readonly DamagedHistory[];
}

/**
 * Rolls back days of a source, inside of `transaction`: they leave the history, what the source
 * reports of each printing goes back to its newest day before, and everything is merged again.
 *
 * @param ids The printings, by row id.
 */
export async function rollBackPrintings(
  run: ImportRun,
  transaction: Kysely<Database>,
  ids: readonly number[],
  days: SourceDays,
): Promise<RolledBack> {
  const { store, publication } = run;
  const known = await observationsOf(store, transaction, ids);
  const wanted = wantedDays(ids, known, days);
  const { printings: histories, damaged } = await removeSourceDays(
    store,
    transaction,
    wanted,
    days,
  );
  const isDamaged = new Set(damaged.map(({ printing }) => printing));
  const wrong = known.filter((one) => isOf(one, days) && !isDamaged.has(one.printingRowId));
  const putBack = wrong.flatMap((one) => earlier(one, histories.get(one.printingRowId), run.rates));
  const gone = wrong.filter((one) => !putBack.some((other) => isSameOne(one, other)));
  const shortened = [...histories].filter(([, { days: removed }]) => removed.length > 0);
  const concerned = new Set([...shortened.map(([id]) => id), ...wrong.map((o) => o.printingRowId)]);
  if (concerned.size > 0) await publication.begin(transaction);
  await deleteObservations(transaction, gone);
  await upsertObservations(store, transaction, putBack);
  const kept = known.filter((one) => !wrong.includes(one));
  const merged = await mergeRest(run, transaction, [...concerned], [...kept, ...putBack], putBack);
  const removed = new Map(shortened.map(([id, history]) => [id, history.days]));
  const replaced = await takeReplacedDays(transaction, removed);
  const fills = replaced.map((day) => ({ ...day, fills: true }));
  await recordHistory(store, transaction, [...fills, ...merged.days], run.startedAt);
  const counts = {
    printings: concerned.size,
    days: shortened.reduce((sum, [, history]) => sum + history.days.length, 0),
    unknownDays: [...histories.values()].reduce((sum, { unknown }) => sum + unknown, 0),
    putBack: putBack.length,
    removed: gone.length,
    pricesChanged: merged.pricesChanged,
  };
  return { counts, damaged };
}

/** Whether an observation is of the days that are rolled back. */
function isOf({ source, observedAt }: StoredObservation, { source: of, from, to }: SourceDays) {
  const day = dayOf(observedAt);
  return source === of && day >= from && day <= to;
}

function isSameOne(a: StoredObservation, b: StoredObservation): boolean {
  return a.printingRowId === b.printingRowId && isSameSeries(a, b);
}

/**
 * The days before that are wanted of each printing. Where nobody else has ever reported it, a day
 * whose source was not recorded can only be of the same source.
 */
function wantedDays(
  ids: readonly number[],
  known: readonly StoredObservation[],
  days: SourceDays,
): Map<number, WantedDay[]> {
  const byPrinting = Map.groupBy(known, ({ printingRowId }) => printingRowId);
  const wanted = ids.map((id) => {
    const own = byPrinting.get(id) ?? [];
    const orUnknown = own.length === 1;
    const wrong = own.filter((one) => isOf(one, days));
    return [id, wrong.map(({ marketplace }) => ({ marketplace, orUnknown }))] as const;
  });
  return new Map(wanted);
}

/** What a source reported on its newest day before the wrong ones; nothing if there is none. */
function earlier(
  wrong: StoredObservation,
  history: RemovedDays | undefined,
  rates: Rates,
): StoredObservation[] {
  const before = history?.before.get(wrong.marketplace);
  if (!before) return [];
  const observedAt = startOfDay(before.day);
  const rate = rateFor(rates, wrong.currency, observedAt);
  if (rate === undefined) return [];
  const prices = inCurrency(before, rate);
  return [{ ...wrong, prices, conditions: {}, graded: {}, observedAt, fetchedAt: null }];
}

/** Converts US cents back; converted into dollars again they are the same. */
function inCurrency({ market, low, mid, high }: DayPrices, rate: Rate | null): PriceFigures {
  const convert = (amount: Cents | null) => {
    return amount === null || rate === null ? amount : divided(amount, rate);
  };
  return { market: convert(market), low: convert(low), mid: convert(mid), high: convert(high) };
}

function divided(amount: Cents, { dollarsPerUnit }: Rate): Cents {
  return Math.round(amount / dollarsPerUnit) as Cents;
}

/**
 * Merges what is left of printings, and writes it. Returns the days on which others than the source
 * are served now, which the history may lack.
 */
async function mergeRest(
  { store, nextIds, publication, rates }: ImportRun,
  transaction: Kysely<Database>,
  ids: readonly number[],
  observations: readonly StoredObservation[],
  putBack: readonly StoredObservation[],
): Promise<{ readonly days: readonly PrintingDay[]; readonly pricesChanged: number }> {
  const rows = await printingsById(transaction, ids);
  const { revision } = publication;
  const printings = new KnownPrintings(rows, observations, { nextIds, revision, rates });
  const isPutBack = new Set(putBack);
  const days = printings.all().flatMap((printing) => {
    const { figures } = printings.merge(printing);
    if (!figures || isPutBack.has(figures.observation)) return [];
    return [servedDay(printing.row.id, figures)];
  });
  await upsertPrintings(store, transaction, printings.changedRows());
  return { days, pricesChanged: printings.counts.pricesChanged };
}
