import { createHmac } from 'node:crypto';
import type { Logger } from 'pino';
import { BILLING_RETRY_MS, nextAttempt } from '../../domain/billing.ts';
import { type Millis, MS_PER_DAY } from '../../domain/day.ts';
import { OperatorError } from '../../domain/errors.ts';
import type { Store } from '../../store/connect.ts';
import type { ChargeObserver } from '../quota/quota-charger.ts';
import {
  type BillingOutcome,
  claimBillingEvents,
  type DueEvent,
  enableBilling,
  endBillingAttempt,
  trimBillingEvents,
} from './billing-sql.ts';
import { thresholdObserver } from './events.ts';

/** How often a process looks for events to send, in milliseconds. */
const LOOK_MS = 2000;
/** How long a process keeps the events that it took: longer than it needs to send them all. */
const CLAIM_MS = 120_000;
const AT_ONCE = 5;
/** How long events are kept, and how many. */
const KEPT_MS = BILLING_RETRY_MS + 7 * MS_PER_DAY;
const KEPT = 10_000;
const TRIM_MS = 3_600_000;

/** What a delivery works with. */
export interface DeliveryOptions {
  readonly store: Store;
  readonly clock: () => Millis;
  readonly target: BillingTarget;
  /** Is called for an event that is given up, and for failures of the database. */
  onFailure(error: unknown, event?: string): void;
}

/**
 * Sends waiting events to the billing system. Several processes can do so at once: each event is
 * taken by one of them at a time.
 */
export class BillingDelivery {
  readonly #options: DeliveryOptions;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;
  #trimmedAt: Millis = 0;

  constructor(options: DeliveryOptions) {
    this.#options = options;
  }

  /** Looks for events every two seconds, until {@link close}. */
  start(): void {
    this.#timer ??= setInterval(() => this.deliver(), LOOK_MS).unref();
  }

