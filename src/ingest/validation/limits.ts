/** The thresholds that several rules share. docs/pricing.md has the measurements behind them. */

/** The limits that an operator can set. */
export interface ValidationLimits {
  /** How many times as high, or as low, a price may be from one day to the next. */
  readonly jumpFactor: number;
  /** The share of the prices of a set or game that a source may lose at once, 0 to 1. */
  readonly lossShare: number;
}

export const DEFAULT_LIMITS: ValidationLimits = { jumpFactor: 3, lossShare: 0.3 };

/** Differences below this, in cents, are never a price jump: cents change by any factor. */
export const LEAST_JUMP = 100;

/**
 * On how many days a source must report about the same price for it to be believed, when no other
 * source has a price. By then most mistakes are mended, and a longer wait serves old prices longer.
 */
export const DAYS_TO_BELIEVE = 3;

/** How many times the one price may be the other for the two to count as about the same. */
export const SAME_LEVEL = 1.5;

/** Fewer prices than this that vanish, or jump, at once are never too many. */
const LEAST_MANY = 5;

/** Whether so many of a source's prices, out of `of`, cannot have vanished or jumped all at once. */
export function isTooMany(count: number, of: number, { lossShare }: ValidationLimits): boolean {
  return count >= LEAST_MANY && count > of * lossShare;
}
