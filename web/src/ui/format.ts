import { UNLIMITED } from '../../../src/domain/plans.ts';

/** Formats amounts, counts, days and moments in US English. */

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

/** The formats of amounts, by currency and sign. Creating one takes longer than using it. */
const MONEY = new Map<string, Intl.NumberFormat>();

function moneyFormat(currency: string, signDisplay: 'auto' | 'exceptZero'): Intl.NumberFormat {
  const key = `${currency} ${signDisplay}`;
  const format =
    MONEY.get(key) ?? new Intl.NumberFormat('en-US', { style: 'currency', currency, signDisplay });
  MONEY.set(key, format);
  return format;
}

/**
 * Formats an amount as `$1,234.50`, and a missing one as `no price`, never as zero. Amounts are in
 * US dollars by default.
 */
export function formatMoney(amount: number | null | undefined, currency = 'USD'): string {
  if (amount === null || amount === undefined) return 'no price';
  return moneyFormat(currency, 'auto').format(amount);
}

/** Formats a count as `1,234`. */
export function formatCount(count: number): string {
  return COUNT.format(count);
}

/** Formats a number of things as `1 card` or `1,234 cards`. */
export function formatCounted(count: number, thing: string): string {
  return `${formatCount(count)} ${thing}${count === 1 ? '' : 's'}`;
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

/** Formats the requests per day that a plan includes: `10,000` or `unlimited`. */
export function formatQuota(dailyRequests: number): string {
  return dailyRequests === UNLIMITED ? 'unlimited' : formatCount(dailyRequests);
}

/** Formats a day `YYYY-MM-DD` as `Jan 28, 2026` in every time zone. */
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

/** Ages of moments. */

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
 * Formats the time since or until an ISO 8601 moment: `3 days ago`, `in 2 hours`, `just now`.
 * `nowMs` is the server's clock in milliseconds.
 */
export function formatAge(iso: string, nowMs: number): string {
  const duration = Date.parse(iso) - nowMs;
  const unit = UNITS.find(([, shortest]) => Math.abs(duration) >= shortest);
  if (!unit) return 'just now';
  const [name, , length] = unit;
  return AGE.format(Math.trunc(duration / length), name);
}

/** When the next quota begins. */

const CLOCK = new Intl.DateTimeFormat('en-US', {
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
  timeZoneName: 'short',
});

/** Formats the time of day of an ISO 8601 moment with the reader's time zone: `17:05 GMT+1`. */
export function formatClock(iso: string): string {
  return CLOCK.format(Date.parse(iso));
}

/** Formats a duration to the second, as for a countdown: `7 h 05 min 09 s`, `45 s`. */
export function formatRemaining(milliseconds: number): string {
  const seconds = Math.max(0, Math.ceil(milliseconds / 1000));
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  if (seconds < 60) return `${seconds} s`;
  const rest = `${pad(seconds % 60)} s`;
  return hours === 0 ? `${minutes} min ${rest}` : `${hours} h ${pad(minutes)} min ${rest}`;
}

function pad(count: number): string {
  return String(count).padStart(2, '0');
}

/** The change of a market price: now minus before. */
export interface PriceChange {
  readonly amount: number;
  /** In percent of the earlier price. */
  readonly percent: number;
}

const SIGNED_PERCENT = new Intl.NumberFormat('en-US', {
  style: 'percent',
  maximumFractionDigits: 1,
  signDisplay: 'exceptZero',
});

/** Formats a change as `+$3.10`. */
export function formatChange({ amount }: PriceChange, currency = 'USD'): string {
  return moneyFormat(currency, 'exceptZero').format(amount);
}

/** Formats a change as `+2.6%`. */
export function formatPercent({ percent }: PriceChange): string {
  return SIGNED_PERCENT.format(percent / 100);
}

/** Formats a conversion as `converted from USD at 0.92551 of Jan 28, 2026`. */
export function formatConversion({ from, rate, date }: Conversion): string {
  return `converted from ${from} at ${Number(rate.toPrecision(5))} of ${formatDay(date)}`;
}

interface Conversion {
  readonly from: string;
  readonly rate: number;
  readonly date: string;
}

const JAPANESE = /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]/u;

/** Returns the language of a name for the attribute `lang`, if its script shows it. */
export function languageOf(name: string): 'ja' | undefined {
  return JAPANESE.test(name) ? 'ja' : undefined;
}