  /** Sends the events that are due. Never rejects. */
  deliver(): Promise<void> {
    this.#running ??= this.#deliver()
      .catch((error) => this.#options.onFailure(error))
      .finally(() => {
        this.#running = undefined;
      });
    return this.#running;
  }

  /** Stops looking for events, and waits for events that are being sent. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#running;
  }

  async #deliver(): Promise<void> {
    const { store, clock } = this.#options;
    const now = clock();
    await this.#trim(now);
    const until = now + CLAIM_MS;
    const events = await claimBillingEvents(store.accounts.db, { now, until, atMost: AT_ONCE });
    for (const event of events) {
      const outcome = await this.#send(event);
      await endBillingAttempt(store.accounts.db, event.id, outcome);
    }
  }

  async #send(event: DueEvent): Promise<BillingOutcome> {
    const { target, clock } = this.#options;
    try {
      const { status } = await sendWebhook(target, event, clock());
      if (status >= 200 && status < 300) return { deliveredAt: clock() };
      return this.#failed(event, `answered ${status}`);
    } catch (error) {
      return this.#failed(event, reasonOf(error));
    }
  }

  #failed(event: DueEvent, error: string): BillingOutcome {
    const { onFailure, clock } = this.#options;
    const nextAt = nextAttempt(event, clock());
    if (nextAt !== undefined) return { nextAt, error };
    onFailure(new Error(error), event.id);
    return { failedAt: clock(), error };
  }

  /**
   * Deletes old events, once an hour. Delivered ones stay as long as their ids could come again.
   */
  async #trim(now: Millis): Promise<void> {
    if (Math.abs(now - this.#trimmedAt) < TRIM_MS) return;
    this.#trimmedAt = now;
    await trimBillingEvents(this.#options.store.accounts.db, now - KEPT_MS, KEPT);
  }
}

/** The part of a serving process that reports to the operator's billing system. */
export interface Billing {
  readonly observe: ChargeObserver;
  start(): void;
  /** Stops sending, and waits for the deliveries in progress. */
  close(): Promise<void>;
}

/**
 * Turns billing events on, or off if the settings name no destination. Without events a process has
 * nothing to do.
 *
 * @throws OperatorError when only one of the settings is set.
 */
export async function openBilling(
  { store, clock }: { readonly store: Store; readonly clock: () => Millis },
  config: BillingSettings & { readonly billingThresholds: readonly number[] },
  logger: Logger,
): Promise<Billing | undefined> {
  const target = billingTarget(config);
  await enableBilling(store.accounts.db, target !== undefined);
  if (!target) return undefined;
  const onFailure = (err: unknown, event?: string) => {
    logger.error({ err, event }, event ? 'an event for billing was given up' : 'billing failed');
  };
  const delivery = new BillingDelivery({ store, clock, target, onFailure });
  return {
    observe: thresholdObserver({ store, clock }, config.billingThresholds, onFailure),
    start: () => delivery.start(),
    close: () => delivery.close(),
  };
}

/** Where events are sent, and the secret that signs them. */
export interface BillingTarget {
  readonly url: string;
  /** `whsec_` and the secret in base64. */
  readonly secret: string;
}

/** The settings of the target; both are `''` without billing. */
interface BillingSettings {
  readonly billingWebhook: string;
  readonly billingSecret: string;
}

/** What the billing system answered. */
export interface WebhookAnswer {
  readonly status: number;
  /** Its first characters. */
  readonly body: string;
}

const TIMEOUT_MS = 10_000;
const MAX_BODY = 500;

/**
 * Returns the target of the settings; undefined if neither is set.
 *
 * @throws OperatorError if only one of the two settings is set.
 */
export function billingTarget({
  billingWebhook: url,
  billingSecret: secret,
}: BillingSettings): BillingTarget | undefined {
  if (url === '' && secret === '') return undefined;
  if (url !== '' && secret !== '') return { url, secret };
  throw new OperatorError(
    'Billing needs both CARDPRICE_BILLING_WEBHOOK and CARDPRICE_BILLING_SECRET: set both, or none.',
  );
}

/**
 * Returns the headers of Standard Webhooks (https://www.standardwebhooks.com): an id that stays the
 * same at every attempt, the moment of sending, and the signature of both and the body.
 */
export function webhookHeaders(
  secret: string,
  { id, payload }: { readonly id: string; readonly payload: string },
  now: Millis,
): Record<string, string> {
  const timestamp = String(Math.floor(now / 1000));
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const signature = createHmac('sha256', key)
    .update(`${id}.${timestamp}.${payload}`)
    .digest('base64');
  return {
    'content-type': 'application/json; charset=utf-8',
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${signature}`,
  };
}

/**
 * Sends an event. The operator chose the address, so it may be in a private network. The settings
 * allow plain http only to this machine. Does not follow redirects. Rejects if there is no answer within ten seconds.
 */
export async function sendWebhook(
  { url, secret }: BillingTarget,
  event: { readonly id: string; readonly payload: string },
  now: Millis,
): Promise<WebhookAnswer> {
  const answer = await fetch(url, {
    method: 'POST',
    body: event.payload,
    headers: webhookHeaders(secret, event, now),
    redirect: 'manual',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  return { status: answer.status, body: await firstOf(answer) };
}

/** Returns the first characters of a body, without reading the rest. */
async function firstOf({ body }: Response): Promise<string> {
  if (!body) return '';
  let text = '';
  const decoder = new TextDecoder();
  for await (const part of body) {
    text += decoder.decode(part, { stream: true });
    if (text.length >= MAX_BODY) break;
  }
  return text.slice(0, MAX_BODY);
}

/** Returns why an event could not be sent, without the address, which may hold a secret. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  const { cause } = error;
  const { code } = (cause ?? error) as { code?: unknown };
  if (error.name === 'TimeoutError') return 'no answer within ten seconds';
  return typeof code === 'string' ? `no connection (${code})` : 'no connection';
}
