import type { Catalog } from '../catalog/catalog.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** How many milliseconds the answer waited at the caller's request. */
    waitedMs: number;
  }
}

/** The most requests of an account that wait at the same time. */
export const WAITS_PER_ACCOUNT = 10;

/** The most requests of a process that wait: a third of its connections. */
const WAITS_IN_TOTAL = 1000;

/** Visitors of the pages have no account. They share this one. */
const VISITORS = 0;

/** A waiting request. */
export interface Waiter {
  /** The row id of its account. */
  readonly accountId?: number | undefined;
  /** The longest wait, in milliseconds. */
  readonly ms: number;
  /** Aborts when its caller leaves. */
  readonly signal: AbortSignal;
}

/**
 * Lets requests wait for publications, with limits on the time and on the number of waiting
 * requests. A request beyond this number, or in a stopping process, does not wait.
 */
export class PublicationWaits {
  readonly #ends = new Set<() => void>();
  readonly #byAccount = new Map<number, number>();
  #total = 0;
  #isClosed = false;

  constructor(catalog: Pick<Catalog, 'onPublished'>) {
    catalog.onPublished(() => this.#endAll());
  }

  /** The number of waiting requests. */
  get size(): number {
    return this.#total;
  }

  /**
   * Recomputes a result after each publication until `isFinal` accepts it, the time is over or the
   * caller has left. Returns the last result.
   */
  async until<Result>(
    waiter: Waiter,
    first: Result,
    isFinal: (result: Result) => boolean,
    again: (last: Result) => Promise<Result>,
  ): Promise<Result> {
    const account = waiter.accountId ?? VISITORS;
    const own = this.#byAccount.get(account) ?? 0;
    if (own >= WAITS_PER_ACCOUNT || this.#total >= WAITS_IN_TOTAL) return first;
    this.#byAccount.set(account, own + 1);
    this.#total += 1;
    try {
      return await this.#repeat(waiter, first, isFinal, again);
    } finally {
      this.#leave(account);
    }
  }

  async #repeat<Result>(
    { ms, signal }: Waiter,
    first: Result,
    isFinal: (result: Result) => boolean,
    again: (last: Result) => Promise<Result>,
  ): Promise<Result> {
    const end = performance.now() + ms;
    let result = first;
    while (!isFinal(result) && !this.#isClosed && !signal.aborted) {
      const left = end - performance.now();
      if (left <= 0 || !(await this.#next(left, signal))) break;
      result = await again(result);
    }
    return result;
  }

  /** Waits for the next publication; returns whether there was one. */
  #next(ms: number, signal: AbortSignal): Promise<boolean> {
    return new Promise((resolve) => {
      const finish = (isPublished: boolean) => {
        clearTimeout(timer);
        signal.removeEventListener('abort', give);
        this.#ends.delete(publish);
        resolve(isPublished);
      };
      const publish = () => finish(!this.#isClosed);
      const give = () => finish(false);
      const timer = setTimeout(give, ms);
      signal.addEventListener('abort', give);
      this.#ends.add(publish);
    });
  }

  #leave(account: number): void {
    this.#total -= 1;
    const left = (this.#byAccount.get(account) ?? 1) - 1;
    if (left === 0) this.#byAccount.delete(account);
    else this.#byAccount.set(account, left);
  }

  #endAll(): void {
    for (const end of [...this.#ends]) end();
  }

  /** Ends all waits, and allows no further ones. */
  close(): void {
    this.#isClosed = true;
    this.#endAll();
  }
}
