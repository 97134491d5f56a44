import { finished } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { MailRefused } from '../accounts/webhooks/attempt.ts';
import { formatMoment, type Millis } from '../domain/day.ts';
import { OperatorError } from '../domain/errors.ts';
import { escapeControls } from '../lib/control-characters.ts';
import { parseEmail } from '../lib/email.ts';
import { isLoopback } from '../lib/networks.ts';
import type { OwnerNoticeKind } from '../operator/call.ts';

/**
 * Runs work after an answer was sent: mails, and writes whose duration would reveal whether an
 * account exists. Failures are logged under the id of the request.
 */
export class AfterAnswer {
  readonly #running = new Set<Promise<void>>();

  /** Starts `work` once the answer of a call was sent or its client has left. */
  run(
    { request, reply }: { readonly request: FastifyRequest; readonly reply: FastifyReply },
    name: string,
    work: () => Promise<void>,
  ): void {
    const sent = new Promise<void>((resolve) => {
      finished(reply.raw, () => resolve());
    });
    const done = sent.then(work).catch((err) => {
      request.log.error({ reqId: request.id, err }, `${name} failed`);
    });
    this.#running.add(done);
    done.then(() => this.#running.delete(done));
  }

  /** Resolves when all started work has ended. */
  async settle(): Promise<void> {
    await Promise.all(this.#running);
  }
}

/** Sends the mail of the dashboard. Methods reject if the mail server refuses or times out. */
export interface Mailer {
  /** Sends the owner of the account `to` a link to set a new password. */
  sendReset(to: string, link: string, expiresAt: Millis): Promise<void>;
  /** Sends somebody who is signing up a link that proves the address. */
  sendSignUp(to: string, link: string, expiresAt: Millis): Promise<void>;
  /** Notifies somebody who is signing up that the account already exists. */
  sendTaken(to: string, forgotLink: string): Promise<void>;
  /** Notifies an owner of a change of the account at the service `url`. */
  sendNotice(to: string, notice: Notice, url: string): Promise<void>;
  /** Notifies an owner that a webhook was disabled because it accepted nothing. */
  sendWebhookDisabled(to: string, webhook: FailedWebhook, link: string): Promise<void>;
  /**
   * Sends an owner the events of fired alerts. Rejects with MailRefused if the mail server refuses
   * the address. No error message contains the address.
   */
  sendAlerts(to: string, mail: MailText): Promise<void>;
  /** Sends an operator the most important decisions on quarantined prices, as lines. */
  sendDigest(to: string, lines: readonly string[], link: string): Promise<void>;
}

/** A webhook that the service disabled. */
interface FailedWebhook {
  readonly url: string;
  readonly reason: string;
}

/** The notices to owners about changes of their accounts: the subject and the event. */
const ACCOUNT_NOTICES = {
  'password-changed': ['Your password was changed', 'its password was changed'],
  'password-reset': [
    'Your password was reset',
    'its password was reset with a link, and every browser was signed out',
  ],
  'keys-revoked': [
    'Your password was reset and your API keys were revoked',
    'its password was reset with a link, every browser was signed out, and its API keys were revoked',
  ],
  'key-created': ['An API key was created', 'an API key was created for it'],
  'key-replaced': ['An API key was replaced', 'one of its API keys was replaced'],
  'key-revoked': ['An API key was revoked', 'one of its API keys was revoked'],
  'second-factor-added': ['A second factor was added', 'a second factor was added to it'],
  'second-factor-removed': ['A second factor was removed', 'a second factor was removed from it'],
  'recovery-code-used': ['A recovery code was used', 'somebody signed in with a recovery code'],
} as const;

/** The notices to owners about actions of operators. */
const OPERATOR_NOTICES = {
  'reset-link-made': [
    'A link to set your password was made',
    'an operator made a link that sets its password',
  ],
  'second-factors-removed': [
    'Your second factors were removed',
    'an operator removed its second factors, and every browser was signed out',
  ],
  'operator-added': ['You are an operator now', 'an operator made it an operator too'],
  'operator-removed': ['You are no longer an operator', 'an operator removed its operator role'],
} as const satisfies Readonly<Record<OwnerNoticeKind, readonly [subject: string, what: string]>>;

/** Every notice, by kind. */
export const NOTICES = { ...ACCOUNT_NOTICES, ...OPERATOR_NOTICES };

export type NoticeKind = keyof typeof NOTICES;

/** An event of an account. */
export interface Notice {
  readonly kind: NoticeKind;
  readonly at: Millis;
  /** The network address of the caller; null for an operator, whose address stays private. */
  readonly address: string | null;
}

interface NoticeServices {
  readonly mailer?: Mailer | undefined;
  readonly afterAnswer: AfterAnswer;
  readonly clock: () => Millis;
  readonly publicUrl: string;
}

/** After the answer, mails the owner of an account what has changed. */
export function notifyOwner(
  { mailer, afterAnswer, clock, publicUrl }: NoticeServices,
  call: { readonly request: FastifyRequest; readonly reply: FastifyReply },
  email: string,
  kind: NoticeKind,
): void {
  const to = parseEmail(email);
  if (!mailer || to === undefined) return;
  const address = kind in OPERATOR_NOTICES ? null : call.request.ip;
  const notice = { kind, at: clock(), address };
  afterAnswer.run(call, 'the mail of a notice', () => mailer.sendNotice(to, notice, publicUrl));
}

/** The idle timeout of the mail server, in milliseconds. */
const TIMEOUT_MS = 10_000;

/**
 * A mailer for an SMTP server, `smtp://` or `smtps://`. The sender is `from`, or the user of the
 * URL if `from` is empty. Connects only to send mail. It requires TLS unless the server is this
 * machine or the URL says otherwise (`?requireTLS=false`).
 *
 * @throws OperatorError if neither is an e-mail address.
 */
export function createMailer(smtpUrl: string, from: string): Mailer {
  const sender = parseEmail(from || decodeURIComponent(new URL(smtpUrl).username));
  if (sender === undefined) {
    throw new OperatorError(
      'Mail needs a sender: set CARDPRICE_MAIL_FROM to an e-mail address, ' +
        'because the user in CARDPRICE_SMTP is not one.',
    );
  }
  const send = async (to: string, mail: MailText) => {
    const transport = await openTransport(smtpUrl);
    await transport.sendMail({
      from: { name: 'Cardprice', address: sender },
      // An object, because a text could be parsed as several addresses.
      to: { name: '', address: to },
      ...mail,
      disableFileAccess: true,
      disableUrlAccess: true,
    });
  };
  return {
    sendReset: (to, ...link) => send(to, resetMail(to, ...link)),
    sendSignUp: (to, ...link) => send(to, signUpMail(to, ...link)),
    sendTaken: (to, forgotLink) => send(to, takenMail(to, forgotLink)),
    sendNotice: (to, notice, url) => send(to, noticeMail(to, notice, url)),
    sendWebhookDisabled: (to, ...webhook) => send(to, webhookMail(to, ...webhook)),
    sendAlerts: (to, mail) => {
      return send(to, mail).catch((error) => {
        throw withoutAddress(error);
      });
    },
    sendDigest: (to, ...digest) => send(to, digestMail(...digest)),
  };
}

/** Loads the library with the first mail, which saves 40 ms of every start. */
async function openTransport(url: string) {
  const { createTransport } = await import('nodemailer');
  return createTransport({
    url,
    // A link that sets a password is as powerful as the password.
    requireTLS: !isLoopback(new URL(url).hostname),
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
  });
}

/** A mail without its sender and recipient. */
export interface MailText {
  readonly subject: string;
  readonly text: string;
  /** The same for every attempt to send it, so a mailbox can drop a duplicate. */
  readonly messageId?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Returns an error with the answer of the mail server, or with the reason why there is none. */
function withoutAddress(error: { readonly code?: string; readonly responseCode?: number }): Error {
  const { code = 'unknown', responseCode } = error;
  if (responseCode === undefined) return new Error(`the mail server did not take it (${code})`);
  const message = `the mail server answered ${responseCode}`;
  // Refusals of the sender or recipient. Others end when the operator corrects the settings.
  const isRefused = code === 'EENVELOPE' && responseCode >= 500;
  return isRefused ? new MailRefused(message) : new Error(message);
}

function resetMail(to: string, link: string, expiresAt: Millis): MailText {
  return {
    subject: 'Set a new password',
    text: `Somebody, probably you, asked for a new password for the account ${to}.

Set it here:
${link}

The link works once, until ${minute(expiresAt)} UTC. If this was not you, ignore this message:
your password does not change.
`,
  };
}

function signUpMail(to: string, link: string, expiresAt: Millis): MailText {
  return {
    subject: 'Confirm your account',
    text: `Somebody, probably you, asked for an account for ${to}.

Confirm the address and choose a password here:
${link}

The link works once, until ${minute(expiresAt)} UTC. If this was not you, ignore this message:
nobody can use the account without the link, and it will be deleted.
`,
  };
}

function takenMail(to: string, forgotLink: string): MailText {
  return {
    subject: 'You already have an account',
    text: `Somebody, probably you, asked for an account for ${to}. It already exists, and nothing about
it has changed.

If you do not know its password, set a new one here:
${forgotLink}

If this was not you, ignore this message.
`,
  };
}

function noticeMail(to: string, { kind, at, address }: Notice, url: string): MailText {
  const [subject, what] = NOTICES[kind];
  const from = address === null ? '' : `, from the network address ${address}`;
  return {
    subject,
    text: `This is about the account ${to} at ${url}:
on ${minute(at)} UTC ${what}${from}.

If you expected this, ignore this message. If you did not, set a new password now:
${url}/forgot

That signs out every browser and revokes the API keys. Then check the Account page, and tell the
operator of the service.
`,
  };
}

function webhookMail(to: string, { url, reason }: FailedWebhook, link: string): MailText {
  return {
    subject: 'A webhook was disabled',
    text: `This is about a webhook of the account ${to}:
${new URL(url).origin}

It was disabled, because its deliveries fail (${reason}).

When it works again, enable it here:
${link}
`,
  };
}

function digestMail(lines: readonly string[], link: string): MailText {
  return {
    subject: 'Prices wait for your decision',
    text: `${lines.map(escapeControls).join('\n')}

Decide here:
${link}

You get this once a day while prices wait, because you are an operator. CARDPRICE_DIGEST=off ends it.
`,
  };
}

function minute(at: Millis): string {
  return formatMoment(at).slice(0, 16).replace('T', ' ');
}
