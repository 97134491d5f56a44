import { addDays, type Day } from './day.ts';

/** The periods of price histories in days; null for all days. */
export const PERIODS = { '7d': 7, '30d': 30, '90d': 90, '1y': 365, all: null } as const;

export type Period = keyof typeof PERIODS;

/** Consecutive days, including both ends. */
export interface Window {
  readonly from: Day;
  readonly to: Day;
}

/** Returns the window of `days` days that ends with `newest`; null for all days up to it. */
export function windowOf(days: number | null, newest: Day): Window {
  return { from: days === null ? (0 as Day) : addDays(newest, 1 - days), to: newest };
}
