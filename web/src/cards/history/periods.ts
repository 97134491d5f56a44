import { PERIODS, type Period } from '../../../../src/domain/window.ts';

/** The periods of the price history that a reader can select. */

const PERIOD_LABELS: Readonly<Record<Period, string>> = {
  '7d': '7 days',
  '30d': '30 days',
  '90d': '90 days',
  '1y': '1 year',
  all: 'All',
};

export const PERIOD_OPTIONS = Object.entries(PERIOD_LABELS) as [Period, string][];

/** Parses the period in an address. A missing or invalid one is 30 days. */
export function parsePeriod(text: string | undefined): Period {
  return text !== undefined && isPeriod(text) ? text : '30d';
}

function isPeriod(text: string): text is Period {
  return Object.hasOwn(PERIODS, text);
}
