import pLimit from 'p-limit';
import { type Millis, MS_PER_DAY } from '../../domain/day.ts';
import { messageBody, nextAttempt, RETRY_MS, webhookForm } from '../../domain/webhooks.ts';
import type { Store } from '../../store/connect.ts';
import {
  BILLING,
  claimEvent,
  type DueEvent,
  dueWebhooks,
  endAttempt,
  giveUpWaiting,
  hasAccepted,
  isMail,
  moveFormerEvents,
  type Outcome,
  ownerOf,
  trimOutbox,
} from './outbox-sql.ts';
import { reasonOf, type WebhookSender, type WebhookTarget } from './sender.ts';
import { disableWebhook, findWebhook, secretsOf } from './webhook-sql.ts';

/** How often a process looks for events to send, in milliseconds. */
const LOOK_MS = 2000;
/** How long a process keeps an event that it took: longer than it needs to send it. */
const CLAIM_MS = 120_000;
/** How many webhooks a process sends to at the same time. */
const AT_ONCE = 50;
/** How many mails it sends at the same time, because all of them go to one mail server. */
const MAILS_AT_ONCE = 4;
/** How long events are kept, and how many of each webhook. */
const KEPT_MS = RETRY_MS + 7 * MS_PER_DAY;
const KEPT = 10_000;
const TRIM_MS = 3_600_000;
/** The status of a webhook that is gone for good. */
const GONE = 410;

/** A webhook that the service disabled. */
export interface DisabledWebhook {
  readonly accountId: number;
  readonly url: string;
  readonly reason: string;
}

/** What sends the mails in the outbox. */
export interface OutboxMails {
  /** Puts what is due into the outbox. */
  collect(now: Millis): Promise<void>;
  /** Sends a mail to an account. Rejects with {@link MailRefused} if no further attempt can succeed. */
  send(accountId: number, mail: DueEvent): Promise<void>;
}

/** The mail server refused a mail for good. */
export class MailRefused extends Error {}

/** What a delivery works with. */
export interface DeliveryOptions {
  readonly store: Store;
  readonly clock: () => Millis;
  readonly sender: WebhookSender;
  /** The operator's billing system; its events wait while there is none. */
  readonly billing: WebhookTarget | undefined;
  /** Without a mail server, mails wait. */
  readonly mails?: OutboxMails | undefined;
  /** Is called for an event for billing or a mail that is given up, and for failures of the database. */
  onFailure(error: unknown, event?: string): void;
  /** Is called when a webhook was disabled because it accepts nothing. */
  onDisabled(webhook: DisabledWebhook): void;
}

/**
 * Sends waiting events, to each webhook one at a time, so that a slow one delays no other. Several
 * processes can do so at once: each event is taken by one of them at a time.
 */
export class WebhookDelivery {
  readonly #options: DeliveryOptions;
  readonly #limit = pLimit(AT_ONCE);
  readonly #mailLimit = pLimit(MAILS_AT_ONCE);
  /** The webhooks that this process is sending to. */
  readonly #sending = new Map<number, Promise<void>>();
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> | undefined;
  #isClosing = false;
  #trimmedAt: Millis = 0;

  constructor(options: DeliveryOptions) {
    this.#options = options;
  }

  /** Looks for events every two seconds, until {@link close}. */
  start(): void {
    this.#timer ??= setInterval(() => this.look(), LOOK_MS).unref();
  }

