import type { Millis } from '../../domain/day.ts';
import type { BurstLimit } from '../../domain/plans.ts';

/** The most callers that are remembered; beyond them, the longest idle one is forgotten. */
const MAX_CALLERS = 50_000;

/** How far a clock may go back because requests arrive out of order, in milliseconds. */
const MAX_STEP_BACK = 1000;

/**
 * Holds callers to a burst limit within this process: a caller may send `requests` at once, and one
 * more every `seconds / requests` (the generic cell rate algorithm of ITU-T I.371). `Id` identifies
 * a caller: by default the row id of an account.
 */
export class RateLimiter<Id extends number | string = number> {
  /** The theoretical arrival time of each caller: when its requests so far are used up. */
  readonly #arrivals = new Map<Id, Millis>();
  #latest: Millis = 0;

  /** Counts a request and returns 0, or returns the milliseconds to wait before the next one. */
  wait(caller: Id, { requests, seconds }: BurstLimit, now: Millis): number {
    this.#notice(now);
    const interval = (seconds * 1000) / requests;
    const arrival = Math.max(this.#arrivals.get(caller) ?? 0, now);
    const over = arrival + interval - (now + interval * requests);
    if (over > 0) return over;
    // Keeps the map ordered by last request.
    this.#arrivals.delete(caller);
    this.#arrivals.set(caller, arrival + interval);
    if (this.#arrivals.size > MAX_CALLERS) this.#forgetIdlest();
    return 0;
  }

  /** Counts `more` requests without refusing them, so the next request has to wait for them. */
  count(caller: Id, { requests, seconds }: BurstLimit, more: number, now: Millis): void {
    const arrival = Math.max(this.#arrivals.get(caller) ?? 0, now);
    this.#arrivals.set(caller, arrival + (more * seconds * 1000) / requests);
  }

  /** Forgets all callers if the clock was set back: otherwise they would wait that much longer. */
  #notice(now: Millis): void {
    const isSetBack = now < this.#latest - MAX_STEP_BACK;
    if (isSetBack) this.#arrivals.clear();
    this.#latest = isSetBack ? now : Math.max(this.#latest, now);
  }

  #forgetIdlest(): void {
    for (const caller of this.#arrivals.keys()) {
      this.#arrivals.delete(caller);
      return;
    }
  }
}
