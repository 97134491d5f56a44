/** The last requests of an account. */
interface Ring<Request> {
  readonly requests: Request[];
  /** The index of the oldest, which the next one replaces once the ring does not grow. */
  oldest: number;
}

interface Limits {
  /** How many requests of each account are kept. */
  readonly ofAccount: number;
  /** How many of all accounts are kept; an account that comes when they are is left out. */
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

  /** Returns the last requests of each account, in any order, and begins anew. */
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
