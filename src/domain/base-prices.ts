import type { Day } from './day.ts';
import type { Cents } from './money.ts';
import type { HistoryDay, Provenance } from './price.ts';
import {
  type BasePrices,
  CHANGE_WINDOW_NAMES,
  CHANGE_WINDOWS,
  type ChangeDoubt,
  type ChangeWindow,
  factorBetween,
  NO_BASES,
} from './price-changes.ts';

/** Finds the base prices of a printing in its history, and judges whether to trust them. */

/** Smaller moves are not listed. */
const NOTICED = 1.05;

/** A price has jumped if it changes by at least this factor in a single day. */
const JUMP = 1.15;

/** A jump this large needs a second day, even if the listings on the first day agree with it. */
const LARGE_JUMP = 1.5;

/** A change this large needs another source, just as serving it does (docs/pricing.md). */
const TOO_LARGE = 10;

/** A level that lasted at most this many days and came back was a spike. */
const SPIKE_DAYS = 3;

/** Listings have followed the market price if they moved by at least this share of its move. */
const FOLLOWED = 0.4;

/** Factors by which a market price cannot plausibly differ from its own listings. */
const THIN = { overHigh: 1.5, underLow: 2.5, spread: 1000 } as const;

/** The newest served prices of a printing. The history must end with them. */
export interface ServedMarket {
  readonly market: Cents | null;
  /** The day on which they were observed. */
  readonly day: Day;
  /** The market prices of all sources for about that day, in cents, including the served one. */
  readonly reported: readonly Cents[];
}

/** A day on which a market price was newly observed at a known marketplace. */
interface ObservedDay extends HistoryDay {
  readonly market: Cents;
  readonly provenance: Provenance;
}

/**
 * Finds the base prices of the served price among the days of the history, in ascending order. It
 * interpolates nothing: without an observation in the window there is no base.
 */
export function findBasePrices(days: readonly HistoryDay[], served: ServedMarket): BasePrices {
  const observed = days.filter(isObserved);
  const newest = observed.at(-1);
  if (!newest || newest.day !== served.day || newest.market !== served.market) return NO_BASES;
  const found = { ...NO_BASES };
  const doubts: Partial<Record<ChangeWindow, ChangeDoubt>> = {};
  for (const window of CHANGE_WINDOW_NAMES) {
    const base = baseIn(observed, newest, window);
    if (!base) continue;
    found[window] = base.market;
    const doubt = doubtOf({ observed, base, newest, reported: served.reported });
    if (doubt) doubts[window] = doubt;
  }
  return { ...found, doubts };
}

function isObserved(day: HistoryDay): day is ObservedDay {
  const { market, provenance } = day;
  return market !== null && market > 0 && provenance !== null && !provenance.repeated;
}

function baseIn(
  observed: readonly ObservedDay[],
  newest: ObservedDay,
  window: ChangeWindow,
): ObservedDay | undefined {
  const { days, tolerance } = CHANGE_WINDOWS[window];
  const last = newest.day - days;
  const base = observed.findLast(({ day }) => day <= last);
  return base && base.day >= last - tolerance ? base : undefined;
}

/** A change with all of its surrounding days. */
interface Move {
  readonly observed: readonly ObservedDay[];
  readonly base: ObservedDay;
  readonly newest: ObservedDay;
  readonly reported: readonly Cents[];
}

function doubtOf(move: Move): ChangeDoubt | undefined {
  const { base, newest } = move;
  const { marketplace } = newest.provenance;
  if (base.provenance.marketplace !== marketplace) return 'marketplace-changed';
  const size = factorBetween(base.market, newest.market);
  if (size < NOTICED) return undefined;
  if (isThin(base) || isThin(newest)) return 'thin-listings';
  const own = move.observed.filter(({ provenance }) => provenance.marketplace === marketplace);
  const alike = { ...move, observed: own };
  if (hasComeBack(alike)) return 'came-back';
  if (size < JUMP) return undefined;
  if (hasLeftListings(base, newest)) return 'thin-listings';
  if (size >= TOO_LARGE && !isWitnessed(move)) return 'unconfirmed';
  if (standsAlone(alike)) return 'unconfirmed';
  if (hasJumped(alike) && haveFollowed(base, newest) === false) return 'listings-stayed';
  return hasStoodStill(alike) ? 'unconfirmed' : undefined;
}

function isThin({ market, low, high }: ObservedDay): boolean {
  if (high !== null && market > THIN.overHigh * high) return true;
  if (low === null) return false;
  return low > THIN.underLow * market || (high !== null && high > THIN.spread * low);
}

