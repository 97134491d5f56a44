import { formatDay } from '../../../domain/day.ts';
import { type Cents, formatCents } from '../../../domain/money.ts';
import type { DayPrices, PriceFigures } from '../../../domain/price.ts';
import type { Finding, ResolvedObservation } from '../../observation.ts';
import { ratio } from '../amounts.ts';
import { daysOfMove, hasMovedBy } from './price-moves.ts';

const LISTINGS = ['low', 'mid', 'high'] as const;
type Listing = (typeof LISTINGS)[number];

/**
 * The highest possible listing, as a multiple of the market price. Of 40,495 rows of Pokémon, 24
 * have a `low`, 69 a `mid` and 503 a `high` beyond that, such as $30,614.87 for a Muk of $39.88.
 * Sellers can ask anything, but such a listing is not a price.
 */
const MOST_OVER_MARKET: Readonly<Record<Listing, number>> = { low: 10, mid: 10, high: 400 };

/**
 * Catches listings that cannot belong to the market price next to them, or that are out of order
 * (low, mid, high): the lowest listing of a $2.36 Ninetales at $204,301.30. Only the listings are
 * quarantined. The market price is the price at which copies sell, and stays.
 */
export function strayListing(resolved: ResolvedObservation): Finding | undefined {
  const { prices } = resolved.observation;
  const stray = findStray(prices);
  if (!stray) return undefined;
  const amounts = stray.isDisorder ? movedOf(resolved) : stray.amounts;
  return { rule: 'stray-listing', amounts, detail: describeStray(resolved, prices, stray) };
}

/** Whether any listing cannot belong to the market price, or is out of order. */
export function hasStrayListing(prices: PriceFigures): boolean {
  const { low, mid, high } = prices;
  if (low === null && mid === null && high === null) return false;
  return findStray(prices) !== undefined;
}

/** Finds the stray listings of an earlier day. If they are out of order, all are caught. */
export function strayListingsOf(
  resolved: ResolvedObservation,
  { day, ...prices }: DayPrices,
): Finding | undefined {
  const stray = findStray(prices);
  if (!stray) return undefined;
  const detail = `On ${formatDay(day)}: ${describeStray(resolved, prices, stray)}`;
  return { rule: 'stray-listing', amounts: stray.amounts, detail };
}

/** Impossible listings, with the two figures that contradict each other. */
interface Stray {
  readonly amounts: readonly Listing[];
  readonly isDisorder: boolean;
  readonly first: Listing;
  readonly second: keyof PriceFigures;
}

function findStray(prices: PriceFigures): Stray | undefined {
  return findOverMarket(prices) ?? findDisorder(prices);
}

function findOverMarket(prices: PriceFigures): Stray | undefined {
  const { market } = prices;
  if (!market) return undefined;
  const first = LISTINGS.find((name) => (prices[name] ?? 0) > market * MOST_OVER_MARKET[name]);
  if (!first) return undefined;
  // If a listing is too high, so are all listings above it.
  const amounts = LISTINGS.slice(LISTINGS.indexOf(first));
  return { amounts, isDisorder: false, first, second: 'market' };
}

const ORDERED = [
  ['low', 'mid'],
  ['mid', 'high'],
  ['low', 'high'],
] as const;

function findDisorder(prices: PriceFigures): Stray | undefined {
  const pair = ORDERED.find(([lower, upper]) => {
    const [less, more] = [prices[lower], prices[upper]];
    return less && more && less > more;
  });
  if (!pair) return undefined;
  const [first, second] = pair;
  return { amounts: LISTINGS, isDisorder: true, first, second };
}

/** From this factor, a listing has moved. */
const LEAST_MOVE = 1.05;

/** Returns the listings that moved since the last time; all of them if none did. */
function movedOf(resolved: ResolvedObservation): readonly Listing[] {
  const moved = LISTINGS.filter((name) => hasMovedBy(LEAST_MOVE, resolved, name));
  return moved.length > 0 ? moved : LISTINGS;
}

const NAMES = {
  market: 'market price',
  low: 'lowest listing',
  mid: 'median listing',
  high: 'highest listing',
} as const satisfies Record<keyof PriceFigures, string>;

function describeStray(
  { observation, cardName, printing }: ResolvedObservation,
  prices: PriceFigures,
  { isDisorder, first, second }: Stray,
): string {
  const show = (amount: Cents | null) => {
    return amount === null ? 'unknown' : formatCents(amount, observation.currency);
  };
  const [one, other] = [prices[first], prices[second]].map(show);
  const where = isDisorder
    ? `above the ${NAMES[second]}`
    : `more than ${MOST_OVER_MARKET[first]} times the ${NAMES[second]}`;
  return `The ${NAMES[first]} of ${cardName} (${printing}) is ${where}: ${one} against ${other}.`;
}

/** A market price may be this many times below the lowest listing: 1 % of all are further below. */
const BELOW_LOW = 2;
/** From this factor, a market price has moved. */
const LEAST_MARKET_MOVE = 1.1;
/** Over more days than this, listings and market prices move independently. */
const MOST_DAYS = 7;
/** A price that was already outside is caught if it is this many times further outside. */
const FURTHER = 1.25;
/**
 * A first market price may be this many times the median listing, or this many times both the
 * median and the lowest one: 1 in 1,000 is higher.
 */
const FIRST_OVER_MID = 5;
const FIRST_OVER_BOTH = { mid: 3, low: 10 };

/**
 * Catches a market price that has left the range of its own listings, from half of the lowest to
 * the highest. A price typed into the wrong row moves alone, and its listings stay. A price that
 * was just as far outside before has not left the range; 3 % of all prices are outside. A first
 * price has no past, so it is caught if it is far above its median listing, such as 30 times the
 * lowest listing. The price waits until its listings have followed.
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
  const hasMoved =
    ratio(market, was) >= LEAST_MARKET_MOVE && daysOfMove(resolved, 'market') <= MOST_DAYS;
  if (!bound || !hasMoved) return undefined;
  const past = boundLeft(before.prices);
  const isOld = past?.words === bound.words && bound.beyond < past.beyond * FURTHER;
  return isOld ? undefined : describe(resolved, bound.words, bound.listing);
}

/**
 * Returns how many times its median listing a first market price may be, and how many times it is.
 */
function firstOver(market: Cents, mid: Cents, low: Cents | null): number | undefined {
  if (market > mid * FIRST_OVER_MID) return FIRST_OVER_MID;
  const isOverLow = low !== null && market > low * FIRST_OVER_BOTH.low;
  return isOverLow && market > mid * FIRST_OVER_BOTH.mid ? FIRST_OVER_BOTH.mid : undefined;
}

/** Returns the bound that a market price exceeds, and by which factor. */
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
  const detail = `The market price of ${cardName} (${printing}), ${is}, is ${words}, ${listed}; it was ${was} before.`;
  return { rule: 'outside-listings', detail };
}
