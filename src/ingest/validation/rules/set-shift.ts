import { dayOf, formatDay } from '../../../domain/day.ts';
import { samePrices } from '../../../domain/price.ts';
import type { ResolvedObservation } from '../../observation.ts';
import { isFreshAt, ratio } from '../amounts.ts';
import type { BatchFinding } from '../finding.ts';
import { judgeSet, measureSet, medianOf, type SetLevel, type SetVerdict } from '../set-level.ts';
import { movesOf, seriesOfSet } from './set-moves.ts';

/** The figures of which a set is judged; `high` may be anything. */
const JUDGED_FIGURES = ['market', 'mid', 'low'] as const;
type JudgedFigure = (typeof JUDGED_FIGURES)[number];

/**
 * Catches prices that a source has changed as a whole set: euros read as dollars (all by 0.92), one
 * factor for all, the prices of another set, rows that are shifted by one. Everything that moved in
 * the set is caught, for nobody knows which of it is true. It waits until the set is back, until
 * another source of the same marketplace is there, too, or for the operator.
 */
export function* setShift(batch: readonly ResolvedObservation[]): Generator<BatchFinding> {
  for (const [, ofSet] of Map.groupBy(batch, seriesOfSet)) {
    const finding = findShift(ofSet);
    if (!finding) continue;
    for (const resolved of ofSet) {
      if (hasMoved(resolved)) yield [resolved, { rule: 'set-shift', detail: finding }];
    }
  }
}

function findShift(ofSet: readonly ResolvedObservation[]): string | undefined {
  for (const figure of JUDGED_FIGURES) {
    const moves = movesOf(ofSet, figure);
    const level = measureSet(moves);
    const verdict = level && judgeSet(level, daysOfSet(moves, figure, level));
    const [first] = moves;
    if (verdict && first && !isConfirmed(moves, figure)) {
      return describeShift(first.resolved, figure, verdict);
    }
  }
  return undefined;
}

type SetMoves = ReturnType<typeof movesOf>;

/**
 * Returns in how many days the set has moved. A set that stays where it went into quarantine has
 * moved there in the days until then: time proves nothing.
 */
function daysOfSet(moves: SetMoves, figure: JudgedFigure, level: SetLevel): number {
  const days = moves.map(({ resolved: { before, observation } }) => {
    return before ? dayOf(observation.observedAt) - dayOf(before.observedAt) : 0;
  });
  const quarantined = moves.flatMap(({ resolved, was }) => {
    const { quarantined: entry, before } = resolved;
    const is = entry?.prices[figure];
    const first = entry?.earlierDays?.[0]?.day;
    if (!is || first === undefined || !before) return [];
    return [{ log: Math.log(is / was), days: first - dayOf(before.observedAt) }];
  });
  const past = medianOf(quarantined.map(({ log }) => log)) ?? 0;
  const isThere = quarantined.length * 2 > moves.length && isSameWay(level.median, past);
  const spent = isThere ? quarantined.map((one) => one.days) : days;
  return Math.abs(medianOf(spent) ?? 0);
}

/** Whether a median is nearer to where the set was in quarantine than to where it was before. */
function isSameWay(median: number, past: number): boolean {
  return Math.abs(median - past) <= Math.abs(median);
}

/** Between two sources of one marketplace prices differ by this much at most, at the median. */
const SAME_PRICE = 1.03;

/** Whether another source of the same marketplace reports the same of most of these prices. */
function isConfirmed(moves: SetMoves, figure: JudgedFigure): boolean {
  const ratios = moves.flatMap(({ resolved, is }) => {
    const { observation, others } = resolved;
    const other = others.find((one) => {
      const isAlike = one.marketplace === observation.marketplace;
      return isAlike && one.prices[figure] !== null && isFreshAt(one, observation.observedAt);
    })?.prices[figure];
    return other ? [ratio(is, other)] : [];
  });
  const middle = medianOf(ratios);
  return middle !== undefined && ratios.length * 2 > moves.length && middle <= SAME_PRICE;
}

function hasMoved({ observation, before }: ResolvedObservation): boolean {
  if (!before || before.currency !== observation.currency) return true;
  const isAlike = JSON.stringify([before.conditions, before.graded]);
  return (
    !samePrices(before.prices, observation.prices) ||
    isAlike !== JSON.stringify([observation.conditions, observation.graded])
  );
}

function describeShift(
  { set, before }: ResolvedObservation,
  figure: JudgedFigure,
  { reason, median, bound, compared }: SetVerdict,
): string {
  const since = before ? ` since ${formatDay(dayOf(before.observedAt))}` : '';
  const [times, limit] = [median.toFixed(2), bound.toFixed(2)];
  if (reason === 'scatter') {
    const apart = `${figure} prices of ${set.name} moved ${times} times apart${since}, as if they were`;
    return `The ${apart} other cards’ (median of ${compared}); the limit is ${limit} times.`;
  }
  const moved = `The ${figure} prices of ${set.name} moved to ${times} times as a whole${since}`;
  return `${moved} (median of ${compared}); the limit is ${limit} times either way.`;
}
