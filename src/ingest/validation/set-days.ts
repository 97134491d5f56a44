import { type Day, dayOf, formatDay } from '../../domain/day.ts';
import type { Cents } from '../../domain/money.ts';
import { type DayPrices, hasPrice, type PriceFigures, samePrices } from '../../domain/price.ts';
import type { Finding, ResolvedObservation } from '../observation.ts';
import { sharedFigure } from './amounts.ts';
import {
  judgeSet,
  type Move,
  measureSet,
  medianOf,
  type SetVerdict,
  seriesOfSet,
} from './set-level.ts';

/** Judges the earlier days of a batch, such as an archive's, set by set. */

/** The days of an observation on which its whole set is off, each with its finding. */
export type ShiftedDays = ReadonlyMap<Day, Finding>;

/** With at least this many days, the first ones establish the usual price. */
const FIRST_DAYS = 5;
const FEWEST_FIRST_DAYS = 3;

/**
 * Finds the earlier days on which a whole set is off: all prices times four, or rows shifted by
 * one. All prices that moved on such a day are caught, and so are the days after it until the set
 * has returned. Days that the operator has approved are correct. One batch must contain all of the
 * source's reports about a set.
 */
export function findShiftedDays(
  batch: readonly ResolvedObservation[],
  approvedDays: (resolved: ResolvedObservation) => ReadonlySet<Day>,
): ReadonlyMap<ResolvedObservation, ShiftedDays> {
  const found = new Map<ResolvedObservation, Map<Day, Finding>>();
  const withDays = batch.filter(({ observation }) => observation.earlierDays?.length);
  for (const [, ofSet] of Map.groupBy(withDays, seriesOfSet)) {
    const judge = new SetDaysJudge(ofSet.map((one) => new SetSeries(one, approvedDays(one))));
    for (const [resolved, day, finding] of judge.judge()) {
      const own = found.get(resolved) ?? new Map<Day, Finding>();
      found.set(resolved, own.set(day, finding));
    }
  }
  return found;
}

type Known = PriceFigures & { readonly day: Day };

/** One printing of the set. */
class SetSeries {
  readonly resolved: ResolvedObservation;
  readonly #approved: ReadonlySet<Day>;
  /** Its days, oldest first, and the number of processed ones. */
  readonly days: readonly DayPrices[];
  #done = 0;
  /** The price on the last correct day. */
  last: Known | undefined;
  /** The price on the last day that the operator has approved. */
  lastApproved: Known | undefined;

  constructor(resolved: ResolvedObservation, approved: ReadonlySet<Day>) {
    this.resolved = resolved;
    this.#approved = approved;
    const { before, observation } = resolved;
    this.days = (observation.earlierDays ?? []).toSorted((a, b) => a.day - b.day);
    const first = this.days[0]?.day ?? dayOf(observation.observedAt);
    const isPast = before?.currency === observation.currency && dayOf(before.observedAt) < first;
    this.last = isPast ? { ...before.prices, day: dayOf(before.observedAt) } : usualOf(this.days);
  }

  /**
   * Returns the next price if it is from this day, otherwise undefined. Call it for each day in
   * order.
   */
  next(day: Day): DayPrices | undefined {
    const prices = this.days[this.#done];
    if (prices?.day !== day) return undefined;
    this.#done += 1;
    return prices;
  }

  isApproved({ day }: DayPrices): boolean {
    return this.#approved.has(day);
  }
}

/** Returns the usual market price of a printing's first days, as of the first one. */
function usualOf(days: readonly DayPrices[]): Known | undefined {
  const priced = days.filter(({ market }) => market !== null).slice(0, FIRST_DAYS);
  const [first] = priced;
  if (!first || priced.length < FEWEST_FIRST_DAYS) return undefined;
  const market = medianOf(priced.flatMap((one) => one.market ?? [])) as Cents;
  return { day: first.day, market, low: null, mid: null, high: null };
}

/** A price of one day. */
interface Entry {
  readonly series: SetSeries;
  readonly prices: DayPrices;
}

/** A price before and now, and the number of days between. */
interface DatedMove extends Move {
  readonly days: number;
}

class SetDaysJudge {
  readonly #series: readonly SetSeries[];
  /**
   * The position of the set while it is off: the number of days of the move, and its size (a
   * logarithm).
   */
  #away: { readonly days: number; readonly median: number } | undefined;

