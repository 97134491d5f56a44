import { type Kysely, sql } from 'kysely';
import {
  accountData,
  type BilledAccount,
  type BillingEventType,
  billingPayload,
} from '../../domain/billing.ts';
import { addDays, type Day, dayOf, formatDay, type Millis, parseMonth } from '../../domain/day.ts';
import { dollarsFromCents } from '../../domain/money.ts';
import type { AccountDatabase, AccountRow, BillingEventRow } from '../../store/accounts/schema.ts';

/** SQL of the events that wait for the operator's billing system. */

type Db = Kysely<AccountDatabase>;

/** An event to tell. */
export interface NewBillingEvent {
  readonly id: string;
  readonly type: BillingEventType;
  /** The account with which it is to be deleted; null for none. */
  readonly accountId: number | null;
  readonly at: Millis;
  readonly data: object;
}

/** Adds an event if events are wanted, and there is none with its id. */
export async function insertBillingEvent(db: Db, event: NewBillingEvent): Promise<void> {
  const { id, type, accountId, at, data } = event;
  await sql`insert into billing_events (id, type, account_id, payload, created_at, next_at, attempts)
    select ${id}, ${type}, cast(${accountId} as integer), ${billingPayload(type, at, data)},
      cast(${at} as bigint), cast(${at} as bigint), 0
    from billing_state where enabled = 1
    on conflict (id) do nothing`.execute(db);
}

/** Adds an event about an account as it is now, and perhaps as it was before. */
export async function insertAccountEvent(
  db: Db,
  type: Exclude<BillingEventType, 'account.deleted' | 'test'>,
  row: AccountRow,
  { at, id = eventId(), ...more }: { at: Millis; id?: string; previous?: object; usage?: object },
): Promise<void> {
  const data = { ...accountData(await billedAccount(db, row)), ...more };
  await insertBillingEvent(db, { id, type, accountId: row.id, at, data });
}

/**
 * Adds the event that an account is deleted, with its usage of this and the last month for its last
 * invoice. The event outlives the account, so that it has its id and not its address.
 */
export async function insertDeletionEvent(db: Db, row: AccountRow, at: Millis): Promise<void> {
  const { email: _, ...data } = accountData(await billedAccount(db, row)) as { email: string };
  const usage = await recentMonths(db, row.id, dayOf(at));
  const event = { id: eventId(), type: 'account.deleted', accountId: null, at } as const;
  await insertBillingEvent(db, { ...event, data: { ...data, usage } });
}

function eventId(): string {
  return `evt_${crypto.randomUUID()}`;
}

async function billedAccount(db: Db, row: AccountRow): Promise<BilledAccount> {
  const { id, email, plan, limits } = row;
  const { price, daily_requests } = await db
    .selectFrom('plans')
    .select(['price', 'daily_requests'])
    .where('name', '=', plan)
    .executeTakeFirstOrThrow();
  const own = limits === null ? null : (JSON.parse(limits) as { dailyRequests?: number });
  return {
    ...{ id, email, plan, price: dollarsFromCents(price as never), limits: own },
    dailyRequests: own?.dailyRequests ?? daily_requests,
  };
}

async function recentMonths(db: Db, accountId: number, today: Day) {
  const thisMonth = formatDay(today).slice(0, 7);
  const first = parseMonth(thisMonth)?.first ?? today;
  const lastMonth = formatDay(addDays(first, -1)).slice(0, 7);
  const usage: Record<string, number> = {};
  for (const month of [lastMonth, thisMonth]) {
    const days = parseMonth(month);
    if (days) usage[month] = await chargedBetween(db, accountId, days.first, days.last);
  }
  return usage;
}

async function chargedBetween(db: Db, accountId: number, first: Day, last: Day): Promise<number> {
  const { sum } = await db
    .selectFrom('usage')
    .select(sql<number | string>`coalesce(sum(used), 0)`.as('sum'))
    .where('account_id', '=', accountId)
    .where('day', '>=', first)
    .where('day', '<=', last)
    .executeTakeFirstOrThrow();
  return Number(sum);
}

/** Turns the recording of events on or off, for every process. */
export async function enableBilling(db: Db, isEnabled: boolean): Promise<void> {
  const enabled = isEnabled ? 1 : 0;
  const state = await db.selectFrom('billing_state').select('enabled').executeTakeFirst();
  if (state?.enabled !== enabled) await db.updateTable('billing_state').set({ enabled }).execute();
}

/**
 * Takes events that are due, the oldest first, so that no other process takes them before `until`.
 * After that they are due again, unless they were delivered or put off.
 */
export async function claimBillingEvents(
  db: Db,
  { now, until, atMost }: { now: Millis; until: Millis; atMost: number },
): Promise<BillingEventRow[]> {
  const due = db
    .selectFrom('billing_events')
    .select('id')
    .where('next_at', '<=', now)
    .orderBy('next_at')
    .limit(atMost);
  // Most of the time nothing is due, and looking locks nothing.
  if ((await due.execute()).length === 0) return [];
  return (
    db
      .updateTable('billing_events')
      .set((row) => ({ next_at: until, attempts: row('attempts', '+', 1) }))
      .where('id', 'in', due)
      // Another process may have taken some of them meanwhile.
      .where('next_at', '<=', now)
      .returningAll()
      .execute()
  );
}

/** How an attempt to deliver an event ended. */
export type BillingOutcome = Partial<
  Pick<BillingEventRow, 'next_at' | 'delivered_at' | 'failed_at' | 'error'>
>;

export async function endBillingAttempt(
  db: Db,
  id: string,
  outcome: BillingOutcome,
): Promise<void> {
  await db.updateTable('billing_events').set(outcome).where('id', '=', id).execute();
}

/** Returns the events that were not delivered, the oldest first. */
export function listBillingEvents(db: Db, atMost: number): Promise<BillingEventRow[]> {
  return db
    .selectFrom('billing_events')
    .selectAll()
    .where('delivered_at', 'is', null)
    .orderBy('created_at')
    .limit(atMost)
    .execute();
}

/** Deletes events from before a moment, and all but the newest `most`. */
export async function trimBillingEvents(db: Db, before: Millis, most: number): Promise<void> {
  await db.deleteFrom('billing_events').where('created_at', '<', before).execute();
  const oldest = await db
    .selectFrom('billing_events')
    .select('created_at')
    .orderBy('created_at', 'desc')
    .offset(most)
    .limit(1)
    .executeTakeFirst();
  if (!oldest) return;
  await db.deleteFrom('billing_events').where('created_at', '<=', oldest.created_at).execute();
}
