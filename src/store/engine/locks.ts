import { waits } from '../../lib/waits.ts';

/** Waits for the locks of SQLite files without blocking the event loop. */

/** How long a statement waits unless its connection has another limit, in milliseconds. */
const LONGEST_WAIT_MS = 10_000;
/** The pauses between attempts, in milliseconds. The last one repeats. */
const PAUSES_MS = [1, 2, 5, 10, 20, 50];

/**
 * How long SQLite itself waits for a lock, in milliseconds. This wait blocks the event loop, so it
 * lasts only as long as another process needs to charge some requests.
 */
export const BUSY_TIMEOUT_MS = 2;

/** Whether a statement failed because another process held a lock that it needs. */
export function isLocked(error: unknown): boolean {
  return String((error as { code?: unknown }).code).startsWith('SQLITE_BUSY');
}

/** Makes a connection wait for locks that other processes hold. */
export class LockWaits {
  /** How long a statement may wait, in milliseconds. */
  limit = LONGEST_WAIT_MS;

  /**
   * Runs `work`, and retries while other processes hold the lock that it needs, up to the limit.
   *
   * @throws the error of `work`; after the limit, SQLite's `SQLITE_BUSY`.
   */
  async whenUnlocked<Result>(work: () => Promise<Result>): Promise<Result> {
    const start = performance.now();
    for (let attempt = 0; ; attempt += 1) {
      try {
        const result = await work();
        if (attempt > 0) waits.record('lock', start);
        return result;
      } catch (error) {
        if (!isLocked(error)) throw error;
        if (performance.now() > start + this.limit) {
          waits.record('lock', start);
          throw error;
        }
      }
      await pause(PAUSES_MS[Math.min(attempt, PAUSES_MS.length - 1)] ?? 0);
    }
  }
}

/** Waits for a random time, so processes that wait for each other get out of step. */
function pause(atMost: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, atMost * (0.5 + Math.random() / 2));
  });
}
