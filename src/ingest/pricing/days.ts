import { dayOf, startOfDay } from '../../domain/day.ts';
import { dollarPrices, outranks, type SourceObservation } from '../../domain/merge.ts';
import { type DayPrices, hasPrice } from '../../domain/price.ts';
import { type Rates, rateFor } from '../../domain/rates.ts';
import type { PrintingDay } from '../../store/history.ts';
import { isSameSeries, type ServedFigures } from './printings.ts';

/** What becomes the history of a printing: of each day what is served, or would have been. */

/** Days of a source. */
export interface ToldDays {
  /** Whose they are. */
  readonly observation: SourceObservation;
  readonly days: readonly DayPrices[];
}

/**
 * What of a source's days the history gets, in dollars. Those of a source that is believed at
 * least as much as the one that is served take the place of what is known; those of another one
 * of the same market fill in days that nobody has told.
 */
export function recordedDays(
  printing: number,
  { observation, days }: ToldDays,
  served: ServedFigures,
  rates: Rates,
): PrintingDay[] {
  const { currency, marketplace } = observation;
  const isBelieved =
    !served ||
    isSameSeries(observation, served.observation) ||
    outranks(observation, served.observation);
  const isAlike =
    marketplace === served?.observation.marketplace && currency === served.observation.currency;
  if (!isBelieved && !isAlike) return [];
  const end = isBelieved ? Number.POSITIVE_INFINITY : dayOf(served.observation.observedAt);
  return days.flatMap((prices) => {
    const rate = rateFor(rates, currency, startOfDay(prices.day));
    if (rate === undefined || prices.day >= end || !hasPrice(prices)) return [];
    const inDollars = rate ? { day: prices.day, ...dollarPrices(prices, rate) } : prices;
    return [{ printing, prices: inDollars, fills: !isBelieved }];
  });
}

/** The day of what is served, for a history that does not have it. */
export function servedDay(
  printing: number,
  { observation, rate }: NonNullable<ServedFigures>,
): PrintingDay {
  const prices = { day: dayOf(observation.observedAt), ...dollarPrices(observation.prices, rate) };
  return { printing, prices, fills: true };
}
