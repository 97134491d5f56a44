import { type ReachedThreshold, thresholdId } from '../../domain/billing.ts';
import { formatDay, type Millis } from '../../domain/day.ts';
import type { Store } from '../../store/connect.ts';
import { findAccountById } from '../account-sql.ts';
import type { ChargeObserver } from '../quota/quota-charger.ts';
import { insertAccountEvent } from './billing-sql.ts';

/**
 * Notices when a charge reaches a share of the daily quota of an account, and records that for the
 * billing system. Usage grows by exact steps, so that one charge of all processes reaches it. No
 * request waits for the record; `onFailure` is told when it fails.
 */
export function thresholdObserver(
  { store, clock }: { readonly store: Store; readonly clock: () => Millis },
  percents: readonly number[],
  onFailure: (error: unknown) => void,
): ChargeObserver {
  return ({ id: accountId, day, quota, used, cost }) => {
    for (const percent of percents) {
      const least = Math.ceil((quota * percent) / 100);
      if (used < least || used - cost >= least) continue;
      record(store, { accountId, day, percent, quota, used }, clock()).catch(onFailure);
    }
  };
}

async function record(store: Store, reached: ReachedThreshold, at: Millis): Promise<void> {
  const { db } = store.accounts;
  const row = await findAccountById(db, reached.accountId);
  if (!row) return;
  const { percent, day, quota, used } = reached;
  const usage = { day: formatDay(day), percent, limit: quota, used };
  await insertAccountEvent(db, 'usage.threshold_reached', row, {
    ...{ at, id: thresholdId(reached), usage },
  });
}
