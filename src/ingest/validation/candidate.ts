import type { SourceObservation } from '../../domain/merge.ts';
import type { Observation } from '../../domain/observation.ts';
import type { ValidationRule } from '../../domain/validation-rules.ts';
import type { HeldBefore } from './held.ts';

/** What the guard judges, and what it says of it. */

/** What one source last said of a printing and is taken for good. */
export type StoredQuote = SourceObservation;

/** Something that a source says of a printing and that is not served yet. */
export interface ResolvedObservation {
  readonly source: string;
  /** Row id. */
  readonly card: number;
  readonly cardName: string;
  readonly printing: string;
  /** The source's own id of the card. */
  readonly externalId?: string | null;
  /** Those that the card has already. */
  readonly knownPrintings: readonly string[];
  /** All that there are, where the source says so. */
  readonly statedPrintings: readonly string[] | null;
  readonly observation: Observation;
  /** The last good one of the same source and market for this printing. */
  readonly before: StoredQuote | undefined;
  /** What other sources say of this printing. */
  readonly others: readonly StoredQuote[];
  /** What other sources say of it and is itself held back for having moved too far. */
  readonly witnesses?: readonly StoredQuote[];
  /** What of the same source and market is held back of this printing already. */
  readonly held?: HeldBefore | undefined;
  /** For which reasons the operator has let through what this source says of this printing. */
  readonly waived?: readonly ValidationRule[];
  /** What the same source has said of it in this import already, of another card of its own. */
  readonly rival?: StoredQuote | undefined;
  /** Why the card itself may not be the one that the source means. */
  readonly conflict?: Finding | undefined;
}

/** What a rule finds wrong. */
export interface Finding {
  readonly reason: ValidationRule;
  /** A sentence for the operator. */
  readonly detail: string;
}

export interface Held extends Finding {
  /** On how many days, this one included, the source has said about the same. */
  readonly days: number;
}