  constructor(series: readonly SetSeries[]) {
    this.#series = series;
  }

  *judge(): Generator<[ResolvedObservation, Day, Finding]> {
    const days = new Set(this.#series.flatMap((one) => one.days.map(({ day }) => day)));
    for (const day of [...days].sort((a, b) => a - b)) {
      const judged: Entry[] = [];
      for (const series of this.#series) {
        for (let prices = series.next(day); prices; prices = series.next(day)) {
          if (series.isApproved(prices)) series.lastApproved = prices;
          else judged.push({ series, prices });
        }
      }
      yield* this.#judgeEntries(day, judged);
    }
  }

  *#judgeEntries(
    day: Day,
    entries: readonly Entry[],
  ): Generator<[ResolvedObservation, Day, Finding]> {
    const verdict = this.#judgeDay(entries);
    for (const { series, prices } of entries) {
      const isOff = verdict !== undefined && hasMoved(series, prices);
      if (isOff) yield [series.resolved, day, describeDay(series.resolved, day, verdict)];
      else if (hasPrice(prices)) series.last = prices;
    }
  }

  /** Judges a day by the correct days before it, then by the operator's approvals. */
  #judgeDay(entries: readonly Entry[]): SetVerdict | undefined {
    const moves = entries.flatMap(({ series, prices }) => moveOf(series.last, prices) ?? []);
    const level = measureSet(moves);
    const days = level && this.#daysOf(moves, level.median);
    const verdict = level && judgeSet(level, days ?? 1);
    this.#away = verdict && level && days ? { days, median: level.median } : undefined;
    return verdict && !isAsApproved(entries, moves.length) ? verdict : undefined;
  }

  /**
   * A set that stays at its new level moved there in the days until then. Staying proves nothing.
   */
  #daysOf(moves: readonly DatedMove[], median: number): number {
    const isThere = this.#away && Math.abs(median - this.#away.median) <= Math.abs(median);
    return isThere && this.#away ? this.#away.days : (medianOf(moves.map(({ days }) => days)) ?? 1);
  }
}

/** Whether most prices of a set match the operator's approvals. */
function isAsApproved(entries: readonly Entry[], compared: number): boolean {
  const moves = entries.flatMap(({ series, prices }) => moveOf(series.lastApproved, prices) ?? []);
  const level = measureSet(moves);
  if (!level || moves.length * 2 <= compared) return false;
  return !judgeSet(level, medianOf(moves.map(({ days }) => days)) ?? 1);
}

function moveOf(last: Known | undefined, prices: DayPrices): DatedMove | undefined {
  if (!last) return undefined;
  const figure = sharedFigure([{ prices }, { prices: last }]);
  const [is, was] = figure ? [prices[figure], last[figure]] : [];
  return is && was && is > 0 ? { is, was, days: prices.day - last.day } : undefined;
}

function hasMoved({ last }: SetSeries, prices: DayPrices): boolean {
  return hasPrice(prices) && !(last && samePrices(last, prices));
}

/** Describes the fault of a set on a day. */
function describeDay(
  { cardName, printing, set }: ResolvedObservation,
  day: Day,
  { reason, median, bound, compared }: SetVerdict,
): Finding {
  const [times, limit] = [median.toFixed(2), bound.toFixed(2)];
  const what =
    reason === 'shift'
      ? `all of ${set.name} is at ${times} times its earlier prices (median of ${compared})`
      : `half of ${compared} prices of ${set.name} are off by a factor of ${times}, like prices of other cards`;
  const detail = `${cardName} (${printing}) is quarantined on ${formatDay(day)}: ${what}; limit ${limit}.`;
  return { rule: 'set-shift', detail };
}
