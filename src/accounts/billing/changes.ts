import type { Millis } from '../../domain/day.ts';
import type { AccountRow } from '../../store/accounts/schema.ts';
import type { AccountTransaction } from '../../store/connect.ts';
import { insertAccountEvent } from './billing-sql.ts';

/** Records for the billing system what a change of an account has changed, in its transaction. */
export async function recordChange(
  transaction: AccountTransaction,
  before: AccountRow,
  after: AccountRow,
  at: Millis,
): Promise<void> {
  if (before.verified_at === null) {
    if (after.verified_at === null) return;
    return insertAccountEvent(transaction, 'account.created', after, { at });
  }
  if (before.plan !== after.plan || before.limits !== after.limits) {
    const { plan, limits } = before;
    const previous = { plan, limits: limits === null ? null : (JSON.parse(limits) as unknown) };
    await insertAccountEvent(transaction, 'account.plan_changed', after, { at, previous });
  }
  if ((before.disabled_at === null) === (after.disabled_at === null)) return;
  const type = after.disabled_at === null ? 'account.enabled' : 'account.disabled';
  await insertAccountEvent(transaction, type, after, { at });
}
