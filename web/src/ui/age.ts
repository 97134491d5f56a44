/** How long ago something was. */

const AGE = new Intl.RelativeTimeFormat('en-US');

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** From the longest unit to the shortest: name, shortest duration it is used for, and length. */
const UNITS = [
  ['year', 365 * DAY_MS, 365 * DAY_MS],
  ['month', 60 * DAY_MS, 30 * DAY_MS],
  ['day', 2 * DAY_MS, DAY_MS],
  ['hour', HOUR_MS, HOUR_MS],
  ['minute', MINUTE_MS, MINUTE_MS],
] as const;

/**
 * Formats how long ago an ISO 8601 moment was, or in what time it will be: `3 days ago`,
 * `in 2 hours`, `just now`. `nowMs` is the server's clock in milliseconds.
 */
export function formatAge(iso: string, nowMs: number): string {
  const duration = Date.parse(iso) - nowMs;
  const unit = UNITS.find(([, shortest]) => Math.abs(duration) >= shortest);
  if (!unit) return 'just now';
  const [name, , length] = unit;
  return AGE.format(Math.trunc(duration / length), name);
}
