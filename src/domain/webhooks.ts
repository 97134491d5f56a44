import { alertSentence, type FiredAlert } from './alerts.ts';
import { formatMoment, type Millis, MS_PER_DAY } from './day.ts';

/** The events that the webhooks of accounts receive, by type. */
export const WEBHOOK_EVENTS = {
  'prices.published': 'New prices are served.',
  'alert.fired': 'A price did what an alert waits for.',
} as const;

export type WebhookEventType = keyof typeof WEBHOOK_EVENTS;

export const WEBHOOK_EVENT_TYPES = Object.keys(WEBHOOK_EVENTS) as WebhookEventType[];

/** The receiver of messages: programs get signed JSON, chats get a sentence in their own form. */
export type WebhookForm = 'signed' | 'discord' | 'slack';

/** Returns the form of messages to a URL. */
export function webhookForm(url: string): WebhookForm {
  const { hostname, pathname } = new URL(url);
  if (hostname === 'hooks.slack.com') return 'slack';
  const isDiscord = /^(\w+\.)?discord(app)?\.com$/.test(hostname);
  return isDiscord && pathname.startsWith('/api/webhooks/') ? 'discord' : 'signed';
}

/** Returns the JSON of an event, in the form that Standard Webhooks recommends. */
export function eventPayload(type: string, at: Millis, data: object): string {
  return JSON.stringify({ type, timestamp: formatMoment(at), data });
}

/** The body of a message. Every attempt sends the same bytes. */
export function messageBody(form: WebhookForm, { type, payload }: MessageEvent): string {
  if (form === 'signed') return payload;
  const text = sentenceOf(type, payload);
  return JSON.stringify(form === 'slack' ? { text } : { content: text });
}

interface MessageEvent {
  readonly type: string;
  readonly payload: string;
}

/** The data of the event `prices.published`. */
export interface PublishedPrices {
  /** The number of the publication, as in `X-Publication`. */
  readonly publication: number;
  readonly publishedAt: string;
  /** The cursor at which the changes after it begin, for `/v1/changes`. */
  readonly cursor: string;
  /** The games with prices, and the day (UTC) of their newest prices. */
  readonly games: readonly {
    readonly game: string;
    readonly name: string;
    readonly asOf: string;
  }[];
}

function sentenceOf(type: string, payload: string): string {
  if (type === 'test') return 'This is a test. Events will appear here.';
  const { data } = JSON.parse(payload) as { data: unknown };
  if (type === 'alert.fired') return alertSentence(data as FiredAlert);
  return publishedSentence(data as PublishedPrices);
}

function publishedSentence(data: PublishedPrices): string {
  const games = data.games.map(({ name, asOf }) => `${name} (${asOf})`).join(', ');
  return `New card prices are published: ${games}.`;
}

/** An attempt at delivering an event. */
export interface Attempt {
  /** When the message was sent. */
  readonly at: Millis;
  /** The receiver's response time, in milliseconds. */
  readonly durationMs: Millis;
  /** The status of the answer, or the reason why there is none. */
  readonly status?: number;
  readonly error?: string;
}

/** Returns the outcome of an event. */
export function deliveryState({
  nextAt,
  deliveredAt,
}: {
  readonly nextAt: Millis | null;
  readonly deliveredAt: Millis | null;
}): 'waiting' | 'delivered' | 'failed' {
  if (nextAt !== null) return 'waiting';
  return deliveredAt === null ? 'failed' : 'delivered';
}

/** How long the service tries to deliver an event, in milliseconds. */
export const RETRY_MS: Millis = 3 * MS_PER_DAY;

/** The longest pause after each failed attempt, in seconds. The last one repeats. */
const PAUSES = [5, 300, 1800, 7200, 18_000, 36_000, 36_000, 43_200];

/** A pause is shorter than its maximum by up to this share, which spreads retries. */
const JITTER = 0.2;

/** A failed attempt at delivering an event. */
export interface FailedAttempt {
  /** The number of attempts, including this one. */
  readonly attempts: number;
  /** The moment after which there are no more attempts. */
  readonly retryUntil: Millis;
  /** The demanded pause in milliseconds; 0 for none. */
  readonly retryAfterMs: Millis;
}

/** Returns when to retry an event; undefined if that is after its last moment. */
export function nextAttempt(
  { attempts, retryUntil, retryAfterMs }: FailedAttempt,
  now: Millis,
  random: () => number = Math.random,
): Millis | undefined {
  const seconds = PAUSES[Math.min(attempts, PAUSES.length) - 1] ?? 5;
  const pause = Math.round(seconds * 1000 * (1 - JITTER * random()));
  const next = now + Math.max(pause, retryAfterMs);
  return next <= retryUntil ? next : undefined;
}
