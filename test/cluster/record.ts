import type { Reading } from './reading.ts';
import type { Kind } from './run/kinds.ts';

/** The record of a run. All times are milliseconds since 1970, of one clock. */

/** Who may send a request: accounts with a key, the operator with a key, or anybody. */
export type RequestKind = 'read' | 'operator' | 'open';

/** One request, and what came back. */
export interface Answer {
  /** Its own id, which it carries as `X-Request-Id`. */
  readonly id: string;
  readonly sent: number;
  readonly received: number;
  readonly kind: RequestKind;
  /** The name of what was asked for: `card`, `search`. */
  readonly endpoint: string;
  readonly account: string;
  /** The id of the API key; '' without one. */
  readonly key: string;
  /** Null when the connection broke or nothing came in time. */
  readonly status: number | null;
  /** The node that answered, if the proxy reports it. */
  readonly node: string | null;
  readonly limit: number | null;
  readonly remaining: number | null;
  /** Seconds since 1970 at which the day of its quota ends. */
  readonly reset: number | null;
  readonly hasRetryAfter: boolean;
  /** The digest of the body of a 200, by which its reading is found; null otherwise. */
  readonly digest: string | null;
}

/** Something that was asked for, and when it was acknowledged; null when that is not known. */
export interface Attempt {
  readonly sent: number;
  readonly acknowledged: number | null;
}

/** What became of an API key. */
export interface KeyLife {
  readonly id: string;
  /** SHA-256 of the key, by which the database knows it. */
  readonly hash: string;
  readonly account: string;
  readonly made: Attempt;
  /** Null for a key that nobody wanted to revoke. */
  readonly revoked: Attempt | null;
}

export interface PublicationRun extends Attempt {
  readonly number: number;
  /** The moment that it states for its prices: the database knows its import by that. */
  readonly observedAt: number;
}

export interface FaultRun {
  readonly name: Kind;
  /** What was done, as a sentence. */
  readonly told: string;
  readonly begun: number;
  /** When what it had ended was started again; the work of Patroni begins before. */
  readonly healing: number;
  /** When everything was whole again. */
  readonly healed: number;
  /** The names of the primary before it and after its healing. */
  readonly primaries: readonly [before: string, after: string];
}

/**
 * The publication whose number of cards a node itself said to serve; null when it was not ready. A
 * fraction is a number of cards that no publication has.
 */
export interface Sighting {
  readonly node: string;
  readonly sent: number;
  readonly received: number;
  readonly publication: number | null;
}

/** A message to the webhook of the run, about a publication. */
export interface Message {
  /** The id of its event. */
  readonly id: string;
  readonly received: number;
  /** The publication's number in the database. */
  readonly revision: number;
  readonly body: string;
  /** Whether the receiver accepted it. */
  readonly isAccepted: boolean;
}

/** What the database has of an account at the end. */
export interface EndUsage {
  readonly account: string;
  /** Seconds since 1970 at which the day ends. */
  readonly reset: number;
  readonly used: number;
}

export interface EndKey {
  readonly id: string;
  readonly hash: string;
  readonly account: string;
  readonly isRevoked: boolean;
}

/** An import in the database; all times are of the database's clock. */
export interface EndImport {
  readonly started: number;
  /** Null for one that was killed. */
  readonly finished: number | null;
  /** The moment that it states for its prices; null before it has finished. */
  readonly observedAt: number | null;
}

/** A publication that the database remembers. */
export interface EndPublication {
  readonly revision: number;
  readonly id: string;
  readonly predecessor: string | null;
  /** By the clock of the database. */
  readonly published: number;
}

export interface RunRecord {
  readonly begun: number;
  readonly ended: number;
  /** In the order in which they were received. */
  readonly answers: readonly Answer[];
  readonly readings: ReadonlyMap<string, Reading>;
  readonly keys: readonly KeyLife[];
  readonly publications: readonly PublicationRun[];
  readonly faults: readonly FaultRun[];
  /** Faults that could not be caused or healed, or came not to pass, each as a sentence. */
  readonly troubles: readonly string[];
  readonly sightings: readonly Sighting[];
  /** In the order in which they came. */
  readonly messages: readonly Message[];
  /** Requests a day of each account. */
  readonly quotas: ReadonlyMap<string, number>;
  readonly endUsage: readonly EndUsage[];
  readonly endKeys: readonly EndKey[];
  /** In the order in which they were started. */
  readonly endImports: readonly EndImport[];
  /** In the order of their revisions. */
  readonly endPublications: readonly EndPublication[];
}
