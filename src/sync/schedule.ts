import type { Millis } from '../domain/day.ts';
import { HOUR_MS, nextTime, type TimeOfDay } from '../domain/sync.ts';

/** The end of a sync: it succeeded, it failed, or another process was already syncing. */
export type SyncEnd = 'succeeded' | 'failed' | 'taken';

export interface ScheduleOptions {
  /** The times of day at which it is due (UTC). */
  readonly times: readonly TimeOfDay[];
  readonly clock: () => Millis;
  /** Returns a number from 0 up to 1, which spreads the starts of many services. */
  readonly random: () => number;
  /** The start of the last sync of this database, in any process; null for never. */
  readonly lastSync: () => Promise<Millis | null>;
  /** Syncs; never rejects. */
  readonly sync: () => Promise<SyncEnd>;
  /** Called with errors of the schedule itself, which continues. */
  readonly onError: (error: unknown) => void;
}

/** A sync starts at most this long after its time. */
const SPREAD_MS = 10 * 60_000;
/** A sync that was missed while no service ran starts within this time. */
const MAKE_UP_MS = 60_000;
/** A failed sync is retried after one, two and four hours; then at its next time. */
const MAX_RETRIES = 3;
/** How long to wait before checking another process's sync again: the process may have died. */
const LOOK_AGAIN_MS = 15 * 60_000;
/** Interval between readings of the clock, because clocks are set and machines sleep. */
const TICK_MS = 15_000;
/** Clocks of machines differ by less than this, unless one is wrong. */
const CLOCK_TOLERANCE_MS = HOUR_MS;

/**
 * Syncs at given times of the day while it is running. Makes up for missed times, skips a time at
 * which another process has synced, and retries after a failure.
 */
export class Schedule {
  readonly #options: ScheduleOptions;
  #timer: NodeJS.Timeout | undefined;
  #dueAt: Millis | null = null;
  #lastTick: Millis = 0;
  #retries = 0;
  /** When the last sync of this process failed. */
  #failedAt: Millis = 0;
  #running: Promise<void> | undefined;

  constructor(options: ScheduleOptions) {
    this.#options = options;
  }

  /** The start of the next sync; null until that is known. */
  get dueAt(): Millis | null {
    return this.#dueAt;
  }

  start(): void {
    this.#timer = setInterval(() => this.tick(), TICK_MS);
    this.tick();
  }

  /** Stops starting syncs, and waits for the running one. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#running;
  }

  /** Syncs if it is time; resolves when the sync is finished. */
  tick(): Promise<void> {
    this.#running ??= this.#syncIfDue()
      .catch(this.#options.onError)
      .finally(() => {
        this.#running = undefined;
      });
    return this.#running;
  }

  async #syncIfDue(): Promise<void> {
    const { clock, times, lastSync } = this.#options;
    this.#noticeClock();
    this.#dueAt ??= await this.#firstTime();
    if (clock() < this.#dueAt) return;
    const last = await lastSync();
    const isWrong = last !== null && last > clock() + CLOCK_TOLERANCE_MS;
    const isMissed = last === null || isWrong || nextTime(times, last) <= clock();
    const isRetry = this.#retries > 0 && (last === null || last <= this.#failedAt);
    if (isRetry || isMissed) return this.#sync();
    this.#retries = 0;
    this.#dueAt = this.#nextTime();
  }

  /** Recomputes the next time if the clock was set back, because it may now be days ahead. */
  #noticeClock(): void {
    const now = this.#options.clock();
    if (now < this.#lastTick - CLOCK_TOLERANCE_MS) this.#dueAt = null;
    this.#lastTick = now;
  }

  async #sync(): Promise<void> {
    const { clock, sync } = this.#options;
    const end = await sync();
    const now = clock();
    this.#dueAt = this.#nextTime();
    if (end === 'taken') {
      this.#dueAt = Math.min(this.#dueAt, now + LOOK_AGAIN_MS);
    } else if (end === 'succeeded' || this.#retries === MAX_RETRIES) {
      this.#retries = 0;
    } else {
      this.#failedAt = now;
      this.#dueAt = Math.min(this.#dueAt, now + HOUR_MS * 2 ** this.#retries);
      this.#retries += 1;
    }
  }

  /** At once if there was never a sync, soon if one was missed, otherwise at the next time. */
  async #firstTime(): Promise<Millis> {
    const { clock, times, lastSync, random } = this.#options;
    const last = await lastSync();
    if (last === null) return clock();
    return nextTime(times, last) <= clock() ? clock() + random() * MAKE_UP_MS : this.#nextTime();
  }

  #nextTime(): Millis {
    const { clock, times, random } = this.#options;
    return nextTime(times, clock()) + random() * SPREAD_MS;
  }
}
