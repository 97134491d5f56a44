import { Type } from 'typebox';
import type { Millis } from '../../domain/day.ts';
import { parseEmail } from '../../lib/email.ts';
import { jsonColumn } from '../../lib/json-column.ts';
import type { Store } from '../../store/connect.ts';
import { findAccountById } from '../account-sql.ts';
import type { OutboxMails } from '../webhooks/attempt.ts';
import type { DueEvent } from '../webhooks/outbox-sql.ts';
import { type MailedEvent, mailedEvents, type QueuedMail, queueMails } from './mail-sql.ts';
import { Unsubscribing } from './unsubscribing.ts';

/** A mail to the owner of alerts that fired. */
export interface AlertNews {
  /** The id of the mail, the same for every attempt. */
  readonly id: string;
  readonly to: string;
  /** The events that it lists; at least one. */
  readonly events: readonly MailedEvent[];
  /** The number of events that it does not list. */
  readonly more: number;
  /** The token that ends the mails of its alert, or of all alerts if it has several. */
  readonly token: string;
}

const QUEUED = jsonColumn<QueuedMail>(
  'outbox.payload',
  Type.Object({ events: Type.Array(Type.String()), more: Type.Integer() }),
);

/** The mails of alerts, as the outbox sends them. */
export class AlertMails implements OutboxMails {
  readonly #store: Store;
  readonly #unsubscribing: Unsubscribing;
  readonly #post: (news: AlertNews) => Promise<void>;

  /** @param post Sends a mail. */
  constructor(store: Store, post: (news: AlertNews) => Promise<void>) {
    this.#store = store;
    this.#unsubscribing = new Unsubscribing(store);
    this.#post = post;
  }

  collect(now: Millis): Promise<void> {
    return queueMails(this.#store.accounts.db, now);
  }

  /** Sends nothing if the alerts are gone or their owner wants no more mails. */
  async send(accountId: number, { id, payload }: DueEvent): Promise<void> {
    const { db } = this.#store.accounts;
    const account = await findAccountById(db, accountId);
    if (!account || account.disabledAt !== null) return;
    const to = parseEmail(account.email);
    if (to === undefined) return;
    const queued = QUEUED.read(payload);
    const events = await mailedEvents(db, account.id, queued.events);
    const [first] = events;
    if (!first) return;
    const isOne = queued.more === 0 && events.every(({ alertId }) => alertId === first.alertId);
    const subscription = { accountId: account.id, alertId: isOne ? first.alertId : null };
    const token = await this.#unsubscribing.tokenOf(subscription);
    await this.#post({ id, to, events, more: queued.more, token });
  }
}
