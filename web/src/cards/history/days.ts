import {
  type Day,
  PERIODS,
  type Period,
  parseDay,
  startOfDay,
  windowOf,
} from '../../../../src/domain/day.ts';

/** The observed prices of a day in dollars. */
export interface ObservedDay {
  /** `YYYY-MM-DD`, UTC. */
  readonly date: string;
  readonly market: number | null;
  readonly low: number | null;
  readonly high: number | null;
}

/** Dollars by day of a chart; null for none. */
export type Amounts = readonly (number | null)[];

/** Every day of a period in order, including those without an observation. */
export interface ChartDays {
  /** The UTC midnights at which the days start, in Unix seconds. */
  readonly seconds: readonly number[];
  /** The observation of each day, undefined for none. */
  readonly observed: readonly (ObservedDay | undefined)[];
  readonly market: Amounts;
  readonly low: Amounts;
  readonly high: Amounts;
}

/**
 * Returns all days of a period. It ends with `asOf`, the newest day of the game. The period `all`
 * begins with the first observed day. Omits observations on invalid or other days.
 */
export function buildChartDays(
  history: readonly ObservedDay[],
  period: Period,
  asOf: string | null,
): ChartDays {
  const byDay = new Map(history.map((item) => [parseDay(item.date), item]));
  const known = [...byDay.keys()].filter((day) => day !== undefined);
  const newest = (asOf === null ? undefined : parseDay(asOf)) ?? (Math.max(...known, 0) as Day);
  const oldest = Math.min(...known, newest);
  const { from, to } = windowOf(PERIODS[period], newest);
  const first = Math.max(from, PERIODS[period] === null ? oldest : from);
  const days = Array.from({ length: to - first + 1 }, (_, index) => (first + index) as Day);
  const observed = days.map((day) => byDay.get(day));
  return {
    seconds: days.map((day) => startOfDay(day) / 1000),
    observed,
    market: observed.map((item) => item?.market ?? null),
    low: observed.map((item) => item?.low ?? null),
    high: observed.map((item) => item?.high ?? null),
  };
}

/** Whether only highest listings are known. */
export function hasOnlyHigh({ market, low }: ChartDays): boolean {
  return [...market, ...low].every((amount) => amount === null);
}

/** Whether a day without an observation is between observed days. */
export function hasGaps({ observed }: ChartDays): boolean {
  const first = observed.findIndex((item) => item !== undefined);
  const last = observed.findLastIndex((item) => item !== undefined);
  return observed.slice(first, last).includes(undefined);
}

/** Returns the index of the last observed day, -1 if there is none. */
export function findLastObserved({ observed }: ChartDays): number {
  return observed.findLastIndex((item) => item !== undefined);
}

/** Returns a day of the chart as `YYYY-MM-DD`. */
export function dateAt({ seconds }: ChartDays, index: number): string {
  return new Date((seconds[index] ?? 0) * 1000).toISOString().slice(0, 10);
}

/** The observed days of a year. */
export interface YearOfDays {
  readonly year: string;
  /** Newest first. */
  readonly days: readonly ObservedDay[];
}

/** Groups a history, oldest day first, by year, newest year first. */
export function groupByYear(history: readonly ObservedDay[]): YearOfDays[] {
  const years = Map.groupBy(history.toReversed(), ({ date }) => date.slice(0, 4));
  return [...years].map(([year, days]) => ({ year, days }));
}

/** The periods of the price history that a reader can select. */

const PERIOD_LABELS: Readonly<Record<Period, string>> = {
  '7d': '7 days',
  '30d': '30 days',
  '90d': '90 days',
  '1y': '1 year',
  all: 'All',
};

/** Returns the periods of at most this many days, shortest first; every period for null. */
export function periodsWithin(days: number | null): Period[] {
  const periods = Object.keys(PERIODS) as Period[];
  return periods.filter((period) => days === null || (PERIODS[period] ?? Infinity) <= days);
}

/**
 * Parses the period in an address. A missing or invalid period is 30 days. A period that is not in
 * `periods` becomes the longest of these.
 */
export function parsePeriod(text: string | undefined, periods: readonly Period[]): Period {
  const period = text !== undefined && isPeriod(text) ? text : '30d';
  return periods.includes(period) ? period : (periods.at(-1) ?? '30d');
}

function isPeriod(text: string): text is Period {
  return Object.hasOwn(PERIODS, text);
}

export function labelPeriod(period: Period): string {
  return PERIOD_LABELS[period];
}
