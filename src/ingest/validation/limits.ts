/** By what the guard judges; why they are as they are is in docs/pricing.md. */
export interface ValidationLimits {
  /** How many times as much, or as little, a price may be from one day to the next. */
  readonly jumpFactor: number;
  /** The share of the prices of a set or game that a source may lose at once, 0 to 1. */
  readonly lossShare: number;
}

export const DEFAULT_LIMITS: ValidationLimits = { jumpFactor: 3, lossShare: 0.3 };

/** No difference below this, in cents, is a jump. */
export const LEAST_JUMP = 100;

/**
 * On how many days a source must say about the same for it to be believed, when no other one
 * says anything.
 */
export const DAYS_TO_BELIEVE = 3;

/** How far apart two prices may be that are about the same. */
export const SAME_LEVEL = 1.5;

/** In this many days the factor doubles, in twice as many it is three times as much. */
export const DAYS_TO_DOUBLE = 180;

/** Asked prices, graded cards and worn ones vary more than market prices do. */
export const LOOSE = 2;

/** How much wider the limit is between two sources, whose prices never were the same. */
export const BETWEEN_SOURCES = 2;

/** Fewer prices than this that are lost, or jump, at once are never too many. */
const LEAST_MANY = 5;

/** Whether so many of the prices of a source cannot go, or jump, all at once. */
export function isTooMany(count: number, of: number, { lossShare }: ValidationLimits): boolean {
  return count >= LEAST_MANY && count > of * lossShare;
}
