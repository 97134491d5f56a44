import { type Kysely, sql } from 'kysely';
import { accountData, type BilledAccount, type BillingEventType } from '../../domain/billing.ts';
import { addDays, type Day, dayOf, formatDay, type Millis, parseMonth } from '../../domain/day.ts';
import { type Cents, dollarsFromCents } from '../../domain/money.ts';
import { eventPayload, RETRY_MS } from '../../domain/webhooks.ts';
import type { AccountDatabase } from '../../store/accounts/schema.ts';
import type { AccountRecord } from '../account-sql.ts';
import { BILLING } from '../webhooks/outbox-sql.ts';

/** SQL of the events for the operator's billing system. */

type Db = Kysely<AccountDatabase>;

/** The facts about an account that an event needs. */
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
  await sql`insert into outbox (id, webhook_id, type, account_id, payload, created_at, retry_until,
      next_at, attempts)
    select ${id}, cast(${BILLING} as integer), ${type}, cast(${accountId} as integer),
      ${eventPayload(type, at, data)}, cast(${at} as bigint), cast(${at + RETRY_MS} as bigint),
      cast(${at} as bigint), 0
    from billing_state where enabled = 1
    on conflict (id) do nothing`.execute(db);
}

/**
 * Records an event about an account in its current state, and also in its state before the change
 * if `previous` is given.
 */
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
