import { type Day, dayOf, formatDay } from '../../domain/day.ts';
import { type Cents, formatCents } from '../../domain/money.ts';
import type { SourceObservation } from '../../domain/observation.ts';
import { type DayPrices, hasPrice, type PriceFigures } from '../../domain/price.ts';
import type { Finding, ResolvedObservation } from '../observation.ts';
import { formatName, ratio, sharedFigure } from './amounts.ts';
import { isBelievable, isFar } from './belief.ts';
import { boundsOf, type MarketDay, MONTH, marketLevel } from './levels.ts';
import { SAME_LEVEL, type ValidationLimits } from './limits.ts';
import { arePrices } from './rules/absurd.ts';
import { factorOver } from './rules/price-moves.ts';

/** Judges the earlier days of an observation, such as an archive's, against each other. */

/** Earlier days, each list oldest first. */
export interface JudgedDays {
  readonly accepted: readonly DayPrices[];
  /** Isolated days: no day before or after them has a similar price. */
  readonly rejected: readonly DayPrices[];
  /** The last days, if they differ from the days before and are too few to be accepted. */
  readonly undecided: readonly DayPrices[];
  /** The newest accepted day with a price. */
  readonly newest: DayPrices | undefined;
}

/** Judges days, in any order, against each other and against the source's earlier reports. */
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

/** The accepted market prices of the last 30 days. */
class MonthOfPrices {
  readonly #days: MarketDay[] = [];

  add({ day, market }: { readonly day: Day; readonly market: Cents | null }): void {
    if (market !== null) this.#days.push({ day, market });
    while ((this.#days[0]?.day ?? day) < day - MONTH) this.#days.shift();
  }

  /** Returns the level before a day; undefined without a price in the month before it. */
  before(day: Day) {
    const last = this.#days.at(-1);
    return last && last.day >= day - MONTH ? marketLevel(this.#days, day) : undefined;
  }
}

class DayJudge implements JudgedDays {
  readonly accepted: DayPrices[] = [];
  readonly rejected: DayPrices[] = [];
  undecided: DayPrices[] = [];
  newest: DayPrices | undefined;
  readonly #limits: ValidationLimits;
  readonly #month = new MonthOfPrices();
  #before: (PriceFigures & { readonly day: Day }) | undefined;

  constructor(limits: ValidationLimits) {
    this.#limits = limits;
  }

  startFrom({ prices, observedAt }: SourceObservation): void {
    this.#before = { ...prices, day: dayOf(observedAt) };
    this.#month.add(this.#before);
  }

  take(day: DayPrices): void {
    if (!arePrices(day)) this.rejected.push(day);
    else if (!hasPrice(day)) this.accepted.push(day);
    else if (this.#isJump(day)) this.#takeJump(day);
    else this.#accept(day);
  }

  #isJump(day: DayPrices): boolean {
    const { figure, is, was, before } = this.#compare(day);
    if (!figure || !is || !was || !before) return false;
    const until = this.undecided[0]?.day ?? day.day;
    if (isFar(is, was, factorOver(until - before.day, figure, this.#limits))) return true;
    return figure === 'market' && this.#farFromLevel(is, was, until) !== undefined;
  }

  /** Returns a day's best figure, and the same figure of the last accepted day. */
  #compare(day: DayPrices) {
    const before = this.newest ?? this.#before;
    const figure = before && sharedFigure([{ prices: day }, { prices: before }]);
    return figure ? { figure, is: day[figure], was: before[figure], before } : {};
  }

  /**
   * Returns how far a market price is from the level of the accepted days, if it is too far and
   * `was` had not been as far.
   */
  #farFromLevel(is: Cents, was: Cents, day: Day): number | undefined {
    const level = this.#month.before(day);
    const bounds = level ? boundsOf(level, this.#limits.jumpFactor, { is, was }) : [];
    const far = bounds.filter(({ from, limit }) => isFar(is, from, limit));
    return far.length === 0 ? undefined : Math.max(...far.map(({ from }) => ratio(is, from)));
  }

  /** Accepts a new level of prices once it has lasted. */
  #takeJump(day: DayPrices): void {
    const last = this.undecided.at(-1);
    if (last && !areNear(last, day)) this.#rejectUndecided();
    this.undecided.push(day);
    if (!this.#hasLasted(day)) return;
    this.accepted.push(...this.undecided);
    for (const one of this.undecided) this.#month.add(one);
    this.newest = day;
    this.undecided = [];
  }

  #hasLasted(day: DayPrices): boolean {
    const { figure, is, was } = this.#compare(day);
    if (!figure || !is || !was) return false;
    const amounts = this.undecided.flatMap((one) => one[figure] ?? []);
    const first = this.undecided[0]?.day ?? day.day;
    const fromLevel = figure === 'market' ? (this.#farFromLevel(is, was, first) ?? 1) : 1;
    const factors = [fromLevel, ...amounts.map((cents) => ratio(cents, was))];
    return isBelievable(Math.max(...factors), amounts.length);
  }

  #accept(day: DayPrices): void {
    this.#rejectUndecided();
    this.accepted.push(day);
    this.#month.add(day);
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

/**
 * Describes the fault of a rejected day.
 *
 * @param copy The name of the condition or grade of the day; undefined for the figures.
 */
export function describeDay(
  { cardName, printing, observation }: ResolvedObservation,
  day: DayPrices,
  copy?: string,
): Finding {
  const figure = sharedFigure([{ prices: day }]);
  const amount = figure ? day[figure] : null;
  const price = amount === null ? 'none' : formatCents(amount, observation.currency);
  const what = `${copy ?? formatName(figure ?? 'price')} of ${cardName} (${printing}) was ${price}`;
  const reason = arePrices(day) ? 'price-jump' : 'absurd-price';
  return { rule: reason, detail: `The ${what} only on ${formatDay(day.day)}.` };
}
