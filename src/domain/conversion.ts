import { CURRENCIES, type Currency } from './currencies.ts';
import { type Day, formatDay } from './day.ts';
import type { Cents } from './money.ts';
import { type Rates, rateOn } from './rates.ts';

/** Converts served prices into the currency that a caller asks for (docs/pricing.md#currencies). */

/** The conversion of amounts from one currency into another. */
export interface Conversion {
  readonly from: Currency;
  readonly to: Currency;
  /** Units of `to` for one unit of `from`. */
  readonly rate: number;
  /** The day of the rate. If the conversion uses two rates, the day of the older one. */
  readonly day: Day;
}

/** Digits of a rate, so callers who multiply by it get the same amounts. */
const DIGITS = 8;

/**
 * Returns the conversion between two currencies by the rates of a day; undefined without a rate.
 */
export function conversionOn(
  rates: Rates,
  from: Currency,
  to: Currency,
  day: Day,
): Conversion | undefined {
  const [one, other] = [rateOn(rates, from, day), rateOn(rates, to, day)];
  if (one === undefined || other === undefined) return undefined;
  const rate = (one?.dollarsPerUnit ?? 1) / (other?.dollarsPerUnit ?? 1);
  const rateDay = Math.min(one?.day ?? day, other?.day ?? day) as Day;
  return { from, to, rate: Number(rate.toPrecision(DIGITS)), day: rateDay };
}

/**
 * Converts an amount, rounded to the decimals of the currency. A positive amount never becomes 0:
 * it is at least the smallest amount of the currency.
 */
export function convert(amount: Cents, { rate, to }: Conversion): Cents {
  const smallest = smallestOf(to);
  const units = Math.round((amount * rate) / smallest);
  return ((amount > 0 ? Math.max(1, units) : units) * smallest) as Cents;
}

/** The smallest amount of a currency, in hundredths: 1, or 100 for the yen. */
function smallestOf(currency: Currency): number {
  return 10 ** (2 - CURRENCIES[currency].decimals);
}

/** Explains why amounts are not converted. */
export function noRateReason(from: Currency, to: Currency, day: Day): string {
  const [before, after] = [from, to].map((one) => (one === 'USD' ? 'US dollars' : one));
  return `No exchange rate from ${before} to ${after} is known for ${formatDay(day)}.`;
}
