import { type Day, dayOf, formatDay } from '../../domain/day.ts';
import { formatCents } from '../../domain/money.ts';
import type { SourceObservation } from '../../domain/observation.ts';
import { type DayPrices, hasPrice, type PriceFigures } from '../../domain/price.ts';
import type { Finding, ResolvedObservation } from '../observation.ts';
import { formatName, ratio, sharedFigure } from './amounts.ts';
import { isBelievable } from './belief.ts';
import { SAME_LEVEL, type ValidationLimits } from './limits.ts';
import { arePrices } from './rules/absurd.ts';
import { factorOver, isFar } from './rules/price-moves.ts';

/** Judges the earlier days of an observation, such as an archive's, against each other. */

/** Earlier days, each list oldest first. */
export interface JudgedDays {
  readonly accepted: readonly DayPrices[];
  /** Days that stand alone: no day before or after them is like them. */
  readonly rejected: readonly DayPrices[];
  /** The last days, if they differ from the days before and are too few to be believed. */
  readonly undecided: readonly DayPrices[];
  /** The newest accepted day with a price. */
  readonly newest: DayPrices | undefined;
}

/**
 * Judges days, in any order, against each other and against what the source reported before them.
 */
export function judgeEarlierDays(
  days: readonly DayPrices[],
  before: SourceObservation | undefined,
  limits: ValidationLimits,
): JudgedDays {
  const judge = new DayJudge(limits);
  const sorted = days.toSorted((a, b) => a.day - b.day);
  const first = sorted[0]?.day;
  if (before && first !== undefined && dayOf(before.observedAt) < first) judge.startFrom(before);
  for (const day of sorted) judge.take(day);
  return judge;
}

class DayJudge implements JudgedDays {
  readonly accepted: DayPrices[] = [];
  readonly rejected: DayPrices[] = [];
  undecided: DayPrices[] = [];
  newest: DayPrices | undefined;
  readonly #limits: ValidationLimits;
  #before: (PriceFigures & { readonly day: Day }) | undefined;

  constructor(limits: ValidationLimits) {
    this.#limits = limits;
  }

  startFrom({ prices, observedAt }: SourceObservation): void {
    this.#before = { ...prices, day: dayOf(observedAt) };
  }

  take(day: DayPrices): void {
    if (!arePrices(day)) this.rejected.push(day);
    else if (!hasPrice(day)) this.accepted.push(day);
    else if (this.#isJump(day)) this.#takeJump(day);
    else this.#accept(day);
  }

  #isJump(day: DayPrices): boolean {
    const before = this.newest ?? this.#before;
    const figure = before && sharedFigure([{ prices: day }, { prices: before }]);
    const [is, was] = figure ? [day[figure], before[figure]] : [];
    if (!figure || !is || !was) return false;
    const until = this.undecided[0]?.day ?? day.day;
    return isFar(is, was, factorOver(until - before.day, figure, this.#limits));
  }

  /** Accepts a new level of prices once it behaves like a live price. */
  #takeJump(day: DayPrices): void {
    const last = this.undecided.at(-1);
    if (last && !areNear(last, day)) this.#rejectUndecided();
    this.undecided.push(day);
    if (!this.#isLive(day)) return;
    this.accepted.push(...this.undecided);
    this.newest = day;
    this.undecided = [];
  }

  #isLive(day: DayPrices): boolean {
    const before = this.newest ?? this.#before;
    const figure = before && sharedFigure([{ prices: day }, { prices: before }]);
    const [is, was] = figure ? [day[figure], before[figure]] : [];
    if (!figure || !is || !was) return false;
    const amounts = this.undecided.flatMap((one) => one[figure] ?? []);
    return isBelievable(ratio(is, was), amounts);
  }

  #accept(day: DayPrices): void {
    this.#rejectUndecided();
    this.accepted.push(day);
    this.newest = day;
  }

  #rejectUndecided(): void {
    this.rejected.push(...this.undecided);
    this.undecided = [];
  }
}

/** Whether two prices are about the same, by a figure that both have. */
export function areNear(a: PriceFigures, b: PriceFigures): boolean {
  const figure = sharedFigure([{ prices: a }, { prices: b }]);
  const [one, other] = figure ? [a[figure], b[figure]] : [];
  return !!one && !!other && ratio(one, other) <= SAME_LEVEL;
}

/** Describes the fault of a rejected day. */
export function describeDay(
  { cardName, printing, observation }: ResolvedObservation,
  day: DayPrices,
): Finding {
  const figure = sharedFigure([{ prices: day }]);
  const amount = figure ? day[figure] : null;
  const price = amount === null ? 'none' : formatCents(amount, observation.currency);
  const what = `${formatName(figure ?? 'price')} of ${cardName} (${printing}) was ${price}`;
  const reason = arePrices(day) ? 'price-jump' : 'absurd-price';
  return { rule: reason, detail: `The ${what} on ${formatDay(day.day)} alone.` };
}
