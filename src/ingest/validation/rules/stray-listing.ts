import { formatDay } from '../../../domain/day.ts';
import { type Cents, formatCents } from '../../../domain/money.ts';
import type { DayPrices, PriceFigures } from '../../../domain/price.ts';
import type { Finding, ResolvedObservation } from '../../observation.ts';
import { hasMovedBy } from './price-moves.ts';

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

/** Finds the stray listings of an earlier day, of which all that are out of order are caught. */
export function strayListingsOf(
  resolved: ResolvedObservation,
  { day, ...prices }: DayPrices,
): Finding | undefined {
  const stray = findStray(prices);
  if (!stray) return undefined;
  const detail = `On ${formatDay(day)}: ${describeStray(resolved, prices, stray)}`;
  return { rule: 'stray-listing', amounts: stray.amounts, detail };
}

/** Listings that cannot be, with the two figures that contradict each other. */
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
  // No listing above one that is too high can be right.
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

/** From this factor on a listing has moved. */
const LEAST_MOVE = 1.05;

/** Returns the listings that moved since the last time; all of them when none did. */
function movedOf(resolved: ResolvedObservation): readonly Listing[] {
  const moved = LISTINGS.filter((name) => hasMovedBy(LEAST_MOVE, resolved, name));
  return moved.length > 0 ? moved : LISTINGS;
}

function nameOf(listing: Listing): string {
  return { low: 'lowest listing', mid: 'median listing', high: 'highest listing' }[listing];
}

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
    ? `above the ${second}`
    : `more than ${MOST_OVER_MARKET[first]} times the market price`;
  return `Of ${cardName} (${printing}) the ${nameOf(first)} is ${where}: ${one} beside ${other}.`;
}
