import type { Site } from './site.ts';

/** What was done to a cluster. */
export interface Injected {
  /** What was done, as a sentence. */
  readonly told: string;
  /** Undoes what is not undone by resuming paused processes and starting those that ended. */
  readonly heal?: () => Promise<void> | void;
}

/** A kind of fault. */
export interface Fault {
  /** Causes it. `seconds` is the length of a pause, or by how much a clock is ahead. */
  inject(site: Site, seconds: number): Promise<Injected>;
  /** The default of `seconds`; without it, the fault takes no number. */
  readonly seconds?: number;
  /** How long a test leaves it before healing it, in milliseconds. */
  readonly holdMs: number;
  readonly bound: Bound;
}

/** What a fault may do to clients. It never loses anything acknowledged. */
export interface Bound {
  /** How long requests may fail that need the database, in milliseconds; 0 where none may fail. */
  readonly failingMs: number;
  /** Whether they also fail until it is healed: the time counts from there, not from its begin. */
  readonly isLasting?: true;
  /** What becomes of the primary; without it, it stays. */
  readonly primary?: 'replaced' | 'stays or is replaced';
  /** Whose connections break: a node's, or those of all clients. */
  readonly breaks?: 'node' | 'all';
}
