import { formatMoment, type Millis, MS_PER_DAY } from '../../domain/day.ts';
import { type Cents, MAX_CENTS } from '../../domain/money.ts';
import type { Currency, Observation } from '../../domain/observation.ts';
import type { Finding, ResolvedObservation } from './candidate.ts';
import { formatAmount, formatFigure } from './figures.ts';

/** What no price can be, whatever it is compared with. */

/** Clocks differ, and where only the day is told it may have begun earlier at the source. */
const AHEAD_MS = MS_PER_DAY;

/** The first trading card game is of August 1993; seconds taken for milliseconds are of 1970. */
const FIRST_MOMENT = Date.UTC(1993, 7);

/** Of markets that have only one. */
const CURRENCIES: Readonly<Record<string, Currency>> = {
  tcgplayer: 'USD',
  cardkingdom: 'USD',
  pricecharting: 'USD',
  cardmarket: 'EUR',
};

export function absurdPrice({
  observation,
  cardName,
  printing,
}: ResolvedObservation): Finding | undefined {
  const { low, high } = observation.prices;
  for (const [name, amount] of amounts(observation)) {
    if (isPrice(amount)) continue;
    const price = `${formatFigure(name)} price of ${formatAmount(amount, observation.currency)}`;
    const detail = `The ${price} for ${cardName} (${printing}) cannot be one.`;
    return { reason: 'absurd-price', detail };
  }
  if (low === null || high === null || low <= high) return undefined;
  const [from, to] = [low, high].map((amount) => formatAmount(amount, observation.currency));
  const detail = `The lowest price of ${cardName} (${printing}), ${from}, is above the highest, ${to}.`;
  return { reason: 'absurd-price', detail };
}

export function absurdDate(candidate: ResolvedObservation, now: Millis): Finding | undefined {
  const { cardName, printing, observation } = candidate;
  const { observedAt } = observation;
  if (observedAt >= FIRST_MOMENT && observedAt <= now + AHEAD_MS) return undefined;
  const when = Number.isNaN(new Date(observedAt).getTime())
    ? 'no moment'
    : formatMoment(observedAt);
  const detail = `The price of ${cardName} (${printing}) cannot have been observed at ${when}.`;
  return { reason: 'absurd-date', detail };
}

export function wrongCurrency({
  observation,
  before,
  cardName,
  printing,
}: ResolvedObservation): Finding | undefined {
  const expected = CURRENCIES[observation.marketplace] ?? before?.currency ?? observation.currency;
  if (observation.currency === expected) return undefined;
  const price = `The price of ${cardName} (${printing}) at ${observation.marketplace}`;
  return {
    reason: 'wrong-currency',
    detail: `${price} is in ${observation.currency}, not ${expected}.`,
  };
}

/** Whether an amount can be a price: whole cents above 0 and up to ten million dollars. */
export function isPrice(amount: Cents): boolean {
  return Number.isInteger(amount) && amount > 0 && amount <= MAX_CENTS;
}

function* amounts({ prices, conditions, graded }: Observation): Generator<[name: string, Cents]> {
  for (const figures of [prices, conditions, graded]) {
    for (const [name, amount] of Object.entries(figures)) {
      if (amount !== null && amount !== undefined) yield [name, amount];
    }
  }
}
