import type { QuarantineReview } from '../dashboard/services.ts';
import type { Millis } from '../domain/day.ts';
import { acceptHolds } from '../ingest/approve.ts';
import type { Store } from '../store/connect.ts';
import {
  type ListedQuarantineRow,
  listQuarantined,
  rejectQuarantined,
} from '../store/quarantine.ts';
import type { CommandContext } from './context.ts';

/** What an operator decides on what is held back, on the command line or in a page. */

/** Keeps back for good what nobody has decided on yet; returns how much that is. */
export async function rejectUndecided(
  { db }: Store,
  held: readonly ListedQuarantineRow[],
  now: Millis,
): Promise<number> {
  const open = held.filter(({ decision }) => decision === null).map(({ id }) => id);
  await rejectQuarantined(db, open, now);
  return open.length;
}

/**
 * The decisions of operators in pages, one at a time: the lock of imports does not tell two of one
 * process apart. Each has a connection of its own, so that no request writes into its transaction.
 */
export function dashboardReview({
  withStore,
  clock,
}: Pick<CommandContext, 'withStore' | 'clock'>): QuarantineReview {
  let before: Promise<unknown> = Promise.resolve();
  const inTurn = <Result>(decide: (store: Store) => Promise<Result>): Promise<Result> => {
    const decision = before.then(() => withStore(decide));
    before = decision.catch(() => {});
    return decision;
  };
  return {
    approve: (ids: readonly number[]) =>
      inTurn(async (store) => {
        const held = await listQuarantined(store.db, { ids });
        const open = held.filter(({ decision }) => decision !== 'accepted');
        const { accepted: decided, ...rest } = await acceptHolds(store, open, clock);
        return { decided, ...rest };
      }),
    reject: (ids: readonly number[]) =>
      inTurn(async (store) => {
        const held = await listQuarantined(store.db, { ids });
        return {
          decided: await rejectUndecided(store, held, clock()),
          pricesChanged: 0,
          refused: 0,
        };
      }),
  };
}
