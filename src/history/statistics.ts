import { type Day, PERIODS, windowOf } from '../domain/day.ts';
import type { Cents } from '../domain/money.ts';

/** Sums up the market prices of periods. */

/** The statistics of each period; null for a period without a market price. */
export type Statistics = Readonly<Record<'7d' | '30d' | '90d' | '1y', PeriodStatistics | null>>;

/** The longest of these periods, in days. */
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
  /** How many days have a price. */
  readonly days: number;
}

/** Returns the statistics of the periods that end with `newest`, of days in ascending order. */
export function statisticsOf(
  days: readonly { readonly day: Day; readonly market: Cents | null }[],
  newest: Day,
): Statistics {
  const priced = days.flatMap(({ day, market }) => (market === null ? [] : { day, market }));
  const of = (period: keyof Statistics) => {
    const { from, to } = windowOf(PERIODS[period], newest);
    return summary(priced.filter(({ day }) => day >= from && day <= to));
  };
  return { '7d': of('7d'), '30d': of('30d'), '90d': of('90d'), '1y': of('1y') };
}

function summary(days: readonly MarketDay[]): PeriodStatistics | null {
  const [first] = days;
  if (!first) return null;
  let [lowest, highest, sum] = [first, first, 0];
  for (const one of days) {
    if (one.market <= lowest.market) lowest = one;
    if (one.market >= highest.market) highest = one;
    sum += one.market;
  }
  return { lowest, highest, mean: Math.round(sum / days.length) as Cents, days: days.length };
}
