import { setTimeout as sleep } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import { isOutage } from './unavailable.ts';

/** How long to wait for a lost database, in milliseconds. A failover takes up to half a minute. */
const PATIENCE_MS = 300_000;

const POLL_MS = 1000;

/** A database that is lost more often than this during one piece of work needs its operator. */
const MOST_OUTAGES = 5;

/** A database, of any schema. */
interface Reachable<Tables> {
  readonly db: Kysely<Tables>;
}

/** How work continues after an outage. */
export interface OutageOptions {
  /** Called when the database was lost, before waiting for it. */
  readonly onOutage?: ((error: unknown) => void) | undefined;
  /** How long to wait, in milliseconds. */
  readonly patienceMs?: number;
}

/**
 * Does work that can be repeated from its start. If its database is lost, as in a failover, this
 * waits until a server answers, and repeats the work.
 *
 * @throws the error of the work if it is not an outage, or if the database stays lost.
 */
export async function throughOutages<Result, Tables>(
  store: Reachable<Tables>,
  work: () => Promise<Result>,
  { onOutage, patienceMs = PATIENCE_MS }: OutageOptions = {},
): Promise<Result> {
  for (let outages = 1; ; outages += 1) {
    try {
      return await work();
    } catch (error) {
      if (!isOutage(error) || outages > MOST_OUTAGES) throw error;
      onOutage?.(error);
      if (!(await answersWithin(store, patienceMs))) throw error;
    }
  }
}

/** Whether the database answers within a time, in milliseconds. */
async function answersWithin<Tables>(
  { db }: Reachable<Tables>,
  patienceMs: number,
): Promise<boolean> {
  const deadline = performance.now() + patienceMs;
  while (performance.now() < deadline) {
    await sleep(POLL_MS);
    const isBack = await sql`select 1`.execute(db).then(
      () => true,
      () => false,
    );
    if (isBack) return true;
  }
  return false;
}
