import type { Millis } from '../domain/day.ts';
import type { Backfill } from '../sources/contract/backfill.ts';
import type { Feed } from '../sources/contract/feed.ts';
import type { Snapshot } from '../sources/contract/snapshot.ts';
import type { WebClient, WebRules } from '../sources/io/web.ts';
import type { Store } from '../store/connect.ts';
import type { SourceCheckRow } from '../store/schema.ts';

/** What a sync does with one source, whatever its kind. */

/** A source that a sync keeps up to date. */
export interface SyncSource {
  readonly name: string;
  /**
   * Asks the source, and imports what is new.
   *
   * @throws OperatorError when that cannot be done; what was there before stays.
   */
  pull(visit: Visit): Promise<Pulled>;
}

/** What a source finds when it is its turn. */
export interface Visit {
  readonly store: Store;
  readonly clock: () => Millis;
  /** How the source was when it was last asked. */
  readonly check: SourceCheckRow;
  readonly importers: Importers;
  /** Whether also what was imported before is to be imported, as after new cards came in. */
  readonly again: boolean;
  /** Asks the source by some rules of its own, and no more often than it allows a day. */
  openClient(rules: Partial<WebRules>, requestsADay?: number): WebClient;
  /** An empty folder, which is removed after the visit. */
  folder(): Promise<string>;
}

/** How things are imported. */
export interface Importers {
  snapshot(snapshot: Snapshot): Promise<ImportedSnapshot>;
  feed(feed: Feed): Promise<ImportedFeed>;
  past(past: Backfill): Promise<ImportedPast>;
}

interface BrokenPart {
  readonly name: string;
  readonly reason: string;
}

/** Of a snapshot's summary what a sync tells. */
export interface ImportedSnapshot {
  readonly observedAt: Millis;
  readonly sets: number;
  readonly setsUnchanged: number;
  readonly pricesChanged: number;
  readonly heldBack: Readonly<Record<string, number>>;
  readonly broken: readonly BrokenPart[];
}

/** Of a feed's summary what a sync tells. */
export interface ImportedFeed {
  readonly observedAt: Millis;
  readonly offers: number;
  readonly matched: number;
  readonly unmatched: Readonly<Record<string, number>>;
  readonly pricesChanged: number;
  readonly heldBack: Readonly<Record<string, number>>;
  readonly broken: readonly BrokenPart[];
  readonly brokenCount: number;
  readonly unchanged: boolean;
}

/** Of a past's summary what a sync tells. */
export interface ImportedPast {
  readonly points: number;
  readonly unmatched: number;
  readonly pricesChanged: number;
  readonly heldBack: Readonly<Record<string, number>>;
  readonly broken: readonly BrokenPart[];
  readonly brokenCount: number;
}

export type Pulled = {
  /** What the source itself calls its present state; null where it was not said anew. */
  readonly version: string | null;
} & ({ readonly kind: 'unchanged' } | { readonly kind: 'imported'; readonly counts: PullCounts });

export interface PullCounts {
  readonly observedAt: Millis;
  readonly pricesChanged: number;
  readonly heldBack: number;
  /** Cards that we do not have, or cannot tell which they are. */
  readonly unmatched: number;
  /** Parts that could not be read, of so many. */
  readonly broken: number;
  readonly parts: number;
  /** The first of the broken parts, in words. */
  readonly firstBroken: string | null;
}

/** What is counted by reason, over all reasons. */
export function total(counts: Readonly<Record<string, number>>): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

/** The first of some broken parts, in words. */
export function describeBroken([first]: readonly BrokenPart[]): string | null {
  return first ? `${first.name}: ${first.reason}` : null;
}
