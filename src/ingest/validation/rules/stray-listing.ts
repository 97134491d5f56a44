import type { Cents } from '../../../domain/money.ts';
import type { PriceFigures } from '../../../domain/price.ts';
import type { Finding, ResolvedObservation } from '../../observation.ts';
import { formatAmount, ratio } from '../amounts.ts';

const LISTINGS = ['low', 'mid', 'high'] as const;
type Listing = (typeof LISTINGS)[number];

/**
 * How many times the market price a listing can be: of 40,495 rows of Pokémon 24 have a `low`, 69 a
 * `mid` and 260 a `high` beyond that. Anybody may ask anything, but nobody would call it a price.
 */
const MOST_OVER_MARKET: Readonly<Record<Listing, number>> = { low: 10, mid: 10, high: 1000 };

/**
 * Catches listings that cannot belong to the market price beside them, or that are out of order
 * (low, mid, high): the lowest listing of a $2.36 Ninetales at $204,301.30. They alone are not
 * served; the market price is what copies sell for, and stays.
 */
export function strayListing(resolved: ResolvedObservation): Finding | undefined {
  const { prices } = resolved.observation;
  return findOverMarket(resolved, prices) ?? findDisorder(resolved, prices);
}

function findOverMarket(resolved: ResolvedObservation, prices: PriceFigures): Finding | undefined {
  const { market } = prices;
  if (!market) return undefined;
  const names = LISTINGS.filter((name) => {
    return (prices[name] ?? 0) > market * MOST_OVER_MARKET[name];
  });
  const [first] = names;
  if (!first) return undefined;
  // No listing above one that is too high can be right.
  const amounts =
    first === 'low' ? ['low', 'mid', 'high'] : first === 'mid' ? ['mid', 'high'] : names;
  const limit = `more than ${MOST_OVER_MARKET[first]} times the market price`;
  return describe(resolved, amounts, `${nameOf(first)} is ${limit}`, first, 'market');
}

function findDisorder(resolved: ResolvedObservation, prices: PriceFigures): Finding | undefined {
  for (const [lower, upper] of [
    ['low', 'mid'],
    ['mid', 'high'],
    ['low', 'high'],
  ] as const) {
    const [less, more] = [prices[lower], prices[upper]];
    if (!less || !more || less <= more) continue;
    const amounts = movedOf(resolved);
    return describe(resolved, amounts, `${nameOf(lower)} is above the ${upper}`, lower, upper);
  }
  return undefined;
}

/** From this factor on a listing has moved. */
const LEAST_MOVE = 1.05;

/** Returns the listings that moved since the last time; all of them when none did. */
function movedOf({ observation, before }: ResolvedObservation): Listing[] {
  const moved = LISTINGS.filter((name) => {
    const [is, was] = [observation.prices[name], before?.prices[name]];
    return is && was && ratio(is, was) >= LEAST_MOVE;
  });
  return moved.length > 0 ? moved : [...LISTINGS];
}

function nameOf(listing: Listing): string {
  return { low: 'lowest listing', mid: 'median listing', high: 'highest listing' }[listing];
}

function describe(
  { observation, cardName, printing }: ResolvedObservation,
  amounts: readonly string[],
  what: string,
  first: Listing,
  second: keyof PriceFigures,
): Finding {
  const show = (amount: Cents | null) => {
    return amount === null ? 'unknown' : formatAmount(amount, observation.currency);
  };
  const [one, other] = [observation.prices[first], observation.prices[second]].map(show);
  const detail = `Of ${cardName} (${printing}) the ${what}: ${one} beside ${other}.`;
  return { rule: 'stray-listing', amounts, detail };
}
