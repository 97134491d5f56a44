import { type Kysely, type Selectable, sql } from 'kysely';
import { Type } from 'typebox';
import type { Millis } from '../../domain/day.ts';
import {
  eventPayload,
  type PublishedPrices,
  RETRY_MS,
  type WebhookEventType,
} from '../../domain/webhooks.ts';
import { jsonColumn } from '../../lib/json-column.ts';
import type { AccountDatabase, WebhookRow } from '../../store/accounts/schema.ts';
import { writeInChunks } from '../../store/engine/paging.ts';

/** SQL of the webhooks of accounts. */

type Db = Kysely<AccountDatabase>;

const EVENTS = jsonColumn<readonly WebhookEventType[]>(
  'webhooks.events',
  Type.Array(Type.String()),
);

/** A webhook as stored in the database. */
export interface WebhookRecord {
  readonly id: number;
  readonly accountId: number;
  readonly url: string;
  readonly events: readonly WebhookEventType[];
  readonly secret: string;
  readonly previousSecret: string | null;
  readonly previousUntil: Millis | null;
  readonly createdAt: Millis;
  readonly disabledAt: Millis | null;
  readonly disabledReason: string | null;
}

function webhookRecord(row: Selectable<WebhookRow>): WebhookRecord {
  return {
    id: row.id,
    accountId: row.account_id,
    url: row.url,
    events: EVENTS.read(row.events),
    secret: row.secret,
    previousSecret: row.previous_secret,
    previousUntil: row.previous_until,
    createdAt: row.created_at,
    disabledAt: row.disabled_at,
    disabledReason: row.disabled_reason,
  };
}

/** Returns the secrets that sign now, newest first. */
export function secretsOf(webhook: WebhookRecord, now: Millis): readonly string[] {
  const { secret, previousSecret, previousUntil } = webhook;
  const isRotating = previousSecret !== null && previousUntil !== null && now < previousUntil;
  return isRotating ? [secret, previousSecret] : [secret];
}

export async function insertWebhook(
  db: Db,
  {
    accountId,
    url,
    events,
    secret,
    createdAt,
  }: Pick<WebhookRecord, 'accountId' | 'url' | 'events' | 'secret' | 'createdAt'>,
): Promise<WebhookRecord> {
  const row = await db
    .insertInto('webhooks')
    .values({
      account_id: accountId,
      url,
      events: EVENTS.write(events),
      secret,
      previous_secret: null,
      previous_until: null,
      created_at: createdAt,
      disabled_at: null,
      disabled_reason: null,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  return webhookRecord(row);
}

/** Returns the webhooks of an account, oldest first. */
export async function listWebhooks(db: Db, accountId: number): Promise<WebhookRecord[]> {
  const rows = await db
    .selectFrom('webhooks')
    .selectAll()
    .where('account_id', '=', accountId)
    .orderBy('id')
    .execute();
  return rows.map(webhookRecord);
}

export async function findWebhook(db: Db, id: number): Promise<WebhookRecord | undefined> {
  const row = await db.selectFrom('webhooks').selectAll().where('id', '=', id).executeTakeFirst();
  return row && webhookRecord(row);
}

/** Replaces the secret of a webhook. The previous one also signs until `previousUntil`. */
export async function replaceSecret(
  db: Db,
  id: number,
  { secret, previousUntil }: { secret: string; previousUntil: Millis },
): Promise<void> {
  await db
    .updateTable('webhooks')
    .set((webhook) => ({
      secret,
      previous_secret: webhook.ref('secret'),
      previous_until: previousUntil,
    }))
    .where('id', '=', id)
    .execute();
}

/** Disables a webhook. Returns it; undefined if it was already disabled or deleted. */
export async function disableWebhook(
  db: Db,
  id: number,
  { at, reason }: { at: Millis; reason: string | null },
): Promise<WebhookRecord | undefined> {
  const row = await db
    .updateTable('webhooks')
    .set({ disabled_at: at, disabled_reason: reason })
    .where('id', '=', id)
    .where('disabled_at', 'is', null)
    .returningAll()
    .executeTakeFirst();
  return row && webhookRecord(row);
}

export async function enableWebhook(db: Db, id: number): Promise<void> {
  const enabled = { disabled_at: null, disabled_reason: null };
  await db.updateTable('webhooks').set(enabled).where('id', '=', id).execute();
}

/** Deletes a webhook with its events. */
export async function deleteWebhook(db: Db, id: number): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    await transaction.deleteFrom('outbox').where('webhook_id', '=', id).execute();
    await transaction.deleteFrom('webhooks').where('id', '=', id).execute();
  });
}

