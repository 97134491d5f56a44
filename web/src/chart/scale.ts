import type { ChartDays } from './days.ts';

/** How amounts and days stand on the axes of the chart. */

/** A highest listing of so many times the dearest market price is cut off: it would hide the rest. */
const MOST_TIMES_MARKET = 3;

export interface AmountRange {
  readonly from: number;
  readonly to: number;
  /** Whether some of the highest listings lie above. */
  readonly isCut: boolean;
}

/** The amounts that a chart shows, in dollars, with a little room above and below. */
export function amountRange({ market, low, high }: ChartDays): AmountRange {
  const dearest = most(market);
  const highest = Math.max(most(high), dearest, most(low));
  const limit = dearest > 0 ? Math.max(dearest * MOST_TIMES_MARKET, most(low)) : highest;
  const isCut = highest > limit;
  const top = isCut ? limit : highest;
  const bottom = Math.min(least(market), least(low), least(high), top);
  const room = (top - bottom || top || 1) * 0.05;
  return { from: Math.max(0, bottom - room), to: top + room, isCut };
}

function most(amounts: ChartDays['market']): number {
  return amounts.reduce<number>((found, amount) => Math.max(found, amount ?? 0), 0);
}

function least(amounts: ChartDays['market']): number {
  return amounts.reduce<number>((found, amount) => Math.min(found, amount ?? found), Infinity);
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

/** What the lines across the chart are called: as many decimals as tell them apart. */
export function amountLabels(amounts: readonly number[]): string[] {
  const [first = 0, second = first + 1] = amounts;
  const largest = amounts.at(-1) ?? 0;
  const steps = second - first < 1 ? CENTS : largest < 100_000 ? DOLLARS : SHORT;
  return amounts.map((amount) => steps.format(amount));
}

const UTC = { timeZone: 'UTC' } as const;
const YEAR = new Intl.DateTimeFormat('en-US', { ...UTC, year: 'numeric' });
const MONTH = new Intl.DateTimeFormat('en-US', { ...UTC, month: 'short' });
const MONTH_OF_YEAR = new Intl.DateTimeFormat('en-US', { ...UTC, month: 'short', year: 'numeric' });
const DAY = new Intl.DateTimeFormat('en-US', { ...UTC, month: 'short', day: 'numeric' });

/** What the days below the chart are called, by UTC midnights in seconds: as short as tells them apart. */
export function dayLabels(seconds: readonly number[]): string[] {
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
