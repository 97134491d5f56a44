import type { Millis } from '../domain/day.ts';
import { HOUR_MS, nextTime, type TimeOfDay } from '../domain/schedule.ts';

/** When a service that runs for months syncs. */

export interface ScheduleOptions {
  /** When it is due, every day. */
  readonly times: readonly TimeOfDay[];
  readonly clock: () => Millis;
  /** From 0 up to 1: when exactly it begins, so that not all services begin at once. */
  readonly random: () => number;
  /** When the last sync of this database began, whoever made it; null for never. */
  readonly lastSync: () => Promise<Millis | null>;
  /** Syncs; resolves to whether all went well, and never rejects. */
  readonly sync: () => Promise<boolean>;
  /** Told what keeps it from looking, which it will do again. */
  readonly onError: (error: unknown) => void;
}

/** It begins up to so long after its time. */
const SPREAD_MS = 10 * 60_000;
/** One that was missed, because nothing ran then, is made up for within this. */
const MAKE_UP_MS = 60_000;
/** A sync that failed is tried again after an hour, two, and four; then at its next time. */
const MAX_RETRIES = 3;
/** How often it is looked whether it is time: clocks are set, and machines sleep. */
const TICK_MS = 15_000;

/**
 * Syncs at some times of the day, for as long as it runs. A time that was missed is made up for,
 * one that another process took care of is left out, and a failure is tried again.
 */
export class Schedule {
  readonly #options: ScheduleOptions;
  #timer: NodeJS.Timeout | undefined;
  #dueAt: Millis | null = null;
  #retries = 0;
  #running: Promise<void> | undefined;

  constructor(options: ScheduleOptions) {
    this.#options = options;
  }

  /** When it begins the next time; null before it is known. */
  get dueAt(): Millis | null {
    return this.#dueAt;
  }

  start(): void {
    this.#timer = setInterval(() => this.tick(), TICK_MS);
    this.tick();
  }

  /** Begins no more, and waits for what is under way. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#running;
  }

  /** Looks whether it is time. Resolves when that has been dealt with. */
  tick(): Promise<void> {
    this.#running ??= this.#look()
      .catch(this.#options.onError)
      .finally(() => {
        this.#running = undefined;
      });
    return this.#running;
  }

  async #look(): Promise<void> {
    const { clock, times, lastSync } = this.#options;
    this.#dueAt ??= await this.#firstTime();
    if (clock() < this.#dueAt) return;
    const last = await lastSync();
    const isDue = last === null || this.#retries > 0 || nextTime(times, last) <= clock();
    if (isDue) await this.#sync();
    else this.#dueAt = this.#nextTime();
  }

  async #sync(): Promise<void> {
    const { clock, sync } = this.#options;
    const fine = await sync();
    this.#dueAt = this.#nextTime();
    if (fine || this.#retries === MAX_RETRIES) {
      this.#retries = 0;
      return;
    }
    this.#dueAt = Math.min(this.#dueAt, clock() + HOUR_MS * 2 ** this.#retries);
    this.#retries += 1;
  }

  /** The next time, or soon if one was missed, or at once if there never was one. */
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
