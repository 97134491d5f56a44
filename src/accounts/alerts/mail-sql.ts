import type { Kysely } from 'kysely';
import type { AlertLine, AlertMail, AlertRule } from '../../domain/alerts.ts';
import { type Millis, MS_PER_DAY } from '../../domain/day.ts';
import type { Cents } from '../../domain/money.ts';
import { RETRY_MS } from '../../domain/webhooks.ts';
import type { AccountDatabase } from '../../store/accounts/schema.ts';
import { lockAccount } from '../account-sql.ts';
import { mailsOf } from '../webhooks/outbox-sql.ts';

/** SQL of the mails of alerts. */

type Db = Kysely<AccountDatabase>;

/** The type of their rows in the outbox. */
export const ALERT_MAIL = 'alert.mail';

/** The most events that a mail lists. */
const LISTED = 50;

/** The most accounts whose mails are put into the outbox at once. */
const ACCOUNTS_AT_ONCE = 200;

/** Older events are no longer mailed: the mail server was missing, or nobody sent for days. */
const STALE_MS = RETRY_MS + MS_PER_DAY;

/** The content of a row in the outbox. */
export interface QueuedMail {
  /** The ids of the events to list. */
  readonly events: readonly string[];
  /** The number of further events. */
  readonly more: number;
}

/**
 * Puts the events that are due for mailing into the outbox, grouped by account. Does nothing while
 * a publication is being judged, so a mail has all of its events.
 */
export async function queueMails(db: Db, now: Millis): Promise<void> {
  if (await isJudging(db)) return;
  const accounts = await db
    .selectFrom('alert_events')
    .select('account_id')
    .distinct()
    .where('mail_at', '<=', now)
    .limit(ACCOUNTS_AT_ONCE)
    .execute();
  for (const { account_id } of accounts) {
    await db.transaction().execute((transaction) => queueMail(transaction, account_id, now));
  }
}

async function isJudging(db: Db): Promise<boolean> {
  const row = await db
    .selectFrom('alert_progress')
    .select('id')
    .where('place', 'is not', null)
    .executeTakeFirst();
  return row !== undefined;
}

/** Takes the events of an account, which only one process can do at a time. */
async function queueMail(transaction: Db, accountId: number, now: Millis): Promise<void> {
  await lockAccount(transaction, accountId);
  const taken = await transaction
    .updateTable('alert_events')
    .set({ mail_at: null })
    .where('account_id', '=', accountId)
    .where('mail_at', '<=', now)
    .returning(['id', 'at'])
    .execute();
  const ids = taken.filter(({ at }) => at > now - STALE_MS).map(({ id }) => id);
  if (ids.length === 0) return;
  const mail: QueuedMail = {
    events: ids.slice(0, LISTED),
    more: Math.max(0, ids.length - LISTED),
  };
  await transaction
    .insertInto('outbox')
    .values({
      id: `mail_${crypto.randomUUID()}`,
      webhook_id: mailsOf(accountId),
      type: ALERT_MAIL,
      account_id: accountId,
      payload: JSON.stringify(mail),
      created_at: now,
      retry_until: now + RETRY_MS,
      next_at: now,
      attempts: 0,
    })
    .execute();
}

/** An event as a mail describes it. */
export interface MailedEvent extends AlertLine {
  readonly alertId: number;
  /** The name of the alert; empty without one. */
  readonly name: string;
  readonly rule: AlertRule;
  readonly publishedAt: Millis;
  readonly before: Cents | null;
  readonly after: Cents;
}

/** Returns the events of an account whose alerts still want mails, oldest first. */
export async function mailedEvents(
  db: Db,
  accountId: number,
  ids: readonly string[],
): Promise<MailedEvent[]> {
  if (ids.length === 0) return [];
  const rows = await db
    .selectFrom('alert_events')
    .innerJoin('alerts', 'alerts.id', 'alert_events.alert_id')
    .select(['alerts.id as alertId', 'name', 'kind', 'amount', 'percent', 'days'])
    .select(['card', 'printing', 'copy', 'before', 'after', 'published_at as publishedAt'])
    .where('alert_events.id', 'in', [...ids])
    .where('alerts.account_id', '=', accountId)
    .where('mail', '!=', 'off')
    .orderBy('alert_events.at')
    .orderBy('alert_events.id')
    .execute();
  return rows.map(({ kind, amount, percent, days, ...event }) => {
    return { ...event, rule: { kind, amount, percent, days } } as MailedEvent;
  });
}

/** Ends the mails of an alert, or of all alerts of an account if `alertId` is null. */
export async function stopMails(
  db: Db,
  { accountId, alertId }: { readonly accountId: number; readonly alertId: number | null },
): Promise<void> {
  const off: AlertMail = 'off';
  const change = db.updateTable('alerts').set({ mail: off }).where('account_id', '=', accountId);
  await (alertId === null ? change : change.where('id', '=', alertId)).execute();
}

/** Returns the key that signs unsubscribe links. */
export async function readMailKey(db: Db): Promise<string> {
  const { secret } = await db.selectFrom('mail_key').select('secret').executeTakeFirstOrThrow();
  return secret;
}