/** Whether the price is within its listings on one of the days and outside them on the other. */
function hasLeftListings(base: ObservedDay, newest: ObservedDay): boolean {
  if (!hasListings(base) || !hasListings(newest)) return false;
  return isOutside(base) !== isOutside(newest) || isSingle(base) !== isSingle(newest);
}

function hasListings({ low, high }: ObservedDay): boolean {
  return low !== null && high !== null;
}

function isOutside({ market, low, high }: ObservedDay): boolean {
  return (high !== null && market > high) || (low !== null && market < low / 2);
}

function isSingle({ low, high }: ObservedDay): boolean {
  return low === high;
}

/** Whether the base level was short, and the price before it was about the same as now. */
function hasComeBack(move: Move): boolean {
  const { base, newest } = move;
  const { first, last, before } = levelAround(move, base);
  if (!before || last.day - first.day >= SPIKE_DAYS) return false;
  return wayFrom(newest, before, move) <= 0.5;
}

/** Whether the base or the newest price jumped on a single day, and nothing confirms it. */
function standsAlone(move: Move): boolean {
  const { base, newest, observed } = move;
  const first = levelAround(move, base);
  const isFirst = !first.before && first.first === first.last;
  if (isFirst && hasJumped(move) && haveFollowed(base, newest) !== true) return true;
  const now = levelAround(move, newest);
  const previous = observed.at(-2);
  if (now.first !== newest || !previous) return false;
  const step = factorBetween(previous.market, newest.market);
  if (step < JUMP || isWitnessed(move)) return false;
  return step >= LARGE_JUMP || haveFollowed(previous, newest) !== true;
}

/** A price stands still while it stays within this factor. */
const STILL = 1.01;

/**
 * Whether the price made one large step and has stood still since, as mistakes also do: Royal
 * Assassin went from $140.00 to $71.62 and stayed there.
 */
function hasStoodStill(move: Move): boolean {
  const { newest, observed } = move;
  const { first, before } = levelAround(move, newest);
  if (!before || factorBetween(before.market, first.market) < LARGE_JUMP) return false;
  if (isWitnessed(move) || haveFollowed(before, newest) === true) return false;
  const since = observed.slice(observed.indexOf(first));
  return since.every((day) => factorBetween(day.market, newest.market) <= STILL);
}

/** Whether another source reports about the same price. */
function isWitnessed({ newest, reported }: Move): boolean {
  return reported.filter((market) => factorBetween(market, newest.market) < JUMP).length > 1;
}

/** Whether a single step was at least half of the change. */
function hasJumped(move: Move): boolean {
  const { observed, base, newest } = move;
  const between = observed.slice(observed.indexOf(base));
  const half = Math.max(JUMP, Math.sqrt(factorBetween(base.market, newest.market)));
  return between.some((day, index) => {
    const next = between[index + 1];
    return next !== undefined && factorBetween(day.market, next.market) >= half;
  });
}

/**
 * Whether the lowest and the median listing moved with the market price, on average. Undefined if
 * neither is known for both days.
 */
function haveFollowed(from: ObservedDay, to: ObservedDay): boolean | undefined {
  const way = Math.log(to.market / from.market);
  const pairs = [[from.low, to.low] as const, [from.mid, to.mid] as const];
  const shares = pairs.flatMap(([before, after]) => {
    return before && after ? [Math.log(after / before) / way] : [];
  });
  if (shares.length === 0) return undefined;
  return shares.reduce((sum, share) => sum + share, 0) / shares.length >= FOLLOWED;
}

/** Consecutive days on which the price was nearer to one end of a move than to the other. */
interface Level {
  readonly first: ObservedDay;
  readonly last: ObservedDay;
  /** The observation before the first of these days. */
  readonly before: ObservedDay | undefined;
}

function levelAround(move: Move, day: ObservedDay): Level {
  const { observed } = move;
  const at = observed.indexOf(day);
  const isAway = (other: ObservedDay) => wayFrom(day, other, move) > 0.5;
  const start = observed.findLastIndex((other, index) => index < at && isAway(other));
  const end = observed.findIndex((other, index) => index > at && isAway(other));
  const last = observed[(end === -1 ? observed.length : end) - 1] ?? day;
  return { first: observed[start + 1] ?? day, last, before: observed[start] };
}

/** The distance between two prices, as a part of the whole change. */
function wayFrom(a: ObservedDay, b: ObservedDay, { base, newest }: Move): number {
  const way = Math.log(factorBetween(base.market, newest.market));
  return Math.log(factorBetween(a.market, b.market)) / way;
}
