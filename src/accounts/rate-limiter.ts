import type { Millis } from '../domain/day.ts';
import type { BurstLimit } from '../domain/plans.ts';

/** Callers remembered before those that are idle are forgotten. */
const MANY = 10_000;

/**
 * Holds callers to a burst limit, such as that of their plan, within this process: a caller, known
 * by the id of the account or by whatever else, may send `requests` at once, and gets one more each
 * `seconds / requests` (the generic cell rate algorithm of ITU-T I.371).
 */
export class RateLimiter<Id = number> {
  /** By caller, the moment at which all requests so far will have been paid off. */
  readonly #paidOff = new Map<Id, Millis>();

  /** Lets a request through and returns 0, or returns the milliseconds to wait before the next. */
  wait(caller: Id, { requests, seconds }: BurstLimit, now: Millis): number {
    const interval = (seconds * 1000) / requests;
    const paidOff = Math.max(this.#paidOff.get(caller) ?? 0, now);
    const over = paidOff + interval - (now + interval * requests);
    if (over > 0) return over;
    this.#paidOff.set(caller, paidOff + interval);
    if (this.#paidOff.size > MANY) this.#forgetIdle(now);
    return 0;
  }

  #forgetIdle(now: Millis): void {
    for (const [caller, paidOff] of this.#paidOff) {
      if (paidOff <= now) this.#paidOff.delete(caller);
    }
  }
}
