import { type Static, Type } from 'typebox';
import type { Deletion } from '../../accounts/account-deletion-sql.ts';
import { deletedName } from '../../accounts/audit/audit-sql.ts';
import { type SessionEntry, sessionId } from '../../accounts/sign-in/sessions.ts';
import { formatMoment } from '../../domain/day.ts';
import { burstLimitOf } from '../../http/admission.ts';
import { Many } from '../../http/schemas.ts';
import { Data } from '../../operator/schemas.ts';
import { clearToken, sentDevice, setToken } from '../cookies.ts';
import { notifyOwner } from '../mail.ts';
import { type AnyRoute, defineRoute } from '../route.ts';
import { DeletionView, Me, RequestsView, SessionEntryView, UsageView } from '../views.ts';
import { AssertionBody, RequestOptionsView, requirePartyOf } from './second-factors.ts';
import { clientOf, meView } from './session.ts';
import { Password } from './sign-in.ts';

/** The id of a session in the list of its account. */
const SessionIdBody = Type.Object({
  id: Type.String({ title: 'The session', minLength: 1, maxLength: 100 }),
});

const NewPasswordBody = Type.Object({
  current: Type.String({ title: 'The current password', minLength: 1, maxLength: 1024 }),
  next: Type.String({ title: 'The new password', minLength: 1, maxLength: 1024 }),
});

const PasswordBody = Type.Object({ password: Password });

/** Required for accounts with a second factor. */
const ProofBody = Type.Object({
  password: Type.String({ title: 'The password', minLength: 1, maxLength: 1024 }),
  code: Type.Optional(Type.String({ title: 'The code', maxLength: 100 })),
});

/** Calls for the user's own account: sessions, password, deletion and proof of ownership. */
export const ACCOUNT_ROUTES: readonly AnyRoute[] = [
  defineRoute({
    method: 'POST',
    path: '/reauthenticate',
    access: 'account',
    isForNewOperators: true,
    audit: { action: null, refusal: 'sign-in-failed' },
    schema: { body: ProofBody },
    status: 204,
    async handle({ signInSteps }, { body: { password, code = '' }, request, reply, session }) {
      const caller = { address: request.ip, device: sentDevice(request) };
      setToken(reply, await signInSteps.reauthenticate(session, { password, code, ...caller }));
    },
  }),

  defineRoute({
    method: 'POST',
    path: '/reauthenticate/passkey-options',
    access: 'account',
    isForNewOperators: true,
    audit: { none: 'it only asks for a passkey' },
    schema: { response: { 200: Data(RequestOptionsView) } },
    async handle(services, { request, session }) {
      const party = requirePartyOf(services, request);
      return { data: await services.signInSteps.ownerOptions(session, party) };
    },
  }),

  defineRoute({
    method: 'POST',
    path: '/reauthenticate/passkey',
    access: 'account',
    isForNewOperators: true,
    audit: { action: null, refusal: 'sign-in-failed' },
    schema: { body: AssertionBody },
    status: 204,
    async handle(services, { body: { response }, request, reply, session }) {
      const answer = { party: requirePartyOf(services, request), response };
      setToken(reply, await services.signInSteps.reauthenticateWithPasskey(session, answer));
    },
  }),

  defineRoute({
    method: 'POST',
    path: '/sign-out-everywhere',
    access: 'account',
    audit: { action: 'signed-out', detail: () => 'from every browser' },
    isForNewOperators: true,
    schema: {},
    status: 204,
    async handle({ sessions }, { request, reply, session }) {
      await sessions.endAll(session.accountId);
      clearToken(reply);
      request.log.info({ reqId: request.id, account: session.accountId }, 'signed out everywhere');
    },
  }),

  defineRoute({
    method: 'GET',
    path: '/sessions',
    access: 'account',
    audit: null,
    schema: { response: { 200: Many(SessionEntryView, 'The sessions, the one used last first.') } },
    async handle(services, { session }) {
      const current = sessionId(session);
      const entries = await services.sessions.list(session.accountId);
      return { data: entries.map((entry) => sessionEntryView(entry, current)) };
    },
  }),

  /** Ends a session of the account. Succeeds even if it has already ended. */
  defineRoute({
    method: 'POST',
    path: '/sessions/revoke',
    access: 'account',
    isDangerous: true,
    audit: { action: 'session-revoked' },
    schema: { body: SessionIdBody },
    status: 204,
    async handle({ sessions: all }, { body: { id }, reply, session }) {
      await all.revoke(session.accountId, id);
      if (id === sessionId(session)) clearToken(reply);
    },
  }),

  /** Ends every session of the account except this browser's. */
  defineRoute({
    method: 'POST',
    path: '/sessions/revoke-others',
    access: 'account',
    isDangerous: true,
    audit: { action: 'session-revoked', detail: () => 'all but that of this browser' },
    schema: {},
    status: 204,
    async handle({ sessions: all }, { session }) {
      await all.endOthers(session);
    },
  }),

  /** Ends every session of the account; this browser gets a new one. */
  defineRoute({
    method: 'POST',
    path: '/password',
    access: 'account',
    audit: { action: 'password-changed', refusal: 'sign-in-failed' },
    isDangerous: true,
    schema: { body: NewPasswordBody, response: { 200: Data(Me) } },
    async handle(services, { body: { current, next }, request, reply, session }) {
      const { selfService, sessions } = services;
      const change = { current, next, address: request.ip, device: sentDevice(request) };
      const account = await selfService.changePassword(session, change);
      const admitted = services.signInSteps.renew(session, account);
      setToken(reply, await sessions.open(admitted, clientOf(request)));
      request.log.info({ reqId: request.id, account: session.accountId }, 'password changed');
      notifyOwner(services, { request, reply }, account.email, 'password-changed');
      return { data: await meView(services, account) };
    },
  }),

  defineRoute({
    method: 'POST',
    path: '/account/delete',
    access: 'account',
    audit: { action: 'account-deleted', refusal: 'sign-in-failed' },
    isDangerous: true,
    schema: { body: PasswordBody, response: { 200: Data(DeletionView) } },
    async handle({ selfService, auditDays }, { body: { password }, request, reply, session }) {
      const caller = { address: request.ip, device: sentDevice(request) };
      const deletion = await selfService.remove(session, { password, ...caller });
      clearToken(reply);
      return { data: deletionView(deletion, auditDays) };
    },
  }),
];

