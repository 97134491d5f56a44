import { type Kysely, sql } from 'kysely';
import { Type } from 'typebox';
import {
  accountData,
  type BilledAccount,
  type BillingEventType,
  billingPayload,
} from '../../domain/billing.ts';
import { addDays, type Day, dayOf, formatDay, type Millis, parseMonth } from '../../domain/day.ts';
import { type Cents, dollarsFromCents } from '../../domain/money.ts';
import { jsonColumn } from '../../lib/json-column.ts';
import type { AccountDatabase, BillingEventRow } from '../../store/accounts/schema.ts';
import type { AccountRecord } from '../account-sql.ts';

/** SQL of the events for the operator's billing system. */

type Db = Kysely<AccountDatabase>;

const PAYLOAD = jsonColumn<object>('billing_events.payload', Type.Object({}));

/** What an event needs to know of an account. */
type EventAccount = Pick<AccountRecord, 'id' | 'email' | 'plan' | 'limits'>;

/** An event to record. */
export interface NewBillingEvent {
  readonly id: string;
  readonly type: BillingEventType;
  /** The account with which the event is deleted; null for none. */
  readonly accountId: number | null;
  readonly at: Millis;
  readonly data: object;
}

/** Records an event, unless events are turned off or one with its id exists. */
export async function insertBillingEvent(db: Db, event: NewBillingEvent): Promise<void> {
  const { id, type, accountId, at, data } = event;
  await sql`insert into billing_events (id, type, account_id, payload, created_at, next_at, attempts)
    select ${id}, ${type}, cast(${accountId} as integer), ${billingPayload(type, at, data)},
      cast(${at} as bigint), cast(${at} as bigint), 0
    from billing_state where enabled = 1
    on conflict (id) do nothing`.execute(db);
}

/** Records an event about an account as it is now, and as it was before if `previous` is given. */
export async function insertAccountEvent(
  db: Db,
  type: Exclude<BillingEventType, 'account.deleted' | 'test'>,
  account: EventAccount,
  { at, id = eventId(), ...more }: { at: Millis; id?: string; previous?: object; usage?: object },
): Promise<void> {
  const data = { ...accountData(await billedAccount(db, account)), ...more };
  await insertBillingEvent(db, { id, type, accountId: account.id, at, data });
}

/**
 * Records that an account is deleted, with its usage of this month and the last for its final
 * invoice. The event outlives the account, so it has the account's id and not its address.
 */
export async function insertDeletionEvent(db: Db, account: EventAccount, at: Millis) {
  const { email: _, ...data } = accountData(await billedAccount(db, account)) as { email: string };
  const usage = await recentMonths(db, account.id, dayOf(at));
  const event = { id: eventId(), type: 'account.deleted', accountId: null, at } as const;
  await insertBillingEvent(db, { ...event, data: { ...data, usage } });
}

function eventId(): string {
  return `evt_${crypto.randomUUID()}`;
}

async function billedAccount(
  db: Db,
  { id, email, plan, limits }: EventAccount,
): Promise<BilledAccount> {
  const { price, daily_requests } = await db
    .selectFrom('plans')
    .select(['price', 'daily_requests'])
    .where('name', '=', plan)
    .executeTakeFirstOrThrow();
  return {
    id,
    email,
    plan,
    price: dollarsFromCents(price as Cents),
    limits,
    dailyRequests: limits?.dailyRequests ?? daily_requests,
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

/** An event to send. */
export interface DueEvent {
  /** The id under which it is sent, at every attempt. */
  readonly id: string;
  /** JSON, as it is sent. */
  readonly payload: string;
  /** How often it was sent, this attempt included. */
  readonly attempts: number;
  readonly createdAt: Millis;
}

/**
 * Takes due events, oldest first, so that no other process takes them before `until`. After that
 * they are due again, unless {@link endBillingAttempt} has ended the attempt.
 */
export async function claimBillingEvents(
  db: Db,
  { now, until, atMost }: { now: Millis; until: Millis; atMost: number },
): Promise<DueEvent[]> {
  const due = db
    .selectFrom('billing_events')
    .select('id')
    .where('next_at', '<=', now)
    .orderBy('next_at')
    .limit(atMost);
  // Usually nothing is due, and looking locks nothing.
  if ((await due.execute()).length === 0) return [];
  const rows = await db
    .updateTable('billing_events')
    .set((row) => ({ next_at: until, attempts: row('attempts', '+', 1) }))
    .where('id', 'in', due)
    // Another process may have taken some of them in the meantime.
    .where('next_at', '<=', now)
    .returning(['id', 'payload', 'attempts', 'created_at'])
    .execute();
  return rows.map(({ created_at: createdAt, ...event }) => ({ ...event, createdAt }));
}

/** How an attempt to deliver an event ended: delivered, to be repeated, or given up. */
export type BillingOutcome =
  | { readonly deliveredAt: Millis }
  | { readonly nextAt: Millis; readonly error: string }
  | { readonly failedAt: Millis; readonly error: string };

export async function endBillingAttempt(
  db: Db,
  id: string,
  outcome: BillingOutcome,
): Promise<void> {
  await db.updateTable('billing_events').set(changeOf(outcome)).where('id', '=', id).execute();
}

function changeOf(outcome: BillingOutcome): Partial<BillingEventRow> {
  if ('deliveredAt' in outcome) {
    return { next_at: null, delivered_at: outcome.deliveredAt, error: null };
  }
  const { error } = outcome;
  if ('nextAt' in outcome) return { next_at: outcome.nextAt, error };
  return { next_at: null, failed_at: outcome.failedAt, error };
}

/** An event that was not delivered. */
export interface UndeliveredEvent extends Omit<DueEvent, 'payload'> {
  /** The body to send, parsed. */
  readonly payload: object;
  readonly type: string;
  /** Null when it will not be sent again. */
  readonly nextAt: Millis | null;
  readonly failedAt: Millis | null;
  /** What went wrong the last time; null before the first attempt. */
  readonly error: string | null;
}

/** Returns the events that were not delivered, oldest first. */
export async function listBillingEvents(db: Db, atMost: number): Promise<UndeliveredEvent[]> {
  const rows = await db
    .selectFrom('billing_events')
    .select(['id', 'type', 'payload', 'attempts', 'error'])
    .select(['created_at as createdAt', 'next_at as nextAt', 'failed_at as failedAt'])
    .where('delivered_at', 'is', null)
    .orderBy('created_at')
    .limit(atMost)
    .execute();
  return rows.map((row) => ({ ...row, payload: PAYLOAD.read(row.payload) }));
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
