import type { SourceObservation } from '../../domain/observation.ts';
import type { Finding } from '../observation.ts';

/** What the guard judges, and what it says of it. */

export type { Finding, ResolvedObservation } from '../observation.ts';

/** What one source last said of a printing and is taken for good. */
export type StoredQuote = SourceObservation;

export interface Held extends Finding {
  /** On how many days, this one included, the source has said about the same. */
  readonly days: number;
}
