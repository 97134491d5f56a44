import { type Day, dayOf, type Millis, MS_PER_DAY, startOfDay } from './day.ts';

/** Times of day and durations, in the form that settings use. */

/** Minutes since midnight, UTC. */
export type TimeOfDay = number & { readonly __unit: 'minute of the day' };

export const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
const DURATION = /^([1-9]\d{0,4})(m|h|d)$/;
const UNITS: Readonly<Record<string, Millis>> = { m: MINUTE_MS, h: HOUR_MS, d: MS_PER_DAY };

/** The time of a text such as `21:30` (UTC), or undefined for another text. */
export function parseTimeOfDay(text: string): TimeOfDay | undefined {
  const [, hours, minutes] = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(text) ?? [];
  return hours === undefined ? undefined : ((Number(hours) * 60 + Number(minutes)) as TimeOfDay);
}

/** The milliseconds of a text such as `90m`, `60h` or `3d`, or undefined for another text. */
export function parseDuration(text: string): Millis | undefined {
  const [, count, unit = ''] = DURATION.exec(text) ?? [];
  return count === undefined ? undefined : Number(count) * (UNITS[unit] ?? 0);
}

/** Formats an age for people: `45 min`, `3 h`, `2.5 d`. */
export function formatAge(age: Millis): string {
  if (age < HOUR_MS) return `${Math.floor(age / MINUTE_MS)} min`;
  if (age < 48 * HOUR_MS) return `${Math.floor(age / HOUR_MS)} h`;
  return `${(age / MS_PER_DAY).toFixed(1)} d`;
}

/** Returns the first moment after `moment` at one of the times. `times` must not be empty. */
export function nextTime(times: readonly TimeOfDay[], moment: Millis): Millis {
  const today = dayOf(moment);
  const moments = [today, today + 1].flatMap((day) =>
    times.map((time) => startOfDay(day as Day) + time * MINUTE_MS),
  );
  return Math.min(...moments.filter((candidate) => candidate > moment));
}

/** The state of a sync. An interrupted one ended without reporting a result. */
export const SYNC_RUN_STATES = [
  'running',
  'succeeded',
  'incomplete',
  'failed',
  'interrupted',
] as const;

export type SyncRunState = (typeof SYNC_RUN_STATES)[number];

/** A sync that an operator started from the pages. */
export interface SyncRun {
  /** Null for all configured sources. */
  readonly source: string | null;
  readonly startedAt: Millis;
  /** Null while it is running, and if its end is unknown. */
  readonly endedAt: Millis | null;
  readonly state: SyncRunState;
  /** The last lines that it printed, without control characters. */
  readonly lines: readonly string[];
}

/** A source that can be synced, or the reason why it cannot. */
export interface SyncableSource {
  readonly name: string;
  /** The missing settings, in words; null if none are missing. */
  readonly hindrance: string | null;
}
