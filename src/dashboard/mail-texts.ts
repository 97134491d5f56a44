import { formatMoment, type Millis } from '../domain/day.ts';

/** The texts of the mail that people get. */

export interface MailText {
  readonly subject: string;
  readonly text: string;
}

/** What owners are told of, besides what they ask for: by kind, the subject and what happened. */
export const NOTICES = {
  'password-changed': ['Your password was changed', 'its password was changed'],
  'password-reset': [
    'Your password was set anew',
    'its password was set by a link, and every browser was signed out',
  ],
  'keys-revoked': [
    'Your password was set anew, and your API keys do not work any more',
    'its password was set by a link, every browser was signed out, and its API keys were revoked',
  ],
  'key-created': ['An API key was made', 'an API key was made for it'],
  'key-replaced': ['An API key was replaced', 'one of its API keys was replaced by a new one'],
  'key-revoked': ['An API key was revoked', 'one of its API keys was revoked'],
  'second-factor-added': ['A second factor was added', 'a second factor was added to it'],
  'second-factor-removed': ['A second factor was removed', 'a second factor was removed from it'],
  'recovery-code-used': ['A recovery code was used', 'somebody signed in with a recovery code'],
} as const;

export type NoticeKind = keyof typeof NOTICES;

/** Something that happened to an account. */
export interface Notice {
  readonly kind: NoticeKind;
  readonly at: Millis;
  /** The network address that it came from. */
  readonly address: string;
}

/** The mail with a link to set a new password. */
export function resetMail(to: string, link: string, expiresAt: Millis): MailText {
  return {
    subject: 'Set a new password',
    text: `Somebody, probably you, asked for a new password for the account ${to}.

Set it here:
${link}

The link works once, until ${minute(expiresAt)} UTC. If it was not you, you need not do anything:
your password stays as it is.
`,
  };
}

/** The mail with a link that proves the address of a new account. */
export function signUpMail(to: string, link: string, expiresAt: Millis): MailText {
  return {
    subject: 'Confirm your account',
    text: `Somebody, probably you, asked for an account for ${to}.

Confirm the address and choose a password here:
${link}

The link works once, until ${minute(expiresAt)} UTC. If it was not you, you need not do anything:
without the link nobody can use the account, and it is deleted.
`,
  };
}

/** The mail to somebody who has an account and signs up. */
export function takenMail(to: string, forgotLink: string): MailText {
  return {
    subject: 'You have an account already',
    text: `Somebody, probably you, asked for an account for ${to}. There is one already, and nothing of
it has changed.

If you do not know its password, set a new one here:
${forgotLink}

If it was not you, you need not do anything.
`,
  };
}

/** The mail that tells an owner what was done with the account; `url` is that of the service. */
export function noticeMail(to: string, { kind, at, address }: Notice, url: string): MailText {
  const [subject, what] = NOTICES[kind];
  return {
    subject,
    text: `This is about the account ${to} at ${url}:
on ${minute(at)} UTC ${what}, from the network address ${address}.

If it was you, you need not do anything. If it was not, set a new password now:
${url}/forgot

That signs every browser out and revokes the API keys. Then look at the page Account, and tell
whoever runs the service.
`,
  };
}

function minute(at: Millis): string {
  return formatMoment(at).slice(0, 16).replace('T', ' ');
}
