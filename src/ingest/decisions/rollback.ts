import type { CopyName } from '../../domain/copy.ts';
import { type Day, dayOf, endOfDay, type Millis, startOfDay } from '../../domain/day.ts';
import type { GameSlug } from '../../domain/games.ts';
import { isGrade } from '../../domain/grades.ts';
import type { Cents } from '../../domain/money.ts';
import { type DayPrices, NO_PRICES, type PriceFigures } from '../../domain/price.ts';
import { type Rate, type Rates, rateFor } from '../../domain/rates.ts';
import { addCounts } from '../../lib/counts.ts';
import { findHistorySince } from '../../store/catalogue/history-since.ts';
import { forgetFilesIn } from '../../store/catalogue/imports.ts';
import { observationsOf, type StoredObservation } from '../../store/catalogue/observations.ts';
import { namedPrintings } from '../../store/catalogue/series.ts';
import type { Store, Transaction } from '../../store/connect.ts';
import {
  type DamagedHistory,
  LAST_DAY,
  type SourceDays,
  type WantedDay,
} from '../../store/history/index.ts';
import { cardsMatching, deleteQuarantinedIn } from '../../store/quarantine/quarantine.ts';
import { openRun } from '../import.ts';
import { withLock } from '../lock.ts';
import type { ImportRun } from '../run.ts';
import { refreshDisputes } from './refresh-disputes.ts';
import { type Removal, type Reverted, reverse } from './reversal.ts';

/** The wrong days of a source. An absent filter restricts nothing. */
export interface WrongDays {
  /** By its name in the table of sources. */
  readonly source: string;
  /** The first wrong day. `until` is the last. */
  readonly since: Day;
  readonly until?: Day | undefined;
  readonly game?: GameSlug | undefined;
  /** Row ids of sets. */
  readonly sets?: readonly number[] | undefined;
}

export interface RollbackOptions {
  readonly clock: () => Millis;
  /** Whether to only count the changes, without making them. */
  readonly isDryRun?: boolean;
  /** Called with the number of examined printings, and the number of all. */
  readonly onProgress?: (done: number, total: number) => void;
}

/** The outcome of a rollback. */
interface RollbackCounts {
  /** Printings with anything rolled back. */
  readonly printings: number;
  /** Days of printings that were removed from the history. */
  readonly days: number;
  /** Days of printings that stay because their source was not recorded. */
  readonly unknownDays: number;
  /** Observations that returned to an earlier day. */
  readonly putBack: number;
  /** Observations without an earlier day, which were removed. */
  readonly removed: number;
  /** Printings whose served price changed. */
  readonly pricesChanged: number;
}

export interface RollbackSummary extends RollbackCounts {
  /** Removed entries of the quarantine. */
  readonly quarantined: number;
  /** Files of the source that may be imported again. */
  readonly files: number;
  /** Damaged histories. Their printings stay as they were. */
  readonly damaged: readonly DamagedHistory[];
}

/**
 * Rolls back days of a source in one publication, as if it had never reported them. Days without a
 * recorded source stay. If it is stopped halfway, the next call finishes the work. A call can be
 * repeated, because days that were already rolled back change nothing.
 *
 * @throws OperatorError if an import is running.
 */
export function rollBackDays(
  store: Store,
  wrong: WrongDays,
  options: RollbackOptions,
): Promise<RollbackSummary> {
  const { clock, isDryRun = false } = options;
  return withLock(store, clock, async (lock) => {
    const run = await openRun(store, lock, clock(), { limits: null });
    const days = { source: wrong.source, from: wrong.since, to: wrong.until ?? LAST_DAY };
    const { game, sets } = wrong;
    const filter = { ...(game !== undefined && { game }), ...(sets !== undefined && { sets }) };
    const counts = { ...NOTHING };
    const damaged: DamagedHistory[] = [];
    for await (const page of namedPrintings(store.db, filter)) {
      const ids = page.map(({ id }) => id);
      const done = await inTransaction(store, isDryRun, (transaction) =>
        rollBackPrintings(run, transaction, ids, days),
      );
      addCounts(counts, done.counts);
      damaged.push(...done.damaged);
      options.onProgress?.(ids.at(-1) ?? 0, run.nextIds.printing - 1);
      await lock.renew();
    }
    const rest = await inTransaction(store, isDryRun, (transaction) => {
      return forget(run, transaction, wrong, days.to);
    });
    if (!isDryRun) {
      await findHistorySince(store.db);
      await run.publication.finish(clock());
    }
    return { ...counts, ...rest, damaged };
  });
}

const NOTHING: RollbackCounts = {
  printings: 0,
  days: 0,
  unknownDays: 0,
  putBack: 0,
  removed: 0,
  pricesChanged: 0,
};

/** Works in a transaction, so a dry run can undo it. */
async function inTransaction<Result>(
  { db }: Store,
  isDryRun: boolean,
  work: (transaction: Transaction) => Promise<Result>,
): Promise<Result> {
  const transaction = await db.startTransaction().execute();
  try {
    const result = await work(transaction);
    await (isDryRun ? transaction.rollback() : transaction.commit()).execute();
    return result;
  } catch (error) {
    if (!transaction.isCommitted && !transaction.isRolledBack)
      await transaction.rollback().execute();
    throw error;
  }
}

