import { createHmac } from 'node:crypto';
import { type Millis, MS_PER_DAY } from '../../domain/day.ts';
import { PrivateAddress } from '../../lib/public-addresses.ts';
import type { PublicAgent } from '../../lib/public-agent.ts';
import { type WebhookPlaces, webhookPlaces } from './webhook-url.ts';

/** The destination of messages. */
export interface WebhookTarget {
  readonly url: string;
  /** Each is `whsec_` and a secret in base64. Every one signs; the newest comes first. */
  readonly secrets: readonly string[];
  /** Whether the operator chose the URL, which may then be in any network. */
  readonly isTrusted: boolean;
}

/** A message to send. */
export interface Message {
  readonly id: string;
  readonly body: string;
}

/** The answer of a webhook. */
export interface WebhookAnswer {
  readonly status: number;
  /** The first characters of the body. */
  readonly body: string;
  /** The demanded pause before the next message; 0 for none. */
  readonly retryAfterMs: Millis;
}

const TIMEOUT_MS = 15_000;
const MAX_BODY = 500;

/** The longest pause that a webhook can demand. */
const MAX_RETRY_AFTER_MS = MS_PER_DAY;

/** The agents by the addresses that they may connect to. */
type Reach = 'anywhere' | 'internet' | 'local';

/**
 * Sends messages to webhooks. Accounts choose addresses, so it connects only to the public internet
 * and to networks that the operator allows. It checks the addresses that the connection then uses,
 * and follows no redirects.
 */
export class WebhookSender {
  readonly #places: WebhookPlaces;
  readonly #agents = new Map<Reach, Promise<PublicAgent>>();

  /** @param networks Networks that the operator allows, in CIDR notation. */
  constructor(networks: readonly string[] = []) {
    this.#places = webhookPlaces(networks);
  }

  /** Sends a message. Rejects if there is no answer within 15 seconds. */
  async send(
    { url, secrets, isTrusted }: WebhookTarget,
    message: Message,
    now: Millis,
  ): Promise<WebhookAnswer> {
    const to = new URL(url);
    const agent = await this.#agent(isTrusted ? 'anywhere' : this.#reachOf(to));
    const { statusCode, headers, body } = await agent.request(to, {
      method: 'POST',
      body: message.body,
      headers: webhookHeaders(secrets, message, now),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const retryAfterMs = readRetryAfter(headers['retry-after'], now);
    return { status: statusCode, body: await firstOf(body), retryAfterMs };
  }

  async close(): Promise<void> {
    for (const agent of this.#agents.values()) await (await agent).close();
  }

  #reachOf(url: URL): Reach {
    return this.#places.isOnlyLocal(url) ? 'local' : 'internet';
  }

  #agent(reach: Reach): Promise<PublicAgent> {
    const agent = this.#agents.get(reach) ?? this.#open(reach);
    this.#agents.set(reach, agent);
    return agent;
  }

  async #open(reach: Reach): Promise<PublicAgent> {
    const { PublicAgent } = await import('../../lib/public-agent.ts');
    return new PublicAgent({
      isTrusted: () => reach === 'anywhere',
      isAllowed: (address) => this.#places.allows(address, reach === 'local'),
    });
  }
}

/**
 * Returns the headers of Standard Webhooks (https://www.standardwebhooks.com): an id that stays the
 * same at every attempt, the moment of sending, and a signature of both and the body by each
 * secret.
 */
export function webhookHeaders(
  secrets: readonly string[],
  { id, body }: Message,
  now: Millis,
): Record<string, string> {
  const timestamp = String(Math.floor(now / 1000));
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
  });
  return {
    'content-type': 'application/json; charset=utf-8',
    'user-agent': 'Cardprice',
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
  };
}

/** Reads `Retry-After`: seconds or a date. */
function readRetryAfter(header: string | string[] | undefined, now: Millis): Millis {
  if (typeof header !== 'string') return 0;
  const ms = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - now;
  return Math.min(Math.max(ms || 0, 0), MAX_RETRY_AFTER_MS);
}

/** Returns the first characters of a body, without reading the rest. */
async function firstOf(body: AsyncIterable<Uint8Array>): Promise<string> {
  let text = '';
  const decoder = new TextDecoder();
  for await (const part of body) {
    text += decoder.decode(part, { stream: true });
    if (text.length >= MAX_BODY) break;
  }
  return text.slice(0, MAX_BODY);
}

/** Returns why a message could not be sent, without the address, which may hold a secret. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  if (error instanceof PrivateAddress) return 'the address is not on the public internet';
  if (error.name === 'TimeoutError') return 'no answer within 15 seconds';
  const { code } = error as { code?: unknown };
  return typeof code === 'string' ? `no connection (${code})` : 'no connection';
}
