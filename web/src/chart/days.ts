import { type Day, parseDay, startOfDay } from '../../../src/domain/day.ts';
import { PERIODS, type Period, windowOf } from '../../../src/domain/window.ts';

/** One observed day, in dollars. */
export interface ObservedDay {
  /** `YYYY-MM-DD`, UTC. */
  readonly date: string;
  readonly market: number | null;
  readonly low: number | null;
  readonly high: number | null;
}

type Amounts = readonly (number | null)[];

/** Every day of a window in turn, those too on which nothing was observed. */
export interface ChartDays {
  /** The UTC midnights at which the days start, in seconds. */
  readonly seconds: readonly number[];
  /** What was observed on each; undefined for nothing. */
  readonly observed: readonly (ObservedDay | undefined)[];
  readonly market: Amounts;
  readonly low: Amounts;
  readonly high: Amounts;
}

/**
 * All days of a period that ends with the newest day of the game. `all` begins with the first day
 * that was observed. Days outside of the window, and what is no day, are left out.
 */
export function chartDays(
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

/** Where there is an amount with none on either side: a line would not show it. */
export function isolated(amounts: Amounts): number[] {
  return amounts.flatMap((amount, index) => {
    const isAlone = (amounts[index - 1] ?? null) === null && (amounts[index + 1] ?? null) === null;
    return amount !== null && isAlone ? [index] : [];
  });
}

/**
 * The day that a key leads to from another: only observed ones, the day itself where there is none
 * further on. Undefined for keys that mean nothing to the chart.
 */
export function dayAfterKey(key: string, days: ChartDays, index: number): number | undefined {
  if (key === 'ArrowRight' || key === 'ArrowUp') return nearest(days, index + 1, 1) ?? index;
  if (key === 'ArrowLeft' || key === 'ArrowDown') return nearest(days, index - 1, -1) ?? index;
  if (key === 'Home') return nearest(days, 0, 1);
  if (key === 'End') return nearest(days, days.observed.length - 1, -1);
  return undefined;
}

/** The first observed day from `index` on in a direction. */
function nearest({ observed }: ChartDays, index: number, step: 1 | -1): number | undefined {
  for (let at = index; at >= 0 && at < observed.length; at += step) {
    if (observed[at]) return at;
  }
  return undefined;
}

/** The last observed day, -1 if there is none. */
export function lastObserved({ observed }: ChartDays): number {
  return observed.findLastIndex((item) => item !== undefined);
}

/** `YYYY-MM-DD` of a day of the chart. */
export function dateAt({ seconds }: ChartDays, index: number): string {
  return new Date((seconds[index] ?? 0) * 1000).toISOString().slice(0, 10);
}

/** The days of a year, newest first. */
export interface YearOfDays {
  readonly year: string;
  readonly days: readonly ObservedDay[];
}

/** Observed days, oldest first, by year: newest year and newest day first. */
export function byYear(history: readonly ObservedDay[]): YearOfDays[] {
  const years = Map.groupBy(history.toReversed(), ({ date }) => date.slice(0, 4));
  return [...years].map(([year, days]) => ({ year, days }));
}
