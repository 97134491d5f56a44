import type { Millis } from '../domain/day.ts';
import { parseEmail } from '../domain/email.ts';
import { OperatorError } from '../domain/errors.ts';
import { isLoopback } from '../lib/public-addresses.ts';
import {
  type MailText,
  type Notice,
  noticeMail,
  resetMail,
  signUpMail,
  takenMail,
} from './mail-texts.ts';

/** Sends the mail of the dashboard. */
export interface Mailer {
  /**
   * Sends the owner of the account `to` a link to set a new password. Rejects when the mail server
   * refuses it or does not answer in time.
   */
  sendReset(to: string, link: string, expiresAt: Millis): Promise<void>;
  /** Sends somebody who signs up a link that proves the address; rejects as above. */
  sendSignUp(to: string, link: string, expiresAt: Millis): Promise<void>;
  /** Tells somebody who signs up that there is an account already; rejects as above. */
  sendTaken(to: string, forgotLink: string): Promise<void>;
  /** Tells an owner what was done with the account at the service `url`; rejects as above. */
  sendNotice(to: string, notice: Notice, url: string): Promise<void>;
}

/** The idle timeout of the mail server, in milliseconds. */
const TIMEOUT_MS = 10_000;

/**
 * A mailer for an SMTP server, `smtp://` or `smtps://`. The sender is `from`, or the user of the
 * URL when `from` is empty. It connects when there is mail to send, and sends it by TLS only, unless
 * the server is this machine or the URL says otherwise (`?requireTLS=false`).
 *
 * @throws OperatorError when neither names a sender.
 */
export function createMailer(smtpUrl: string, from: string): Mailer {
  const sender = parseEmail(from || decodeURIComponent(new URL(smtpUrl).username));
  if (sender === undefined) {
    throw new OperatorError(
      'Mail needs a sender: set CARDPRICE_MAIL_FROM to an e-mail address, ' +
        'since the user in CARDPRICE_SMTP is none.',
    );
  }
  const send = async (to: string, mail: MailText) => {
    const transport = await openTransport(smtpUrl);
    await transport.sendMail({
      from: { name: 'Cardprice', address: sender },
      // An object, because text could be parsed as several addresses.
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
  };
}

/** Loads the library when there is mail to send, which saves 40 ms of every start. */
async function openTransport(url: string) {
  const { createTransport } = await import('nodemailer');
  return createTransport({
    url,
    // Links that set a password are as good as the password.
    requireTLS: !isLoopback(new URL(url).hostname),
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
  });
}
