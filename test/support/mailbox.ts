import type { Mailer } from '../../src/dashboard/mail.ts';

/** A mail that was not really sent: its recipient and the other arguments of the mailer. */
export interface Posted {
  readonly kind: keyof Mailer;
  readonly to: string;
  readonly rest: readonly unknown[];
}

/** Collects the mails of the dashboard instead of sending them. */
export class Mailbox {
  readonly mails: Posted[] = [];
  readonly mailer: Mailer = {
    sendReset: async (to, ...rest) => this.#keep('sendReset', to, rest),
    sendSignUp: async (to, ...rest) => this.#keep('sendSignUp', to, rest),
    sendTaken: async (to, ...rest) => this.#keep('sendTaken', to, rest),
    sendNotice: async (to, ...rest) => this.#keep('sendNotice', to, rest),
    sendWebhookDisabled: async (to, ...rest) => this.#keep('sendWebhookDisabled', to, rest),
    sendAlerts: async (to, ...rest) => this.#keep('sendAlerts', to, rest),
    sendDigest: async (to, ...rest) => this.#keep('sendDigest', to, rest),
  };

  /** Waits for the next mail: mails are sent after the response. */
  async next(): Promise<Posted> {
    for (let more = 0; more < 500; more += 1) {
      const mail = this.mails.shift();
      if (mail) return mail;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    throw new Error('no mail came');
  }

  /** Returns the token in the link of the next mail, which must be of this kind. */
  async nextToken(kind: 'sendReset' | 'sendSignUp'): Promise<string> {
    const mail = await this.next();
    const [, token = ''] = String(mail.rest[0]).split('#');
    if (mail.kind !== kind) throw new Error(`${mail.kind} came instead of ${kind}`);
    return token;
  }

  #keep(kind: keyof Mailer, to: string, rest: readonly unknown[]): void {
    this.mails.push({ kind, to, rest });
  }
}
