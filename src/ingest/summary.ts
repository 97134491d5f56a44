import { addCounts } from '../lib/counts.ts';
import type { WrittenObservations } from './pricing/write.ts';

/** A part of a source that could not be read. */
export interface BrokenPart {
  readonly name: string;
  readonly reason: string;
}

/** What an import did, whatever its kind. The names are those of the stored and printed JSON. */
export interface ImportSummary {
  readonly source: string;
  readonly printingsAdded: number;
  /** How many printings serve another price than before. */
  readonly pricesChanged: number;
  /** Days of printings that are new in the history, and that got other prices. */
  readonly historyAdded: number;
  readonly historyCorrected: number;
  /** How much was left out on purpose, by reason. */
  readonly skipped: Readonly<Record<string, number>>;
  /** How many prices went into quarantine, by validation rule. */
  readonly quarantined: Readonly<Record<string, number>>;
  readonly broken: readonly BrokenPart[];
  readonly seconds: number;
}

/** Parts of a feed or of a backfill that are named; all are counted. */
const MAX_NAMED = 100;

/** Counts what an import does. */
export class ImportTally {
  readonly counts = {
    observations: 0,
    prices: 0,
    printingsAdded: 0,
    pricesChanged: 0,
    historyAdded: 0,
    historyCorrected: 0,
  };
  /** By reason. */
  readonly skipped: Record<string, number> = {};
  /** By validation rule. */
  readonly quarantined: Record<string, number> = {};
  readonly broken: BrokenPart[] = [];
  brokenCount = 0;

  /** Counts what was written; `name` is what damaged history is reported of. */
  addWritten(
    { counts, quarantined, damaged }: WrittenObservations,
    name = 'history',
    maxNamed = MAX_NAMED,
  ): void {
    addCounts(this.counts, counts);
    addCounts(this.quarantined, quarantined);
    for (const { message } of damaged) this.addBroken({ name, reason: message }, maxNamed);
  }

  addSkipped(skipped: Readonly<Record<string, number>>): void {
    addCounts(this.skipped, skipped);
  }

  addBroken({ name, reason }: BrokenPart, maxNamed = MAX_NAMED): void {
    if (this.brokenCount < maxNamed) this.broken.push({ name, reason });
    this.brokenCount += 1;
  }
}
