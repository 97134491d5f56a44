import type { Millis } from '../../domain/day.ts';

/** A clock, until it is stopped: from then on it only carries on. */
export interface Clock {
  /** The time in milliseconds since 1970. */
  now(): Millis;
  stop(): void;
}

/** How often the clock of the database is read, in milliseconds. */
const READ_MS = 5000;

/** A reading that took longer is too inexact, in milliseconds: its error is up to half of that. */
const LONGEST_READING_MS = 500;

/**
 * The clock of a database that several machines share. Whatever is written to the database or
 * compared with it goes by this clock: the day of a charge, a lease, the end of a session. So it
 * does not matter when the clock of a machine is wrong or is set. It is read now and then, and
 * carried on by the monotonic clock of this process, also while the database is lost.
 */
export class DatabaseClock implements Clock {
  readonly #read: () => Promise<Millis>;
  /** The time of the database at which `performance.now()` was 0. */
  #origin = 0;
  #isReading = false;
  #timer: NodeJS.Timeout | undefined;

  private constructor(read: () => Promise<Millis>) {
    this.#read = read;
  }

  /** Starts a clock that goes by what `read` tells. Rejects when the first reading does. */
  static async start(read: () => Promise<Millis>): Promise<DatabaseClock> {
    const clock = new DatabaseClock(read);
    await clock.#set(Number.POSITIVE_INFINITY);
    clock.#timer = setInterval(() => clock.#setAgain(), READ_MS).unref();
    return clock;
  }

  now(): Millis {
    return Math.floor(this.#origin + performance.now());
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** Sets the clock by a reading, unless that takes longer than `longest` milliseconds. */
  async #set(longest: number): Promise<void> {
    const asked = performance.now();
    const time = await this.#read();
    const answered = performance.now();
    if (answered - asked <= longest) this.#origin = time - (asked + answered) / 2;
  }

  async #setAgain(): Promise<void> {
    if (this.#isReading) return;
    this.#isReading = true;
    try {
      await this.#set(LONGEST_READING_MS);
    } catch {
      // Whoever needs the database says that it is lost.
    } finally {
      this.#isReading = false;
    }
  }
}
