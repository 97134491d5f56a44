import type { Static } from 'typebox';
import { formatMoment } from '../../domain/day.ts';
import { clearToken, setToken } from '../cookie.ts';
import type { AccountRoute } from '../routes.ts';
import { Data, Me, NewPasswordBody, PasswordBody, UsageView } from '../schemas.ts';
import { meView } from './views.ts';

/** What people do with their own account. */

export const signOutEverywhere: AccountRoute = {
  method: 'POST',
  path: '/sign-out-everywhere',
  access: 'account',
  schema: {},
  status: 204,
  async handle({ sessions }, { request, reply, who }) {
    await sessions.endAll(who.accountId);
    clearToken(reply);
    request.log.info({ reqId: request.id, account: who.accountId }, 'signed out everywhere');
  },
};

/** Ends every session but the one of this browser, which gets a new one. */
export const changePassword: AccountRoute = {
  method: 'POST',
  path: '/password',
  access: 'account',
  schema: { body: NewPasswordBody, response: { 200: Data(Me) } },
  async handle(parts, { request, reply, who }) {
    const { current, next } = request.body as Static<typeof NewPasswordBody>;
    await parts.selfService.changePassword(who, { current, next, address: request.ip });
    setToken(reply, await parts.sessions.open(who.accountId));
    request.log.info({ reqId: request.id, account: who.accountId }, 'password changed');
    return { data: await meView(parts, who) };
  },
};

export const remove: AccountRoute = {
  method: 'POST',
  path: '/account/delete',
  access: 'account',
  schema: { body: PasswordBody },
  status: 204,
  async handle({ selfService }, { request, reply, who }) {
    const { password } = request.body as Static<typeof PasswordBody>;
    await selfService.remove(who, { password, address: request.ip });
    clearToken(reply);
    request.log.info({ reqId: request.id, account: who.accountId }, 'account deleted');
  },
};

export const usage: AccountRoute = {
  method: 'GET',
  path: '/usage',
  access: 'account',
  schema: { response: { 200: Data(UsageView) } },
  async handle(parts, { who }) {
    const { resetAt, now, ...report } = await parts.usage.read(who.accountId, who.plan);
    return { data: { ...report, resetAt: formatMoment(resetAt), now: formatMoment(now) } };
  },
};
