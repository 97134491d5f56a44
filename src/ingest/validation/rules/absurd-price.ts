import { type Cents, formatCents, MAX_CENTS } from '../../../domain/money.ts';
import type { Observation } from '../../../domain/observation.ts';
import type { PriceFigures } from '../../../domain/price.ts';
import type { Finding, ResolvedObservation } from '../../observation.ts';
import { formatName } from '../amounts.ts';

/**
 * Catches amounts that no price can have. Most of them are a 0 that a source writes for "unknown";
 * others are negative, no number at all, or above ten million dollars (`MAX_CENTS`).
 */
export function absurdPrice({
  observation,
  cardName,
  printing,
}: ResolvedObservation): Finding | undefined {
  for (const [name, amount] of amountsOf(observation)) {
    if (isPrice(amount)) continue;
    const price = `${formatName(name)} price of ${formatCents(amount, observation.currency)}`;
    const detail = `The ${price} for ${cardName} (${printing}) cannot be one.`;
    return { rule: 'absurd-price', detail };
  }
  return undefined;
}

/** Whether all four figures, where there are any, can be prices. */
export function arePrices({ market, low, mid, high }: PriceFigures): boolean {
  return [market, low, mid, high].every((amount) => amount === null || isPrice(amount));
}

/** Whether an amount can be a price: whole cents above 0 and up to ten million dollars. */
function isPrice(amount: Cents): boolean {
  return Number.isInteger(amount) && amount > 0 && amount <= MAX_CENTS;
}

function* amountsOf({ prices, conditions, graded }: Observation): Generator<[string, Cents]> {
  for (const amounts of [prices, conditions, graded]) {
    for (const [name, amount] of Object.entries(amounts)) {
      if (amount !== null && amount !== undefined) yield [name, amount];
    }
  }
}
