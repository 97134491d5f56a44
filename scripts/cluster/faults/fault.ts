import type { Site } from './site.ts';

/** A fault that was caused in a cluster. */
export interface Injected {
  /** A sentence about the fault. */
  readonly told: string;
  /** Undoes effects that remain after paused processes were resumed and ended ones were started. */
  readonly heal?: () => Promise<void> | void;
}

/** A kind of fault. */
export interface Fault {
  /** Causes it. `seconds` is the length of a pause, or how far a clock is ahead. */
  inject(site: Site, seconds: number): Promise<Injected>;
  /** The default of `seconds`. Without it, the fault takes no number. */
  readonly seconds?: number;
  /** How long a test leaves the fault before healing it, in milliseconds. */
  readonly holdMs: number;
  readonly bound: Bound;
}

/** The fault's possible effects on clients. It never loses acknowledged data. */
export interface Bound {
  /** How long requests that need the database may fail, in milliseconds; 0 if none may fail. */
  readonly failingMs: number;
  /**
   * Whether requests also fail until the fault is healed. The time then counts from that moment.
   */
  readonly isLasting?: true;
  /** The fate of the primary; if absent, it stays the primary. */
  readonly primary?: 'replaced' | 'stays or is replaced';
  /** The connections that break: those of a node, or of all clients. */
  readonly breaks?: 'node' | 'all';
}
