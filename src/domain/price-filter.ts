import type { Cents } from './money.ts';

/** A filter of cards by price; undefined for no condition. */
export interface PriceFilter {
  /** The lowest and the highest market price, in cents. */
  readonly min: Cents | undefined;
  readonly max: Cents | undefined;
  /** Whether the card has any price. */
  readonly isPriced: boolean | undefined;
}

/** Whether a market price is in the range of a filter. A card without one is in no range. */
export function isInRange({ min, max }: PriceFilter, market: Cents | null): boolean {
  if (min === undefined && max === undefined) return true;
  return market !== null && market >= (min ?? 0) && market <= (max ?? market);
}
