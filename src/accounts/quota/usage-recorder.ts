import { addDays, type Day, dayOf, type Millis } from '../../domain/day.ts';
import { API_ERRORS, type ApiErrorCode } from '../../domain/errors.ts';
import type { Store } from '../../store/connect.ts';
import type { Caller } from '../keys/authenticator.ts';
import {
  type KeyCount,
  type KeyUse,
  MAX_RECENT,
  prepareRecord,
  type RecentRequest,
  type RecordStatements,
  type RequestCount,
} from './usage-sql.ts';

/** Interval between writes to the database, in milliseconds. */
const WRITE_MS = 1000;

/** The most requests listed per second. Writing one takes 10 µs; counting it costs far less. */
const MAX_WRITTEN = 1000;

/** Days for which counts are stored: more than are reported, in case a clock was wrong. */
const KEPT_DAYS = 60;

/** Days for which charges to accounts are stored: invoices reach back 13 whole months. */
const KEPT_CHARGE_DAYS = 440;

/** The length of the longest IPv6 address. Longer texts from a proxy are truncated. */
const ADDRESS_LENGTH = 45;

/** The radix of endpoints, status classes and error codes in the number of a count. */
const ENDPOINTS = 64;
const CLASSES = 8;
const CODES = 64;

/** The index of unknown paths, and their name. */
export const OTHER_ENDPOINT = ENDPOINTS - 1;
const OTHER = 'other';

/** The error codes by the index under which they are counted; the first stands for no error. */
const CODE_NAMES = ['', ...Object.keys(API_ERRORS)];
const CODE_INDEXES = new Map(CODE_NAMES.map((code, index) => [code, index]));

/** An answered request. */
export interface AnsweredRequest {
  /** The endpoint, as an index into the names. */
  readonly endpoint: number;
  readonly status: number;
  /** The code of the error in the answer; null for none. */
  readonly code: ApiErrorCode | null;
  /** Its id in the log. */
  readonly id: string;
  /** The network address of the client. */
  readonly address: string;
  readonly at: Millis;
  /** The duration of the request, in milliseconds. */
  readonly ms: number;
}

interface Use {
  at: Millis;
  address: string;
}

/** A request that waits to be written, without its address. */
type Recent = Omit<RecentRequest, 'accountId' | 'endpoint'> & { readonly endpoint: number };

/**
 * Counts the requests of accounts by endpoint and status class, and the requests of API keys by
 * endpoint and error. Remembers the last requests of each account, and when and from which address
 * each key was last used. Collects everything in memory and writes it to the database every second.
 * Keeps counts and uses that cannot be written for the next attempt.
 */
export class UsageRecorder {
  readonly #statements: RecordStatements;
  readonly #endpoints: readonly string[];
  readonly #onFailure: (error: unknown) => void;
  /** By `(account * ENDPOINTS + endpoint) * CLASSES + status class`. */
  readonly #counts = new DayCounts();
  /** By `(key * ENDPOINTS + endpoint) * CODES + code`. */
  readonly #keyCounts = new DayCounts();
  readonly #recent = new RecentRequests<Recent>({ ofAccount: MAX_RECENT, inAll: MAX_WRITTEN });
  #uses = new Map<number, Use>();
  /** The day on which old counts were last removed. */
  #cleared: Day | undefined;
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> | undefined;

  /** `endpoints` are the names of endpoints by index. */
  constructor(store: Store, endpoints: readonly string[], onFailure: (error: unknown) => void) {
    if (endpoints.length > OTHER_ENDPOINT) throw new Error('there are too many endpoints');
    this.#statements = prepareRecord(store.accounts.engine);
    this.#endpoints = endpoints;
    this.#onFailure = onFailure;
  }

  /** Writes every second, until {@link close}. */
  start(): void {
    this.#timer ??= setInterval(() => this.write(), WRITE_MS).unref();
  }

  /** Records an answered request. */
  record({ accountId, keyId }: Caller, request: AnsweredRequest): void {
    const { endpoint, status, code, id, address, at, ms } = request;
    const statusClass = Math.trunc(status / 100);
    this.#counts.add((accountId * ENDPOINTS + endpoint) * CLASSES + statusClass, at);
    const codeIndex = code === null ? 0 : (CODE_INDEXES.get(code) ?? 0);
    this.#keyCounts.add((keyId * ENDPOINTS + endpoint) * CODES + codeIndex, at);
    this.#recent.add(accountId, { at, requestId: id, keyId, endpoint, status, code, ms });
    this.#use(keyId, at, address.slice(0, ADDRESS_LENGTH));
  }

  /** Writes everything recorded since the last write. Never rejects. */
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

