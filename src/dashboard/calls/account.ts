import { sessionId } from '../../accounts/sign-in/sessions.ts';
import { Many } from '../../http/schemas.ts';
import { clientOf } from '../client.ts';
import { clearToken, setToken } from '../cookie.ts';
import { sentDevice } from '../device-cookie.ts';
import { notifyOwner } from '../notices.ts';
import { defineRoute } from '../route.ts';
import {
  Data,
  DeletionView,
  Me,
  NewPasswordBody,
  PasswordBody,
  SessionEntryView,
  SessionIdBody,
} from '../schemas.ts';
import { deletionView, meView, sessionEntryView } from './views.ts';

/** The calls with which people manage their own account. */

export const signOutEverywhere = defineRoute({
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
});

export const sessions = defineRoute({
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
});

/** Ends a session of the account; succeeds also when it has ended already. */
export const revokeSession = defineRoute({
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
});

/** Ends every session of the account but that of this browser. */
export const revokeOtherSessions = defineRoute({
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
});

/** Ends every session of the account; this browser gets a new one. */
export const changePassword = defineRoute({
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
});

export const remove = defineRoute({
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
});
