import type { Millis } from './day.ts';

/** What became of a sync, or that it is under way. An interrupted one could not say how it ended. */
export const SYNC_RUN_STATES = [
  'running',
  'succeeded',
  'incomplete',
  'failed',
  'interrupted',
] as const;

export type SyncRunState = (typeof SYNC_RUN_STATES)[number];

/** One sync that an operator has started from the pages. */
export interface SyncRun {
  /** Null for all sources that are set. */
  readonly source: string | null;
  readonly startedAt: Millis;
  /** Null while it is running, and where nobody saw the end. */
  readonly endedAt: Millis | null;
  readonly state: SyncRunState;
  /** The last lines that it printed, without control characters. */
  readonly lines: readonly string[];
}

/** A source that can be synced, or why it cannot. */
export interface SyncableSource {
  readonly name: string;
  /** What the settings lack; null where nothing is missing. */
  readonly hindrance: string | null;
}