/** Puts a test event for a webhook into the outbox. */
export async function insertTest(
  db: Db,
  { id, accountId }: Pick<WebhookRecord, 'id' | 'accountId'>,
  at: Millis,
): Promise<void> {
  await db
    .insertInto('outbox')
    .values({
      id: `test_${crypto.randomUUID()}`,
      webhook_id: id,
      type: 'test',
      account_id: accountId,
      payload: eventPayload('test', at, {}),
      created_at: at,
      retry_until: at + RETRY_MS,
      next_at: at,
      attempts: 0,
    })
    .execute();
}

/**
 * Puts a publication into the outbox, once for each webhook that wants it. Webhooks get no
 * publications from before their creation.
 */
export async function insertPublished(
  db: Db,
  publication: { readonly id: string; readonly publishedAt: Millis },
  data: PublishedPrices,
  at: Millis,
): Promise<void> {
  const type: WebhookEventType = 'prices.published';
  const payload = eventPayload(type, publication.publishedAt, data);
  await sql`insert into outbox (id, webhook_id, type, account_id, payload, created_at, retry_until,
      next_at, attempts)
    select cast(${`${publication.id}_`} as text) || webhooks.id, webhooks.id, ${type}, account_id,
      ${payload}, cast(${at} as bigint), cast(${at + RETRY_MS} as bigint), cast(${at} as bigint), 0
    from webhooks inner join accounts on accounts.id = webhooks.account_id
    where webhooks.disabled_at is null and accounts.disabled_at is null
      and events like ${`%"${type}"%`} and webhooks.created_at <= cast(${publication.publishedAt} as bigint)
    on conflict (id) do nothing`.execute(db);
}

/** An event of an account, for its webhooks. */
export interface AccountEvent {
  readonly id: string;
  readonly accountId: number;
  /** When it is recorded, and when it happened. */
  readonly at: Millis;
  readonly happenedAt: Millis;
  readonly data: object;
}

/** Puts events into the outbox, each once for every webhook of its account that wants them. */
export async function insertForWebhooks(
  db: Db,
  type: WebhookEventType,
  events: readonly AccountEvent[],
): Promise<void> {
  const accounts = [...new Set(events.map(({ accountId }) => accountId))];
  const rows = await db
    .selectFrom('webhooks')
    .select(['id', 'account_id'])
    .where('account_id', 'in', accounts)
    .where('disabled_at', 'is', null)
    .where('events', 'like', `%"${type}"%`)
    .execute();
  const webhooks = Map.groupBy(rows, ({ account_id }) => account_id);
  const waiting = events.flatMap(({ id, accountId, at, happenedAt, data }) => {
    const payload = eventPayload(type, happenedAt, data);
    return (webhooks.get(accountId) ?? []).map((webhook) => ({
      ...{
        id: `${id}_${webhook.id}`,
        webhook_id: webhook.id,
        type,
        account_id: accountId,
        payload,
      },
      created_at: at,
      retry_until: at + RETRY_MS,
      next_at: at,
      attempts: 0,
    }));
  });
  await writeInChunks(waiting, (chunk) => db.insertInto('outbox').values(chunk).execute());
}
