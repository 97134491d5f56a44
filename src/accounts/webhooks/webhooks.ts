import { randomBytes } from 'node:crypto';
import { formatMoment, type Millis, MS_PER_DAY } from '../../domain/day.ts';
import { AccountError } from '../../domain/errors.ts';
import {
  deliveryState,
  WEBHOOK_EVENT_TYPES,
  type WebhookEventType,
} from '../../domain/webhooks.ts';
import type { Store } from '../../store/connect.ts';
import { lockAccount } from '../account-sql.ts';
import {
  countWaiting,
  giveUpWaiting,
  listNewest,
  type OutboxEvent,
  sendAgain,
} from './outbox-sql.ts';
import * as sql from './webhook-sql.ts';
import { readWebhookUrl, type WebhookPlaces, webhookPlaces } from './webhook-url.ts';

/** A webhook without its secret. */
export type Webhook = Omit<sql.WebhookRecord, 'secret' | 'previousSecret'>;

/** A webhook with its new secret, which is not shown again. */
export interface NewWebhook extends Webhook {
  readonly secret: string;
}

/** The most webhooks of an account. */
export const MAX_WEBHOOKS = 5;

/** How long the previous secret also signs. */
export const ROTATION_MS: Millis = MS_PER_DAY;

/** The most waiting events with which somebody may still send one by hand. */
const MAX_WAITING = 5;

/** The events in a delivery log. */
const LISTED = 50;

/** Ids fit a 32-bit integer of the database. */
const ID = /^\d{1,9}$/;

/** The caller who changes a webhook. */
interface WebhookOwner {
  /** Treats webhooks of other accounts as unknown. */
  readonly accountId?: number;
}

/** The webhooks of accounts, as owners manage them. Refusals are AccountErrors. */
export class Webhooks {
  readonly #store: Store;
  readonly #clock: () => Millis;
  readonly #networks: readonly string[];
  readonly #places: WebhookPlaces;

  /** @param networks Networks that webhooks may be in, in addition to the internet. */
  constructor(store: Store, clock: () => Millis, networks: readonly string[] = []) {
    this.#store = store;
    this.#clock = clock;
    this.#networks = networks;
    this.#places = webhookPlaces(networks);
  }

  /** Returns the same webhooks in a transaction. */
  within(store: Store): Webhooks {
    return new Webhooks(store, this.#clock, this.#networks);
  }

  /** Adds a webhook to an account that has fewer than {@link MAX_WEBHOOKS}. */
  async add(
    accountId: number,
    {
      url: text,
      events = WEBHOOK_EVENT_TYPES,
    }: {
      readonly url: string;
      readonly events?: readonly WebhookEventType[] | undefined;
    },
  ): Promise<NewWebhook> {
    const url = this.#readUrl(text);
    const secret = createSecret();
    const webhook = { accountId, url, events, secret, createdAt: this.#clock() };
    const added = await this.#store.accounts.db.transaction().execute(async (transaction) => {
      await lockAccount(transaction, accountId);
      const existing = await sql.listWebhooks(transaction, accountId);
      if (existing.length >= MAX_WEBHOOKS) throw tooMany();
      return sql.insertWebhook(transaction, webhook);
    });
    return { ...withoutSecret(added), secret };
  }

