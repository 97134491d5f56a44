import type { Cents } from './money.ts';
import { CONDITIONS, type Condition } from './price.ts';

/**
 * The price of each condition as a share of the market price, for estimates where no source reports
 * conditions and the operator has turned estimates on (docs/pricing.md).
 */
export const CONDITION_FACTORS: Readonly<Record<Condition, number>> = {
  near_mint: 1,
  lightly_played: 0.85,
  moderately_played: 0.7,
  heavily_played: 0.5,
  damaged: 0.35,
};

type Conditions = Readonly<Partial<Record<Condition, Cents>>>;

/**
 * Estimates the prices of all conditions, in cents. It estimates none where any source prices a
 * condition, or where there is no market price.
 */
export function estimateConditions(priced: Conditions, market: Cents | null): Conditions {
  if (market === null || CONDITIONS.some((condition) => priced[condition] !== undefined)) return {};
  const estimates: Partial<Record<Condition, Cents>> = {};
  for (const condition of CONDITIONS) {
    const cents = Math.round(market * CONDITION_FACTORS[condition]);
    if (cents > 0) estimates[condition] = cents as Cents;
  }
  return estimates;
}
