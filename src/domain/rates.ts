import type { Currency } from './currencies.ts';
import { type Day, dayOf, type Millis } from './day.ts';
import { type Cents, MAX_CENTS } from './money.ts';

/** An exchange rate of a day. */
export interface Rate {
  readonly currency: Currency;
  readonly day: Day;
  readonly dollarsPerUnit: number;
  /** Its publisher; undefined for a rate that the operator has set. */
  readonly source?: 'ecb';
}

/** Exchange rates, in any order. The array must not change once it has been read. */
export type Rates = readonly Rate[];

/**
 * For how many days a published rate is valid. This covers weekends and holidays, when none is
 * published. A rate of the operator is valid until the next one.
 */
export const PUBLISHED_RATE_DAYS = 7;

/**
 * Returns the rate that converts an amount observed at a moment into dollars: the newest one that
 * is not later than that day (UTC). Null for dollars, which need no rate; undefined if no rate
 * exists.
 */
export function rateFor(rates: Rates, currency: Currency, moment: Millis): Rate | null | undefined {
  return rateOn(rates, currency, dayOf(moment));
}

/** The same as {@link rateFor}, for a day. */
export function rateOn(rates: Rates, currency: Currency, day: Day): Rate | null | undefined {
  if (currency === 'USD') return null;
  if (rates.length === 0) return undefined;
  const newest = newestUntil(ratesOf(rates, currency), day);
  if (newest?.source === undefined) return newest;
  return day - newest.day <= PUBLISHED_RATE_DAYS ? newest : undefined;
}

/** The operator's rates of a currency replace all published ones. */
export function combineRates(own: Rates, published: Rates): Rates {
  const replaced = new Set(own.map(({ currency }) => currency));
  return [...own, ...published.filter(({ currency }) => !replaced.has(currency))];
}

/** Ten years. */
const SERVED_DAYS = 3653;

/** Returns the rates that a serving process keeps in memory: those of the last ten years. */
export function servedRates(rates: Rates): Rates {
  const newest = rates.reduce((latest, { day }) => Math.max(latest, day), 0);
  return rates.filter(({ day }) => newest - day <= SERVED_DAYS);
}

/** The rates by currency, oldest first, because each price looks up a day among years of rates. */
const SORTED = new WeakMap<Rates, ReadonlyMap<Currency, Rates>>();

function ratesOf(rates: Rates, currency: Currency): Rates {
  let sorted = SORTED.get(rates);
  if (!sorted) {
    sorted = Map.groupBy(
      rates.toSorted((a, b) => a.day - b.day),
      (rate) => rate.currency,
    );
    SORTED.set(rates, sorted);
  }
  return sorted.get(currency) ?? [];
}

function newestUntil(sorted: Rates, day: Day): Rate | undefined {
  let [from, to] = [0, sorted.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((sorted[middle]?.day ?? day) <= day) from = middle + 1;
    else to = middle;
  }
  return sorted[from - 1];
}

/** Converts an amount into US cents, rounded; null for a result that is zero or above MAX_CENTS. */
export function inDollars(amount: Cents | null, rate: Rate | null): Cents | null {
  if (amount === null || rate === null) return amount;
  const cents = Math.round(amount * rate.dollarsPerUnit);
  return cents > 0 && cents <= MAX_CENTS ? (cents as Cents) : null;
}
