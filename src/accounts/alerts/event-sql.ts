import type { Kysely, Selectable } from 'kysely';
import { mailAt } from '../../domain/alert-mails.ts';
import {
  type AlertLine,
  type AlertMail,
  type AlertRule,
  alertPayload,
} from '../../domain/alerts.ts';
import type { Millis } from '../../domain/day.ts';
import type { Cents } from '../../domain/money.ts';
import type { AccountDatabase, AlertEventRow } from '../../store/accounts/schema.ts';
import { writeInChunks } from '../../store/engine/paging.ts';
import { insertForWebhooks } from '../webhooks/webhook-sql.ts';
import { alertLine } from './alert-sql.ts';

/** SQL of what alerts have fired. */

type Db = Kysely<AccountDatabase>;

/** An event of an alert: one of its lines fired. */
export interface AlertEvent extends AlertLine {
  readonly id: string;
  readonly alertId: number;
  readonly accountId: number;
  /** When it was recorded. */
  readonly at: Millis;
  /** When the price was published. */
  readonly publishedAt: Millis;
  readonly publication: { readonly revision: number; readonly id: string };
  /** Null for a first price. */
  readonly before: Cents | null;
  readonly after: Cents;
}

/** An event to record, with the data for its receivers. */
export interface FiredEvent extends AlertEvent {
  readonly rule: AlertRule;
  /** The name of the alert; empty without one. */
  readonly name: string;
  readonly mail: AlertMail;
  readonly cardName: string;
  /** The cursor at which the changes after its publication begin, for `/v1/changes`. */
  readonly cursor: string;
}

/**
 * Records events in the log, and for the webhooks that want them. Call it in the transaction that
 * judges the prices.
 */
export async function recordEvents(db: Db, events: readonly FiredEvent[]): Promise<void> {
  if (events.length === 0) return;
  await writeInChunks(events.map(eventRow), (rows) => {
    return db.insertInto('alert_events').values(rows).execute();
  });
  await insertForWebhooks(
    db,
    'alert.fired',
    events.map((event) => {
      const { id, accountId, at, publishedAt } = event;
      return { id, accountId, at, happenedAt: publishedAt, data: alertPayload(event) };
    }),
  );
}

function eventRow({ alertId, accountId, publishedAt, publication, mail, ...event }: FiredEvent) {
  const { id, at, card, printing, copy, before, after } = event;
  return {
    id,
    at,
    card,
    printing,
    copy,
    before,
    after,
    alert_id: alertId,
    account_id: accountId,
    published_at: publishedAt,
    publication: publication.revision,
    publication_id: publication.id,
    mail_at: mailAt(mail, at),
  } satisfies AlertEventRow;
}

function eventOf(row: Selectable<AlertEventRow>): AlertEvent {
  return {
    ...alertLine(row),
    id: row.id,
    alertId: row.alert_id,
    accountId: row.account_id,
    at: row.at,
    publishedAt: row.published_at,
    publication: { revision: row.publication, id: row.publication_id },
    before: row.before as Cents | null,
    after: row.after as Cents,
  };
}

/** Which events to list. */
export interface ListedEvents {
  /** Only those of one alert. */
  readonly alert?: number | undefined;
  readonly limit: number;
  /** The id of the last event of the previous page. */
  readonly after?: string | undefined;
}

/** Returns what the alerts of an account have fired, newest first. */
export async function listEvents(
  db: Db,
  accountId: number,
  { alert, limit, after }: ListedEvents,
): Promise<AlertEvent[]> {
  const last = after === undefined ? undefined : await findEvent(db, accountId, after);
  const rows = await db
    .selectFrom('alert_events')
    .selectAll()
    .where('account_id', '=', accountId)
    .$if(alert !== undefined, (query) => query.where('alert_id', '=', alert ?? 0))
    .$if(last !== undefined, (query) =>
      query.where(({ eb, and, or }) =>
        or([
          eb('at', '<', last?.at ?? 0),
          and([eb('at', '=', last?.at ?? 0), eb('id', '<', last?.id ?? '')]),
        ]),
      ),
    )
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
  return rows.map(eventOf);
}

async function findEvent(db: Db, accountId: number, id: string) {
  const row = await db
    .selectFrom('alert_events')
    .selectAll()
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  return row && eventOf(row);
}

/** Deletes events from before a moment. */
export async function trimEvents(db: Db, before: Millis): Promise<void> {
  await db.deleteFrom('alert_events').where('at', '<', before).execute();
}
