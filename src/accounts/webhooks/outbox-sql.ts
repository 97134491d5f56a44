import { type Kysely, sql } from 'kysely';
import { Type } from 'typebox';
import type { Millis } from '../../domain/day.ts';
import { type Attempt, RETRY_MS } from '../../domain/webhooks.ts';
import { jsonColumn } from '../../lib/json-column.ts';
import type { AccountDatabase, OutboxRow } from '../../store/accounts/schema.ts';

/** SQL of the outbox: waiting and delivered events for webhooks. */

/** The database of the outbox. */
export type OutboxDb = Kysely<AccountDatabase>;
type Db = OutboxDb;

/** The webhook id of the operator's billing system. Webhooks of accounts have row ids from 1. */
export const BILLING = 0;

/** Returns the webhook id for the mails of an account: a negative number. */
export function mailsOf(accountId: number): number {
  return -accountId;
}

/** Returns the account whose mails a webhook id means. */
export function ownerOf(mails: number): number {
  return -mails;
}

/** Whether a webhook id means the mails of an account. */
export function isMail(webhook: number): boolean {
  return webhook < 0;
}

const PAYLOAD = jsonColumn<object>('outbox.payload', Type.Object({}));

const LOG = jsonColumn<readonly Attempt[]>(
  'outbox.log',
  Type.Array(Type.Object({ at: Type.Number(), durationMs: Type.Number() })),
);

/** Attempts kept in the log of an event. */
const LOGGED = 20;

/** An event to send. */
export interface DueEvent {
  /** The id sent with every attempt. */
  readonly id: string;
  readonly type: string;
  /** JSON, exactly as sent. */
  readonly payload: string;
  /** The number of attempts, including this one. */
  readonly attempts: number;
  readonly createdAt: Millis;
  readonly retryUntil: Millis;
  /** The attempts before this one, oldest first. */
  readonly log: readonly Attempt[];
  /** The moment until which no other process takes the event. */
  readonly claimedUntil: Millis;
}

/**
 * Returns the webhooks with due events. Steps through the index from webhook to webhook, so a long
 * queue costs no more than a short one.
 */
export async function dueWebhooks(db: Db, now: Millis): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`with recursive waiting (id) as (
      select min(webhook_id) from outbox where next_at is not null
      union all
      select (select min(webhook_id) from outbox where next_at is not null and webhook_id > waiting.id)
      from waiting where waiting.id is not null)
    select id from waiting where exists (
      select 1 from outbox where webhook_id = waiting.id and next_at <= cast(${now} as bigint))`.execute(
    db,
  );
  return rows.map(({ id }) => id);
}

/**
 * Takes the oldest due events of a webhook, and keeps other processes from taking them before
 * `until`. After that they are due again, unless {@link endAttempts} or {@link releaseEvents} was
 * called.
 */
export async function claimEvents(
  db: Db,
  webhook: number,
  { now, until, most }: { now: Millis; until: Millis; most: number },
): Promise<DueEvent[]> {
  const oldest = db
    .selectFrom('outbox')
    .select('id')
    .where('webhook_id', '=', webhook)
    .where('next_at', '<=', now)
    .orderBy('next_at')
    .orderBy('id')
    .limit(most);
  const rows = await db
    .updateTable('outbox')
    .set((event) => ({ next_at: until, attempts: event('attempts', '+', 1) }))
    .where('id', 'in', oldest)
    // Another process may have just taken them.
    .where('next_at', '<=', now)
    .returning(['id', 'type', 'payload', 'attempts', 'log'])
    .returning(['created_at as createdAt', 'retry_until as retryUntil'])
    .execute();
  return rows
    .sort((one, other) => one.createdAt - other.createdAt)
    .map((row) => ({ ...row, log: LOG.read(row.log) ?? [], claimedUntil: until }));
}

/** Releases events that were taken but not sent. */
export async function releaseEvents(
  db: Db,
  events: readonly Pick<DueEvent, 'id' | 'claimedUntil'>[],
  now: Millis,
): Promise<void> {
  const [first] = events;
  if (!first) return;
  const ids = events.map(({ id }) => id);
  await db
    .updateTable('outbox')
    .set((event) => ({ next_at: now, attempts: event('attempts', '-', 1) }))
    .where('id', 'in', ids)
    .where('next_at', '=', first.claimedUntil)
    .execute();
}

/** The outcome of an attempt to deliver an event: delivered, to be repeated, or given up. */
export type Outcome =
  | { readonly deliveredAt: Millis }
  | { readonly nextAt: Millis; readonly error: string }
  | { readonly failedAt: Millis; readonly error: string };

/** An attempt that ended. */
export interface EndedAttempt {
  readonly event: Pick<DueEvent, 'id' | 'log' | 'claimedUntil'>;
  readonly attempt: Attempt;
  readonly outcome: Outcome;
}

/**
 * Records the outcomes of attempts. Ignores a failure if another process has taken the event since,
 * or if somebody has sent it again.
 */
export async function endAttempts(db: Db, ended: readonly EndedAttempt[]): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    for (const { event, attempt, outcome } of ended) {
      const log = LOG.write([...event.log, attempt].slice(-LOGGED));
      await transaction
        .updateTable('outbox')
        .set({ ...changeOf(outcome), log })
        .where('id', '=', event.id)
        .$if(!('deliveredAt' in outcome), (update) => {
          return update.where('next_at', '=', event.claimedUntil);
        })
        .execute();
    }
  });
}

