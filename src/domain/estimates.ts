import type { Cents } from './money.ts';
import { CONDITIONS, type Condition } from './price.ts';

/**
 * The price of each condition as a share of the market price. Used for estimates if no source
 * reports conditions and the operator has turned estimates on (docs/pricing.md).
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
 * Estimates the prices of all conditions, in cents. Returns none if any source prices a condition
 * or if the market price is unknown.
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
