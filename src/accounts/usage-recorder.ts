import { addDays, type Day, dayOf, type Millis } from '../domain/day.ts';
import type { Store } from '../store/connect.ts';
import {
  type KeyUse,
  prepareRecord,
  type RecordStatements,
  type RequestCount,
} from '../store/usage.ts';
import type { Caller } from './authenticator.ts';

/** How often counts are written to the database, in milliseconds. */
const WRITE_MS = 1000;

/** Days for which counts are stored: more than are reported, in case a clock was wrong. */
const KEPT_DAYS = 60;

/** Days for which the charges of accounts are stored: invoices reach back 13 whole months. */
const KEPT_CHARGE_DAYS = 440;

/** The length of the longest IPv6 address; whatever else a proxy reports is cut. */
const ADDRESS_LENGTH = 45;

/** The radix of endpoints and of status classes in the key of a count. */
const ENDPOINTS = 64;
const CLASSES = 8;

/** The index of requests to unknown paths, and their name. */
export const OTHER_ENDPOINT = ENDPOINTS - 1;
const OTHER = 'other';

/** Requests by `(account * ENDPOINTS + endpoint) * CLASSES + status class`. */
type Counts = Map<number, number>;

interface Use {
  at: Millis;
  address: string;
}

/**
 * Counts the requests of accounts by endpoint and status class, and remembers when and from which
 * address each API key was last used. Counts are collected in memory and added to those in the
 * database every second. When that fails they are kept for the next attempt.
 */
export class UsageRecorder {
  readonly #statements: RecordStatements;
  readonly #endpoints: readonly string[];
  readonly #onFailure: (error: unknown) => void;
  #days = new Map<Day, Counts>();
  /** The day of the last request and its counts, which nearly every request uses again. */
  #day: Day | undefined;
  #counts: Counts = new Map();
  #uses = new Map<number, Use>();
  /** The day on which old counts were last removed. */
  #cleared: Day | undefined;
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> | undefined;

  /** `endpoints` are the names under which requests are counted, by index. */
  constructor(store: Store, endpoints: readonly string[], onFailure: (error: unknown) => void) {
    if (endpoints.length > OTHER_ENDPOINT) throw new Error('there are too many endpoints');
    this.#statements = prepareRecord(store.accounts.engine);
    this.#endpoints = endpoints;
    this.#onFailure = onFailure;
  }

  /** Writes every second from now on, until {@link close}. */
  start(): void {
    this.#timer ??= setInterval(() => this.write(), WRITE_MS).unref();
  }

  /** Counts an answered request; `endpoint` is an index into the names. */
  record(caller: Caller, endpoint: number, status: number, address: string, now: Millis): void {
    const day = dayOf(now);
    if (day !== this.#day) this.#selectDay(day);
    const statusClass = Math.trunc(status / 100);
    const id = (caller.accountId * ENDPOINTS + endpoint) * CLASSES + statusClass;
    this.#counts.set(id, (this.#counts.get(id) ?? 0) + 1);
    this.#use(caller.keyId, now, address.slice(0, ADDRESS_LENGTH));
  }

  /** Writes what was recorded since the last write. Never rejects. */
  write(): Promise<void> {
    this.#writing ??= this.#write().finally(() => {
      this.#writing = undefined;
    });
    return this.#writing;
  }

  /** Stops writing every second, and writes the rest. */
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

  #selectDay(day: Day): void {
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
    await this.#removeOld([...days.keys()].at(-1)).catch(this.#onFailure);
  }

  async #writeUses(uses: ReadonlyMap<number, Use>): Promise<void> {
    try {
      await this.#statements.addUses([...uses].map(([keyId, use]): KeyUse => ({ keyId, ...use })));
    } catch (error) {
      this.#uses = new Map([...uses, ...this.#uses]);
      this.#onFailure(error);
    }
  }

  /** Removes counts that are no longer reported, once a day. */
  async #removeOld(today: Day | undefined): Promise<void> {
    if (today === undefined || today === this.#cleared) return;
    this.#cleared = today;
    await this.#statements.removeCounts(addDays(today, -KEPT_DAYS));
    // A day at a time, so that no statement takes long.
    const oldest = addDays(today, -KEPT_CHARGE_DAYS);
    while (await this.#statements.removeOldestCharges(oldest));
  }

  #putBack(day: Day, counts: Counts): void {
    this.#selectDay(day);
    for (const [id, count] of counts) this.#counts.set(id, (this.#counts.get(id) ?? 0) + count);
  }

  #rowsOf(day: Day, counts: Counts): RequestCount[] {
    return [...counts].map(([id, count]) => {
      const rest = Math.floor(id / CLASSES);
      return {
        accountId: Math.floor(rest / ENDPOINTS),
        day,
        endpoint: this.#endpoints[rest % ENDPOINTS] ?? OTHER,
        statusClass: id % CLASSES,
        count,
      };
    });
  }
}
