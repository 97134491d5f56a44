import { type Day, dayOf } from '../../domain/day.ts';
import { type DayPrices, hasPrice, type PriceFigures } from '../../domain/price.ts';
import { isPrice } from './absurd.ts';
import type { StoredQuote } from './candidate.ts';
import { mainFigure, ratio } from './figures.ts';
import { factorOver, isFar } from './jump.ts';
import { DAYS_TO_BELIEVE, SAME_LEVEL, type ValidationLimits } from './limits.ts';

/** Days of the past, judged by the days around them. */

export interface JudgedDays {
  /** Oldest first, like the others. */
  readonly sound: readonly DayPrices[];
  /** Days that stand alone: nothing before or after them says the like. */
  readonly held: readonly DayPrices[];
  /** The last days, where they are too few yet to be believed against those before. */
  readonly tail: readonly DayPrices[];
  /** The newest sound day with a price. */
  readonly good: DayPrices | undefined;
}

/** Judges days, in any order, by each other and by what the source said before them. */
export function judgeDays(
  days: readonly DayPrices[],
  before: StoredQuote | undefined,
  limits: ValidationLimits,
): JudgedDays {
  const judge = new DayJudge(limits);
  const sorted = days.toSorted((a, b) => a.day - b.day);
  const first = sorted[0]?.day;
  if (before && first !== undefined && dayOf(before.observedAt) < first) judge.begin(before);
  for (const day of sorted) judge.take(day);
  return judge;
}

class DayJudge implements JudgedDays {
  readonly sound: DayPrices[] = [];
  readonly held: DayPrices[] = [];
  tail: DayPrices[] = [];
  good: DayPrices | undefined;
  readonly #limits: ValidationLimits;
  #before: (PriceFigures & { readonly day: Day }) | undefined;

  constructor(limits: ValidationLimits) {
    this.#limits = limits;
  }

  begin({ prices, observedAt }: StoredQuote): void {
    this.#before = { ...prices, day: dayOf(observedAt) };
  }

  take(day: DayPrices): void {
    if (!isPossible(day)) this.held.push(day);
    else if (!hasPrice(day)) this.sound.push(day);
    else if (this.#isJump(day)) this.#doubt(day);
    else this.#believe(day);
  }

  #isJump(day: DayPrices): boolean {
    const before = this.good ?? this.#before;
    const figure = before && mainFigure([{ prices: day }, { prices: before }]);
    const [is, was] = figure ? [day[figure], before[figure]] : [];
    if (!figure || !is || !was) return false;
    return isFar(is, was, factorOver(day.day - before.day, figure, this.#limits));
  }

  /** Takes days that go on from each other for true once they are enough. */
  #doubt(day: DayPrices): void {
    const last = this.tail.at(-1);
    if (last && !isNear(last, day)) this.#dropTail();
    this.tail.push(day);
    if (this.tail.length < DAYS_TO_BELIEVE) return;
    this.sound.push(...this.tail);
    this.good = day;
    this.tail = [];
  }

  #believe(day: DayPrices): void {
    this.#dropTail();
    this.sound.push(day);
    this.good = day;
  }

  #dropTail(): void {
    this.held.push(...this.tail);
    this.tail = [];
  }
}

/** Whether two prices are about the same, by a figure that both have. */
export function isNear(a: PriceFigures, b: PriceFigures): boolean {
  const figure = mainFigure([{ prices: a }, { prices: b }]);
  const [one, other] = figure ? [a[figure], b[figure]] : [];
  return !!one && !!other && ratio(one, other) <= SAME_LEVEL;
}

/** Whether all figures of a day can be prices. */
export function isPossible({ market, low, mid, high }: PriceFigures): boolean {
  return [market, low, mid, high].every((amount) => amount === null || isPrice(amount));
}
