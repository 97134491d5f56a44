import type { Millis } from '../../domain/day.ts';

/** The failures in a row after which a webhook is suspect. An occasional failure is not enough. */
const SUSPECT = 5;

/** The first pause of a suspect webhook; each further failure doubles it. */
const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 300_000;

/** The kind of failure of a webhook. */
export interface Failure {
  /** Whether there was an answer. Timeouts take long, so one such failure is enough. */
  readonly hasAnswered: boolean;
  /** The demanded pause in milliseconds; 0 for none. */
  readonly retryAfterMs: Millis;
}

/**
 * Remembers how webhooks answer this process, so failing ones take little time from the others. A
 * suspect webhook gets an occasional event until it accepts one.
 */
export class Pace {
  readonly #failures = new Map<number, number>();
  readonly #pausedUntil = new Map<number, Millis>();

  isSuspect(webhook: number): boolean {
    return (this.#failures.get(webhook) ?? 0) >= SUSPECT;
  }

  isPaused(webhook: number, now: Millis): boolean {
    const left = (this.#pausedUntil.get(webhook) ?? 0) - now;
    // A clock that was set back does not make pauses longer.
    return left > 0 && left <= LONGEST_PAUSE_MS;
  }

  /** Notes that a webhook accepted an event, or gets no more events. */
  clear(webhook: number): void {
    this.#failures.delete(webhook);
    this.#pausedUntil.delete(webhook);
  }

  fail(webhook: number, { hasAnswered, retryAfterMs }: Failure, now: Millis): void {
    const before = this.#failures.get(webhook) ?? 0;
    const failures = hasAnswered ? before + 1 : Math.max(before + 1, SUSPECT);
    this.#failures.set(webhook, failures);
    const grown = failures < SUSPECT ? 0 : FIRST_PAUSE_MS * 2 ** (failures - SUSPECT);
    const pause = Math.min(Math.max(grown, retryAfterMs), LONGEST_PAUSE_MS);
    if (pause > 0) this.#pausedUntil.set(webhook, now + pause);
  }
}
