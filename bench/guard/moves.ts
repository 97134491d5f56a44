import type { Day } from '../../src/domain/day.ts';
import type { DayOfPrices } from './data.ts';
import { type AmountName, type Amounts, cents } from './model.ts';

/**
 * Days for sources of which there is one real day: its prices move as prices of Magic did from one
 * day of January 2026 to the next.
 */

export type Random = () => number;

/** Series of day ratios of real printings, by what they cost. */
export interface RealMoves {
  readonly bands: readonly (readonly (readonly number[])[])[];
}

/** The upper ends of the price bands in cents: cents move by other ratios than dollars. */
const BAND_ENDS = [100, 500, 2000, Number.POSITIVE_INFINITY] as const;

/** Takes the day ratios of every printing that all days of Magic price. */
export function realMoves(archive: ReadonlyMap<Day, DayOfPrices>): RealMoves {
  const days = [...archive.values()].filter((prices) => prices.size > 20_000);
  const bands: number[][][] = BAND_ENDS.map(() => []);
  for (const [key, first] of days[0] ?? []) {
    const series = days.flatMap((prices) => prices.get(key)?.market ?? []);
    if (series.length < days.length || !first.market) continue;
    const ratios = series.slice(1).map((price, index) => price / (series[index] ?? price));
    bands[bandOf(first.market)]?.push(ratios);
  }
  return { bands };
}

function bandOf(price: number): number {
  return BAND_ENDS.findIndex((end) => price < end);
}

/** Returns `count` days that begin with `first`. Listings keep their order by size. */
export function makeDays(
  first: Amounts,
  count: number,
  moves: RealMoves,
  random: Random,
): Amounts[] {
  const names = Object.keys(first) as AmountName[];
  const paths = new Map<string, number[]>();
  for (const name of names) {
    const path = pathOf(name);
    if (!paths.has(path)) paths.set(path, makePath(first[name] ?? 1, count, moves, random));
  }
  return Array.from({ length: count }, (_, day) => {
    const amounts = names.map((name) => {
      return [name, cents((first[name] ?? 1) * (paths.get(pathOf(name))?.[day] ?? 1))];
    });
    return inOrder(Object.fromEntries(amounts), first);
  });
}

/** The middle and the highest listing move together, and so do all conditions and all grades. */
function pathOf(name: AmountName): string {
  if (name === 'market' || name === 'low') return name;
  return name === 'mid' || name === 'high' ? 'listings' : 'others';
}

/** Returns factors to the first price, one a day: the real moves of printings of like prices. */
function makePath(price: number, count: number, { bands }: RealMoves, random: Random): number[] {
  const band = bands[bandOf(price)] ?? [];
  const path = [1];
  while (path.length < count) {
    for (const ratio of band[Math.floor(random() * band.length)] ?? [1]) {
      path.push((path.at(-1) ?? 1) * ratio);
    }
  }
  return path.slice(0, count);
}

function inOrder(amounts: Amounts, first: Amounts): Amounts {
  const { low, mid, high } = amounts;
  if (low === undefined || mid === undefined || high === undefined) return amounts;
  if ((first.low ?? 0) > (first.mid ?? 0) || (first.mid ?? 0) > (first.high ?? 0)) return amounts;
  const middle = cents(Math.max(low, mid));
  return { ...amounts, mid: middle, high: cents(Math.max(middle, high)) };
}
