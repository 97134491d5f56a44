/** Formats amounts, counts, days and moments: in US English and US dollars. */

import { UNLIMITED } from '../../../src/domain/plans.ts';

const MONEY = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' });
const COUNT = new Intl.NumberFormat('en-US');
const DAY = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' });
const DATE = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium' });
const MOMENT = new Intl.DateTimeFormat('en-US', {
  year: 'numeric',
  month: 'short',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
});

/** Formats dollars as `$1,234.50`, and a missing amount as `no price`, never as zero. */
export function formatMoney(dollars: number | null | undefined): string {
  return dollars === null || dollars === undefined ? 'no price' : MONEY.format(dollars);
}

/** Formats a count as `1,234`. */
export function formatCount(count: number): string {
  return COUNT.format(count);
}

/** The requests of a day that a plan includes: `10,000`, or `unlimited`. */
export function formatQuota(dailyRequests: number): string {
  return dailyRequests === UNLIMITED ? 'unlimited' : formatCount(dailyRequests);
}

/** Formats a day `YYYY-MM-DD` as `Jan 28, 2026`, in every time zone the same. */
export function formatDay(day: string): string {
  return DAY.format(Date.parse(`${day}T00:00:00Z`));
}

/** Formats the day of an ISO 8601 moment in the reader's time zone: `Jan 28, 2026`. */
export function formatDate(iso: string): string {
  return DATE.format(Date.parse(iso));
}

/** Formats an ISO 8601 moment in the reader's time zone: `Jan 28, 2026, 17:05`. */
export function formatMoment(iso: string): string {
  return MOMENT.format(Date.parse(iso));
}
