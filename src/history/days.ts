/** Merges, splits and downsamples lists of days in ascending order without duplicates. */

import type { Day } from '../domain/day.ts';
import { samePrices } from '../domain/price.ts';
import type { BlockDay } from './provenance.ts';

/** Sorts days. If two entries have the same day, the later one in the list wins. */
export function sortDays(days: readonly BlockDay[]): readonly BlockDay[] {
  if (isAscending(days)) return days;
  const byDay = new Map(days.map((prices) => [prices.day, prices]));
  return [...byDay.values()].sort((a, b) => a.day - b.day);
}

function isAscending(days: readonly BlockDay[]): boolean {
  return days.every((prices, index) => index === 0 || prices.day > (days[index - 1]?.day ?? 0));
}

/** The result of merging days into stored ones. */
export interface Merge {
  readonly days: readonly BlockDay[];
  /** The days that were not stored before. */
  readonly added: readonly BlockDay[];
  /** The stored days whose prices were replaced. */
  readonly replaced: readonly BlockDay[];
  /** The stored days that took the provenance of equal incoming prices, as they were. */
  readonly attributed: readonly BlockDay[];
}

/** Whether a stored day takes the provenance of equal incoming prices. */
export type Attributes = (stored: number, incoming: number) => boolean;

/**
 * Merges `incoming` into `stored`. Where both have a day, the incoming prices win. If the prices
 * are equal, the stored day stays, unless it takes the incoming provenance.
 */
export function mergeDays(
  stored: readonly BlockDay[],
  incoming: readonly BlockDay[],
  attributes: Attributes,
): Merge {
  const last = stored.at(-1);
  const first = incoming[0];
  if (!last || !first || first.day > last.day) {
    const days = [...stored, ...incoming];
    return { days, added: incoming, replaced: [], attributed: [] };
  }
  const byDay = new Map(stored.map((prices) => [prices.day, prices]));
  const added: BlockDay[] = [];
  const replaced: BlockDay[] = [];
  const attributed: BlockDay[] = [];
  for (const prices of incoming) {
    const before = byDay.get(prices.day);
    if (before && samePrices(before, prices)) {
      if (!attributes(before.provenance, prices.provenance)) continue;
      attributed.push(before);
    } else if (before) replaced.push(before);
    else added.push(prices);
    byDay.set(prices.day, prices);
  }
  const days = [...byDay.values()].sort((a, b) => a.day - b.day);
  return { days, added, replaced, attributed };
}

/** Splits days into the days before `day` and the days from `day` on. */
export function splitDays(
  days: readonly BlockDay[],
  day: Day,
): [before: readonly BlockDay[], from: readonly BlockDay[]] {
  const at = days.findIndex((prices) => prices.day >= day);
  return at === -1 ? [days, []] : [days.slice(0, at), days.slice(at)];
}

/** 1970-01-01 was a Thursday; weeks start on Monday. */
const DAYS_BEFORE_FIRST_MONDAY = 4;

/** Downsamples the days before `dailyFrom` to the last day of each week (Monday to Sunday). */
export function downsampleToWeeks(days: readonly BlockDay[], dailyFrom: Day): readonly BlockDay[] {
  return days.filter(({ day }, index) => {
    const next = days[index + 1]?.day;
    return day >= dailyFrom || next === undefined || weekOf(next) !== weekOf(day);
  });
}

function weekOf(day: Day): number {
  return Math.floor((day - DAYS_BEFORE_FIRST_MONDAY) / 7);
}
