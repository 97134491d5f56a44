import { type Card, isPriced, marketPrice } from './card.ts';
import { isInRange, type PriceFilter } from './price.ts';

/** Whether the market price of a card or product passes a filter. */
export function passesPrice(card: Card, filter: PriceFilter): boolean {
  const { isPriced: wanted } = filter;
  if (wanted !== undefined && isPriced(card) !== wanted) return false;
  return isInRange(filter, marketPrice(card));
}
