import type { ObservedDay } from './days.ts';

/** The newest days with the lowest and the highest price. */
export interface Extremes {
  readonly lowest: ObservedDay;
  readonly highest: ObservedDay;
}

/** Returns the extremes of days in ascending order; undefined if all prices are equal. */
export function findExtremes(days: readonly ObservedDay[]): Extremes | undefined {
  const [lowest, ...more] = days
    .filter(({ market }) => market !== null)
    .toSorted((a, b) => (a.market ?? 0) - (b.market ?? 0) || b.date.localeCompare(a.date));
  const top = more.at(-1);
  const highest = top && more.find(({ market }) => market === top.market);
  if (!lowest || !highest || lowest.market === highest.market) return undefined;
  return { lowest, highest };
}
