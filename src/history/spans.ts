/** Which days of a printing share a row. */

import type { Day } from '../domain/day.ts';
import { LAST_DAY } from './codec.ts';

/** A sealed block holds the days of one span: 256 days, the first of them a multiple of 256. */
export const SPAN_DAYS = 256;

/** How many spans there are, and so how many ids a printing has. */
export const SPANS = (LAST_DAY + 1) / SPAN_DAYS;

/**
 * The row id of the sealed block that holds a day of a printing. The ids of one printing follow
 * each other in the order of their days.
 */
export function sealedId(printing: number, day: Day): number {
  return printing * SPANS + Math.floor(day / SPAN_DAYS);
}

/** The printing and the first day of the span that a sealed block's id stands for. */
export function sealedSpan(id: number): { printing: number; firstDay: Day } {
  return { printing: Math.floor(id / SPANS), firstDay: ((id % SPANS) * SPAN_DAYS) as Day };
}

/** How many days stay out of sealed blocks when the others move there: enough for `30d`. */
export const RECENT_KEPT = 32;

/**
 * How many days a printing's recent block may hold before the older of them move to sealed
 * blocks. It differs from printing to printing, or a whole catalogue would move on the same day.
 */
export function recentLimit(printing: number): number {
  return 2 * RECENT_KEPT + (printing % RECENT_KEPT);
}
