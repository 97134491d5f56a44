import pLimit from 'p-limit';
import { approveQuarantined } from '../../ingest/decisions/approve.ts';
import { undoApprovals } from '../../ingest/decisions/undo.ts';
import type { QuarantineReview } from '../../operator/services.ts';
import type { Store } from '../../store/connect.ts';
import {
  quarantinePages,
  rejectMatching,
  undoRejections,
} from '../../store/quarantine/quarantine.ts';
import type { CommandContext } from '../context.ts';

/**
 * Takes the decisions of the dashboard one at a time, because a process holds the import lock, not a
 * request. Each decision opens its own connection, so no other request writes into its transaction.
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
    approve: (filter) =>
      decide(async (store) => {
        const waiting = quarantinePages(store.db, { ...filter, isDecided: false });
        const { accepted: decided, ...rest } = await approveQuarantined(store, waiting, clock);
        return { decided, ...rest };
      }),
    reject: (filter) =>
      decide(async (store) => {
        const decidedAt = clock();
        const decided = await rejectMatching(store.db, filter, decidedAt);
        return { decided, pricesChanged: 0, refused: 0, decidedAt };
      }),
    undo: (filter) =>
      decide(async (store) => {
        const decided = await undoRejections(store.db, filter);
        return { decided, pricesChanged: 0, refused: 0, decidedAt: null };
      }),
    undoApproval: (decidedAt) =>
      decide(async (store) => {
        const { undone, kept, pricesChanged } = await undoApprovals(store, decidedAt, clock);
        return { decided: undone, pricesChanged, refused: kept, decidedAt: null };
      }),
  };
}
