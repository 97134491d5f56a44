import type { Millis } from '../domain/day.ts';
import type { BurstLimit } from '../domain/plans.ts';

/** Accounts remembered before those that are idle are forgotten. */
const MANY = 10_000;

/**
 * Holds callers to the burst limit of their plan, within this process: an account may send
 * `requests` at once, and gets one more each `seconds / requests` (the generic cell rate
 * algorithm of ITU-T I.371).
 */
export class BurstGuard {
  /** By account, the moment at which all of its requests so far will have been paid off. */
  readonly #paidOff = new Map<number, Millis>();

  /** Lets a request through and returns 0, or returns the milliseconds to wait before the next. */
  wait(account: number, { requests, seconds }: BurstLimit, now: Millis): number {
    const interval = (seconds * 1000) / requests;
    const paidOff = Math.max(this.#paidOff.get(account) ?? 0, now);
    const over = paidOff + interval - (now + interval * requests);
    if (over > 0) return over;
    this.#paidOff.set(account, paidOff + interval);
    if (this.#paidOff.size > MANY) this.#forgetIdle(now);
    return 0;
  }

  #forgetIdle(now: Millis): void {
    for (const [account, paidOff] of this.#paidOff) {
      if (paidOff <= now) this.#paidOff.delete(account);
    }
  }
}
