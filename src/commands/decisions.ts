import pLimit from 'p-limit';
import type { QuarantineReview } from '../dashboard/services.ts';
import type { Millis } from '../domain/day.ts';
import { approveQuarantined } from '../ingest/approve.ts';
import type { Store } from '../store/connect.ts';
import {
  type ListedQuarantineRow,
  listQuarantined,
  rejectQuarantined,
} from '../store/quarantine.ts';
import type { CommandContext } from './context.ts';

/** The decisions of operators on quarantined prices, on the command line and in the dashboard. */

/** Rejects the rows that nobody has decided on yet; returns how many. */
export async function rejectUndecided(
  { db }: Store,
  rows: readonly ListedQuarantineRow[],
  now: Millis,
): Promise<number> {
  const undecided = rows.filter(({ decision }) => decision === null).map(({ id }) => id);
  await rejectQuarantined(db, undecided, now);
  return undecided.length;
}

/**
 * Makes the decisions of the dashboard one at a time, because the lock of imports is held by a
 * process, not by a request. Each decision opens a connection of its own, so that no other request
 * writes into its transaction.
 */
export function dashboardReview({
  withStore,
  clock,
}: Pick<CommandContext, 'withStore' | 'clock'>): QuarantineReview {
  const limit = pLimit(1);
  const decide = <Result>(work: (store: Store) => Promise<Result>): Promise<Result> => {
    return limit(() => withStore(work));
  };
  return {
    approve: (ids) =>
      decide(async (store) => {
        const rows = await listQuarantined(store.db, { ids });
        const open = rows.filter(({ decision }) => decision !== 'approved');
        const { accepted: decided, ...rest } = await approveQuarantined(store, open, clock);
        return { decided, ...rest };
      }),
    reject: (ids) =>
      decide(async (store) => {
        const rows = await listQuarantined(store.db, { ids });
        const decided = await rejectUndecided(store, rows, clock());
        return { decided, pricesChanged: 0, refused: 0 };
      }),
  };
}
