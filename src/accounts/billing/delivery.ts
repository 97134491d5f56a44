import { BILLING_RETRY_MS, nextAttempt } from '../../domain/billing.ts';
import { type Millis, MS_PER_DAY } from '../../domain/day.ts';
import type { BillingEventRow } from '../../store/accounts/schema.ts';
import type { Store } from '../../store/connect.ts';
import {
  type BillingOutcome,
  claimBillingEvents,
  endBillingAttempt,
  trimBillingEvents,
} from './billing-sql.ts';
import { type BillingTarget, reasonOf, sendWebhook } from './webhook.ts';

/** How often a process looks for events to send, in milliseconds. */
const LOOK_MS = 2000;
/** For how long a process has the events that it took: longer than sending all of them takes. */
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
  /** Is told of an event that is given up, and of failures of the database. */
  onFailure(error: unknown, event?: string): void;
}

/**
 * Sends the events that wait to the billing system. Several processes may do so beside each other:
 * each event is taken by one of them at a time.
 */
export class BillingDelivery {
  readonly #options: DeliveryOptions;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;
  #trimmedAt: Millis = 0;

  constructor(options: DeliveryOptions) {
    this.#options = options;
  }

  /** Looks for events every two seconds from now on, until {@link close}. */
  start(): void {
    this.#timer ??= setInterval(() => this.deliver(), LOOK_MS).unref();
  }

  /** Sends what is due now. Never rejects. */
  deliver(): Promise<void> {
    this.#running ??= this.#deliver()
      .catch((error) => this.#options.onFailure(error))
      .finally(() => {
        this.#running = undefined;
      });
    return this.#running;
  }

  /** Stops looking, and waits for what is being sent. */
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

  async #send(event: BillingEventRow): Promise<BillingOutcome> {
    const { target, clock } = this.#options;
    try {
      const { status } = await sendWebhook(target, event, clock());
      if (status >= 200 && status < 300) {
        return { next_at: null, delivered_at: clock(), error: null };
      }
      return this.#failed(event, `answered ${status}`);
    } catch (error) {
      return this.#failed(event, reasonOf(error));
    }
  }

  #failed(event: BillingEventRow, error: string): BillingOutcome {
    const { onFailure, clock } = this.#options;
    const { attempts, created_at: createdAt } = event;
    const next = nextAttempt({ attempts, createdAt }, clock());
    if (next !== undefined) return { next_at: next, error };
    onFailure(new Error(error), event.id);
    return { next_at: null, failed_at: clock(), error };
  }

  /** Deletes old events, once an hour. Delivered ones stay so long that their ids stay taken. */
  async #trim(now: Millis): Promise<void> {
    if (Math.abs(now - this.#trimmedAt) < TRIM_MS) return;
    this.#trimmedAt = now;
    await trimBillingEvents(this.#options.store.accounts.db, now - KEPT_MS, KEPT);
  }
}
