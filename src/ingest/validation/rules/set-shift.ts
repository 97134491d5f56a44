import { dayOf, formatDay } from '../../../domain/day.ts';
import type { DayPrices } from '../../../domain/price.ts';
import { isMassRule } from '../../../domain/quarantined.ts';
import type { Finding, QuarantinedBefore, ResolvedObservation } from '../../observation.ts';
import { haveSameAmounts, isFreshAt, ratio } from '../amounts.ts';
import type { BatchFinding } from '../limits.ts';
import {
  daysSinceAccepted,
  judgeSet,
  measureSet,
  medianOf,
  movesOf,
  type SetLevel,
  type SetVerdict,
  seriesOfSet,
} from '../set-level.ts';

/** The figures by which a set is judged. It omits `high`, which may have any value. */
const JUDGED_FIGURES = ['market', 'mid', 'low'] as const;
type JudgedFigure = (typeof JUDGED_FIGURES)[number];

/**
 * Catches a set whose prices a source has changed as a whole: euros read as dollars (all by 0.92),
 * one factor for all, the prices of another set, rows shifted by one. All moved prices of the set
 * are caught, because nothing shows which are true. They wait until the set has returned, another
 * source of the same marketplace reports the same, or the operator decides.
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
    const [first] = moves;
    if (!level || !first || isConfirmed(moves, figure)) continue;
    const days = medianOf(moves.map(({ resolved }) => daysSinceAccepted(resolved))) ?? 1;
    const verdict = judgeSet(level, days);
    if (verdict) return describeShift(first.resolved, figure, verdict);
    const shifted = countShiftedRows(moves);
    if (shifted) return describeRows(first.resolved, figure, shifted);
    if (isStillAway(moves, figure)) return describeStay(first.resolved, figure, level);
    const drift = figure === 'market' ? findDrift(moves) : undefined;
    if (drift) return drift;
  }
  return undefined;
}

type SetMoves = ReturnType<typeof movesOf>;
type SetMove = SetMoves[number];

/** A drift must have lasted for at least some days. */
const LEAST_DRIFT_DAYS = 2;

/** Returns the drift of a set in the last week, if it is too large. */
function findDrift(moves: SetMoves): string | undefined {
  const drifted = moves.flatMap(({ resolved, is }) => {
    const past = resolved.level?.weekAgo;
    if (!past) return [];
    const days = dayOf(resolved.observation.observedAt) - past.day;
    return [{ resolved, is, was: past.market, days, since: past.day }];
  });
  const [first] = drifted;
  const level = measureSet(drifted);
  const days = medianOf(drifted.map((one) => one.days)) ?? 0;
  if (!first || !level || drifted.length * 2 < moves.length || days < LEAST_DRIFT_DAYS)
    return undefined;
  const verdict = judgeSet(level, days);
  return verdict && describeShift(first.resolved, 'market', verdict, first.since);
}

/**
 * If at least this share of the moved prices, and this many, match their neighbours, rows are
 * shifted.
 */
const SHIFTED_SHARE = 0.4;
const FEWEST_SHIFTED = 8;
/** How many times more matches there must be than chance matches with a row further away. */
const OVER_CHANCE = 3;

/**
 * Counts the prices that equal the earlier price of the next or the previous row to the cent.
 * Returns the number of matches among the moved prices, if they are too many to be chance.
 */
function countShiftedRows(moves: SetMoves): { shifted: number; moved: number } | undefined {
  const moved = moves.filter(({ is, was }) => is !== was).length;
  const shifted = Math.max(countAt(moves, 1), countAt(moves, -1));
  if (shifted < FEWEST_SHIFTED || shifted < moved * SHIFTED_SHARE) return undefined;
  const chance = Math.max(...[2, 3, -2, -3].map((offset) => countAt(moves, offset)));
  return shifted >= chance * OVER_CHANCE ? { shifted, moved } : undefined;
}

function countAt(moves: SetMoves, offset: number): number {
  const isThere = ({ is, was }: SetMove, at: number) => {
    return is !== was && is === moves[at + offset]?.was;
  };
  return moves.filter(isThere).length;
}

/**
 * Whether most of a set is in quarantine since this figure moved as a whole, and is nearer to the
 * new level than to the old one: it has not returned, and time proves nothing. A figure with only
 * ordinary moves is also nearer to the day before, but it never went away.
 */
function isStillAway(moves: SetMoves, figure: JudgedFigure): boolean {
  const held = moves.filter(({ resolved }) => isMassRule(resolved.quarantined?.rule));
  if (held.length * 2 <= moves.length || !wentAway(held, figure)) return false;
  const distances = held.flatMap(({ resolved, is, was }) => {
    const away = lastHeldDay(resolved)?.[figure];
    return away ? [{ toAway: ratio(is, away), toWas: ratio(is, was) }] : [];
  });
  const toAway = medianOf(distances.map((one) => one.toAway)) ?? 1;
  return toAway < (medianOf(distances.map((one) => one.toWas)) ?? 1);
}

