/** The positions of the labels on the axes of charts, and their texts. */

/** Multiples of a power of ten in which people count money and things. */
const MONEY_STEPS = [1, 2, 2.5, 5, 10];
const COUNT_STEPS = [1, 2, 5, 10];

/** The steps of a count axis. */
const MAX_COUNT_STEPS = 4;

/**
 * Returns evenly spaced round amounts within a range: at most `most`, in whole
 * hundredths.
 */
export function amountTicks(from: number, to: number, most: number): number[] {
  // In cents, whose multiples are exact.
  const step = roundStep(Math.max(1, ((to - from) * 100) / Math.max(1, most)), MONEY_STEPS);
  const first = Math.ceil((from * 100) / step);
  const last = Math.floor((to * 100) / step);
  return Array.from({ length: last - first + 1 }, (_, index) => ((first + index) * step) / 100);
}

/** Returns evenly spaced round numbers from 0 to at least `max`: at most five, all whole. */
export function countTicks(max: number): number[] {
  const step = roundStep(Math.max(1, max) / MAX_COUNT_STEPS, COUNT_STEPS);
  const count = Math.max(1, Math.ceil(max / step));
  return Array.from({ length: count + 1 }, (_, index) => index * step);
}

/** Returns the smallest whole multiple of a power of ten that is at least `least`. */
function roundStep(least: number, multiples: readonly number[]): number {
  const power = 10 ** Math.floor(Math.log10(least));
  const steps = multiples.map((multiple) => multiple * power);
  return steps.find((step) => step >= least && Number.isInteger(step)) ?? 10 * power;
}

const SECONDS_PER_DAY = 86_400;
/** The steps in which days, months and years are counted. */
const DAYS = [1, 2, 7, 14];
const MONTHS = [1, 2, 3, 6];
const YEARS = [1, 2, 5, 10, 20, 50];

/**
 * Returns UTC midnights from `first` to `last`, all in Unix seconds: at most `most` of them, some
 * days apart, or the first days of months or of years.
 */
export function dayTicks(first: number, last: number, most: number): number[] {
  const isFew = (ticks: readonly number[]) => ticks.length <= most;
  return (
    DAYS.map((step) => daysApart(first, last, step)).find(isFew) ??
    [...MONTHS, ...YEARS.map((years) => years * 12)]
      .map((step) => firstsOfMonths(first, last, step))
      .find(isFew) ??
    []
  );
}

/** Counts back from the last day, which is the most important. */
function daysApart(first: number, last: number, step: number): number[] {
  const count = Math.floor((last - first) / SECONDS_PER_DAY / step) + 1;
  return Array.from({ length: count }, (_, index) => {
    return last - (count - 1 - index) * step * SECONDS_PER_DAY;
  });
}

/** Returns the first days of the months whose number since year 0 is a multiple of `step`. */
function firstsOfMonths(first: number, last: number, step: number): number[] {
  const start = Math.ceil(monthsOf(first - 1) / step) * step;
  const ticks = [];
  for (let month = start; secondsOf(month) <= last; month += step) {
    if (secondsOf(month) >= first) ticks.push(secondsOf(month));
  }
  return ticks;
}

function monthsOf(seconds: number): number {
  const date = new Date(seconds * 1000);
  return date.getUTCFullYear() * 12 + date.getUTCMonth();
}

function secondsOf(month: number): number {
  return Date.UTC(Math.floor(month / 12), month % 12) / 1000;
}

/**
 * Returns the labels of evenly spaced amounts in a currency; null for none. They have cents unless
 * all are whole.
 */
export function formatAmountLabels(
  amounts: readonly number[],
  currency: string | null = 'USD',
): string[] {
  const largest = amounts.at(-1) ?? 0;
  const areWhole = amounts.every((amount) => Number.isInteger(amount));
  const short = { notation: 'compact', maximumSignificantDigits: 4 } as const;
  const digits = largest >= 100_000 ? short : areWhole ? { maximumFractionDigits: 0 } : {};
  const plain = areWhole ? {} : { minimumFractionDigits: 2 };
  const unit = currency === null ? plain : ({ style: 'currency', currency } as const);
  const format = new Intl.NumberFormat('en-US', { ...unit, ...digits });
  return amounts.map((amount) => format.format(amount));
}

const UTC = { timeZone: 'UTC' } as const;
const YEAR = new Intl.DateTimeFormat('en-US', { ...UTC, year: 'numeric' });
const MONTH = new Intl.DateTimeFormat('en-US', { ...UTC, month: 'short' });
const MONTH_OF_YEAR = new Intl.DateTimeFormat('en-US', { ...UTC, month: 'short', year: 'numeric' });
const DAY = new Intl.DateTimeFormat('en-US', { ...UTC, month: 'short', day: 'numeric' });

/**
 * Returns the labels of days, given as UTC midnights in Unix seconds: years if each day is January
 * 1, months if each is the first of a month, days otherwise.
 */
export function formatDayLabels(seconds: readonly number[]): string[] {
  const dates = seconds.map((second) => new Date(second * 1000));
  const areFirsts = dates.every((date) => date.getUTCDate() === 1);
  const areYears = areFirsts && dates.every((date) => date.getUTCMonth() === 0);
  if (areYears) return dates.map((date) => YEAR.format(date));
  if (!areFirsts) return dates.map((date) => DAY.format(date));
  return dates.map((date, index) => {
    const isNew = index === 0 || date.getUTCFullYear() !== dates[index - 1]?.getUTCFullYear();
    return (isNew ? MONTH_OF_YEAR : MONTH).format(date);
  });
}
