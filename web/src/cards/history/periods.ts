import { PERIODS, type Period } from '../../../../src/domain/window.ts';

/** The periods of the price history that a reader can select. */

const PERIOD_LABELS: Readonly<Record<Period, string>> = {
  '7d': '7 days',
  '30d': '30 days',
  '90d': '90 days',
  '1y': '1 year',
  all: 'All',
};

/** Returns the periods of at most so many days, the shortest first; every period for null. */
export function periodsWithin(days: number | null): Period[] {
  const periods = Object.keys(PERIODS) as Period[];
  return periods.filter((period) => days === null || (PERIODS[period] ?? Infinity) <= days);
}

/**
 * Parses the period in an address. A missing or invalid one is 30 days; one that is not among
 * `periods` is the longest of them.
 */
export function parsePeriod(text: string | undefined, periods: readonly Period[]): Period {
  const period = text !== undefined && isPeriod(text) ? text : '30d';
  return periods.includes(period) ? period : (periods.at(-1) ?? '30d');
}

function isPeriod(text: string): text is Period {
  return Object.hasOwn(PERIODS, text);
}

export function labelPeriod(period: Period): string {
  return PERIOD_LABELS[period];
}
