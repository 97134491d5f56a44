/** A calendar day in UTC, counted in days since 1970-01-01. */
export type Day = number & { readonly __unit: 'day' };

/** A moment, in whole milliseconds since 1970-01-01T00:00:00Z. */
export type Millis = number;

export const MS_PER_DAY = 86_400_000;
const ISO_DAY = /^(\d{4})-(\d{2})-(\d{2})$/;

/** The milliseconds since a moment; 0 if it is in the future because a clock was set back. */
export function ageOf(moment: Millis, now: Millis): Millis {
  return Math.max(0, now - moment);
}

/** The UTC day in which a moment falls. */
export function dayOf(moment: Millis): Day {
  return Math.floor(moment / MS_PER_DAY) as Day;
}

/** How far apart clocks may be. */
const CLOCK_SKEW_MS = 3_600_000;

/** Returns the newest day that has begun, in UTC or in the time zone of this computer. */
export function latestDay(now: Millis): Day {
  const local = now - new Date(now).getTimezoneOffset() * 60_000;
  return dayOf(Math.max(now, local) + CLOCK_SKEW_MS);
}

/** The moment at which a UTC day starts. */
export function startOfDay(day: Day): Millis {
  return day * MS_PER_DAY;
}

/** The moment at which a UTC day ends and the next one starts. */
export function endOfDay(day: Day): Millis {
  return startOfDay(addDays(day, 1));
}

/** The day `count` days after `day` (before it if `count` is negative). */
export function addDays(day: Day, count: number): Day {
  return (day + count) as Day;
}

/** `YYYY-MM-DD`. */
export function formatDay(day: Day): string {
  return new Date(startOfDay(day)).toISOString().slice(0, 10);
}

/** The day of a text `YYYY-MM-DD`, or undefined for another text or a day such as `2025-02-30`. */
export function parseDay(text: string): Day | undefined {
  if (!ISO_DAY.test(text)) return undefined;
  const moment = Date.parse(`${text}T00:00:00Z`);
  if (Number.isNaN(moment)) return undefined;
  const day = dayOf(moment);
  return formatDay(day) === text ? day : undefined;
}

/** The days of a calendar month, including the first and the last. */
export interface Month {
  readonly first: Day;
  readonly last: Day;
}

/** The month of a text `YYYY-MM`, or undefined for another text. */
export function parseMonth(text: string): Month | undefined {
  const first = parseDay(`${text}-01`);
  if (first === undefined) return undefined;
  const start = new Date(startOfDay(first));
  const next = Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + 1);
  return { first, last: addDays(dayOf(next), -1) };
}

const ISO_MOMENT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,3})?(Z|[+-]\d{2}:\d{2})$/;

/** The moment of a text such as `2026-01-28T20:05:12Z`, or undefined for another text. */
export function parseMoment(text: string): Millis | undefined {
  if (!ISO_MOMENT.test(text) || parseDay(text.slice(0, 10)) === undefined) return undefined;
  const moment = Date.parse(text);
  return Number.isNaN(moment) ? undefined : moment;
}

/** ISO 8601 in UTC with seconds: `2026-01-28T20:05:12Z`. */
export function formatMoment(moment: Millis): string {
  return `${new Date(moment).toISOString().slice(0, 19)}Z`;
}

/** ISO 8601 in UTC with milliseconds, which distinguishes moments within a second. */
export function formatExactMoment(moment: Millis): string {
  return new Date(moment).toISOString();
}

/** A moment for the name of a file, in UTC with seconds: `20260128T200512`. */
export function formatStamp(moment: Millis): string {
  return formatMoment(moment).slice(0, -1).replaceAll(/[-:]/g, '');
}

/** The periods of price histories in days; null for all days. */
export const PERIODS = { '7d': 7, '30d': 30, '90d': 90, '1y': 365, all: null } as const;

export type Period = keyof typeof PERIODS;

/** Consecutive days, including both ends. */
export interface Window {
  readonly from: Day;
  readonly to: Day;
}

/** Returns the window of `days` days that ends with `newest`; null for all days up to it. */
export function windowOf(days: number | null, newest: Day): Window {
  return { from: days === null ? (0 as Day) : addDays(newest, 1 - days), to: newest };
}
