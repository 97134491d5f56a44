import { OperatorError } from '../../domain/errors.ts';
import type { Store } from '../../store/connect.ts';
import type { WebhookTarget } from '../webhooks/sender.ts';
import { enableBilling } from './billing-sql.ts';

/** The settings of the billing system; both are `''` without billing. */
interface BillingSettings {
  readonly billingWebhook: string;
  readonly billingSecret: string;
}

/**
 * Returns the billing system of the settings; undefined if neither is set. The operator chose the
 * address, so it may be in a private network. The settings allow plain http only to this machine.
 *
 * @throws OperatorError if only one of the two settings is set.
 */
export function billingTarget({
  billingWebhook: url,
  billingSecret: secret,
}: BillingSettings): WebhookTarget | undefined {
  if (url === '' && secret === '') return undefined;
  if (url !== '' && secret !== '') return { url, secrets: [secret], isTrusted: true };
  throw new OperatorError(
    'Billing needs both CARDPRICE_BILLING_WEBHOOK and CARDPRICE_BILLING_SECRET: set both, or none.',
  );
}

/**
 * Turns billing events on, or off if the settings name no billing system, and returns it.
 *
 * @throws OperatorError if only one of the settings is set.
 */
export async function openBilling(
  { accounts }: Store,
  settings: BillingSettings,
): Promise<WebhookTarget | undefined> {
  const target = billingTarget(settings);
  await enableBilling(accounts.db, target !== undefined);
  return target;
}
