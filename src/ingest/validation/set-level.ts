import { dayOf } from '../../domain/day.ts';
import type { Cents } from '../../domain/money.ts';
import type { PriceFigures } from '../../domain/price.ts';
import type { ResolvedObservation } from '../observation.ts';

/**
 * Judges the prices of a set as a whole. Single prices move independently, but a set hardly moves.
 * On all but three of 2,411 set-days of Magic and Lorcana (with at least three prices), the median
 * stayed within 2.1 %. Those three belong to one set in its week of release.
 */

/** A price before and now. */
export interface Move {
  readonly is: Cents;
  readonly was: Cents;
}

/**
 * How the prices of a set have moved. All fields except the counts are natural logarithms of
 * ratios.
 */
export interface SetLevel {
  /** The number of compared prices. */
  readonly compared: number;
  /** The median move: 0 if at least half of the prices stand still. */
  readonly median: number;
  /** The median distance of the moves from the median: the spread of the moves. */
  readonly spread: number;
  /** The share of the moves that equal the median move, apart from rounding. */
  readonly share: number;
}

/** The fault of a set as a whole. */
export interface SetVerdict {
  /** All prices have moved alike, or each has moved as if it belonged to another card. */
  readonly reason: 'shift' | 'scatter';
  /** The ratio by which the median price has moved, or by which prices have moved apart. */
  readonly median: number;
  /** The largest acceptable ratio. */
  readonly bound: number;
  readonly compared: number;
}

/** Moves this close to the median move, as a logarithm, are equal apart from rounding. */
const ALIKE = 0.015;
/** From this share of equal moves, one factor has changed them all. */
const COMMON_SHARE = 0.2;
/** How far the median may move in a day if the prices move by one factor: 5 %. */
const COMMON_BOUND = Math.log(1.05);
/** How far it may rise if each price moves independently: 12 %. */
const RISE_BOUND = Math.log(1.12);
/** How far it may fall in that case: a set in its week of release fell by 23 % in two days. */
const FALL_BOUND = Math.log(1.43);
/** How far apart prices may move in a day. That set: 1.15 times in two days; all others: 1.04. */
const SPREAD_BOUND = Math.log(1.2);
/** With fewer prices, the median is meaningful only if nearly all of them have moved alike. */
const FEWEST = 5;
const FEWEST_ALIKE = 3;
const NEARLY_ALL = 0.9;

/** Measures how the prices of a set have moved; undefined if there are no moves. */
export function measureSet(moves: readonly Move[]): SetLevel | undefined {
  const logs = moves.map(({ is, was }) => Math.log(is / was));
  const median = medianOf(logs);
  if (median === undefined) return undefined;
  const distances = logs.map((log) => Math.abs(log - median));
  const alike = distances.filter((distance) => distance <= ALIKE).length;
  return {
    compared: moves.length,
    median,
    spread: medianOf(distances) ?? 0,
    share: alike / moves.length,
  };
}

/**
 * Returns the fault of a set whose prices have moved like this in some days, or undefined. The
 * allowed move grows with the square root of the days, like a random walk.
 */
export function judgeSet(level: SetLevel, days: number): SetVerdict | undefined {
  const { compared, median, spread, share } = level;
  const fewest = share >= NEARLY_ALL ? FEWEST_ALIKE : FEWEST;
  if (compared < fewest) return undefined;
  const growth = Math.sqrt(Math.max(1, days));
  const bound = (share >= COMMON_SHARE ? COMMON_BOUND : ownBound(median)) * growth;
  if (Math.abs(median) > bound) {
    return { reason: 'shift', median: Math.exp(median), bound: Math.exp(bound), compared };
  }
  const widest = SPREAD_BOUND * growth;
  if (compared < FEWEST || spread <= widest) return undefined;
  return { reason: 'scatter', median: Math.exp(spread), bound: Math.exp(widest), compared };
}

function ownBound(median: number): number {
  return median > 0 ? RISE_BOUND : FALL_BOUND;
}

/** Returns the median of some numbers, or undefined for none. */
export function medianOf(numbers: readonly number[]): number | undefined {
  const sorted = Float64Array.from(numbers).sort();
  const middle = sorted.length >> 1;
  const upper = sorted[middle];
  if (upper === undefined || sorted.length % 2 === 1) return upper;
  return ((sorted[middle - 1] ?? upper) + upper) / 2;
}

/* Shared by the rules that compare the prices of a set. */

/** The key of the prices from one source for one set at one marketplace, which move together. */
export function seriesOfSet({ source, set, observation }: ResolvedObservation): string {
  return `${source} ${observation.marketplace} ${observation.currency} ${set.rowId}`;
}

/** Returns how a figure of a set has moved, over the printings that had it before. */
export function movesOf(
  ofSet: readonly ResolvedObservation[],
  figure: keyof PriceFigures,
): (Move & { readonly resolved: ResolvedObservation })[] {
  return ofSet.flatMap((resolved) => {
    const is = resolved.observation.prices[figure];
    const was = resolved.before?.prices[figure];
    const isAlike = resolved.before?.currency === resolved.observation.currency;
    return is && was && is > 0 && isAlike ? [{ resolved, is, was }] : [];
  });
}

/** Returns how many days before a report its source's last accepted report is. */
export function daysSinceAccepted({ before, observation }: ResolvedObservation): number {
  return before ? Math.abs(dayOf(observation.observedAt) - dayOf(before.observedAt)) : 0;
}
