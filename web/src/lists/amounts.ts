import { CURRENCIES, type Currency } from '../../../src/domain/currencies.ts';

/** Exact arithmetic with amounts: in whole hundredths, because sums of decimals are not exact. */

/** Returns an amount as a whole number of hundredths. */
export function hundredthsOf(amount: number): number {
  return Math.round(amount * 100);
}

/**
 * Returns a percentage of an amount in hundredths, rounded half up to the smallest unit that people
 * pay: a cent, or a yen.
 */
export function shareOf(hundredths: number, percent: number, currency: Currency): number {
  const unit = CURRENCIES[currency].decimals === 0 ? 100 : 1;
  // Hundredths of a percent make all numbers whole, so halves are exact.
  const share = hundredths * Math.round(percent * 100);
  return Math.floor((share + 5000 * unit) / (10_000 * unit)) * unit;
}

/** Reads a percentage from 0 to 999.99, as in `62.5` or `62,5 %`; undefined for other texts. */
export function readPercent(text: string): number | undefined {
  const [, digits] = /^(\d{1,3}(?:[.,]\d{1,2})?) ?%?$/.exec(text.trim()) ?? [];
  return digits === undefined ? undefined : Number(digits.replace(',', '.'));
}