  async #write(): Promise<void> {
    const counts = this.#counts.take();
    const keyCounts = this.#keyCounts.take();
    const uses = this.#uses;
    this.#uses = new Map();
    const isCounted = await this.#attempt(
      rowsOf(counts, (id) => this.#countOf(id)),
      (rows) => this.#statements.addCounts(rows),
      () => this.#counts.putBack(counts),
    );
    await this.#attempt(
      rowsOf(keyCounts, (id) => this.#keyCountOf(id)),
      (rows) => this.#statements.addKeyCounts(rows),
      () => this.#keyCounts.putBack(keyCounts),
    );
    await this.#attempt(this.#takeRecent(), (rows) => this.#statements.addRecent(rows));
    await this.#attempt(
      [...uses].map(([keyId, use]): KeyUse => ({ keyId, ...use })),
      (rows) => this.#statements.addUses(rows),
      () => {
        this.#uses = new Map([...uses, ...this.#uses]);
      },
    );
    if (isCounted) await this.#removeOld([...counts.keys()].at(-1)).catch(this.#onFailure);
  }

  /**
   * Writes rows, if there are any. Returns false if that fails, after putting them back and
   * reporting the error.
   */
  async #attempt<Row>(
    rows: readonly Row[],
    write: (rows: readonly Row[]) => Promise<void>,
    putBack = () => {},
  ): Promise<boolean> {
    try {
      if (rows.length > 0) await write(rows);
      return true;
    } catch (error) {
      putBack();
      this.#onFailure(error);
      return false;
    }
  }

  /** Once a day, removes counts that are no longer reported. */
  async #removeOld(today: Day | undefined): Promise<void> {
    if (today === undefined || today === this.#cleared) return;
    this.#cleared = today;
    await this.#statements.removeCounts(addDays(today, -KEPT_DAYS));
    // One day per statement, so none takes long.
    const oldest = addDays(today, -KEPT_CHARGE_DAYS);
    while (await this.#statements.removeOldestCharges(oldest));
  }

  #countOf(id: number): Omit<RequestCount, 'day' | 'count'> {
    const rest = Math.floor(id / CLASSES);
    const accountId = Math.floor(rest / ENDPOINTS);
    return { accountId, endpoint: this.#nameOf(rest % ENDPOINTS), statusClass: id % CLASSES };
  }

  #keyCountOf(id: number): Omit<KeyCount, 'day' | 'count'> {
    const rest = Math.floor(id / CODES);
    const code = CODE_NAMES[id % CODES] ?? '';
    const keyId = Math.floor(rest / ENDPOINTS);
    return { keyId, endpoint: this.#nameOf(rest % ENDPOINTS), code };
  }

  #takeRecent(): RecentRequest[] {
    return this.#recent.take().map(([accountId, { endpoint, ...request }]) => {
      return { ...request, accountId, endpoint: this.#nameOf(endpoint) };
    });
  }

  #nameOf(endpoint: number): string {
    return this.#endpoints[endpoint] ?? OTHER;
  }
}

/** Returns counts as rows; `describe` decodes what a number counts. */
function rowsOf<Counted>(
  days: ReadonlyMap<Day, ReadonlyMap<number, number>>,
  describe: (id: number) => Counted,
): (Counted & { day: Day; count: number })[] {
  return [...days].flatMap(([day, counts]) => {
    return [...counts].map(([id, count]) => ({ ...describe(id), day, count }));
  });
}

/** Counts of one day, by a number that encodes the kind of request. */
type Counts = Map<number, number>;

/** Counts in memory, by day, until they are written. */
export class DayCounts {
  #days = new Map<Day, Counts>();
  /** The day of the last count, with its counts: nearly every count reuses them. */
  #day: Day | undefined;
  #counts: Counts = new Map();

  /** Adds one to the count of `id` on the day of a moment. */
  add(id: number, at: Millis): void {
    const day = dayOf(at);
    if (day !== this.#day) this.#selectDay(day);
    this.#counts.set(id, (this.#counts.get(id) ?? 0) + 1);
  }

  /** Returns all counts and starts again from zero. */
  take(): ReadonlyMap<Day, ReadonlyMap<number, number>> {
    const days = this.#days;
    this.#days = new Map();
    this.#day = undefined;
    return days;
  }

  /** Adds counts back that were taken. */
  putBack(days: ReadonlyMap<Day, ReadonlyMap<number, number>>): void {
    for (const [day, counts] of days) {
      this.#selectDay(day);
      for (const [id, count] of counts) this.#counts.set(id, (this.#counts.get(id) ?? 0) + count);
    }
  }

  #selectDay(day: Day): void {
    this.#day = day;
    this.#counts = this.#days.get(day) ?? new Map();
    this.#days.set(day, this.#counts);
  }
}

/** The last requests of an account. */
interface Ring<Request> {
  readonly requests: Request[];
  /** The index of the oldest, which the next one replaces once the ring is full. */
  oldest: number;
}

interface Limits {
  /** Requests kept for each account. */
  readonly ofAccount: number;
  /** Requests kept in all. Beyond this, accounts without requests in this process are left out. */
  readonly inAll: number;
}

/** Keeps the last requests of each account in memory until they are written. */
export class RecentRequests<Request> {
  readonly #limits: Limits;
  #rings = new Map<number, Ring<Request>>();
  #size = 0;

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  add(accountId: number, request: Request): void {
    const ring = this.#rings.get(accountId) ?? this.#newRing(accountId);
    const { requests, oldest } = ring;
    if (requests.length < this.#limits.ofAccount && this.#size < this.#limits.inAll) {
      requests.push(request);
      this.#size += 1;
    } else if (requests.length > 0) {
      requests[oldest] = request;
      ring.oldest = (oldest + 1) % requests.length;
    }
  }

  /** Returns the last requests of each account, in any order, and forgets them. */
  take(): [accountId: number, request: Request][] {
    const rings = this.#rings;
    this.#rings = new Map();
    this.#size = 0;
    return [...rings].flatMap(([accountId, { requests }]) => {
      return requests.map((request): [number, Request] => [accountId, request]);
    });
  }

  #newRing(accountId: number): Ring<Request> {
    const ring = { requests: [], oldest: 0 };
    this.#rings.set(accountId, ring);
    return ring;
  }
}
