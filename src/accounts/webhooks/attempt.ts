import type { Millis } from '../../domain/day.ts';
import { type Attempt, messageBody, nextAttempt, webhookForm } from '../../domain/webhooks.ts';
import type { DueEvent, EndedAttempt, Outcome } from './outbox-sql.ts';
import { reasonOf, type WebhookAnswer, type WebhookSender, type WebhookTarget } from './sender.ts';

/** The status of a webhook that is permanently gone. */
const GONE = 410;

/** Sends the mails in the outbox. */
export interface OutboxMails {
  /** Puts due mails into the outbox. */
  collect(now: Millis): Promise<void>;
  /**
   * Sends a mail to an account. Rejects with {@link MailRefused} if no further attempt can succeed.
   */
  send(accountId: number, mail: DueEvent): Promise<void>;
}

/** The mail server permanently refused a mail. */
export class MailRefused extends Error {}

/** An attempt that ended. */
export interface Ended extends EndedAttempt {
  readonly event: DueEvent;
  /** Whether the webhook is permanently gone. */
  readonly isGone: boolean;
  /** The pause that the webhook demands; 0 for none. */
  readonly retryAfterMs: Millis;
}

/** The dependencies of an attempt. */
interface AttemptOptions {
  readonly clock: () => Millis;
  readonly sender: WebhookSender;
}

/** Sends an event to a webhook once. Never rejects. */
export async function sendOnce(
  { clock, sender }: AttemptOptions,
  target: WebhookTarget,
  event: DueEvent,
): Promise<Ended> {
  const timer = startTimer(clock);
  const answer = await answerOf(sender, target, event, timer.at);
  if (typeof answer === 'string') {
    return ended(event, timer.end({ error: answer }), failedAttempt(event, answer, 0, clock()));
  }
  const { status, retryAfterMs } = answer;
  const attempt = timer.end({ status });
  if (status >= 200 && status < 300) return ended(event, attempt, { deliveredAt: clock() });
  const isGone = status === GONE && !target.isTrusted;
  const pause = isGone ? null : retryAfterMs;
  const outcome = failedAttempt(event, `answered ${status}`, pause, clock());
  return { event, attempt, outcome, isGone, retryAfterMs };
}

/** Returns the answer, or the reason why there is none. */
async function answerOf(
  sender: WebhookSender,
  target: WebhookTarget,
  event: DueEvent,
  now: Millis,
): Promise<WebhookAnswer | string> {
  const body = messageBody(webhookForm(target.url), event);
  try {
    return await sender.send(target, { id: event.id, body }, now);
  } catch (error) {
    return reasonOf(error);
  }
}

/** Sends a mail once. Never rejects. */
export async function mailOnce(
  clock: () => Millis,
  mails: OutboxMails,
  accountId: number,
  event: DueEvent,
): Promise<Ended> {
  const timer = startTimer(clock);
  try {
    await mails.send(accountId, event);
    return ended(event, timer.end({}), { deliveredAt: clock() });
  } catch (error) {
    const pause = error instanceof MailRefused ? null : 0;
    const reason = error instanceof Error ? error.message : String(error);
    const attempt = timer.end({ error: reason });
    return ended(event, attempt, failedAttempt(event, reason, pause, clock()));
  }
}

/** @param retryAfterMs The pause that the receiver demands; null if it wants no more mails. */
function failedAttempt(
  event: DueEvent,
  error: string,
  retryAfterMs: Millis | null,
  now: Millis,
): Outcome {
  const nextAt = retryAfterMs === null ? undefined : nextAttempt({ ...event, retryAfterMs }, now);
  return nextAt === undefined ? { failedAt: now, error } : { nextAt, error };
}

function ended(event: DueEvent, attempt: Attempt, outcome: Outcome): Ended {
  return { event, attempt, outcome, isGone: false, retryAfterMs: 0 };
}

/** Measures an attempt. */
function startTimer(clock: () => Millis) {
  const at = clock();
  const start = performance.now();
  const end = (answer: Pick<Attempt, 'status' | 'error'>): Attempt => {
    return { at, durationMs: Math.round(performance.now() - start), ...answer };
  };
  return { at, end };
}
