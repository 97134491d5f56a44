import type { ServedPrices } from './card.ts';
import { type Day, dayOf, type Millis } from './day.ts';

/** Age limits of served prices in UTC days (docs/pricing.md). */
export const AGE_LIMITS = {
  /** Figures that were observed more than this many days ago are stale. */
  figures: 7,
  /** Conditions that are older than the figures by more days than this are not served with them. */
  conditions: 30,
  /** The same for grades: price guides of graded cards appear monthly or less often. */
  graded: 90,
} as const;

/**
 * Whether served prices are stale on a day (UTC). Prices without figures are as old as their
 * conditions or grades. A printing without a price is not stale.
 */
export function areStale(prices: ServedPrices, today: Day): boolean {
  const { figuresAt, conditionsAt, gradedAt } = prices;
  const moment = figuresAt ?? conditionsAt ?? gradedAt;
  return moment !== null && today - dayOf(moment) > AGE_LIMITS.figures;
}

/** The age limits of prices. `all` applies to sources without a separate limit. */
export interface AgeLimits {
  readonly all: Millis;
  readonly bySource: Readonly<Record<string, Millis>>;
}

/** The age from which prices of a source are stale; null if they never are. */
export function staleLimit(
  { sync, staleAfter }: { sync: readonly string[]; staleAfter: AgeLimits },
  source: string,
): Millis | null {
  return staleAfter.bySource[source] ?? (sync.includes(source) ? staleAfter.all : null);
}
