import { formatMoment } from '../../domain/day.ts';
import { clearToken, setToken } from '../cookie.ts';
import { defineRoute } from '../route.ts';
import { Data, DeletionView, Me, NewPasswordBody, PasswordBody, UsageView } from '../schemas.ts';
import { deletionView, meView } from './views.ts';

/** The calls with which people manage their own account. */

export const signOutEverywhere = defineRoute({
  method: 'POST',
  path: '/sign-out-everywhere',
  access: 'account',
  audit: { action: 'signed-out', detail: () => 'from every browser' },
  schema: {},
  status: 204,
  async handle({ sessions }, { request, reply, session }) {
    await sessions.endAll(session.accountId);
    clearToken(reply);
    request.log.info({ reqId: request.id, account: session.accountId }, 'signed out everywhere');
  },
});

/** Ends every session of the account; this browser gets a new one. */
export const changePassword = defineRoute({
  method: 'POST',
  path: '/password',
  access: 'account',
  audit: { action: 'password-changed' },
  schema: { body: NewPasswordBody, response: { 200: Data(Me) } },
  async handle(services, { body: { current, next }, request, reply, session }) {
    const { selfService, sessions } = services;
    await selfService.changePassword(session, { current, next, address: request.ip });
    setToken(reply, await sessions.open(session.accountId));
    request.log.info({ reqId: request.id, account: session.accountId }, 'password changed');
    return { data: await meView(services, session) };
  },
});

export const remove = defineRoute({
  method: 'POST',
  path: '/account/delete',
  access: 'account',
  audit: { action: 'account-deleted', refusal: 'sign-in-failed' },
  schema: { body: PasswordBody, response: { 200: Data(DeletionView) } },
  async handle({ selfService, auditDays }, { body: { password }, request, reply, session }) {
    const deletion = await selfService.remove(session, { password, address: request.ip });
    clearToken(reply);
    return { data: deletionView(deletion, auditDays) };
  },
});

export const usage = defineRoute({
  method: 'GET',
  path: '/usage',
  access: 'account',
  audit: null,
  schema: { response: { 200: Data(UsageView) } },
  async handle(services, { session }) {
    const { resetAt, now, ...report } = await services.usage.read(session.accountId, session.plan);
    return { data: { ...report, resetAt: formatMoment(resetAt), now: formatMoment(now) } };
  },
});