/** Whether this figure of a set was off as a whole on the first day of its quarantine. */
function wentAway(held: SetMoves, figure: JudgedFigure): boolean {
  const moves = held.flatMap(({ resolved, was }) => {
    const { before, quarantined } = resolved;
    const day = quarantined && firstHeldDay(quarantined);
    const is = day?.[figure];
    return is && is > 0 && before
      ? [{ resolved, is, was, days: day.day - dayOf(before.observedAt) }]
      : [];
  });
  const level = measureSet(moves);
  if (!level) return false;
  const days = Math.abs(medianOf(moves.map((move) => move.days)) ?? 1);
  return judgeSet(level, days) !== undefined || countShiftedRows(moves) !== undefined;
}

/** Returns the last day in quarantine before today, because a repeated day proves nothing. */
function lastHeldDay({ quarantined, observation }: ResolvedObservation): DayPrices | undefined {
  const today = dayOf(observation.observedAt);
  return quarantined?.earlierDays?.findLast(({ day }) => day < today);
}

function firstHeldDay({ earlierDays, prices, observedAt }: QuarantinedBefore): DayPrices {
  return earlierDays?.[0] ?? { ...prices, day: dayOf(observedAt) };
}

/** The largest median ratio between two sources of one marketplace. */
const SAME_PRICE = 1.03;

/**
 * Whether another source of the same marketplace has accepted reports of about the same for most of
 * these prices. Its quarantined prices do not count, because both may repeat a mistake of the
 * marketplace.
 */
function isConfirmed(moves: SetMoves, figure: JudgedFigure): boolean {
  const ratios = moves.flatMap(({ resolved, is }) => {
    const { observation, others } = resolved;
    const ofOthers = others.flatMap((one) => {
      const isAlike = one.marketplace === observation.marketplace;
      const price = isAlike && isFreshAt(one, observation.observedAt) ? one.prices[figure] : null;
      return price === null ? [] : [ratio(is, price)];
    });
    return ofOthers.length > 0 ? [Math.min(...ofOthers)] : [];
  });
  const middle = medianOf(ratios);
  return middle !== undefined && ratios.length * 2 > moves.length && middle <= SAME_PRICE;
}

function hasMoved({ observation, before }: ResolvedObservation): boolean {
  return before?.currency !== observation.currency || !haveSameAmounts(observation, before);
}

function describeShift(
  { set, before }: ResolvedObservation,
  figure: JudgedFigure,
  { reason, median, bound, compared }: SetVerdict,
  from = before && dayOf(before.observedAt),
): string {
  const since = from === undefined ? '' : ` since ${formatDay(from)}`;
  const [times, limit] = [median.toFixed(2), bound.toFixed(2)];
  if (reason === 'scatter') {
    const apart = `${figure} prices of ${set.name} moved apart by a factor of ${times}${since}`;
    return `The ${apart}, like prices of other cards (median of ${compared}); the limit is ${limit}.`;
  }
  const moved = `The ${figure} prices of ${set.name} moved to ${times} times as a whole${since}`;
  return `${moved} (median of ${compared}); the limit is ${limit} times.`;
}

function describeStay(
  { set, quarantined }: ResolvedObservation,
  figure: JudgedFigure,
  { compared, median }: SetLevel,
): string {
  const first = quarantined?.earlierDays?.[0]?.day;
  const since = first === undefined ? '' : ` since ${formatDay(first)}`;
  const times = Math.exp(median).toFixed(2);
  const what = `The ${figure} prices of ${set.name} moved as a whole${since} and have not returned`;
  return `${what}: they are at ${times} times (median of ${compared}).`;
}

function describeRows(
  { set, before }: ResolvedObservation,
  figure: JudgedFigure,
  { shifted, moved }: { readonly shifted: number; readonly moved: number },
): string {
  const since = before ? ` since ${formatDay(dayOf(before.observedAt))}` : '';
  const share = `${shifted} of ${moved} ${figure} prices of ${set.name} that moved${since}`;
  const limit = `the limit is ${SHIFTED_SHARE * 100} %`;
  return `Rows are shifted: ${share} exactly equal the earlier price of the next row; ${limit}.`;
}

/**
 * Catches the prices that moved in a feed that is off as a whole: a Scryfall file with every price
 * times four, euros written as dollars, rows shifted by one. `FeedSurvey` detects this before any
 * of the feed is written. Unchanged prices are not affected by the fault and pass. The next correct
 * file is accepted, and clears all of these findings.
 */
export function sourceShift(resolved: ResolvedObservation): Finding | undefined {
  const { shift, cardName, printing } = resolved;
  if (shift === undefined || isAsBefore(resolved)) return undefined;
  return {
    rule: 'source-shift',
    detail: `${cardName} (${printing}) is quarantined because ${shift}.`,
  };
}

function isAsBefore({ observation, before }: ResolvedObservation): boolean {
  return before?.currency === observation.currency && haveSameAmounts(observation, before);
}
