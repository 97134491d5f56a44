import { waits } from '../../lib/waits.ts';

/** Waiting for the locks of SQLite's files without blocking the event loop. */

/** How long a statement waits at most unless a connection is limited, in milliseconds. */
const LONGEST_WAIT_MS = 10_000;
/** The pause before the next attempt, in milliseconds: the first ones are short. */
const PAUSES_MS = [1, 2, 5, 10, 20, 50];

/**
 * How long SQLite itself waits for a lock, in milliseconds. It blocks the event loop meanwhile, so
 * that it is no longer than what another process needs to charge some requests.
 */
export const BUSY_TIMEOUT_MS = 2;

/** Whether a statement failed because another process had a lock that it needs. */
export function isLocked(error: unknown): boolean {
  return String((error as { code?: unknown }).code).startsWith('SQLITE_BUSY');
}

/** Waits of a connection for locks that others have. */
export class LockWaits {
  /** How long a statement waits at most, in milliseconds. */
  limit = LONGEST_WAIT_MS;

  /**
   * Runs `work`, and again while others have the lock that it needs, until the limit.
   *
   * @throws what `work` throws, SQLite's `SQLITE_BUSY` after that time.
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

/** A random part keeps processes that wait for each other out of step. */
function pause(atMost: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, atMost * (0.5 + Math.random() / 2));
  });
}