  /** Starts to send the events that are due. Never rejects. */
  look(): Promise<void> {
    this.#looking ??= this.#look()
      .catch((error) => this.#options.onFailure(error))
      .finally(() => {
        this.#looking = undefined;
      });
    return this.#looking;
  }

  /** Sends the events that are due, and waits for their answers. */
  async deliver(): Promise<void> {
    await this.look();
    await Promise.all(this.#sending.values());
  }

  /** Stops looking for events, and waits for those that are being sent. */
  async close(): Promise<void> {
    this.#isClosing = true;
    clearInterval(this.#timer);
    await this.#looking;
    await Promise.all(this.#sending.values());
  }

  async #look(): Promise<void> {
    const { store, clock, mails } = this.#options;
    await this.#trim(clock());
    await mails?.collect(clock());
    const due = await dueWebhooks(store.accounts.db, clock());
    for (const webhook of due) {
      if (this.#sending.has(webhook) || this.#mustWait(webhook)) continue;
      const limit = isMail(webhook) ? this.#mailLimit : this.#limit;
      const sending = limit(() => this.#drain(webhook))
        .catch((error) => this.#options.onFailure(error))
        .finally(() => this.#sending.delete(webhook));
      this.#sending.set(webhook, sending);
    }
  }

  /** Whether there is nothing yet that could send the events of a webhook. */
  #mustWait(webhook: number): boolean {
    const { billing, mails } = this.#options;
    return (webhook === BILLING && !billing) || (isMail(webhook) && !mails);
  }

  /** Sends the due events of a webhook until one fails. */
  async #drain(webhook: number): Promise<void> {
    const { store, clock } = this.#options;
    const target = await this.#target(webhook);
    if (!target) {
      const ended = { failedAt: clock(), error: 'the webhook was disabled' };
      return giveUpWaiting(store.accounts.db, webhook, ended);
    }
    while (!this.#isClosing) {
      const now = clock();
      const event = await claimEvent(store.accounts.db, webhook, { now, until: now + CLAIM_MS });
      if (!event || !(await this.#attempt(webhook, target, event))) return;
    }
  }

  /** Returns undefined for a webhook that was deleted or disabled. */
  async #target(webhook: number): Promise<WebhookTarget | OutboxMails | undefined> {
    const { store, billing, mails, clock } = this.#options;
    if (webhook === BILLING) return billing;
    if (isMail(webhook)) return mails;
    const found = await findWebhook(store.accounts.db, webhook);
    if (!found || found.disabledAt !== null) return undefined;
    return { url: found.url, secrets: secretsOf(found, clock()), isTrusted: false };
  }

  /** Sends an event; returns whether it was accepted. */
  async #attempt(
    webhook: number,
    target: WebhookTarget | OutboxMails,
    event: DueEvent,
  ): Promise<boolean> {
    const { store } = this.#options;
    const { outcome, isGone } =
      'url' in target
        ? await this.#send(target, event)
        : await this.#mail(target, ownerOf(webhook), event);
    await endAttempt(store.accounts.db, event.id, outcome);
    if ('failedAt' in outcome) await this.#givenUp(webhook, event, outcome.error, isGone);
    return 'deliveredAt' in outcome;
  }

  async #send(target: WebhookTarget, event: DueEvent) {
    const { sender, clock } = this.#options;
    const body = messageBody(webhookForm(target.url), event);
    try {
      const { status, retryAfterMs } = await sender.send(target, { id: event.id, body }, clock());
      if (status >= 200 && status < 300)
        return { outcome: { deliveredAt: clock() }, isGone: false };
      const isGone = status === GONE && !target.isTrusted;
      const error = `answered ${status}`;
      return { outcome: this.#failed(event, error, isGone ? null : retryAfterMs), isGone };
    } catch (error) {
      return { outcome: this.#failed(event, reasonOf(error), 0), isGone: false };
    }
  }

  async #mail(mails: OutboxMails, accountId: number, event: DueEvent) {
    try {
      await mails.send(accountId, event);
      return { outcome: { deliveredAt: this.#options.clock() }, isGone: false };
    } catch (error) {
      const isRefused = error instanceof MailRefused;
      const reason = error instanceof Error ? error.message : String(error);
      return { outcome: this.#failed(event, reason, isRefused ? null : 0), isGone: false };
    }
  }

  /** @param retryAfterMs The pause that the webhook demands; null if it wants no more. */
  #failed(event: DueEvent, error: string, retryAfterMs: Millis | null): Outcome {
    const now = this.#options.clock();
    const nextAt = retryAfterMs === null ? undefined : nextAttempt({ ...event, retryAfterMs }, now);
    return nextAt === undefined ? { failedAt: now, error } : { nextAt, error };
  }

  /** Disables the webhook of an account, unless it accepted another event since. */
  async #givenUp(webhook: number, event: DueEvent, error: string, isGone: boolean): Promise<void> {
    const { store, clock, onFailure, onDisabled } = this.#options;
    if (webhook === BILLING || isMail(webhook)) return onFailure(new Error(error), event.id);
    const { db } = store.accounts;
    if (!isGone && (await hasAccepted(db, webhook, event.createdAt))) return;
    const reason = isGone ? error : `nothing was accepted for three days: ${error}`;
    const disabled = await disableWebhook(db, webhook, { at: clock(), reason });
    await giveUpWaiting(db, webhook, { failedAt: clock(), error: 'the webhook was disabled' });
    if (disabled) onDisabled({ ...disabled, reason });
  }

  /**
   * Deletes old events, once an hour. Delivered ones stay as long as their ids could come again.
   */
  async #trim(now: Millis): Promise<void> {
    if (Math.abs(now - this.#trimmedAt) < TRIM_MS) return;
    this.#trimmedAt = now;
    const { db } = this.#options.store.accounts;
    await moveFormerEvents(db);
    await trimOutbox(db, now - KEPT_MS, KEPT);
  }
}