function changeOf(outcome: Outcome): Partial<OutboxRow> {
  if ('deliveredAt' in outcome) {
    return { next_at: null, delivered_at: outcome.deliveredAt, failed_at: null, error: null };
  }
  const { error } = outcome;
  if ('nextAt' in outcome) return { next_at: outcome.nextAt, error };
  return { next_at: null, failed_at: outcome.failedAt, error };
}

/** An event in the outbox. */
export interface OutboxEvent extends Omit<DueEvent, 'payload' | 'claimedUntil'> {
  /** The body to send, parsed. */
  readonly payload: object;
  /** Null if it will not be sent again. */
  readonly nextAt: Millis | null;
  readonly deliveredAt: Millis | null;
  readonly failedAt: Millis | null;
  /** The last error; null before the first attempt. */
  readonly error: string | null;
}

/** Returns the events that were not delivered to the billing system, oldest first. */
export async function listUndelivered(db: Db, atMost: number): Promise<OutboxEvent[]> {
  const rows = await eventsOf(db, BILLING)
    .where('delivered_at', 'is', null)
    .orderBy('created_at')
    .limit(atMost)
    .execute();
  return rows.map(outboxEvent);
}

/** Returns the newest events of a webhook, newest first. */
export async function listNewest(db: Db, webhook: number, atMost: number): Promise<OutboxEvent[]> {
  const newest = eventsOf(db, webhook).orderBy('created_at', 'desc').orderBy('id').limit(atMost);
  return (await newest.execute()).map(outboxEvent);
}

function eventsOf(db: Db, webhook: number) {
  return db
    .selectFrom('outbox')
    .select(['id', 'type', 'payload', 'attempts', 'error', 'log'])
    .select(['created_at as createdAt', 'retry_until as retryUntil', 'next_at as nextAt'])
    .select(['delivered_at as deliveredAt', 'failed_at as failedAt'])
    .where('webhook_id', '=', webhook);
}

function outboxEvent({
  payload,
  log,
  ...row
}: Omit<OutboxEvent, 'payload' | 'log'> & { payload: string; log: string | null }): OutboxEvent {
  return { ...row, payload: PAYLOAD.read(payload), log: LOG.read(log) ?? [] };
}

/** Sends an event of a webhook again, as if it were new. Returns whether there is such an event. */
export async function sendAgain(
  db: Db,
  { id, webhook }: { id: string; webhook: number },
  now: Millis,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('outbox')
    .set({ next_at: now, retry_until: now + RETRY_MS, attempts: 0, failed_at: null, error: null })
    .where('id', '=', id)
    .where('webhook_id', '=', webhook)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Gives up all waiting events of a webhook. */
export async function giveUpWaiting(
  db: Db,
  webhook: number,
  { failedAt, error }: { failedAt: Millis; error: string },
): Promise<void> {
  await db
    .updateTable('outbox')
    .set({ next_at: null, failed_at: failedAt, error })
    .where('webhook_id', '=', webhook)
    .where('next_at', 'is not', null)
    .execute();
}

/** Counts the events that wait to be sent to a webhook. */
export async function countWaiting(db: Db, webhook: number): Promise<number> {
  const { count } = await db
    .selectFrom('outbox')
    .select(({ fn }) => fn.countAll<number | string>().as('count'))
    .where('webhook_id', '=', webhook)
    .where('next_at', 'is not', null)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Whether a webhook has accepted an event since a moment. */
export async function hasAccepted(db: Db, webhook: number, since: Millis): Promise<boolean> {
  const row = await db
    .selectFrom('outbox')
    .select('id')
    .where('webhook_id', '=', webhook)
    .where('delivered_at', '>=', since)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Deletes events from before a moment, and events that no longer wait and are not among the newest
 * `most` of their webhook.
 */
export async function trimOutbox(db: Db, before: Millis, most: number): Promise<void> {
  await db.deleteFrom('outbox').where('created_at', '<', before).execute();
  const crowded = await db
    .selectFrom('outbox')
    .select('webhook_id')
    .groupBy('webhook_id')
    .having(({ fn }) => fn.countAll(), '>', most)
    .execute();
  for (const { webhook_id } of crowded) await trimWebhook(db, webhook_id, most);
}

async function trimWebhook(db: Db, webhook: number, most: number): Promise<void> {
  const oldest = db
    .selectFrom('outbox')
    .select('created_at')
    .where('webhook_id', '=', webhook)
    .orderBy('created_at', 'desc')
    .offset(most)
    .limit(1);
  await db
    .deleteFrom('outbox')
    .where('webhook_id', '=', webhook)
    .where('created_at', '<=', oldest)
    .where('next_at', 'is', null)
    .execute();
}

/** Moves billing events that processes of an earlier release recorded to the outbox. */
export async function moveFormerEvents(db: Db): Promise<void> {
  await sql`insert into outbox (id, webhook_id, type, account_id, payload, created_at, retry_until,
      next_at, attempts, delivered_at, failed_at, error)
    select id, cast(${BILLING} as integer), type, account_id, payload, created_at,
      created_at + cast(${RETRY_MS} as bigint), next_at, attempts, delivered_at, failed_at, error
    from billing_events where true
    on conflict (id) do nothing`.execute(db);
  const moved = db.selectFrom('outbox').select('id');
  await db.deleteFrom('billing_events').where('id', 'in', moved).execute();
}
