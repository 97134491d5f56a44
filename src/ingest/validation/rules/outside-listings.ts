import type { Cents } from '../../../domain/money.ts';
import type { PriceFigures } from '../../../domain/price.ts';
import type { Finding, ResolvedObservation } from '../../observation.ts';
import { formatAmount, ratio } from '../amounts.ts';
import { isBelievable } from '../belief.ts';

/** A market price may be this many times below the lowest listing: 1 % of all are further below. */
const BELOW_LOW = 2;
/** From this factor on a market price has moved. */
const LEAST_MOVE = 1.1;
/** A first market price may be this many times the median listing: 1 in 1,400 is higher. */
const FIRST_OVER_MID = 5;

/**
 * Catches a market price that has left its own listings, between half of the lowest and the highest:
 * a price typed into the wrong row moves alone, and its listings stay. A price that was outside
 * before, as 3 % of all are, has left nothing. A first price has no past, so it is caught when it
 * is far above its median listing: 30 times the lowest listing.
 */
export function outsideListings(resolved: ResolvedObservation): Finding | undefined {
  const { observation, before } = resolved;
  const { market, mid } = observation.prices;
  if (!market) return undefined;
  const was = before?.prices.market;
  if (!before || !was) {
    if (!mid || market <= mid * FIRST_OVER_MID) return undefined;
    return describe(resolved, `more than ${FIRST_OVER_MID} times its median listing`, mid);
  }
  const bound = boundLeft(observation.prices);
  if (!bound || ratio(market, was) < LEAST_MOVE || boundLeft(before.prices)) return undefined;
  if (isBelievable(ratio(market, was), marketsSince(resolved, market))) return undefined;
  return describe(resolved, bound.words, bound.listing);
}

/** Returns the bound that a market price is beyond. */
function boundLeft({ market, low, high }: PriceFigures) {
  if (market && low && market * BELOW_LOW < low) {
    return { words: `less than half of its lowest listing`, listing: low };
  }
  return market && high && market > high
    ? { words: 'above its highest listing', listing: high }
    : undefined;
}

function marketsSince({ quarantined }: ResolvedObservation, market: Cents): Cents[] {
  return [...(quarantined?.earlierDays ?? []).flatMap((day) => day.market ?? []), market];
}

function describe(
  { observation, cardName, printing, before }: ResolvedObservation,
  words: string,
  listing: Cents,
): Finding {
  const { market } = observation.prices;
  const [is, listed, was] = [market, listing, before?.prices.market].map((amount) => {
    return amount ? formatAmount(amount, observation.currency) : 'unknown';
  });
  const detail = `The market price of ${cardName} (${printing}), ${is}, is ${words}, ${listed}; before it was ${was}.`;
  return { rule: 'outside-listings', detail };
}
