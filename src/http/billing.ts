import type { Logger } from 'pino';
import { enableBilling } from '../accounts/billing/billing-sql.ts';
import { BillingDelivery, billingTarget } from '../accounts/billing/delivery.ts';
import { thresholdObserver } from '../accounts/billing/events.ts';
import type { ChargeObserver } from '../accounts/quota/quota-charger.ts';
import type { Config } from '../config/config.ts';
import type { Millis } from '../domain/day.ts';
import type { Store } from '../store/connect.ts';

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
  config: Pick<Config, 'billingWebhook' | 'billingSecret' | 'billingThresholds'>,
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