function sessionEntryView(
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

function deletionView(
  { id, rows, auditEntries }: Deletion,
  auditDays: number,
): Static<typeof DeletionView> {
  const { api_keys: keys, sessions } = rows;
  return { name: deletedName(id), auditEntries, auditDays, keys, sessions };
}

/** Usage and limits of the user's own account. */
export const USAGE_ROUTES: readonly AnyRoute[] = [
  defineRoute({
    method: 'GET',
    path: '/usage',
    access: 'account',
    audit: null,
    schema: { response: { 200: Data(UsageView) } },
    async handle({ usage: report, accounts, burst, keyBurst }, { session }) {
      const { accountId } = session;
      // The plan does not limit an operator's session, but it limits the keys of the account.
      const { plan } = session.isOperator ? await accounts.get(accountId) : session;
      const { resetAt, now, ...used } = await report.read(accountId, plan);
      const { historyDays, features, alerts } = plan;
      const limits = {
        burst: burstLimitOf(plan, burst) ?? null,
        keyBurst,
        historyDays,
        features: [...features],
        alerts,
      };
      return { data: { ...used, limits, resetAt: formatMoment(resetAt), now: formatMoment(now) } };
    },
  }),

  /** The requests of each key, and the last requests; written once a second. */
  defineRoute({
    method: 'GET',
    path: '/requests',
    access: 'account',
    audit: null,
    schema: { response: { 200: Data(RequestsView) } },
    async handle({ usage: report }, { session: { accountId } }) {
      const { counts, recent } = await report.requests(accountId);
      return {
        data: {
          counts: counts.map(({ code, ...count }) => ({ ...count, code: code || null })),
          recent: recent.map(({ at, requestId, keyName, ...request }) => {
            const { endpoint, status, code } = request;
            const ms = Number(request.ms.toFixed(1));
            return { at: formatMoment(at), requestId, keyName, endpoint, status, code, ms };
          }),
        },
      };
    },
  }),
];
