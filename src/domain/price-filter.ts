import { type Card, isPriced, marketPrice } from './card.ts';
import type { LocalPrices } from './local-prices.ts';
import type { Cents } from './money.ts';
import { isInRange, type PriceFilter } from './price.ts';

/** Returns the market price of a card or product, in the caller's currency if there is one. */
export function comparedPrice(card: Card, local: LocalPrices | undefined): Cents | null {
  return local ? local.market(card) : marketPrice(card);
}

/** Whether that price passes a filter. */
export function passesPrice(
  card: Card,
  filter: PriceFilter,
  local: LocalPrices | undefined,
): boolean {
  const { isPriced: wanted } = filter;
  if (wanted !== undefined && isPriced(card) !== wanted) return false;
  return isInRange(filter, comparedPrice(card, local));
}
