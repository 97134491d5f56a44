import { formatMoment, type Millis } from '../domain/day.ts';
import { parseEmail } from '../domain/email.ts';
import { OperatorError } from '../domain/errors.ts';

/** What the dashboard sends by mail. */
export interface Mailer {
  /**
   * Sends the link by which the owner of the account `to` can set a new password. Rejects when the
   * server does not take it, or does not answer within some seconds.
   */
  sendReset(to: string, link: string, expiresAt: Millis): Promise<void>;
}

/** A server that is silent for so long, in milliseconds, is not waited for any longer. */
const PATIENCE_MS = 10_000;

/**
 * A mailer over an SMTP server, `smtp://` or `smtps://`. The sender is `from`, or the user of the
 * URL when that is empty. Nothing is connected before there is something to send.
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
  return {
    async sendReset(to, link, expiresAt) {
      const transport = await openTransport(smtpUrl);
      await transport.sendMail({
        from: { name: 'Cardprice', address: sender },
        // Not as text, which could be read as several addresses.
        to: { name: '', address: to },
        subject: 'Set a new password',
        text: resetText(to, link, expiresAt),
        disableFileAccess: true,
        disableUrlAccess: true,
      });
    },
  };
}

function resetText(to: string, link: string, expiresAt: Millis): string {
  const end = formatMoment(expiresAt).slice(0, 16).replace('T', ' ');
  return `Somebody, probably you, asked for a new password for the account ${to}.

Set it here:
${link}

The link works once, until ${end} UTC. If it was not you, you need not do anything: your
password stays as it is.
`;
}

/** The library is loaded when there is something to send: every start would wait 40 ms for it. */
async function openTransport(url: string) {
  const { createTransport } = await import('nodemailer');
  return createTransport({
    url,
    connectionTimeout: PATIENCE_MS,
    greetingTimeout: PATIENCE_MS,
    socketTimeout: PATIENCE_MS,
  });
}
