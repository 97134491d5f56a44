import type { Millis } from '../../domain/day.ts';
import type { BurstLimit } from '../../domain/plans.ts';

/** Callers that are remembered; of more, the one that was idle the longest is forgotten. */
const MAX_CALLERS = 50_000;

/** Milliseconds that a clock may go back without having been set: requests overtake each other. */
const MAX_STEP_BACK = 1000;

/**
 * Holds callers to a burst limit within this process: a caller may send `requests` at once, and one
 * more every `seconds / requests` (the generic cell rate algorithm of ITU-T I.371). `Id` is what
 * callers are known by: the row id of an account unless another type is given.
 */
export class RateLimiter<Id extends number | string = number> {
  /** The theoretical arrival time of each caller: when its requests so far will be paid off. */
  readonly #arrivals = new Map<Id, Millis>();
  #latest: Millis = 0;

  /** Counts a request and returns 0, or returns the milliseconds to wait before the next one. */
  wait(caller: Id, { requests, seconds }: BurstLimit, now: Millis): number {
    this.#notice(now);
    const interval = (seconds * 1000) / requests;
    const arrival = Math.max(this.#arrivals.get(caller) ?? 0, now);
    const over = arrival + interval - (now + interval * requests);
    if (over > 0) return over;
    // The order of the map is that of the last requests.
    this.#arrivals.delete(caller);
    this.#arrivals.set(caller, arrival + interval);
    if (this.#arrivals.size > MAX_CALLERS) this.#forgetIdlest();
    return 0;
  }

  /** Counts `more` requests that are not refused; the next one waits for them too. */
  count(caller: Id, { requests, seconds }: BurstLimit, more: number, now: Millis): void {
    const arrival = Math.max(this.#arrivals.get(caller) ?? 0, now);
    this.#arrivals.set(caller, arrival + (more * seconds * 1000) / requests);
  }

  /** Forgets all callers when the clock was set back, which would make them wait for as long. */
  #notice(now: Millis): void {
    if (now < this.#latest - MAX_STEP_BACK) this.#arrivals.clear();
    else if (now <= this.#latest) return;
    this.#latest = now;
  }

  #forgetIdlest(): void {
    for (const caller of this.#arrivals.keys()) {
      this.#arrivals.delete(caller);
      return;
    }
  }
}
