import type { ServedPrices } from './card.ts';
import { type Day, dayOf } from './day.ts';

/** How old a served price may be, in UTC days. docs/pricing.md says why. */
export const AGE_LIMITS = {
  /** Figures that are older than the present day by more than this are called stale. */
  figures: 7,
  /** Conditions that are older than the figures by more than this are not served beside them. */
  conditions: 30,
  /** The same for grades: price guides of graded copies are published monthly or less often. */
  graded: 90,
} as const;

/**
 * Whether served prices are too old to be called current on a day (UTC). Prices without figures are
 * as old as their conditions or grades; no price at all is not stale.
 */
export function areStale(prices: ServedPrices, today: Day): boolean {
  const { figuresAt, conditionsAt, gradedAt } = prices;
  const moment = figuresAt ?? conditionsAt ?? gradedAt;
  return moment !== null && today - dayOf(moment) > AGE_LIMITS.figures;
}
