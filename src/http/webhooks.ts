import type { Logger } from 'pino';
import { openBilling } from '../accounts/billing/billing.ts';
import { thresholdObserver } from '../accounts/billing/events.ts';
import type { ChargeObserver } from '../accounts/quota/quota-charger.ts';
import type { OutboxMails } from '../accounts/webhooks/attempt.ts';
import { type DisabledWebhook, WebhookDelivery } from '../accounts/webhooks/delivery.ts';
import { WebhookSender } from '../accounts/webhooks/sender.ts';
import { insertPublished } from '../accounts/webhooks/webhook-sql.ts';
import type { Catalog } from '../catalog/catalog.ts';
import type { Config } from '../config/config.ts';
import { formatDay, formatMoment, type Millis } from '../domain/day.ts';
import { cursorOf } from '../domain/publication-cursor.ts';
import { type PublishedPrices, RETRY_MS } from '../domain/webhooks.ts';
import { poll } from '../lib/poll.ts';
import type { Store } from '../store/connect.ts';
import { logFailure } from './failures.ts';

/** How often a process checks whether it serves another publication, in milliseconds. */
const LOOK_MS = 1000;

/** The part of a serving process that reports events to webhooks. */
export interface WebhookEvents {
  /** Records the charges that billing wants to know of; undefined without billing. */
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
  readonly catalog: Pick<Catalog, 'publication' | 'games' | 'asOf'>;
  readonly mails?: OutboxMails | undefined;
  /** Notifies the owner of a webhook that it was disabled. */
  readonly onDisabled: (webhook: DisabledWebhook) => Promise<void>;
}

/** @throws OperatorError when only one of the settings of billing is set. */
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
      stop = announcePublications(options, onFailure);
    },
    async close() {
      stop();
      await delivery.close();
      await sender.close();
    },
  };
}

/** Records each publication once it is served. Returns a function that stops it. */
function announcePublications(
  { store, clock, catalog }: WebhookOptions,
  onFailure: (error: unknown) => void,
): () => void {
  let announced = '';
  return poll(async () => {
    const { publication } = catalog;
    if (publication.id === announced) return;
    try {
      await announcePublication(store, catalog, clock());
      announced = publication.id;
    } catch (error) {
      onFailure(error);
    }
  }, LOOK_MS);
}

/**
 * Records the served publication for the webhooks, once however often it is called. An old one was
 * recorded when it was new, and its events may have been deleted since.
 */
export async function announcePublication(
  { accounts }: Store,
  catalog: WebhookOptions['catalog'],
  now: Millis,
): Promise<void> {
  const { id, revision, publishedAt } = catalog.publication;
  if (publishedAt === null || publishedAt < now - RETRY_MS) return;
  const games = catalog.games().flatMap(({ game: { slug, name } }) => {
    const day = catalog.asOf(slug);
    return day === null ? [] : [{ game: slug, name, asOf: formatDay(day) }];
  });
  const data: PublishedPrices = {
    publication: revision,
    publishedAt: formatMoment(publishedAt),
    cursor: cursorOf({ revision, id }),
    games,
  };
  await insertPublished(accounts.db, { id, publishedAt }, data, now);
}
