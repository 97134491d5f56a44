import type { Millis } from '../../domain/day.ts';
import type { Finding, ResolvedObservation } from '../observation.ts';
import type { ValidationLimits } from './limits.ts';

/** Why an observation goes into quarantine. */
export interface QuarantineFinding extends Finding {
  /** On how many days, this one included, the source has reported about the same price. */
  readonly days: number;
}

/** What rules judge by, besides the observations. */
export interface ValidationContext {
  readonly limits: ValidationLimits;
  /** When the import started. */
  readonly now: Millis;
}

/** An observation with what is wrong with it. */
export type BatchFinding = readonly [resolved: ResolvedObservation, finding: Finding];

/** A validation rule: yields what is wrong in a batch. An observation may occur more than once. */
export type BatchRule = (
  batch: readonly ResolvedObservation[],
  context: ValidationContext,
) => Iterable<BatchFinding>;

/** A rule that looks at one observation at a time. */
export type ObservationRule = (
  resolved: ResolvedObservation,
  context: ValidationContext,
) => Finding | undefined;
