import { addDays, type Day } from '../../domain/day.ts';
import type { Cents } from '../../domain/money.ts';
import type { HistoryDay } from '../../domain/price.ts';
import type { Store } from '../connect.ts';
import { newestDays } from './index.ts';

/** The market prices of a printing, day by day. */
export interface MarketTrail {
  readonly from: Day;
  /** In cents, from the first day on; null for days without a known price. */
  readonly market: readonly (Cents | null)[];
}

/**
 * Returns the market prices of the `count` days that end with the newest day of each history, by
 * row id of the printing. The map leaves out printings without a history or with a damaged one. The
 * number of SQL statements does not depend on the number of printings.
 */
export async function marketTrails(
  store: Store,
  printings: readonly number[],
  count: number,
): Promise<Map<number, MarketTrail>> {
  const histories = await newestDays(store, store.db, [...new Set(printings)], count);
  return new Map(
    [...histories].flatMap(([printing, days]) => {
      const trail = trailOf(days);
      return trail ? [[printing, trail]] : [];
    }),
  );
}

function trailOf(days: readonly HistoryDay[]): MarketTrail | undefined {
  const [first, last] = [days[0]?.day, days.at(-1)?.day];
  if (first === undefined || last === undefined) return undefined;
  const byDay = new Map(days.map(({ day, market }) => [day, market]));
  const length = last - first + 1;
  const market = Array.from({ length }, (_, at) => byDay.get(addDays(first, at)) ?? null);
  return { from: first, market };
}
