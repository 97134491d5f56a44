import { dayOf, startOfDay } from '../domain/day.ts';
import { dollarPrices, type MergeQuote, outranks } from '../domain/merge.ts';
import { type DayPrices, hasPrice } from '../domain/price.ts';
import { type Rates, rateFor } from '../domain/rates.ts';
import type { PrintingDay } from '../store/history.ts';
import { isSameOrigin, type ServedFigures } from './printings.ts';

/** What becomes the history of a printing: of each day what is served, or would have been. */

/** Days of a source. */
export interface ToldDays {
  /** Whose they are. */
  readonly quote: MergeQuote;
  readonly days: readonly DayPrices[];
}

/**
 * What of a source's days the history gets, in dollars. Those of a source that is believed at
 * least as much as the one that is served take the place of what is known; those of another one
 * of the same market fill in days that nobody has told.
 */
export function recordedDays(
  printing: number,
  { quote, days }: ToldDays,
  served: ServedFigures,
  rates: Rates,
): PrintingDay[] {
  const { currency, market } = quote;
  const isBelieved = !served || isSameOrigin(quote, served.quote) || outranks(quote, served.quote);
  const isAlike = market === served?.quote.market && currency === served.quote.currency;
  if (!isBelieved && !isAlike) return [];
  const end = isBelieved ? Number.POSITIVE_INFINITY : dayOf(served.quote.observedAt);
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
  { quote, rate }: NonNullable<ServedFigures>,
): PrintingDay {
  const prices = { day: dayOf(quote.observedAt), ...dollarPrices(quote.prices, rate) };
  return { printing, prices, fills: true };
}
