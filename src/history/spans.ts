/** Defines which days of a printing share a block. */

import type { Day, Window } from '../domain/day.ts';
import { LAST_DAY } from './codec.ts';

/** A sealed block holds one span of 256 days. Its first day is a multiple of 256. */
export const SPAN_DAYS = 256;

/** The number of spans, and so of the sealed block ids of each printing. */
export const SPANS = (LAST_DAY + 1) / SPAN_DAYS;

/**
 * Returns the row id of the sealed block for a day of a printing. The ids of a printing are
 * consecutive, in the order of its days.
 */
export function sealedId(printing: number, day: Day): number {
  return printing * SPANS + Math.floor(day / SPAN_DAYS);
}

/** Returns the row ids of the sealed blocks for the days of a window, in their order. */
export function sealedIds(printing: number, { from, to }: Window): number[] {
  const [first, last] = [sealedId(printing, from), sealedId(printing, to)];
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

/** Returns the printing and the first day of the span of a sealed block, by its row id. */
export function sealedSpan(id: number): { printing: number; firstDay: Day } {
  return { printing: Math.floor(id / SPANS), firstDay: ((id % SPANS) * SPAN_DAYS) as Day };
}

/** Days that stay in the recent block when older ones are sealed: enough for `30d`. */
export const RECENT_KEPT = 32;

/**
 * Returns how many days the recent block of a printing may hold before its older days move to
 * sealed blocks. The limit varies by printing, so they do not all move on the same day.
 */
export function recentLimit(printing: number): number {
  return 2 * RECENT_KEPT + (printing % RECENT_KEPT);
}
