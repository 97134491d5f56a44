import pLimit from 'p-limit';
import { type Millis, MS_PER_DAY } from '../../domain/day.ts';
import { RETRY_MS } from '../../domain/webhooks.ts';
import type { Store } from '../../store/connect.ts';
import { type Ended, mailOnce, type OutboxMails, sendOnce } from './attempt.ts';
import {
  BILLING,
  claimEvents,
  type DueEvent,
  dueWebhooks,
  giveUpWaiting,
  hasAccepted,
  isMail,
  moveFormerEvents,
  ownerOf,
  releaseEvents,
  trimOutbox,
} from './outbox-sql.ts';
import { Outcomes } from './outcomes.ts';
import { Pace } from './pace.ts';
import type { WebhookSender, WebhookTarget } from './sender.ts';
import { disableWebhook, findWebhook, secretsOf } from './webhook-sql.ts';

/** Interval at which a process looks for events to send, in milliseconds. */
const LOOK_MS = 2000;
/**
 * How long a process reserves the events that it took: longer than a turn, whose last mail takes up
 * to 30 s.
 */
const CLAIM_MS = 60_000;
/** Webhooks that a process sends to at the same time, and additional places for suspect ones. */
const AT_ONCE = 50;
const SUSPECT_AT_ONCE = 10;
/** Mails sent at the same time: few, because all go to one mail server. */
const MAILS_AT_ONCE = 4;
/**
 * The number of events, or milliseconds, after which a busy webhook lets another have its place.
 */
const TURN = 20;
const TURN_MS = 5000;
/** How long events are kept, and how many for each webhook. */
const KEPT_MS = RETRY_MS + 7 * MS_PER_DAY;
const KEPT = 10_000;
const TRIM_MS = 3_600_000;

/** A webhook that the service disabled. */
export interface DisabledWebhook {
  readonly accountId: number;
  readonly url: string;
  readonly reason: string;
}

/** The dependencies of a delivery. */
export interface DeliveryOptions {
  readonly store: Store;
  readonly clock: () => Millis;
  readonly sender: WebhookSender;
  /** The operator's billing system; its events wait while there is none. */
  readonly billing: WebhookTarget | undefined;
  /** Without a mail server, mails wait. */
  readonly mails?: OutboxMails | undefined;
  /** Called when an event for billing or a mail is given up, and for failures of the database. */
  onFailure(error: unknown, event?: string): void;
  /** Called when a webhook was disabled because it accepts nothing. */
  onDisabled(webhook: DisabledWebhook): void;
}

/**
 * Sends waiting events, one at a time to each webhook, so a slow webhook delays no other. Webhooks
 * take turns; suspect ones share a few separate places. Several processes can send at once: only
 * one takes an event at a time.
 */
export class WebhookDelivery {
  readonly #options: DeliveryOptions;
  readonly #limit = pLimit(AT_ONCE);
  readonly #suspectLimit = pLimit(SUSPECT_AT_ONCE);
  readonly #mailLimit = pLimit(MAILS_AT_ONCE);
  readonly #pace = new Pace();
  readonly #outcomes: Outcomes;
  /** The webhooks that this process is sending to. */
  readonly #sending = new Map<number, Promise<void>>();
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> | undefined;
  #isClosing = false;
  #trimmedAt: Millis = 0;

  constructor(options: DeliveryOptions) {
    this.#options = options;
    this.#outcomes = new Outcomes(options.store.accounts.db, options.onFailure);
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

  /** Stops looking for events, and waits for events that are being sent. */
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
      const sending = this.#serve(webhook)
        .catch((error) => this.#options.onFailure(error))
        .finally(() => this.#sending.delete(webhook));
      this.#sending.set(webhook, sending);
    }
  }

  /** Whether a webhook is paused, or none of its events could be sent. */
  #mustWait(webhook: number): boolean {
    const { billing, mails, clock } = this.#options;
    if ((webhook === BILLING && !billing) || (isMail(webhook) && !mails)) return true;
    return this.#isClosing || this.#pace.isPaused(webhook, clock());
  }

  /** Sends the due events of a webhook, turn by turn. */
  async #serve(webhook: number): Promise<void> {
    for (let isMore = true; isMore; ) isMore = await this.#takeTurn(webhook);
  }

  #takeTurn(webhook: number): Promise<boolean> {
    const isSuspect = this.#pace.isSuspect(webhook);
    const limit = isSuspect ? this.#suspectLimit : this.#limit;
    return (isMail(webhook) ? this.#mailLimit : limit)(() => this.#sendDue(webhook));
  }

  /** Sends due events until the turn is over. Returns whether more may be sent. */
  async #sendDue(webhook: number): Promise<boolean> {
    const { store, clock } = this.#options;
    const { db } = store.accounts;
    const now = clock();
    const target = await this.#target(webhook);
    if (!target) {
      this.#pace.clear(webhook);
      await giveUpWaiting(db, webhook, { failedAt: now, error: 'the webhook was disabled' });
      return false;
    }
    const events = await claimEvents(db, webhook, { now, until: now + CLAIM_MS, most: TURN });
    await releaseEvents(db, await this.#sendEach(webhook, target, events), clock());
    return events.length > 0 && !this.#mustWait(webhook);
  }

  /**
   * Sends events one after the other. Returns the unsent ones, for lack of time or because sending
   * was pointless.
   */
  async #sendEach(
    webhook: number,
    target: WebhookTarget | OutboxMails,
    events: readonly DueEvent[],
  ): Promise<readonly DueEvent[]> {
    const end = performance.now() + TURN_MS;
    const noted: Promise<void>[] = [];
    for (const event of events) {
      if (this.#mustWait(webhook) || performance.now() > end) break;
      const ended = await this.#attempt(webhook, target, event);
      noted.push(this.#note(webhook, ended));
      if (ended.isGone) break;
    }
    await Promise.all(noted);
    return events.slice(noted.length);
  }

  #attempt(webhook: number, target: WebhookTarget | OutboxMails, event: DueEvent): Promise<Ended> {
    if ('url' in target) return sendOnce(this.#options, target, event);
    return mailOnce(this.#options.clock, target, ownerOf(webhook), event);
  }

  /** Records the outcome of an attempt. Never rejects. */
  async #note(webhook: number, ended: Ended): Promise<void> {
    const { outcome, attempt, event, isGone, retryAfterMs } = ended;
    const { clock, onFailure } = this.#options;
    if ('deliveredAt' in outcome) this.#pace.clear(webhook);
    else this.#pace.fail(webhook, { hasAnswered: 'status' in attempt, retryAfterMs }, clock());
    await this.#outcomes.note(ended);
    if (!('failedAt' in outcome)) return;
    await this.#giveUp(webhook, event, outcome.error, isGone).catch(onFailure);
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

  /** Disables the webhook of an account, unless it has accepted another event since. */
  async #giveUp(webhook: number, event: DueEvent, error: string, isGone: boolean): Promise<void> {
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
   * Deletes old events, once an hour. Keeps delivered ones as long as their ids could come again.
   */
  async #trim(now: Millis): Promise<void> {
    if (Math.abs(now - this.#trimmedAt) < TRIM_MS) return;
    this.#trimmedAt = now;
    const { db } = this.#options.store.accounts;
    await moveFormerEvents(db);
    await trimOutbox(db, now - KEPT_MS, KEPT);
  }
}
