import type { Static } from 'typebox';
import { MAX_ACTIVE_KEYS } from '../../accounts/account-keys.ts';
import { PASSWORD } from '../../accounts/self-service.ts';
import type { VerifiedAccount } from '../../accounts/verified-account.ts';
import { formatMoment } from '../../domain/day.ts';
import { GAMES } from '../../domain/games.ts';
import { dollarsFromCents } from '../../domain/money.ts';
import type { Plan } from '../../domain/plans.ts';
import { clientOf } from '../client.ts';
import { clearToken, sentToken, setToken } from '../cookie.ts';
import { sentDevice, setDevice } from '../device-cookie.ts';
import { identifySession } from '../hooks.ts';
import { type Call, defineRoute } from '../route.ts';
import { Data, Me, SessionView, SignInBody } from '../schemas.ts';
import type { Services } from '../services.ts';
import { meView } from './views.ts';

/** The calls for signing in and out. */

export const read = defineRoute({
  method: 'GET',
  path: '/session',
  access: 'anyone',
  schema: { response: { 200: Data(SessionView) } },
  async handle(services, { request, reply }) {
    const session = await identifySession(services.sessions, request, reply);
    const account = session ? await meView(services, session) : null;
    const { plans } = await services.plans.read();
    return { data: sessionView(services, account, plans) };
  },
});

function sessionView(
  { clock, version, signUp, mailer, pictures }: Services,
  account: Static<typeof Me> | null,
  plans: readonly Plan[],
): Static<typeof SessionView> {
  return {
    account,
    signUp: signUpKind(signUp),
    mail: mailer !== undefined,
    pictures: pictures !== undefined,
    now: formatMoment(clock()),
    version,
    plans: plans.map(planView),
    games: GAMES.map(({ slug: id, name }) => ({ id, name })),
    maxKeys: MAX_ACTIVE_KEYS,
    password: PASSWORD,
  };
}

function signUpKind({ isOpen, invitationCode }: Services['signUp']) {
  if (!isOpen) return 'off';
  return invitationCode === '' ? 'open' : 'invitation';
}

function planView({ name, label, dailyRequests, historyDays, price, features }: Plan) {
  return {
    name,
    label,
    dailyRequests,
    historyDays,
    price: dollarsFromCents(price),
    features: [...features],
  };
}

export const signIn = defineRoute({
  method: 'POST',
  path: '/sign-in',
  access: 'anyone',
  schema: { body: SignInBody, response: { 200: Data(Me) } },
  async handle(services, { body, ...call }) {
    const caller = { address: call.request.ip, device: sentDevice(call.request) };
    return openSession(services, call, await services.selfService.signIn({ ...body, ...caller }));
  },
});

/** Succeeds also when the session has ended. */
export const signOut = defineRoute({
  method: 'POST',
  path: '/sign-out',
  access: 'anyone',
  schema: {},
  status: 204,
  async handle({ sessions }, { request, reply }) {
    const session = await identifySession(sessions, request, reply);
    await sessions.end(sentToken(request));
    clearToken(reply);
    request.log.info({ reqId: request.id, account: session?.accountId }, 'signed out');
  },
});

/** Begins a session, and ends the one that the browser had; returns the body of the answer. */
export async function openSession(
  services: Services,
  { request, reply }: Pick<Call, 'request' | 'reply'>,
  account: VerifiedAccount,
) {
  await services.sessions.end(sentToken(request));
  setDevice(reply, await services.selfService.devices.remember(account.id, sentDevice(request)));
  setToken(reply, await services.sessions.open(account, clientOf(request)));
  request.log.info({ reqId: request.id, account: account.id }, 'signed in');
  return { data: await meView(services, account) };
}