/** Rolls back days of a source on some printings, given by row id. */
async function rollBackPrintings(
  run: ImportRun,
  transaction: Transaction,
  ids: readonly number[],
  days: SourceDays,
): Promise<{ readonly counts: RollbackCounts; readonly damaged: readonly DamagedHistory[] }> {
  const known = await observationsOf(run.store, transaction, ids);
  const { printings, pricesChanged, removal, reverted, damaged } = await reverse(run, transaction, {
    days,
    wanted: wantedDays(ids, known, days),
    revert: (removed) => revert(known, removed, days, run.rates),
  });
  const histories = [...removal.histories.values()];
  const counts = {
    printings,
    pricesChanged,
    days: histories.reduce((sum, history) => sum + history.days.length, 0),
    unknownDays: histories.reduce((sum, { unknown }) => sum + unknown, 0),
    putBack: reverted.putBack.length,
    removed: reverted.gone.length,
  };
  return { counts, damaged };
}

/**
 * The earlier days to look for, by printing. If no other source has ever reported a printing, a day
 * without a recorded source can only belong to this source.
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

function revert(
  known: readonly StoredObservation[],
  removal: Removal,
  days: SourceDays,
  rates: Rates,
): Reverted {
  const { damaged } = removal;
  const kept: StoredObservation[] = [];
  const putBack: StoredObservation[] = [];
  const gone: StoredObservation[] = [];
  for (const one of known.filter(({ printingRowId }) => !damaged.has(printingRowId))) {
    const before = isOf(one, days) ? earlier(one, removal, rates) : one;
    if (before === one) kept.push(one);
    else if (before) putBack.push(before);
    else gone.push(one);
  }
  return { kept, putBack, gone };
}

/** Whether an observation comes from the source on one of the days to roll back. */
function isOf({ source, observedAt }: StoredObservation, { source: of, from, to }: SourceDays) {
  const day = dayOf(observedAt);
  return source === of && day >= from && day <= to;
}

/** The source's last report before the wrong days; undefined if there is none. */
function earlier(
  wrong: StoredObservation,
  { histories, series }: Removal,
  rates: Rates,
): StoredObservation | undefined {
  const dayBefore = (id: number) => histories.get(id)?.before.get(wrong.marketplace);
  const figures = dayBefore(wrong.printingRowId);
  const own = series.filter(({ printing }) => printing === wrong.printingRowId);
  const copies = own.flatMap(({ id, copy }) => {
    const before = dayBefore(id);
    return before ? [{ ...before, copy }] : [];
  });
  const days = [...(figures ? [figures.day] : []), ...copies.map(({ day }) => day)];
  if (days.length === 0) return undefined;
  const day = Math.max(...days) as Day;
  const observedAt = startOfDay(day);
  const rate = rateFor(rates, wrong.currency, observedAt);
  if (rate === undefined) return undefined;
  const amounts = amountsOf(
    copies.filter((one) => one.day === day),
    rate,
  );
  const prices = figures?.day === day ? inCurrency(figures, rate) : NO_PRICES;
  return { ...wrong, prices, ...amounts, observedAt, fetchedAt: null };
}

/** Returns the conditions and grades of a day. */
function amountsOf(
  copies: readonly (DayPrices & { readonly copy: CopyName })[],
  rate: Rate | null,
): Pick<StoredObservation, 'conditions' | 'graded'> {
  const entries = copies.flatMap(({ copy, ...day }): [CopyName, Cents][] => {
    const { market } = inCurrency(day, rate);
    return market === null ? [] : [[copy, market]];
  });
  const [graded, conditions] = [true, false].map((isWanted) => {
    return Object.fromEntries(entries.filter(([copy]) => isGrade(copy) === isWanted));
  });
  return { conditions: conditions ?? {}, graded: graded ?? {} };
}

/** Converts US cents back. Converting the result to dollars again gives the same cents. */
function inCurrency({ market, low, mid, high }: DayPrices, rate: Rate | null): PriceFigures {
  const convert = (amount: Cents | null) => {
    return amount === null || rate === null ? amount : divided(amount, rate);
  };
  return { market: convert(market), low: convert(low), mid: convert(mid), high: convert(high) };
}

function divided(amount: Cents, { dollarsPerUnit }: Rate): Cents {
  return Math.round(amount / dollarsPerUnit) as Cents;
}

/** Deletes the quarantined prices of the days, and forgets that their files were imported. */
async function forget(run: ImportRun, transaction: Transaction, wrong: WrongDays, to: Day) {
  const { source, since, game, sets } = wrong;
  const before = endOfDay(to);
  const span = { source, from: startOfDay(since), before, game, sets };
  const about = { source, ...(game && { game }), ...(sets && { sets }) };
  const cards = await cardsMatching(transaction, { ...about, isDecided: false });
  const quarantined = await deleteQuarantinedIn(transaction, span);
  await refreshDisputes(run, transaction, cards);
  return { quarantined, files: await forgetFilesIn(transaction, span) };
}
