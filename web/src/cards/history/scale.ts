import { formatDay, formatMoney } from '../../ui/format.ts';
import { type ChartDays, dateAt } from './days.ts';

/** The range of the chart's amounts, the labels of its axes and the text for a day. */

/**
 * The chart ends at this multiple of the highest market price: a listing far above would flatten
 * the rest.
 */
const MAX_MARKET_MULTIPLE = 3;

export interface AmountRange {
  readonly from: number;
  readonly to: number;
  /** Whether some of the highest listings lie above the range. */
  readonly isTruncated: boolean;
}

/** Returns the range of amounts that a chart shows, in dollars, with a margin above and below. */
export function computeAmountRange({ market, low, high }: ChartDays): AmountRange {
  const maxMarket = findMax(market);
  const highest = Math.max(findMax(high), maxMarket, findMax(low));
  const limit = maxMarket > 0 ? Math.max(maxMarket * MAX_MARKET_MULTIPLE, findMax(low)) : highest;
  const isCut = highest > limit;
  const top = isCut ? limit : highest;
  const bottom = Math.min(findMin(market), findMin(low), findMin(high), top);
  const margin = (top - bottom || top || 1) * 0.05;
  return { from: Math.max(0, bottom - margin), to: top + margin, isTruncated: isCut };
}

function findMax(amounts: ChartDays['market']): number {
  return amounts.reduce<number>((max, amount) => Math.max(max, amount ?? 0), 0);
}

function findMin(amounts: ChartDays['market']): number {
  return amounts.reduce<number>((min, amount) => Math.min(min, amount ?? min), Infinity);
}

const CENTS = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' });
const DOLLARS = new Intl.NumberFormat('en-US', {
  style: 'currency',
  currency: 'USD',
  maximumFractionDigits: 0,
});
const SHORT = new Intl.NumberFormat('en-US', {
  style: 'currency',
  currency: 'USD',
  notation: 'compact',
  maximumSignificantDigits: 4,
});

/** Returns the labels of evenly spaced amounts, with only as many digits as they need to differ. */
export function formatAmountLabels(amounts: readonly number[]): string[] {
  const [first = 0, second = first + 1] = amounts;
  const largest = amounts.at(-1) ?? 0;
  const format = second - first < 1 ? CENTS : largest < 100_000 ? DOLLARS : SHORT;
  return amounts.map((amount) => format.format(amount));
}

const UTC = { timeZone: 'UTC' } as const;
const YEAR = new Intl.DateTimeFormat('en-US', { ...UTC, year: 'numeric' });
const MONTH = new Intl.DateTimeFormat('en-US', { ...UTC, month: 'short' });
const MONTH_OF_YEAR = new Intl.DateTimeFormat('en-US', { ...UTC, month: 'short', year: 'numeric' });
const DAY = new Intl.DateTimeFormat('en-US', { ...UTC, month: 'short', day: 'numeric' });

/**
 * Returns the labels of days, given as UTC midnights in Unix seconds: years if all are the first of
 * January, months if all are the first of a month, days otherwise.
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

/** A day of the chart as text. */
export interface DayDescription {
  readonly day: string;
  readonly amounts: string;
}

/** Describes a day: its date, and its prices or that nothing was observed. */
export function describeDay(days: ChartDays, index: number): DayDescription {
  const day = formatDay(dateAt(days, index));
  const prices = days.observed[index];
  if (!prices) return { day, amounts: 'nothing observed' };
  const { market, low, high } = prices;
  const amounts = `market ${formatMoney(market)}, low ${formatMoney(low)}, high ${formatMoney(high)}`;
  return { day, amounts };
}
