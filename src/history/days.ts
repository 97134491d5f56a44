/** Merging, splitting and downsampling lists of days, in ascending order and without duplicates. */

import type { Day } from '../domain/day.ts';
import { type DayPrices, samePrices } from '../domain/price.ts';

/** Sorts days. Of two with the same day, the later one in the list wins. */
export function sortDays(days: readonly DayPrices[]): readonly DayPrices[] {
  if (isAscending(days)) return days;
  const byDay = new Map(days.map((prices) => [prices.day, prices]));
  return [...byDay.values()].sort((a, b) => a.day - b.day);
}

function isAscending(days: readonly DayPrices[]): boolean {
  return days.every((prices, index) => index === 0 || prices.day > (days[index - 1]?.day ?? 0));
}

/** The result of merging days into stored ones. */
export interface Merge {
  readonly days: readonly DayPrices[];
  /** How many days were not stored before. */
  readonly added: number;
  /** The stored days that other prices have replaced. */
  readonly replaced: readonly DayPrices[];
}

/** Merges `incoming` into `stored`. Where both have a day, the incoming prices win. */
export function mergeDays(stored: readonly DayPrices[], incoming: readonly DayPrices[]): Merge {
  const last = stored.at(-1);
  const first = incoming[0];
  if (!last || !first || first.day > last.day) {
    return { days: [...stored, ...incoming], added: incoming.length, replaced: [] };
  }
  const byDay = new Map(stored.map((prices) => [prices.day, prices]));
  const replaced: DayPrices[] = [];
  for (const prices of incoming) {
    const before = byDay.get(prices.day);
    if (before && !samePrices(before, prices)) replaced.push(before);
    byDay.set(prices.day, prices);
  }
  const days = [...byDay.values()].sort((a, b) => a.day - b.day);
  return { days, added: days.length - stored.length, replaced };
}

/** Splits days into those before `day` and those from `day` on. */
export function splitDays(
  days: readonly DayPrices[],
  day: Day,
): [before: readonly DayPrices[], from: readonly DayPrices[]] {
  const at = days.findIndex((prices) => prices.day >= day);
  return at === -1 ? [days, []] : [days.slice(0, at), days.slice(at)];
}

/** 1970-01-01 was a Thursday; weeks start on Monday. */
const DAYS_BEFORE_FIRST_MONDAY = 4;

/** Keeps, of the days before `dailyFrom`, only the last of each week (Monday to Sunday). */
export function downsampleToWeeks(
  days: readonly DayPrices[],
  dailyFrom: Day,
): readonly DayPrices[] {
  return days.filter(({ day }, index) => {
    const next = days[index + 1]?.day;
    return day >= dailyFrom || next === undefined || weekOf(next) !== weekOf(day);
  });
}

function weekOf(day: Day): number {
  return Math.floor((day - DAYS_BEFORE_FIRST_MONDAY) / 7);
}
