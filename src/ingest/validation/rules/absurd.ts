import { currencyAt } from '../../../domain/currencies.ts';
import { formatMoment, MS_PER_DAY } from '../../../domain/day.ts';
import { type Cents, formatCents, MAX_CENTS } from '../../../domain/money.ts';
import type { Observation } from '../../../domain/observation.ts';
import type { PriceFigures } from '../../../domain/price.ts';
import type { Finding, ResolvedObservation } from '../../observation.ts';
import { formatName } from '../amounts.ts';
import type { ValidationContext } from '../limits.ts';

/**
 * Catches impossible amounts. Most of them are a 0 that a source writes for "unknown". Others are
 * negative, not a number, or above ten million dollars (`MAX_CENTS`).
 */
export function absurdPrice({
  observation,
  cardName,
  printing,
}: ResolvedObservation): Finding | undefined {
  for (const [name, amount] of amountsOf(observation)) {
    if (isPrice(amount)) continue;
    const price = `${formatName(name)} price of ${formatCents(amount, observation.currency)}`;
    const detail = `The ${price} for ${cardName} (${printing}) is impossible.`;
    return { rule: 'absurd-price', detail };
  }
  return undefined;
}

/** Whether all known figures can be prices. */
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

/**
 * One day, because clocks differ, and because a source that gives only the day may have started it
 * earlier.
 */
const MOST_AHEAD_MS = MS_PER_DAY;

/** The month of the first trading card game. */
const FIRST_MOMENT = Date.UTC(1993, 7);

/**
 * Catches prices observed in the future or before trading cards existed. Seconds read as
 * milliseconds give moments in January 1970.
 */
export function absurdDate(
  { cardName, printing, observation: { observedAt } }: ResolvedObservation,
  { now }: ValidationContext,
): Finding | undefined {
  if (observedAt >= FIRST_MOMENT && observedAt <= now + MOST_AHEAD_MS) return undefined;
  const isMoment = !Number.isNaN(new Date(observedAt).getTime());
  const when = isMoment ? formatMoment(observedAt) : 'no moment';
  const detail = `The price of ${cardName} (${printing}) cannot have been observed at ${when}.`;
  return { rule: 'absurd-date', detail };
}

/**
 * Catches prices that are not in their marketplace's currency. Cardmarket's euros labelled as
 * dollars are about a tenth off, which no other rule would notice. At an unknown marketplace, such
 * as a shop in an operator's own file, the currency must stay the same.
 */
export function wrongCurrency({
  observation: { marketplace, currency },
  before,
  cardName,
  printing,
}: ResolvedObservation): Finding | undefined {
  const expected = currencyAt(marketplace) ?? before?.currency ?? currency;
  if (currency === expected) return undefined;
  const price = `The price of ${cardName} (${printing}) at ${marketplace}`;
  return { rule: 'wrong-currency', detail: `${price} is in ${currency}, not ${expected}.` };
}
