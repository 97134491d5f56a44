import type { ValidationRule } from '../../../domain/quarantined.ts';
import type { ResolvedObservation } from '../../observation.ts';
import { daysAtLevel, isBelievable } from '../belief.ts';
import type { BatchFinding } from '../limits.ts';
import { OWN_PRICES } from '../past.ts';
import {
  daysSinceAccepted,
  type Move,
  measureSet,
  movesOf,
  type SetLevel,
  seriesOfSet,
} from '../set-level.ts';
import { isConfirmed } from './printing-pairs.ts';

/**
 * Catches a part of a set that moved in an unnatural way, although its median stands still: one
 * factor for many rows, rows that took each other's prices, prices rounded to whole dollars. The
 * prices of a set move independently. On 2,482 set-days of Magic and Lorcana, at most 5.4 % of a
 * set moved by 15 % in a day, beyond the spread of the whole set, and at most 3 % moved by one
 * factor.
 */

/** Smaller sets, and fewer prices, prove nothing. */
const LEAST_SET = 10;
const LEAST_ROWS = 6;

/** A daily move this far from the median of its set is large, as a logarithm. */
const LARGE = Math.log(1.15);
/** It must also exceed this many spreads of the set: in a week of release all prices move apart. */
const SPREADS = 6;
/** The median distance of normally distributed moves, in lower quartiles. */
const QUARTILES = 2.1;
/** Too many large moves, as a share of the set. */
const LARGE_SHARE = 0.07;
/** In such a set, a move of at least this size is one of them. */
const CONCERNED = Math.log(1.08);
/** In cents. The steps of cheaper prices are too coarse. */
const LEAST_CENTS = 2;

/** A factor closer to 1 is an ordinary move, as a logarithm. */
const LEAST_FACTOR = Math.log(1.1);
/** Too many moves by one factor, as a share of the set. */
const FACTOR_SHARE = 0.04;
/** In cents. Many cheaper prices have the same ratio by chance. */
const COMPARED = 40;

/** Too many prices that became whole dollars, as a share of the prices of at least a dollar. */
const ROUNDED_SHARE = 0.2;
const DOLLAR = 100;

type RowMove = Move & { readonly resolved: ResolvedObservation };

/** The fault of a part of a set, and its rows. */
interface Fault {
  readonly detail: string;
  readonly concerns: (move: RowMove) => boolean;
}

/** Yields the rows of each set that moved together, or past each other. */
export function* partialShift(batch: readonly ResolvedObservation[]): Generator<BatchFinding> {
  // Operators may change their own prices by one factor, and round them.
  const judged = batch.filter(({ source }) => source !== OWN_PRICES);
  for (const [, ofSet] of Map.groupBy(judged, seriesOfSet)) {
    const moves = movesOf(ofSet, 'market');
    const fault = findFault(moves);
    for (const move of moves) {
      const detail = fault?.concerns(move) ? fault.detail : detailIfStillAway(move);
      if (detail !== undefined && !isConfirmed(move)) {
        yield [move.resolved, { rule: 'partial-shift', detail }];
      }
    }
  }
}

/** In a set of which a part moved too far, nothing shows which of the other moves are true. */
function findFault(moves: readonly RowMove[]): Fault | undefined {
  const level = moves.length < LEAST_SET ? undefined : measureSet(moves);
  if (!level) return undefined;
  const moved = ofOneFactor(moves) ?? scattered(moves, level);
  if (moved) return { detail: moved, concerns: (move) => awayOf(move, level) >= CONCERNED };
  const whole = rounded(moves);
  return whole ? { detail: whole, concerns: isWhole } : undefined;
}

/** The rules that quarantine rows because of their set. */
const SET_RULES: readonly (ValidationRule | undefined)[] = ['set-shift', 'partial-shift'];

/**
 * Returns the earlier detail of a row that is nearer to its new level than to its old one. If its
 * set no longer objects, the row is accepted in time, like a jump without other evidence.
 */
