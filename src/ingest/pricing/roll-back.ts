import { type Day, dayOf, startOfDay } from '../../domain/day.ts';
import type { Cents } from '../../domain/money.ts';
import type { DayPrices, PriceFigures } from '../../domain/price.ts';
import { type Rate, type Rates, rateFor } from '../../domain/rates.ts';
import { printingsById, upsertPrintings } from '../../store/catalogue/catalogue.ts';
import {
  observationsOf,
  type StoredObservation,
  upsertObservations,
} from '../../store/catalogue/observations.ts';
import { deleteObservations } from '../../store/catalogue/rollback.ts';
import type { Transaction } from '../../store/connect.ts';
import {
  type DamagedHistory,
  type PrintingDay,
  type RemovedDays,
  recordHistory,
  removeSourceDays,
  type SourceDays,
  takeReplacedDays,
  type WantedDay,
} from '../../store/history/index.ts';
import type { ImportRun } from '../run.ts';
import { servedDay, updateBases } from './merge.ts';
import { KnownPrintings } from './printings.ts';

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
  transaction: Transaction,
  ids: readonly number[],
  days: SourceDays,
): Promise<RolledBack> {
  const { store } = run;
  const known = await observationsOf(store, transaction, ids);
  const wanted = wantedDays(ids, known, days);
  const { printings, damaged } = await removeSourceDays(store, transaction, wanted, days);
  const isDamaged = new Set(damaged.map(({ printing }) => printing));
  const sound = known.filter(({ printingRowId }) => !isDamaged.has(printingRowId));
  const reverted = revert(sound, printings, days, run.rates);
  const removed = new Map([...printings].map(([id, history]) => [id, history.days] as const));
  const written = await writeReverted(run, transaction, { ...reverted, removed, days });
  const counts = {
    ...written,
    days: [...removed.values()].reduce((sum, { length }) => sum + length, 0),
    unknownDays: [...printings.values()].reduce((sum, { unknown }) => sum + unknown, 0),
    putBack: reverted.putBack.length,
    removed: reverted.gone.length,
  };
  return { counts, damaged };
}

/** The observations of some printings without wrong ones. */
export interface Reverted {
  /** Those that were not wrong. */
  readonly kept: readonly StoredObservation[];
  /** What the others were before. */
  readonly putBack: readonly StoredObservation[];
  /** Those of which nothing earlier is known. */
  readonly gone: readonly StoredObservation[];
}

/** What printings go back to, once days of a source are out of their history. */
export interface Reversal extends Reverted {
  readonly days: SourceDays;
  /** The days that were removed, by row id of the printing. */
  readonly removed: ReadonlyMap<number, readonly Day[]>;
  /** What the source had on some of these days, if that is known. */
  readonly restored?: readonly PrintingDay[];
}

/**
 * Writes what printings go back to, inside of `transaction`: the observations, what is served by
 * them, and what others had on the removed days.
 */
export async function writeReverted(
  run: ImportRun,
  transaction: Transaction,
  { removed, days, restored = [], ...reverted }: Reversal,
): Promise<Pick<RollbackCounts, 'printings' | 'pricesChanged'>> {
  const { store, publication, startedAt } = run;
  const concerned = concernedPrintings(removed, reverted);
  if (concerned.length > 0) await publication.begin(transaction);
  await deleteObservations(transaction, reverted.gone);
  await upsertObservations(store, transaction, reverted.putBack);
  const merged = await mergeRest(run, transaction, concerned, reverted);
  const replaced = await takeReplacedDays(transaction, removed, days);
  // Of several fills of a day the last one counts.
  const filling = [...replaced, ...merged.days, ...restored];
  const fills = filling.map((day) => ({ ...day, fills: true }));
  await recordHistory(store, transaction, fills, startedAt);
  await updateBases(store, transaction, merged.printings, merged.printings.all());
  await upsertPrintings(store, transaction, merged.printings.changedRows());
  const { pricesChanged } = merged.printings.counts;
  return { printings: concerned.length, pricesChanged };
}

function revert(
  known: readonly StoredObservation[],
  histories: ReadonlyMap<number, RemovedDays>,
  days: SourceDays,
  rates: Rates,
): Reverted {
  const kept: StoredObservation[] = [];
  const putBack: StoredObservation[] = [];
  const gone: StoredObservation[] = [];
  for (const one of known) {
    const before = isOf(one, days) ? earlier(one, histories.get(one.printingRowId), rates) : one;
    if (before === one) kept.push(one);
    else if (before) putBack.push(before);
    else gone.push(one);
  }
  return { kept, putBack, gone };
}

/** The row ids of printings that lost a day or an observation. */
function concernedPrintings(
  removed: ReadonlyMap<number, readonly Day[]>,
  { putBack, gone }: Reverted,
): readonly number[] {
  const shortened = [...removed].filter(([, { length }]) => length > 0).map(([id]) => id);
  const reported = [...putBack, ...gone].map(({ printingRowId }) => printingRowId);
  return [...new Set([...shortened, ...reported])];
}

/** Whether an observation is of the days that are rolled back. */
function isOf({ source, observedAt }: StoredObservation, { source: of, from, to }: SourceDays) {
  const day = dayOf(observedAt);
  return source === of && day >= from && day <= to;
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

/** What a source reported on its newest day before the wrong ones; undefined if there is none. */
function earlier(
  wrong: StoredObservation,
  history: RemovedDays | undefined,
  rates: Rates,
): StoredObservation | undefined {
  const before = history?.before.get(wrong.marketplace);
  if (!before) return undefined;
  const observedAt = startOfDay(before.day);
  const rate = rateFor(rates, wrong.currency, observedAt);
  if (rate === undefined) return undefined;
  const prices = inCurrency(before, rate);
  return { ...wrong, prices, conditions: {}, graded: {}, observedAt, fetchedAt: null };
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
 * Merges what is left of printings. Returns them, which are to be written, and the days on which
 * others than the source are served now, which the history may lack.
 */
async function mergeRest(
  { nextIds, publication, rates }: ImportRun,
  transaction: Transaction,
  ids: readonly number[],
  { kept, putBack }: Reverted,
): Promise<{ readonly days: readonly PrintingDay[]; readonly printings: KnownPrintings }> {
  const rows = await printingsById(transaction, ids);
  const { revision } = publication;
  const foilCards = new Set<number>();
  const options = { nextIds, revision, rates, foilCards };
  const printings = new KnownPrintings(rows, [...kept, ...putBack], options);
  const isPutBack = new Set(putBack);
  const days = printings.all().flatMap((printing) => {
    const { figures } = printings.merge(printing);
    if (!figures || isPutBack.has(figures.observation)) return [];
    return [servedDay(printing.row.id, figures)];
  });
  return { days, printings };
}
