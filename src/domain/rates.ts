import { type Day, dayOf, type Millis } from './day.ts';
import { type Cents, MAX_CENTS } from './money.ts';
import type { Currency } from './observation.ts';

/** What one unit of a currency was worth on a day, as the operator says. */
export interface Rate {
  readonly currency: Currency;
  readonly day: Day;
  readonly dollarsPerUnit: number;
}

export type Rates = readonly Rate[];

const DOLLARS = 'USD' satisfies Currency;

/**
 * The rate by which an amount that was observed at a moment becomes dollars: the newest that is
 * not later than the observation. Null is one to one, for dollars; undefined is none, and then
 * the amount is not served.
 */
export function rateFor(rates: Rates, currency: Currency, moment: Millis): Rate | null | undefined {
  if (currency === DOLLARS) return null;
  const day = dayOf(moment);
  let newest: Rate | undefined;
  for (const rate of rates) {
    if (rate.currency !== currency || rate.day > day) continue;
    if (newest === undefined || rate.day > newest.day) newest = rate;
  }
  return newest;
}

/** An amount in dollars, to the nearest cent; null for one that no price can be. */
export function inDollars(amount: Cents | null, rate: Rate | null): Cents | null {
  if (amount === null || rate === null) return amount;
  const cents = Math.round(amount * rate.dollarsPerUnit);
  return cents > 0 && cents <= MAX_CENTS ? (cents as Cents) : null;
}
