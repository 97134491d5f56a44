import { type Day, dayOf, type Millis } from '../../domain/day.ts';

/** Counts of one day, by a number that encodes the kind of request. */
type Counts = Map<number, number>;

/** Counts in memory, by day, until they are written. */
export class DayCounts {
  #days = new Map<Day, Counts>();
  /** The day of the last count and its counts, which nearly every count uses again. */
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

  /** Adds counts that were taken. */
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
  /** How many requests of each account are kept. */
  readonly ofAccount: number;
  /** How many are kept in all. Beyond them, accounts without requests here are left out. */
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
