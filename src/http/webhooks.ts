import type { Logger } from 'pino';
import { openBilling } from '../accounts/billing/billing.ts';
import { thresholdObserver } from '../accounts/billing/events.ts';
import type { ChargeObserver } from '../accounts/quota/quota-charger.ts';
import type { OutboxMails } from '../accounts/webhooks/attempt.ts';
import { type DisabledWebhook, WebhookDelivery } from '../accounts/webhooks/delivery.ts';
import { WebhookSender } from '../accounts/webhooks/sender.ts';
import type { Config } from '../config/config.ts';
import type { Millis } from '../domain/day.ts';
import { poll } from '../lib/poll.ts';
import type { Store } from '../store/connect.ts';
import { type AnnouncedCatalog, Announcements } from './announcements.ts';
import { logFailure } from './failures.ts';

/** Interval at which a process records the publications that it serves, in milliseconds. */
const LOOK_MS = 1000;

/** The part of a serving process that reports events to webhooks. */
export interface WebhookEvents {
  /** Records the charges that billing wants; undefined without billing. */
  readonly observe: ChargeObserver | undefined;
  start(): void;
  /** Stops sending, and waits for the deliveries in progress. */
  close(): Promise<void>;
}

interface WebhookOptions {
  readonly store: Store;
  readonly clock: () => Millis;
  readonly config: Config;
  readonly logger: Logger;
  readonly catalog: AnnouncedCatalog;
  readonly mails?: OutboxMails | undefined;
  /** Notifies the owner of a webhook that it was disabled. */
  readonly onDisabled: (webhook: DisabledWebhook) => Promise<void>;
}

/** @throws OperatorError if only one of the billing settings is set. */
export async function openWebhooks(options: WebhookOptions): Promise<WebhookEvents> {
  const { store, clock, config, logger, mails, onDisabled } = options;
  const billing = await openBilling(store, config);
  const sender = new WebhookSender(config.webhookNetworks);
  const onFailure = (err: unknown, event?: string) => {
    if (event) logger.error({ err, event }, 'an event or a mail was given up');
    else logFailure(logger, err, 'webhooks failed; they are repeated');
  };
  const delivery = new WebhookDelivery({
    store,
    clock,
    sender,
    billing,
    mails,
    onFailure,
    onDisabled(webhook) {
      onDisabled(webhook).catch((err) => {
        logger.error({ err }, 'the mail about a disabled webhook could not be sent');
      });
    },
  });
  let stop = () => {};
  return {
    observe: billing && thresholdObserver({ store, clock }, config.billingThresholds, onFailure),
    start() {
      delivery.start();
      const announcements = new Announcements(options);
      stop = poll(() => announcements.record().catch(onFailure), LOOK_MS);
    },
    async close() {
      stop();
      await delivery.close();
      await sender.close();
    },
  };
}
