import type { Millis } from '../../domain/day.ts';

/** A clock that follows another one until it is stopped. Then it continues on its own. */
export interface Clock {
  /** The time in milliseconds since 1970. */
  now(): Millis;
  stop(): void;
}

/** The interval between readings of the database's clock, in milliseconds. */
const READ_MS = 5000;

/** Discard readings that took longer, in milliseconds. The error is up to half of the duration. */
const LONGEST_READING_MS = 500;

/**
 * The clock of a database that several machines share. All times written to the database or
 * compared with its contents use this clock: the day of a charge, a lease, the end of a session.
 * The clocks of the machines may therefore be wrong or be set. Reads the database's clock every few
 * seconds, and in between, even without a connection, follows this process's monotonic clock.
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

  /** Starts a clock set by `read`. Rejects if the first reading does. */
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

  /** Sets the clock from a reading, unless the reading takes more than `longest` milliseconds. */
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
      // Ignore the error: other users of the database report that it is lost.
    } finally {
      this.#isReading = false;
    }
  }
}
