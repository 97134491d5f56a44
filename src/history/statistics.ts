import { type Day, PERIODS, type Period, windowOf } from '../domain/day.ts';
import type { Cents } from '../domain/money.ts';

/**
 * Sums up the market prices of periods. With n days, on day t with the price x:
 *
 * - mean: Σx / n
 * - standard deviation, of all days as a population: √(n·Σx² − (Σx)²) / n
 * - slope, by least squares: (n·Σtx − Σt·Σx) / (n·Σt² − (Σt)²)
 *
 * All sums are exact. Only the results are rounded, halves away from zero.
 */

/** The statistics of each period; null for a period without a market price. */
export type Statistics = Readonly<Record<Period, PeriodStatistics | null>>;

/** The longest of these periods with an end, in days. */
export const STATISTIC_DAYS = PERIODS['1y'];

/** The market price of a day. */
export interface MarketDay {
  readonly day: Day;
  readonly market: Cents;
}

export interface PeriodStatistics {
  /** The newest of the days with the lowest, and with the highest price. */
  readonly lowest: MarketDay;
  readonly highest: MarketDay;
  /** The mean over all days with a price, in whole cents. */
  readonly mean: Cents;
  /** In whole cents. */
  readonly standardDeviation: Cents;
  /** The slope of the price, in hundredths of a cent per day; null with only one day. */
  readonly slope: number | null;
  /** The number of days with a price. */
  readonly days: number;
}

/**
 * Returns the statistics of the periods that end with `newest`, for days in ascending order.
 * `included` is the number of days in the plan: longer periods are null, and `all` covers these
 * days.
 */
export function statisticsOf(
  days: readonly { readonly day: Day; readonly market: Cents | null }[],
  newest: Day,
  included: number | null = null,
): Statistics {
  const summary = new Summary(newest);
  let last = days.findLastIndex(({ day }) => day <= newest);
  const of = (period: Period) => {
    const length = PERIODS[period] ?? included;
    if (included !== null && length !== null && length > included) return null;
    const { from } = windowOf(length, newest);
    for (let one = days[last]; one && one.day >= from; one = days[last]) {
      if (one.market !== null) summary.addOlder(one.day, one.market);
      last -= 1;
    }
    return summary.result();
  };
  // In this order, because each period contains the days of the previous ones.
  return { '7d': of('7d'), '30d': of('30d'), '90d': of('90d'), '1y': of('1y'), all: of('all') };
}

/** Sums up days from the newest to the oldest. */
class Summary {
  readonly #newest: Day;
  #days = 0;
  #lowest: MarketDay | undefined;
  #highest: MarketDay | undefined;
  readonly #prices = new ExactSum();
  readonly #squares = new ExactSum();
  /** Ages of days: smaller numbers than the days themselves, falling as the days rise. */
  readonly #ages = new ExactSum();
  readonly #agesSquared = new ExactSum();
  readonly #agesByPrice = new ExactSum();

  constructor(newest: Day) {
    this.#newest = newest;
  }

  addOlder(day: Day, market: Cents): void {
    const age = this.#newest - day;
    this.#days += 1;
    if (!this.#lowest || market < this.#lowest.market) this.#lowest = { day, market };
    if (!this.#highest || market > this.#highest.market) this.#highest = { day, market };
    this.#prices.addProduct(market, 1);
    this.#squares.addProduct(market, market);
    this.#ages.addProduct(age, 1);
    this.#agesSquared.addProduct(age, age);
    this.#agesByPrice.addProduct(age, market);
  }

  result(): PeriodStatistics | null {
    const [lowest, highest] = [this.#lowest, this.#highest];
    if (!lowest || !highest) return null;
    const n = BigInt(this.#days);
    const [prices, ages] = [this.#prices.total, this.#ages.total];
    const variance = n * this.#squares.total - prices * prices;
    const spread = n * this.#agesSquared.total - ages * ages;
    const rise = ages * prices - n * this.#agesByPrice.total;
    return {
      lowest,
      highest,
      mean: roundedQuotient(prices, n) as Cents,
      // ⌊√v/n + ½⌋ = ⌊(⌊√4v⌋ + n) / 2n⌋
      standardDeviation: Number((squareRoot(4n * variance) + n) / (2n * n)) as Cents,
      slope: spread === 0n ? null : roundedQuotient(100n * rise, spread),
      days: this.#days,
    };
  }
}

/** Larger numbers are added up as BigInts, which are slow. */
const EXACT = 2 ** 52;

/** A sum of whole numbers that stays exact beyond the largest safe one. */
class ExactSum {
  #small = 0;
  #large = 0n;

  addProduct(a: number, b: number): void {
    const product = a * b;
    if (product > EXACT) this.#large += BigInt(a) * BigInt(b);
    else this.#small += product;
    if (this.#small <= EXACT) return;
    this.#large += BigInt(this.#small);
    this.#small = 0;
  }

  get total(): bigint {
    return this.#large + BigInt(this.#small);
  }
}

/** Returns a quotient as the nearest whole number; `divisor` is positive. */
function roundedQuotient(dividend: bigint, divisor: bigint): number {
  const half = dividend < 0n ? -divisor : divisor;
  return Number((2n * dividend + half) / (2n * divisor));
}

/** Returns the square root, rounded down. */
function squareRoot(square: bigint): bigint {
  let root = BigInt(Math.floor(Math.sqrt(Number(square))));
  while (root * root > square) root -= 1n;
  while ((root + 1n) ** 2n <= square) root += 1n;
  return root;
}
