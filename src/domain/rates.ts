import { type Day, dayOf, type Millis } from './day.ts';
import { type Cents, MAX_CENTS } from './money.ts';
import type { Currency } from './observation.ts';

/** An exchange rate of a day, set by the operator. */
export interface Rate {
  readonly currency: Currency;
  readonly day: Day;
  readonly dollarsPerUnit: number;
}

/** Exchange rates, in any order. */
export type Rates = readonly Rate[];

const DOLLARS = 'USD' satisfies Currency;

/**
 * Returns the rate that converts an amount observed at a moment into dollars: the newest one that
 * is not later than that day (UTC). Null for dollars, which need no rate; undefined if no rate
 * exists.
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

/** Converts an amount into US cents, rounded; null for a result that is zero or above MAX_CENTS. */
export function inDollars(amount: Cents | null, rate: Rate | null): Cents | null {
  if (amount === null || rate === null) return amount;
  const cents = Math.round(amount * rate.dollarsPerUnit);
  return cents > 0 && cents <= MAX_CENTS ? (cents as Cents) : null;
}
