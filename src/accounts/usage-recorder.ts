import { addDays, type Day, dayOf, type Millis } from '../domain/day.ts';
import type { Store } from '../store/connect.ts';
import {
  type KeyUse,
  prepareRecord,
  type RecordStatements,
  type RequestCount,
} from '../store/usage.ts';
import type { Caller } from './authenticator.ts';

/** How often what was counted is written, in milliseconds. */
const WRITE_MS = 1000;

/** Counts are kept for so many days: those that are told of, and some in case a clock was wrong. */
const KEPT_DAYS = 60;

/** The longest network address is one of IPv6; what a proxy tells instead is cut. */
const ADDRESS_LENGTH = 45;

/** Endpoints and classes of status have so many numbers in the number of a count. */
const ENDPOINTS = 64;
const CLASSES = 8;

/** The index of what is no endpoint, and its name. */
export const OTHER_ENDPOINT = ENDPOINTS - 1;
const OTHER = 'other';

/** How many, by `(account * ENDPOINTS + endpoint) * CLASSES + class`. */
type Counts = Map<number, number>;

interface Use {
  at: Millis;
  address: string;
}

/**
 * Counts the requests of accounts by what they asked for and how they were answered, and notes when
 * and from where each key was last used. It is kept in memory and written every second, added to
 * what other processes counted. What cannot be written is kept for the next time.
 */
export class UsageRecorder {
  readonly #statements: RecordStatements;
  readonly #endpoints: readonly string[];
  readonly #onFailure: (error: unknown) => void;
  #days = new Map<Day, Counts>();
  /** The day that was last counted on, and its counts: what nearly every request finds. */
  #day: Day | undefined;
  #counts: Counts = new Map();
  #uses = new Map<number, Use>();
  /** The day on which counts that are too old were last removed. */
  #cleared: Day | undefined;
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> | undefined;

  /** `endpoints` are the names of what is counted; a request tells the index of its own. */
  constructor(store: Store, endpoints: readonly string[], onFailure: (error: unknown) => void) {
    if (endpoints.length > OTHER_ENDPOINT) throw new Error('there are too many endpoints');
    this.#statements = prepareRecord(store.engine);
    this.#endpoints = endpoints;
    this.#onFailure = onFailure;
  }

  /** Writes every second from now on, until {@link close}. */
  start(): void {
    this.#timer ??= setInterval(() => this.write(), WRITE_MS).unref();
  }

  /** Takes note of a request that was answered. `endpoint` is an index. */
  note(caller: Caller, endpoint: number, status: number, address: string, now: Millis): void {
    const day = dayOf(now);
    if (day !== this.#day) this.#turnTo(day);
    const statusClass = Math.trunc(status / 100);
    const id = (caller.accountId * ENDPOINTS + endpoint) * CLASSES + statusClass;
    this.#counts.set(id, (this.#counts.get(id) ?? 0) + 1);
    this.#use(caller.keyId, now, address.slice(0, ADDRESS_LENGTH));
  }

  /** Writes what was noted since the last time. Never rejects. */
  write(): Promise<void> {
    this.#writing ??= this.#write().finally(() => {
      this.#writing = undefined;
    });
    return this.#writing;
  }

  /** Stops, and writes what is left. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#writing;
    await this.write();
  }

  #use(keyId: number, at: Millis, address: string): void {
    const use = this.#uses.get(keyId);
    if (!use) {
      this.#uses.set(keyId, { at, address });
    } else {
      use.at = at;
      use.address = address;
    }
  }

  #turnTo(day: Day): void {
    this.#day = day;
    this.#counts = this.#days.get(day) ?? new Map();
    this.#days.set(day, this.#counts);
  }

  async #write(): Promise<void> {
    const days = this.#days;
    const uses = this.#uses;
    if (days.size === 0 && uses.size === 0) return;
    this.#days = new Map();
    this.#day = undefined;
    this.#uses = new Map();
    await this.#writeCounts(days);
    await this.#writeUses(uses);
  }

  async #writeCounts(days: ReadonlyMap<Day, Counts>): Promise<void> {
    try {
      await this.#statements.addCounts([...days].flatMap((day) => this.#rowsOf(...day)));
    } catch (error) {
      for (const [day, counts] of days) this.#putBack(day, counts);
      this.#onFailure(error);
      return;
    }
    await this.#clear([...days.keys()].at(-1)).catch(this.#onFailure);
  }

  async #writeUses(uses: ReadonlyMap<number, Use>): Promise<void> {
    try {
      await this.#statements.addUses([...uses].map(([keyId, use]): KeyUse => ({ keyId, ...use })));
    } catch (error) {
      this.#uses = new Map([...uses, ...this.#uses]);
      this.#onFailure(error);
    }
  }

  /** Once a day: removes the counts that nobody is told of any more. */
  async #clear(today: Day | undefined): Promise<void> {
    if (today === undefined || today === this.#cleared) return;
    this.#cleared = today;
    await this.#statements.removeCounts(addDays(today, -KEPT_DAYS));
  }

  #putBack(day: Day, counts: Counts): void {
    this.#turnTo(day);
    for (const [id, count] of counts) this.#counts.set(id, (this.#counts.get(id) ?? 0) + count);
  }

  #rowsOf(day: Day, counts: Counts): RequestCount[] {
    return [...counts].map(([id, count]) => {
      const place = Math.floor(id / CLASSES);
      return {
        accountId: Math.floor(place / ENDPOINTS),
        day,
        endpoint: this.#endpoints[place % ENDPOINTS] ?? OTHER,
        statusClass: id % CLASSES,
        count,
      };
    });
  }
}
