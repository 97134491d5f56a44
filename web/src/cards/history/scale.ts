import { formatDay, formatMoney } from '../../ui/format.ts';
import { type Amounts, dateAt } from './days.ts';
import type { Chart } from './lines.ts';

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

/**
 * Returns the range of amounts that a chart shows, in dollars, with a margin above and below. The
 * highest listings count only where they are drawn.
 */
export function computeAmountRange({ days, isHighShown, compared }: Chart): AmountRange {
  const { market, low, high } = days;
  const lines = [market, low, ...compared.map(({ amounts }) => amounts)];
  const maxLine = Math.max(...lines.map(findMax));
  const drawn = isHighShown ? [...lines, high] : lines;
  const highest = Math.max(...drawn.map(findMax));
  const maxMarket = findMax(market);
  const limit = maxMarket > 0 ? Math.max(maxMarket * MAX_MARKET_MULTIPLE, maxLine) : highest;
  const top = Math.min(highest, limit);
  const bottom = Math.min(...drawn.map(findMin), top);
  const margin = Math.max((top - bottom) * 0.08, (top || 1) * 0.03);
  return { from: Math.max(0, bottom - margin), to: top + margin, isTruncated: highest > limit };
}

function findMax(amounts: Amounts): number {
  return amounts.reduce<number>((max, amount) => Math.max(max, amount ?? 0), 0);
}

function findMin(amounts: Amounts): number {
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

/** Returns the labels of evenly spaced amounts, with cents only where some are not whole dollars. */
export function formatAmountLabels(amounts: readonly number[]): string[] {
  const largest = amounts.at(-1) ?? 0;
  const areWhole = amounts.every((amount) => Number.isInteger(amount));
  const format = largest >= 100_000 ? SHORT : areWhole ? DOLLARS : CENTS;
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

/** Describes a day: its date, and the known prices of all lines or that nothing was observed. */
export function describeDay({ days, isHighShown, compared }: Chart, index: number): DayDescription {
  const { market, low, high, observed } = days;
  const lines = [
    { label: 'market', amounts: market },
    { label: 'low', amounts: low },
    ...(isHighShown ? [{ label: 'high', amounts: high }] : []),
    ...compared,
  ];
  const known = lines.flatMap(({ label, amounts }) => {
    const amount = amounts[index] ?? null;
    return amount === null ? [] : [`${label} ${formatMoney(amount)}`];
  });
  const parts = observed[index] ? known : ['nothing observed', ...known];
  return { day: formatDay(dateAt(days, index)), amounts: parts.join(', ') };
}
