import type { ActorKind, AuditAction } from '../../../src/domain/audit.ts';
import type { AuditEntry } from '../api/responses.ts';

/** The entries of the audit log in words. */

/** A part of a sentence. */
export interface SentencePart {
  readonly text: string;
  /** Whether it names the account, source, setting and so on. */
  readonly isName: boolean;
}

/** The sentence of each action; `{who}` is the actor, `{whom}` the object. */
const SENTENCES: Readonly<Record<AuditAction, string>> = {
  'signed-in': '{whom} signed in',
  'sign-in-failed': 'Somebody failed to sign in as {whom}',
  'signed-out': '{who} signed out',
  'session-revoked': '{who} ended another session of {whom}',
  'sign-up-asked': 'Somebody signed up as {whom}',
  'account-created': '{who} created the account {whom}',
  'account-verified': '{who} confirmed the address of {whom}',
  'account-disabled': '{who} disabled {whom}',
  'account-enabled': '{who} enabled {whom}',
  'account-deleted': '{who} deleted {whom}',
  'operator-changed': '{who} changed the operator role of {whom}',
  'plan-changed': '{who} changed the plan or the limits of {whom}',
  'password-changed': '{who} changed the password of {whom}',
  'reset-link-made': '{who} created a password link for {whom}',
  'reset-link-asked': 'Somebody asked for a password link for {whom}',
  'password-reset': '{who} set the password of {whom} with a link',
  'second-factor-changed': '{who} changed the second factors of {whom}',
  'key-created': '{who} created an API key of {whom}',
  'key-changed': '{who} changed an API key of {whom}',
  'key-revoked': '{who} revoked an API key of {whom}',
  'alert-changed': '{who} changed an alert of {whom}',
  'webhook-changed': '{who} changed a webhook of {whom}',
  'quarantine-decided': '{who} decided on quarantined prices',
  'sync-started': '{who} started a sync of {whom}',
  'rolled-back': '{who} rolled back {whom}',
  'backed-up': '{who} backed up the database',
  'settings-changed': '{who} changed {whom}',
};

/** The names of actors without an account. */
const NOBODYS: Readonly<Record<ActorKind, string>> = {
  account: 'Somebody',
  operator: 'An operator',
  command: 'Somebody on the command line',
  service: 'The service',
};

/** Describes an entry in a sentence: actor, action, object, origin and detail. */
export function describeEntry(entry: AuditEntry): readonly SentencePart[] {
  const { action, actor, by, subject, address } = entry;
  const names: Readonly<Record<string, SentencePart>> = {
    '{who}': by === null ? plain(NOBODYS[actor]) : name(by),
    '{whom}':
      subject !== null && subject === by ? plain('their own account') : name(subject ?? 'nothing'),
  };
  const words = SENTENCES[action].split(/(\{who\}|\{whom\})/).filter(Boolean);
  const end = [address === null ? '' : ` from ${address}`, detailOf(entry), '.'].join('');
  return [...words.map((word) => names[word] ?? plain(word)), plain(end)];
}

/** The detail as the end of a sentence, unless it is data, which only the record shows. */
function detailOf({ detail }: AuditEntry): string {
  if (!detail || detail.includes('{"')) return '';
  return `: ${detail.replace(/\.$/, '')}`;
}

function plain(text: string): SentencePart {
  return { text, isName: false };
}

function name(text: string): SentencePart {
  return { text, isName: true };
}
