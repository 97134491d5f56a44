import { formatMoment } from '../../domain/day.ts';
import { clientOf } from '../client.ts';
import { clearToken, setToken } from '../cookie.ts';
import { defineRoute } from '../route.ts';
import { Data, Me, NewPasswordBody, PasswordBody, UsageView } from '../schemas.ts';
import { meView } from './views.ts';

/** The calls with which people manage their own account. */

export const signOutEverywhere = defineRoute({
  method: 'POST',
  path: '/sign-out-everywhere',
  access: 'account',
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
  isDangerous: true,
  schema: { body: NewPasswordBody, response: { 200: Data(Me) } },
  async handle(services, { body: { current, next }, request, reply, session }) {
    const { selfService, sessions } = services;
    const change = { current, next, address: request.ip };
    const account = await selfService.changePassword(session, change);
    const admitted = services.signInSteps.renew(session, account);
    setToken(reply, await sessions.open(admitted, clientOf(request)));
    request.log.info({ reqId: request.id, account: session.accountId }, 'password changed');
    return { data: await meView(services, account) };
  },
});

export const remove = defineRoute({
  method: 'POST',
  path: '/account/delete',
  access: 'account',
  isDangerous: true,
  schema: { body: PasswordBody },
  status: 204,
  async handle({ selfService }, { body: { password }, request, reply, session }) {
    await selfService.remove(session, { password, address: request.ip });
    clearToken(reply);
    request.log.info({ reqId: request.id, account: session.accountId }, 'account deleted');
  },
});

export const usage = defineRoute({
  method: 'GET',
  path: '/usage',
  access: 'account',
  schema: { response: { 200: Data(UsageView) } },
  async handle(services, { session }) {
    const { resetAt, now, ...report } = await services.usage.read(session.accountId, session.plan);
    return { data: { ...report, resetAt: formatMoment(resetAt), now: formatMoment(now) } };
  },
});
