import type { Millis } from './day.ts';

/** The state of a sync. An interrupted one ended without reporting a result. */
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
  /** Null for all configured sources. */
  readonly source: string | null;
  readonly startedAt: Millis;
  /** Null while it is running, and if its end is unknown. */
  readonly endedAt: Millis | null;
  readonly state: SyncRunState;
  /** The last lines that it printed, without control characters. */
  readonly lines: readonly string[];
}

/** A source that can be synced, or why it cannot. */
export interface SyncableSource {
  readonly name: string;
  /** The missing settings, in words; null if none are missing. */
  readonly hindrance: string | null;
}
