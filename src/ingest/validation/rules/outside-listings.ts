import { type Cents, formatCents } from '../../../domain/money.ts';
import type { PriceFigures } from '../../../domain/price.ts';
import type { Finding, ResolvedObservation } from '../../observation.ts';
import { ratio } from '../amounts.ts';
import { daysOfMove } from './price-moves.ts';

/** A market price may be this many times below the lowest listing: 1 % of all are further below. */
const BELOW_LOW = 2;
/** From this factor on a market price has moved. */
const LEAST_MOVE = 1.1;
/** In more days than this listings and market prices both go their own way. */
const MOST_DAYS = 7;
/** A price that was outside before is caught when it is so many times further outside. */
const FURTHER = 1.25;
/**
 * A first market price may be so many times the median listing, or so many times that and the
 * lowest one: 1 in 1,000 is higher.
 */
const FIRST_OVER_MID = 5;
const FIRST_OVER_BOTH = { mid: 3, low: 10 };

/**
 * Catches a market price that has left its own listings, between half of the lowest and the highest:
 * a price typed into the wrong row moves alone, and its listings stay. A price that was as far
 * outside before, as 3 % of all are, has left nothing. A first price has no past, so it is caught
 * when it is far above its median listing: 30 times the lowest listing. It waits until its listings
 * are there, too.
 */
export function outsideListings(resolved: ResolvedObservation): Finding | undefined {
  const { observation, before } = resolved;
  const { market, low, mid } = observation.prices;
  if (!market) return undefined;
  const was = before?.prices.market;
  if (!before || !was) {
    const times = mid && firstOver(market, mid, low);
    return times
      ? describe(resolved, `more than ${times} times its median listing`, mid)
      : undefined;
  }
  const bound = boundLeft(observation.prices);
  const hasMoved = ratio(market, was) >= LEAST_MOVE && daysOfMove(resolved, 'market') <= MOST_DAYS;
  if (!bound || !hasMoved) return undefined;
  const past = boundLeft(before.prices);
  const isOld = past?.words === bound.words && bound.beyond < past.beyond * FURTHER;
  return isOld ? undefined : describe(resolved, bound.words, bound.listing);
}

/** Returns how many times its median listing a first market price must not be, and is. */
function firstOver(market: Cents, mid: Cents, low: Cents | null): number | undefined {
  if (market > mid * FIRST_OVER_MID) return FIRST_OVER_MID;
  const isOverLow = low !== null && market > low * FIRST_OVER_BOTH.low;
  return isOverLow && market > mid * FIRST_OVER_BOTH.mid ? FIRST_OVER_BOTH.mid : undefined;
}

/** Returns the bound that a market price is beyond, and how many times. */
function boundLeft({ market, low, high }: PriceFigures) {
  if (market && low && market * BELOW_LOW < low) {
    const words = `less than half of its lowest listing`;
    return { words, listing: low, beyond: low / market };
  }
  return market && high && market > high
    ? { words: 'above its highest listing', listing: high, beyond: market / high }
    : undefined;
}

function describe(
  { observation, cardName, printing, before }: ResolvedObservation,
  words: string,
  listing: Cents,
): Finding {
  const { market } = observation.prices;
  const [is, listed, was] = [market, listing, before?.prices.market].map((amount) => {
    return amount ? formatCents(amount, observation.currency) : 'unknown';
  });
  const detail = `The market price of ${cardName} (${printing}), ${is}, is ${words}, ${listed}; before it was ${was}.`;
  return { rule: 'outside-listings', detail };
}
