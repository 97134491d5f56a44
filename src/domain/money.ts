import { CURRENCIES, type Currency } from './currencies.ts';

/**
 * An amount as a whole number of hundredths: of a US dollar, or of the unit of the currency that is
 * given with it.
 */
export type Cents = number & { readonly __unit: 'cents' };

/** The highest price that the service accepts: ten million dollars. */
export const MAX_CENTS = 1_000_000_000 as Cents;

/**
 * Converts dollars into cents, rounded to the nearest cent. Undefined for impossible prices:
 * negative, not finite, or above {@link MAX_CENTS}.
 */
export function centsFromDollars(dollars: number): Cents | undefined {
  const cents = Math.round(dollars * 100);
  return dollars >= 0 && cents <= MAX_CENTS ? (cents as Cents) : undefined;
}

/** The amount in dollars, with at most two decimals. */
export function dollarsFromCents(cents: Cents): number {
  return cents / 100;
}

/** The amount in dollars; null if there is none. */
export function dollarsOrNull(cents: Cents | null | undefined): number | null {
  return cents === null || cents === undefined ? null : dollarsFromCents(cents);
}

/** Formats an amount for people: `$12.50`, `€3.00`, `¥480`. */
export function formatCents(cents: Cents, currency: Currency = 'USD'): string {
  const { symbol, decimals } = CURRENCIES[currency];
  return `${symbol}${dollarsFromCents(cents).toFixed(decimals)}`;
}
