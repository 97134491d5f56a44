import {
  addDays,
  type Day,
  dayOf,
  formatDay,
  latestDay,
  type Millis,
  startOfDay,
} from '../../domain/day.ts';
import { OperatorError } from '../../domain/errors.ts';
import { combineRates, PUBLISHED_RATE_DAYS, type Rate, type Rates } from '../../domain/rates.ts';
import type { PublishedRates } from '../../sources/contract/rates.ts';
import {
  readOwnRates,
  readPublishedRates,
  upsertRates,
} from '../../store/catalogue/exchange-rates.ts';
import { recordImportEnd, recordImportStart } from '../../store/catalogue/imports.ts';
import type { Store } from '../../store/connect.ts';
import { convertAgain, type ImportOptions, openRun } from '../import.ts';
import { type ImportLock, withLock } from '../lock.ts';

/** Imports exchange rates, and converts the affected prices again. */

/** The outcome of an import of exchange rates. */
export interface RatesSummary {
  readonly source: string;
  /** The start of the newest day with a rate. */
  readonly observedAt: Millis;
  /** Rates in the file, and rates that are new or differ from the known ones. */
  readonly rates: number;
  readonly ratesChanged: number;
  /** The number of served prices that changed. */
  readonly pricesChanged: number;
  /** A file with any unreadable part is refused. */
  readonly broken: readonly [];
  readonly brokenCount: 0;
  readonly seconds: number;
}

/**
 * Imports exchange rates. Prices observed since the first changed day are merged again.
 *
 * @throws OperatorError if a rate is from the future or jumps, or if another import is running.
 */
export async function importRates(
  store: Store,
  published: PublishedRates,
  options: ImportOptions,
): Promise<RatesSummary> {
  rejectFuture(published, options.clock());
  return withLock(store, options.clock, (lock) => importLocked(store, lock, published, options));
}

function rejectFuture({ observedAt }: PublishedRates, now: Millis): void {
  const day = dayOf(observedAt);
  if (day <= latestDay(now)) return;
  throw new OperatorError(`There is a rate of ${formatDay(day)}, which is in the future.`);
}

async function importLocked(
  store: Store,
  lock: ImportLock,
  { source, observedAt, rates }: PublishedRates,
  options: ImportOptions,
): Promise<RatesSummary> {
  const { clock } = options;
  const [startedAt, started] = [clock(), performance.now()];
  const id = await recordImportStart(store.db, source, startedAt);
  const known = await readPublishedRates(store.db);
  const changed = changedRates(rates, known);
  rejectJumps([...without(known, changed), ...changed]);
  const run = await openRun(store, lock, startedAt, options);
  const own = await readOwnRates(store.db);
  const all = combineRates(own, [...without(known, changed), ...changed]);
  let pricesChanged = run.repriced;
  const [first] = changed.map(({ day }) => day).sort((a, b) => a - b);
  if (first !== undefined) {
    // The rates are written last. If the import is killed, the next one converts the prices again.
    pricesChanged += await convertAgain({ ...run, rates: all }, startOfDay(first));
    await store.db.transaction().execute(async (transaction) => {
      await run.publication.begin(transaction);
      await upsertRates(store, transaction, changed, run.publication.revision);
    });
  }
  await run.publication.finish(clock());
  const seconds = (performance.now() - started) / 1000;
  const counts = { rates: rates.length, ratesChanged: changed.length, pricesChanged };
  const summary = { source, observedAt, ...counts, broken: [], brokenCount: 0, seconds } as const;
  await recordImportEnd(store.db, id, { finishedAt: clock(), observedAt, summary });
  return summary;
}

function keyOf({ currency, day }: Rate): string {
  return `${currency} ${day}`;
}

function changedRates(rates: Rates, known: Rates): Rates {
  const before = new Map(known.map((rate) => [keyOf(rate), rate.dollarsPerUnit]));
  return rates.filter((rate) => before.get(keyOf(rate)) !== rate.dollarsPerUnit);
}

/** Returns the rates that others do not replace. */
function without(rates: Rates, others: Rates): Rates {
  const replaced = new Set(others.map(keyOf));
  return rates.filter((rate) => !replaced.has(keyOf(rate)));
}

/** None of our currencies has moved by a tenth within a week since 1999. */
const JUMP = 1.2;

/**
 * Refuses rates that differ too much from those of the days before, because one mistake would
 * change every price in the currency.
 * @throws OperatorError
 */
function rejectJumps(rates: Rates): void {
  for (const own of Map.groupBy(rates, ({ currency }) => currency).values()) {
    const sorted = own.toSorted((a, b) => a.day - b.day);
    for (const [index, rate] of sorted.entries()) {
      const before = sorted[index - 1];
      if (!before || addDays(before.day, PUBLISHED_RATE_DAYS) < rate.day) continue;
      const [one, other] = [before.dollarsPerUnit, rate.dollarsPerUnit];
      if (Math.max(one, other) > JUMP * Math.min(one, other)) throw jumped(before, rate);
    }
  }
}

function jumped(before: Rate, rate: Rate): OperatorError {
  const shown = ({ dollarsPerUnit, day }: { dollarsPerUnit: number; day: Day }) => {
    return `$${dollarsPerUnit.toPrecision(5)} on ${formatDay(day)}`;
  };
  return new OperatorError(
    `The rate of ${rate.currency} goes from ${shown(before)} to ${shown(rate)}, ` +
      'which cannot be right. Nothing was imported.',
  );
}
