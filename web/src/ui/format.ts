/** Formats amounts, counts, days and moments: in US English and US dollars. */

import { UNLIMITED } from '../../../src/domain/plans.ts';

const MONEY = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' });
const COUNT = new Intl.NumberFormat('en-US');
const DAY = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' });
const SHARE = new Intl.NumberFormat('en-US', { style: 'percent', maximumFractionDigits: 1 });
const ONE_DECIMAL = new Intl.NumberFormat('en-US', { maximumFractionDigits: 1 });
const BYTE_UNITS = [
  ['B', 1],
  ['KB', 1024],
  ['MB', 1024 ** 2],
  ['GB', 1024 ** 3],
] as const;
const DATE_FORMAT = { dateStyle: 'medium' } as const;
const MOMENT_FORMAT = {
  year: 'numeric',
  month: 'short',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
} as const;

/** In the reader's time zone, and in UTC for pages that the server renders. */
const LOCAL = formatsIn(undefined);
const UTC = formatsIn('UTC');

function formatsIn(timeZone: string | undefined) {
  return {
    date: new Intl.DateTimeFormat('en-US', { ...DATE_FORMAT, timeZone }),
    moment: new Intl.DateTimeFormat('en-US', { ...MOMENT_FORMAT, timeZone }),
  };
}

/** Formats dollars as `$1,234.50`, and a missing amount as `no price`, never as zero. */
export function formatMoney(dollars: number | null | undefined): string {
  return dollars === null || dollars === undefined ? 'no price' : MONEY.format(dollars);
}

/** Formats a count as `1,234`. */
export function formatCount(count: number): string {
  return COUNT.format(count);
}

/** Formats a part of a whole as `1,234 of 2,000 (61.7%)`. */
export function formatShare(part: number, whole: number): string {
  const share = whole === 0 ? '' : ` (${SHARE.format(part / whole)})`;
  return `${formatCount(part)} of ${formatCount(whole)}${share}`;
}

/** Formats a size as `1.5 GB`. */
export function formatBytes(bytes: number): string {
  const unit = BYTE_UNITS.findLast(([, size]) => bytes >= size) ?? BYTE_UNITS[0];
  const [name, size] = unit;
  return `${ONE_DECIMAL.format(bytes / size)} ${name}`;
}

/** The requests of a day that a plan includes: `10,000`, or `unlimited`. */
export function formatQuota(dailyRequests: number): string {
  return dailyRequests === UNLIMITED ? 'unlimited' : formatCount(dailyRequests);
}

/** Formats a day `YYYY-MM-DD` as `Jan 28, 2026`, in every time zone the same. */
export function formatDay(day: string): string {
  return DAY.format(Date.parse(`${day}T00:00:00Z`));
}

/** Formats the day of an ISO 8601 moment, by default in the reader's time zone: `Jan 28, 2026`. */
export function formatDate(iso: string, timeZone?: 'UTC'): string {
  return (timeZone ? UTC : LOCAL).date.format(Date.parse(iso));
}

/** Formats an ISO 8601 moment, by default in the reader's time zone: `Jan 28, 2026, 17:05`. */
export function formatMoment(iso: string, timeZone?: 'UTC'): string {
  return (timeZone ? UTC : LOCAL).moment.format(Date.parse(iso));
}
