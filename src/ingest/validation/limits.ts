import type { Millis } from '../../domain/day.ts';
import type { Finding, ResolvedObservation } from '../observation.ts';

/** The thresholds that several rules share. docs/pricing.md has the measurements behind them. */

/** The limits that an operator can set. */
export interface ValidationLimits {
  /** The factor by which a price may rise or fall from one day to the next. */
  readonly jumpFactor: number;
  /** The share of the prices of a set or game that a source may lose at once, 0 to 1. */
  readonly lossShare: number;
}

export const DEFAULT_LIMITS: ValidationLimits = { jumpFactor: 2, lossShare: 0.3 };

/**
 * Smaller differences, in cents, are not a jump below `WITNESS_FACTOR`: factors between cents mean
 * nothing.
 */
export const LEAST_JUMP = 2;

/** The largest ratio of two prices that count as about the same. */
export const SAME_LEVEL = 1.5;

/** Fewer prices than this that vanish or jump at once are never too many. */
const LEAST_MANY = 5;

/** Whether `count` of a source's `of` prices are too many to vanish or jump at once. */
export function isTooMany(count: number, of: number, { lossShare }: ValidationLimits): boolean {
  return count >= LEAST_MANY && count > of * lossShare;
}

/** Why an observation goes into quarantine. */
export interface QuarantineFinding extends Finding {
  /**
   * The number of days, including this one, on which the source has reported about the same price.
   */
  readonly days: number;
}

/** The input of rules in addition to the observations. */
export interface ValidationContext {
  readonly limits: ValidationLimits;
  /** When the import started. */
  readonly now: Millis;
}

/** An observation with its finding. */
export type BatchFinding = readonly [resolved: ResolvedObservation, finding: Finding];

/** A validation rule: yields the findings of a batch. An observation may occur more than once. */
export type BatchRule = (
  batch: readonly ResolvedObservation[],
  context: ValidationContext,
) => Iterable<BatchFinding>;

/** A rule that judges one observation at a time. */
export type ObservationRule = (
  resolved: ResolvedObservation,
  context: ValidationContext,
) => Finding | undefined;