  /** Returns the webhooks of an account, oldest first. */
  async list(accountId: number): Promise<Webhook[]> {
    return (await sql.listWebhooks(this.#db, accountId)).map(withoutSecret);
  }

  /** Replaces the secret. The previous one also signs for {@link ROTATION_MS}. */
  async rotate(id: string, of: WebhookOwner = {}): Promise<NewWebhook> {
    const found = await this.#find(id, of);
    const secret = createSecret();
    const previousUntil = this.#clock() + ROTATION_MS;
    await sql.replaceSecret(this.#db, found.id, { secret, previousUntil });
    return { ...withoutSecret(found), previousUntil, secret };
  }

  /** Disables a webhook, and gives up its waiting events. */
  async disable(id: string, of: WebhookOwner = {}): Promise<Webhook> {
    const found = await this.#find(id, of);
    const at = this.#clock();
    await sql.disableWebhook(this.#db, found.id, { at, reason: null });
    await giveUpWaiting(this.#db, found.id, { failedAt: at, error: 'the webhook was disabled' });
    return withoutSecret(await this.#find(id, of));
  }

  /** Enables a webhook. It gets only later events. */
  async enable(id: string, of: WebhookOwner = {}): Promise<Webhook> {
    const found = await this.#find(id, of);
    await sql.enableWebhook(this.#db, found.id);
    return withoutSecret(await this.#find(id, of));
  }

  /** Deletes a webhook with its events. */
  async delete(id: string, of: WebhookOwner = {}): Promise<Webhook> {
    const found = await this.#find(id, of);
    await sql.deleteWebhook(this.#db, found.id);
    return withoutSecret(found);
  }

  /** Sends a test event; a serving process delivers it. */
  async test(id: string, of: WebhookOwner = {}): Promise<Webhook> {
    const found = await this.#findReady(id, of);
    await sql.insertTest(this.#db, found, this.#clock());
    return withoutSecret(found);
  }

  /** Returns the newest events of a webhook, newest first. */
  async deliveries(id: string, of: WebhookOwner = {}): Promise<OutboxEvent[]> {
    const found = await this.#find(id, of);
    return listNewest(this.#db, found.id, LISTED);
  }

  /** Sends an event again, with the same id and bytes. */
  async resend(id: string, event: string, of: WebhookOwner = {}): Promise<Webhook> {
    const found = await this.#findReady(id, of);
    const sent = await sendAgain(this.#db, { id: event, webhook: found.id }, this.#clock());
    if (sent) return withoutSecret(found);
    throw new AccountError('WEBHOOK_NOT_FOUND', `The webhook ${id} has no event "${event}".`);
  }

  get #db() {
    return this.#store.accounts.db;
  }

  #readUrl(text: string): string {
    const read = readWebhookUrl(text, this.#places);
    if ('url' in read) return read.url;
    throw new AccountError('WEBHOOK_REFUSED', read.problem);
  }

  async #find(id: string, { accountId }: WebhookOwner): Promise<sql.WebhookRecord> {
    const found = ID.test(id) ? await sql.findWebhook(this.#db, Number(id)) : undefined;
    if (found && found.accountId === (accountId ?? found.accountId)) return found;
    throw new AccountError('WEBHOOK_NOT_FOUND', `There is no webhook with the id "${id}".`, {
      advice: '`cardprice webhook list --account E` shows the ids.',
    });
  }

  /** Finds a webhook whose queue has room for one more event sent by hand. */
  async #findReady(id: string, of: WebhookOwner): Promise<sql.WebhookRecord> {
    const found = await this.#find(id, of);
    if (found.disabledAt !== null) {
      throw new AccountError('WEBHOOK_REFUSED', 'The webhook is disabled. Enable it first.');
    }
    if ((await countWaiting(this.#db, found.id)) < MAX_WAITING) return found;
    throw new AccountError(
      'WEBHOOK_REFUSED',
      `${MAX_WAITING} events wait for the webhook already.`,
    );
  }
}

/** A webhook as answers and the command line show it. */
export function webhookView({ id, url, events, ...webhook }: Webhook) {
  const { createdAt, disabledAt, disabledReason } = webhook;
  return {
    id,
    url,
    events: [...events],
    createdAt: formatMoment(createdAt),
    disabledAt: disabledAt === null ? null : formatMoment(disabledAt),
    disabledReason,
  };
}

/** A webhook with its new secret, as answers and the command line show it. */
export function newWebhookView(webhook: NewWebhook) {
  return { ...webhookView(webhook), secret: webhook.secret };
}

/** An event in a delivery log, as answers and the command line show it. */
export function deliveryView(event: OutboxEvent) {
  const { id, type, createdAt, nextAt, deliveredAt, attempts, error, log } = event;
  return {
    id,
    type,
    at: formatMoment(createdAt),
    state: deliveryState({ nextAt, deliveredAt }),
    attempts,
    nextAt: nextAt === null ? null : formatMoment(nextAt),
    error,
    log: log.map(({ at, durationMs, status = null, error: reason = null }) => {
      return { at: formatMoment(at), durationMs, status, error: reason };
    }),
  };
}

/** Returns a secret in the format of Standard Webhooks. */
function createSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`;
}

function withoutSecret({ secret: _, previousSecret: __, ...webhook }: sql.WebhookRecord): Webhook {
  return webhook;
}

function tooMany(): AccountError {
  return new AccountError(
    'WEBHOOK_REFUSED',
    `The account has ${MAX_WEBHOOKS} webhooks, which is the most it may have. Delete one first.`,
    { advice: '`cardprice webhook delete ID` deletes one.' },
  );
}
