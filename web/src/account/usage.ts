import type { RequestCount, UsageDay } from '../api/responses.ts';

/** The stacked bars of the chart of an account's usage. */

type DayCount = UsageDay['requests'][number];

/** The meaning of a chart's series. */
export type Grouping = 'endpoint' | 'status';

/** The requests of a day. */
export interface UsageBar {
  /** `YYYY-MM-DD`, UTC. */
  readonly date: string;
  /** The requests of each series, in the order of the series. */
  readonly counts: readonly number[];
  readonly total: number;
}

export interface UsageBars {
  /** The names of the series: endpoints by requests, most first, or status classes by number. */
  readonly series: readonly string[];
  readonly bars: readonly UsageBar[];
  /** The requests of all days. */
  readonly total: number;
}

/** The number of endpoints with their own series. A last series combines all other requests. */
const MAX_SERIES = 5;

const OTHER_SERIES = 'everything else';

const STATUS_CLASSES: Readonly<Record<number, string>> = {
  2: '2xx answered',
  3: '3xx not modified',
  4: '4xx refused',
  5: '5xx failed',
};

/** Returns a bar for each day, stacked by endpoint or by status class. */
export function buildUsageBars(days: readonly UsageDay[], grouping: Grouping): UsageBars {
  const nameOf = grouping === 'endpoint' ? nameByEndpoint : nameByStatus;
  const totals = sumByName(days, nameOf);
  const names = [...totals.keys()];
  const series = grouping === 'status' ? names.toSorted() : rankByCount(totals);
  const seriesOf = (requests: DayCount) => {
    const index = series.indexOf(nameOf(requests));
    return index === -1 ? series.length - 1 : index;
  };
  const bars = days.map((day) => buildBar(day, series.length, seriesOf));
  return { series, bars, total: bars.reduce((sum, bar) => sum + bar.total, 0) };
}

function nameByEndpoint({ endpoint }: DayCount): string {
  return endpoint;
}

function nameByStatus({ statusClass }: DayCount): string {
  return STATUS_CLASSES[statusClass] ?? `${statusClass}xx`;
}

function sumByName(days: readonly UsageDay[], nameOf: (requests: DayCount) => string) {
  const totals = new Map<string, number>();
  for (const requests of days.flatMap((day) => day.requests)) {
    const name = nameOf(requests);
    totals.set(name, (totals.get(name) ?? 0) + requests.count);
  }
  return totals;
}

function rankByCount(totals: ReadonlyMap<string, number>): string[] {
  const sorted = [...totals.keys()].toSorted(
    (a, b) => (totals.get(b) ?? 0) - (totals.get(a) ?? 0) || a.localeCompare(b),
  );
  if (sorted.length <= MAX_SERIES + 1) return sorted;
  return [...sorted.slice(0, MAX_SERIES), OTHER_SERIES];
}

function buildBar(
  day: UsageDay,
  length: number,
  seriesOf: (requests: DayCount) => number,
): UsageBar {
  const counts = new Array<number>(length).fill(0);
  let total = 0;
  for (const requests of day.requests) {
    const index = seriesOf(requests);
    counts[index] = (counts[index] ?? 0) + requests.count;
    total += requests.count;
  }
  return { date: day.date, counts, total };
}

/** The requests of an account by API key and endpoint, and the refused ones by error. */

export interface EndpointUse {
  readonly endpoint: string;
  readonly count: number;
  /** The number of requests answered with an error. */
  readonly errors: number;
}

export interface KeyUsage {
  readonly keyId: number;
  readonly keyName: string;
  readonly count: number;
  /** The most used first. */
  readonly endpoints: readonly EndpointUse[];
}

/** Sums up by key and endpoint, the most used first. */
export function usageByKey(counts: readonly RequestCount[]): KeyUsage[] {
  const keys = [...Map.groupBy(counts, ({ keyId }) => keyId)].map(([keyId, own]) => ({
    keyId,
    keyName: own[0]?.keyName ?? '',
    count: sum(own),
    endpoints: usageByEndpoint(own),
  }));
  return keys.toSorted((a, b) => b.count - a.count || a.keyId - b.keyId);
}

function usageByEndpoint(counts: readonly RequestCount[]): EndpointUse[] {
  const uses = [...Map.groupBy(counts, ({ endpoint }) => endpoint)].map(([endpoint, own]) => ({
    endpoint,
    count: sum(own),
    errors: sum(own.filter(({ code }) => code !== null)),
  }));
  return uses.toSorted((a, b) => b.count - a.count || a.endpoint.localeCompare(b.endpoint));
}

export interface ErrorCount {
  readonly code: string;
  readonly count: number;
  /** The endpoints that returned the error, the most frequent first. */
  readonly endpoints: readonly string[];
}

/** Sums up the errors by code, the most frequent first. */
export function countErrors(counts: readonly RequestCount[]): ErrorCount[] {
  const byCode = Map.groupBy(counts, ({ code }) => code);
  const errors = [...byCode].flatMap(([code, own]) => {
    if (code === null) return [];
    return [{ code, count: sum(own), endpoints: usageByEndpoint(own).map((use) => use.endpoint) }];
  });
  return errors.toSorted((a, b) => b.count - a.count || a.code.localeCompare(b.code));
}

function sum(counts: readonly RequestCount[]): number {
  return counts.reduce((total, { count }) => total + count, 0);
}
