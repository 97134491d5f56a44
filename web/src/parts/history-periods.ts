import { PERIODS, type Period } from '../../../src/domain/window.ts';

/** How the periods of the price history are called, and the one that an address means. */

const PERIOD_LABELS: Readonly<Record<Period, string>> = {
  '7d': '7 days',
  '30d': '30 days',
  '90d': '90 days',
  '1y': '1 year',
  all: 'All',
};

export const PERIOD_CHOICES = Object.entries(PERIOD_LABELS) as [Period, string][];

/** The period that an address says, 30 days unless it says one. */
export function readPeriod(said: string | undefined): Period {
  return said !== undefined && isPeriod(said) ? said : '30d';
}

function isPeriod(text: string): text is Period {
  return Object.hasOwn(PERIODS, text);
}
