import type { Static } from 'typebox';
import type { Deletion } from '../../accounts/account-deletion-sql.ts';
import type { Account, AccountWithUsage } from '../../accounts/accounts.ts';
import { deletedName } from '../../accounts/audit/audit-sql.ts';
import type { AccountKey, NewKey } from '../../accounts/keys/account-keys.ts';
import { limitsView } from '../../accounts/quota/month-usage.ts';
import type { Session, SessionEntry } from '../../accounts/sign-in/sessions.ts';
import { dayOf, formatDay, formatMoment, type Millis } from '../../domain/day.ts';
import type {
  AccountView,
  DeletionView,
  KeyView,
  Me,
  NewKeyView,
  SessionEntryView,
} from '../schemas.ts';
import type { Services } from '../services.ts';

/** The bodies of accounts and API keys. */

export function moment(at: Millis | null): string | null {
  return at === null ? null : formatMoment(at);
}

/** The account of a session, or one that has just signed in. */
export async function meView(
  { sessions, secondFactors, signInSteps }: Services,
  account: Account | Session,
): Promise<Static<typeof Me>> {
  const { email, plan, isOperator, createdAt } = account;
  const id = 'accountId' in account ? account.accountId : account.id;
  const factors = await signInSteps.factorsOf(id);
  return {
    email,
    plan: plan.name,
    isOperator,
    createdAt: formatMoment(createdAt),
    sessions: (await sessions.list(id)).length,
    secondFactors: factors,
    needsSecondFactor: factors.length === 0 && secondFactors.isRequired(account),
  };
}

export function sessionEntryView(
  { id, address, userAgent, createdAt, lastUsedAt }: SessionEntry,
  current: string,
): Static<typeof SessionEntryView> {
  return {
    id,
    address,
    userAgent,
    createdAt: formatMoment(createdAt),
    lastUsedAt: formatMoment(lastUsedAt),
    isCurrent: id === current,
  };
}

export function keyView(key: AccountKey): Static<typeof KeyView> {
  const { id, name, hint, status, createdAt, expiresAt, revokedAt, lastUse } = key;
  const { scopes, dailyRequests, usedToday, addresses, inQuery } = key;
  return {
    id,
    name,
    hint,
    status,
    createdAt: formatMoment(createdAt),
    expires: lastDay(expiresAt),
    revokedAt: moment(revokedAt),
    lastUsedAt: moment(lastUse?.at ?? null),
    lastUsedFrom: lastUse?.address || null,
    ...{ scopes, dailyRequests, usedToday, addresses, inQuery },
  };
}

/** The last day (UTC) before a moment; null for no end. */
export function lastDay(end: Millis | null): string | null {
  return end === null ? null : formatDay(dayOf(end - 1));
}

/** An API key with its secret, which cannot be read again. */
export function newKeyView(key: NewKey): Static<typeof NewKeyView> {
  return { ...keyView(key), key: key.key };
}

export function deletionView(
  { id, rows, auditEntries }: Deletion,
  auditDays: number,
): Static<typeof DeletionView> {
  const { api_keys: keys, sessions } = rows;
  return { name: deletedName(id), auditEntries, auditDays, keys, sessions };
}

export function accountView(account: AccountWithUsage): Static<typeof AccountView> {
  const { email, plan, limits, isOperator, usedToday, createdAt, disabledAt, verifiedAt } = account;
  return {
    email,
    plan: plan.name,
    limits: limits && (limitsView(limits) as Static<typeof AccountView>['limits']),
    isOperator,
    usedToday,
    dailyRequests: plan.dailyRequests,
    createdAt: formatMoment(createdAt),
    disabledAt: moment(disabledAt),
    isConfirmed: verifiedAt !== null,
  };
}
