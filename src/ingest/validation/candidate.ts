import type { SourceObservation } from '../../domain/merge.ts';
import type { Observation } from '../../domain/observation.ts';
import type { ValidationRule } from '../../domain/validation-rules.ts';
import type { Finding } from './finding.ts';
import type { HeldBefore } from './price-level.ts';

/** What one source reported of a printing last and was accepted. */
export type StoredQuote = SourceObservation;

/** An observation whose card and printing are known, with everything that it is compared with. */
export interface ResolvedObservation {
  readonly source: string;
  /** Row id. */
  readonly card: number;
  readonly cardName: string;
  readonly printing: string;
  /** The source's own id of the card. */
  readonly externalId?: string | null;
  /** The printings that the card has already. */
  readonly knownPrintings: readonly string[];
  /** All printings of the card, where the source lists them. */
  readonly statedPrintings: readonly string[] | null;
  readonly observation: Observation;
  /** The last accepted observation of this printing by the same source and marketplace. */
  readonly before: StoredQuote | undefined;
  /** The accepted observations of this printing by other sources. */
  readonly others: readonly StoredQuote[];
  /** Observations of this printing by other sources that are in quarantine for a price move. */
  readonly witnesses?: readonly StoredQuote[];
  /** What is in quarantine already of the same source, marketplace and printing. */
  readonly held?: HeldBefore | undefined;
  /** The rules whose findings the operator has approved for this source and printing. */
  readonly waived?: readonly ValidationRule[];
  /** What this import has already written of the printing, for another card of the same source. */
  readonly rival?: StoredQuote | undefined;
  /** What was found wrong before the batch was put together. */
  readonly conflict?: Finding | undefined;
}
