import { isDeepStrictEqual } from 'node:util';
import { type ReachedThreshold, thresholdId } from '../../domain/billing.ts';
import { formatDay, formatMoment, type Millis } from '../../domain/day.ts';
import type { AccountTransaction, Store } from '../../store/connect.ts';
import { type AccountRecord, findAccountById } from '../account-sql.ts';
import type { ChargeObserver } from '../quota/quota-charger.ts';
import { listUndelivered, type OutboxEvent } from '../webhooks/outbox-sql.ts';
import { insertAccountEvent } from './billing-sql.ts';

/** Records the events of a change of an account, in its transaction. */
export async function recordChange(
  transaction: AccountTransaction,
  before: AccountRecord,
  after: AccountRecord,
  at: Millis,
): Promise<void> {
  if (before.verifiedAt === null) {
    if (after.verifiedAt === null) return;
    return insertAccountEvent(transaction, 'account.created', after, { at });
  }
  const { plan, limits } = before;
  if (plan !== after.plan || !isDeepStrictEqual(limits, after.limits)) {
    const previous = { plan, limits };
    await insertAccountEvent(transaction, 'account.plan_changed', after, { at, previous });
  }
  if ((before.disabledAt === null) === (after.disabledAt === null)) return;
  const type = after.disabledAt === null ? 'account.enabled' : 'account.disabled';
  await insertAccountEvent(transaction, type, after, { at });
}

/**
 * Records an event when a charge reaches a share of an account's daily quota. Usage grows in exact
 * steps, so one charge of one process reaches it. No request waits for the record; `onFailure` is
 * called if it fails.
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
      recordThreshold(store, { accountId, day, percent, quota, used }, clock()).catch(onFailure);
    }
  };
}

async function recordThreshold(store: Store, reached: ReachedThreshold, at: Millis): Promise<void> {
  const { db } = store.accounts;
  const account = await findAccountById(db, reached.accountId);
  if (!account) return;
  const { percent, day, quota, used } = reached;
  const usage = { day: formatDay(day), percent, limit: quota, used };
  const id = thresholdId(reached);
  await insertAccountEvent(db, 'usage.threshold_reached', account, { at, id, usage });
}

/** The most events listed. */
const LISTED = 1000;

/** A billing event that waits to be sent, or that was given up. */
export interface WaitingEvent {
  readonly id: string;
  readonly type: string;
  readonly attempts: number;
  /** The last error; null before the first attempt. */
  readonly error: string | null;
  readonly at: string;
  /** Null if it will not be sent again. */
  readonly nextAt: string | null;
  readonly givenUpAt: string | null;
  /** The body to send. */
  readonly payload: object;
}

/** Returns the events that were not delivered: at most 1,000, oldest first. */
export async function listWaiting({ accounts }: Store): Promise<WaitingEvent[]> {
  return (await listUndelivered(accounts.db, LISTED)).map(waitingEvent);
}

function waitingEvent(event: OutboxEvent): WaitingEvent {
  const { id, type, attempts, error, createdAt, nextAt, failedAt, payload } = event;
  return {
    id,
    type,
    attempts,
    error,
    at: formatMoment(createdAt),
    nextAt: nextAt === null ? null : formatMoment(nextAt),
    givenUpAt: failedAt === null ? null : formatMoment(failedAt),
    payload,
  };
}