function detailIfStillAway({ resolved, is, was }: RowMove): string | undefined {
  const { quarantined, observation } = resolved;
  const away = quarantined?.prices.market;
  if (!away || quarantined.isRejected || !SET_RULES.includes(quarantined.rule)) return undefined;
  const wentAway = Math.abs(Math.log(away / was)) >= CONCERNED;
  const isAway = wentAway && Math.abs(Math.log(is / away)) < Math.abs(Math.log(is / was));
  const isBelieved = isBelievable(1, daysAtLevel(quarantined, observation));
  return isAway && !isBelieved ? quarantined.detail : undefined;
}

/** Describes rows that moved by one factor, to the cent, if there are too many. */
function ofOneFactor(moves: readonly RowMove[]): string | undefined {
  const moved = moves.filter((move) => {
    return Math.abs(logOf(move)) >= LEAST_FACTOR && Math.min(move.is, move.was) >= COMPARED;
  });
  if (!isPart(moved.length, moves.length, FACTOR_SHARE)) return undefined;
  const factors = moved.map(({ is, was }) => is / was);
  const counts = factors.map((factor) => moved.filter((move) => isBy(factor, move)).length);
  const most = Math.max(...counts);
  const factor = factors[counts.indexOf(most)] ?? 1;
  if (!isPart(most, moves.length, FACTOR_SHARE)) return undefined;
  return describe(moves, most, `moved by one factor, ${factor.toFixed(2)} times`);
}

/** Whether some rows of a set are enough for a verdict. */
function isPart(rows: number, of: number, share: number): boolean {
  return rows >= LEAST_ROWS && rows / of >= share;
}

/** Whether a price has moved by a factor, within half a cent plus a share of the price. */
function isBy(factor: number, { is, was }: Move): boolean {
  return Math.abs(is - was * factor) <= 0.51 + was * 0.002;
}

/** Describes rows that became whole dollars, if there are too many. */
function rounded(moves: readonly RowMove[]): string | undefined {
  const compared = moves.filter(({ is }) => is >= DOLLAR);
  const rows = compared.filter(isWhole).length;
  const back = compared.filter(({ is, was }) => is % DOLLAR !== 0 && was % DOLLAR === 0).length;
  const isRounded = isPart(rows - back, compared.length, ROUNDED_SHARE);
  return isRounded ? describe(moves, rows, 'became whole dollars') : undefined;
}

function isWhole({ is, was }: Move): boolean {
  return is % DOLLAR === 0 && was % DOLLAR !== 0;
}

/** Describes rows that moved far, in any direction, if there are too many. */
function scattered(moves: readonly RowMove[], level: SetLevel): string | undefined {
  const least = LARGE + SPREADS * ownSpread(moves, level);
  const far = moves.filter((move) => {
    const isLarge = awayOf(move, level) >= least;
    return isLarge && Math.abs(move.is - move.was) >= LEAST_CENTS;
  });
  if (!isPart(far.length, moves.length, LARGE_SHARE)) return undefined;
  const up = far.filter(({ is, was }) => is > was).length;
  const ways = `${up} up and ${far.length - up} down`;
  return describe(moves, far.length, `moved by 15 % or more, ${ways}`);
}

/**
 * The natural spread of the moves of a set's prices, as a logarithm. A mistake in half of the rows
 * changes the median distance, but not the lower quartile.
 */
function ownSpread(moves: readonly RowMove[], { median, spread }: SetLevel): number {
  const distances = moves.map((move) => Math.abs(logOf(move) - median)).sort((a, b) => a - b);
  return Math.min(spread, (distances[distances.length >> 2] ?? 0) * QUARTILES);
}

/** How far a row moved per day from the median of its set, as a logarithm. */
function awayOf(move: RowMove, { median }: SetLevel): number {
  const growth = Math.sqrt(Math.max(1, daysSinceAccepted(move.resolved)));
  return Math.abs(logOf(move) - median) / growth;
}

function logOf({ is, was }: Move): number {
  return Math.log(is / was);
}

function describe(moves: readonly RowMove[], rows: number, what: string): string {
  const name = moves[0]?.resolved.set.name ?? '';
  const share = `${rows} of ${moves.length} market prices of ${name}`;
  return `${share} ${what}, although the others did not. The prices of a set move on their own.`;
}
