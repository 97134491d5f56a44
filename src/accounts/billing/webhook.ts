import { createHmac } from 'node:crypto';
import type { Millis } from '../../domain/day.ts';
import { OperatorError } from '../../domain/errors.ts';

/** Where events are sent to, and with which secret they are signed. */
export interface BillingTarget {
  readonly url: string;
  /** `whsec_` and the secret in base64. */
  readonly secret: string;
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
 * The target of the settings; undefined when none is set.
 *
 * @throws OperatorError when only one of the two settings is set.
 */
export function billingTarget(settings: {
  readonly billingWebhook: string;
  readonly billingSecret: string;
}): BillingTarget | undefined {
  const { billingWebhook: url, billingSecret: secret } = settings;
  if (url === '' && secret === '') return undefined;
  if (url !== '' && secret !== '') return { url, secret };
  throw new OperatorError(
    'Billing needs both CARDPRICE_BILLING_WEBHOOK and CARDPRICE_BILLING_SECRET: set both, or none.',
  );
}

/**
 * The headers of Standard Webhooks (https://www.standardwebhooks.com): an id that stays the same
 * when an event is sent again, the moment of sending, and the signature of both and the body.
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
 * Sends an event. The address is the operator's own, so it may be in a private network. Redirects
 * are not followed. Rejects when nothing answers within ten seconds.
 */
export async function sendWebhook(
  { url, secret }: BillingTarget,
  event: { readonly id: string; readonly payload: string },
  now: Millis,
): Promise<WebhookAnswer> {
  const answer = await fetch(url, {
    ...{ method: 'POST', body: event.payload, headers: webhookHeaders(secret, event, now) },
    redirect: 'manual',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  return { status: answer.status, body: await firstOf(answer) };
}

/** The first characters of a body, without reading the rest of it. */
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

/** Why an event could not be sent, in words without the address, which may hold a secret. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  const { cause } = error;
  const { code } = (cause ?? error) as { code?: unknown };
  if (error.name === 'TimeoutError') return 'no answer within ten seconds';
  return typeof code === 'string' ? `no connection (${code})` : 'no connection';
}
