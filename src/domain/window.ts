import { addDays, type Day } from './day.ts';

/** The periods of the price history, each with its number of days; null is everything. */
export const PERIODS = { '7d': 7, '30d': 30, '90d': 90, '1y': 365, all: null } as const;

export type Period = keyof typeof PERIODS;

export interface Window {
  readonly from: Day;
  readonly to: Day;
}

/** The `days` days that end with `newest`; all days up to it for null. */
export function windowOf(days: number | null, newest: Day): Window {
  return { from: days === null ? (0 as Day) : addDays(newest, 1 - days), to: newest };
}
