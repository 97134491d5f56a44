import type { Day, Window } from '../domain/day.ts';
import type { HistoryDay } from '../domain/price.ts';

/** The price index of many printings: the common movement of their market prices. */

/**
 * How many days a price is carried forward over days without one. Old history has one day per week,
 * and these days are at most 13 days apart.
 */
export const HELD_DAYS = 14;

/** The value of an index on the first day of its series. */
const FIRST_VALUE = 100;

/** The period of each change, in days. */
const CHANGE_DAYS = { '1d': 1, '7d': 7, '30d': 30, '90d': 90, '1y': 365 } as const;

type IndexChange = keyof typeof CHANGE_DAYS;
export const INDEX_CHANGES = Object.keys(CHANGE_DAYS) as readonly IndexChange[];

/** A market price with its day and marketplace. */
type PricedDay = Pick<HistoryDay, 'day' | 'market' | 'provenance'>;

/** The value of an index on each day from the first one to the end of the window. */
export interface IndexSeries {
  readonly first: Day;
  /** Empty without a price. */
  readonly values: readonly number[];
}

/**
 * Chains the prices of printings over the days of a window. The factor of a day is the sum of its
 * prices divided by the sum of the day before, over printings with a price on both. So a printing
 * that appears, disappears or changes its marketplace does not move the index.
 */
export class PriceIndex {
  readonly #window: Window;
  /**
   * By day of the window: whether there is a price, and the sums for the day before and for the
   * day.
   */
  readonly #isPriced: Uint8Array;
  readonly #before: Float64Array;
  readonly #after: Float64Array;

  constructor(window: Window) {
    const days = Math.max(0, window.to - window.from + 1);
    this.#window = window;
    this.#isPriced = new Uint8Array(days);
    this.#before = new Float64Array(days);
    this.#after = new Float64Array(days);
  }

  /** Adds a printing by its days within the window, in ascending order. */
  add(days: readonly PricedDay[]): void {
    const { from, to } = this.#window;
    let last: PricedDay | undefined;
    for (const one of days) {
      if (one.market === null) continue;
      this.#isPriced[one.day - from] = 1;
      if (last) this.#link(last, one);
      last = one;
    }
    // Later prices show whether the printing is still there. Until then, its price counts as
    // unchanged.
    if (last && last.day < to) this.#link(last, { ...last, day: to });
  }

  /** Adds the step from one price of a printing to the next. */
  #link(last: PricedDay, next: PricedDay): void {
    const [before, after] = [last.market ?? 0, next.market ?? 0];
    if (next.day - last.day > HELD_DAYS || !isSameMarketplace(last, next)) return;
    const end = next.day - this.#window.from;
    for (let at = last.day - this.#window.from + 1; at <= end; at += 1) {
      this.#before[at] = (this.#before[at] ?? 0) + before;
      this.#after[at] = (this.#after[at] ?? 0) + (at < end ? before : after);
    }
  }

  /**
   * Returns the index of all added printings. It starts again after a gap in all prices that is too
   * long to carry prices over, because nothing connects the prices before and after.
   */
  series(): IndexSeries {
    let [first, values]: [number, number[]] = [0, []];
    let [value, known] = [FIRST_VALUE, Number.NEGATIVE_INFINITY];
    for (let at = 0; at < this.#before.length; at += 1) {
      const [before = 0, after = 0] = [this.#before[at], this.#after[at]];
      const isPriced = before > 0 || this.#isPriced[at] === 1;
      if (isPriced && at - known > HELD_DAYS) [first, values, value] = [at, [], FIRST_VALUE];
      if (before > 0) value *= after / before;
      if (isPriced) known = at;
      if (known >= 0) values.push(value);
    }
    return { first: (this.#window.from + first) as Day, values };
  }
}

/** Days before marketplaces were recorded count as the same marketplace. */
function isSameMarketplace({ provenance: a }: PricedDay, { provenance: b }: PricedDay): boolean {
  return a === b || !a || !b || a.marketplace === b.marketplace;
}

/**
 * Returns the changes up to the last value, in percent; null if the values begin later. The change
 * over the whole period starts on its first day, because there are no earlier values.
 *
 * @param period The days of the period that the values cover; null for all days.
 */
export function indexChanges(
  values: readonly number[],
  period: number | null,
): Record<IndexChange, number | null> {
  const last = values.at(-1);
  const changes = INDEX_CHANGES.map((name) => {
    const days = CHANGE_DAYS[name];
    const isWhole = days === period && values.length === days;
    const base = isWhole ? values[0] : values.at(-1 - days);
    const isKnown = last !== undefined && base !== undefined;
    return [name, isKnown ? toHundredths((last / base - 1) * 100) : null] as const;
  });
  return Object.fromEntries(changes) as Record<IndexChange, number | null>;
}

/** Rounds a value of an index, or a change in percent, to two decimals. */
export function toHundredths(value: number): number {
  return Math.round(value * 100) / 100;
}
