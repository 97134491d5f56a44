import type { Static } from 'typebox';
import type { UsageView } from '../../src/dashboard/schemas.ts';

/** Makes stacked bars of the days of an account's usage. */

export type UsageDay = Static<typeof UsageView>['days'][number];
type Requests = UsageDay['requests'][number];

/** What the requests of a day are told apart by. */
export type Grouping = 'endpoint' | 'status';

/** One day: how many requests each series has, in the order of the series. */
export interface Bar {
  readonly date: string;
  readonly counts: readonly number[];
  readonly total: number;
}

export interface Bars {
  /** What is told apart, most requests first for endpoints, by number for classes of status. */
  readonly series: readonly string[];
  readonly bars: readonly Bar[];
  /** Requests of all days. */
  readonly total: number;
}

/** As many series can be told apart; what is left over is one more. */
const MOST_SERIES = 5;

const REST = 'everything else';

const CLASSES: Readonly<Record<number, string>> = {
  2: '2xx answered',
  3: '3xx not modified',
  4: '4xx refused',
  5: '5xx failed',
};

/** The days as bars, stacked by endpoint or by class of status. */
export function stackDays(days: readonly UsageDay[], grouping: Grouping): Bars {
  const nameOf = grouping === 'endpoint' ? nameOfEndpoint : nameOfStatus;
  const totals = totalsBy(days, nameOf);
  const names = [...totals.keys()];
  const series = grouping === 'status' ? names.toSorted() : mostUsed(totals);
  const place = (requests: Requests) => {
    const index = series.indexOf(nameOf(requests));
    return index === -1 ? series.length - 1 : index;
  };
  const bars = days.map((day) => barOf(day, series.length, place));
  return { series, bars, total: bars.reduce((sum, bar) => sum + bar.total, 0) };
}

function nameOfEndpoint({ endpoint }: Requests): string {
  return endpoint;
}

function nameOfStatus({ statusClass }: Requests): string {
  return CLASSES[statusClass] ?? `${statusClass}xx`;
}

function totalsBy(days: readonly UsageDay[], nameOf: (requests: Requests) => string) {
  const totals = new Map<string, number>();
  for (const requests of days.flatMap((day) => day.requests)) {
    const name = nameOf(requests);
    totals.set(name, (totals.get(name) ?? 0) + requests.count);
  }
  return totals;
}

function mostUsed(totals: ReadonlyMap<string, number>): string[] {
  const sorted = [...totals.keys()].toSorted(
    (a, b) => (totals.get(b) ?? 0) - (totals.get(a) ?? 0) || a.localeCompare(b),
  );
  if (sorted.length <= MOST_SERIES + 1) return sorted;
  return [...sorted.slice(0, MOST_SERIES), REST];
}

function barOf(day: UsageDay, length: number, place: (requests: Requests) => number): Bar {
  const counts = new Array<number>(length).fill(0);
  let total = 0;
  for (const requests of day.requests) {
    const index = place(requests);
    counts[index] = (counts[index] ?? 0) + requests.count;
    total += requests.count;
  }
  return { date: day.date, counts, total };
}

/**
 * The marks of an axis from 0 to at least `most`, in steps that are easy to read and whole: 1, 2
 * or 5 times a power of ten.
 */
export function axisMarks(most: number): number[] {
  const power = 10 ** Math.floor(Math.log10(Math.max(most, 1)));
  const steps = [power / 2, power, power * 2, power * 5].map((step) => Math.max(1, step));
  const step = steps.find((candidate) => most / candidate <= 4) ?? power * 5;
  const count = Math.max(1, Math.ceil(most / step));
  return Array.from({ length: count + 1 }, (_, index) => index * step);
}
