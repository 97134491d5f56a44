/** US dollars as a whole number of cents. */
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

/** Formats an amount for people: `$12.50`, `€3.00`. */
export function formatCents(cents: Cents, currency: 'USD' | 'EUR' = 'USD'): string {
  return `${currency === 'EUR' ? '€' : '$'}${dollarsFromCents(cents).toFixed(2)}`;
}
