import type { Static } from 'typebox';
import { MAX_ACTIVE_KEYS } from '../../accounts/keys/account-keys.ts';
import { PASSWORD } from '../../accounts/sign-in/self-service.ts';
import { formatMoment } from '../../domain/day.ts';
import { GAMES } from '../../domain/games.ts';
import { dollarsFromCents } from '../../domain/money.ts';
import { FREE, type Plan } from '../../domain/plans.ts';
import { clearToken, sentToken } from '../cookie.ts';
import { sentDevice } from '../device-cookie.ts';
import { PendingView } from '../factor-schemas.ts';
import { identifySession } from '../hooks.ts';
import { partyOf } from '../relying-party.ts';
import { defineRoute } from '../route.ts';
import { Data, Me, SessionView, SignInBody } from '../schemas.ts';
import type { Services } from '../services.ts';
import { accountOf } from './audited-account.ts';
import { admit } from './open-session.ts';
import { lastDay, meView } from './views.ts';

/** The calls for signing in and out. */

export const read = defineRoute({
  method: 'GET',
  path: '/session',
  access: 'anyone',
  audit: null,
  schema: { response: { 200: Data(SessionView) } },
  async handle(services, { request, reply }) {
    const session = await identifySession(services.sessions, request, reply);
    if (!session && sentToken(request) !== '') clearToken(reply);
    const account = session ? await meView(services, session) : null;
    const table = await services.plans.read();
    const passkeyOrigin = partyOf(services, request)?.origin ?? null;
    const { historyDays = 0 } = session?.plan ?? table.find(FREE) ?? {};
    const view = sessionView(services, account, table.plans);
    return { data: { ...view, passkeyOrigin, historyDays } };
  },
});

function sessionView(
  { clock, version, brand, isPublic, signUp, mailer, pictures, keys }: Services,
  account: Static<typeof Me> | null,
  plans: readonly Plan[],
): Omit<Static<typeof SessionView>, 'passkeyOrigin' | 'historyDays'> {
  return {
    account,
    brand: { name: brand.name, tagline: brand.tagline, hasLogo: brand.logo !== null },
    isPublic,
    signUp: signUpKind(signUp),
    mail: mailer !== undefined,
    pictures: pictures !== undefined,
    now: formatMoment(clock()),
    version,
    plans: plans.map(planView),
    games: GAMES.map(({ slug: id, name }) => ({ id, name })),
    maxKeys: MAX_ACTIVE_KEYS,
    keyExpires: lastDay(keys.defaultExpiry),
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
  audit: {
    // With a second factor to come nobody is signed in yet.
    action: ({ answer }) => (answer && 'email' in answer.data ? 'signed-in' : null),
    refusal: 'sign-in-failed',
    subject: ({ body }) => accountOf(body.email),
    detail: () => 'with a password',
  },
  schema: { body: SignInBody, response: { 200: Data(Me), 202: Data(PendingView) } },
  async handle(services, { body, ...call }) {
    const caller = { address: call.request.ip, device: sentDevice(call.request) };
    return admit(services, call, await services.selfService.signIn({ ...body, ...caller }));
  },
});

/** Succeeds also when the session has ended. */
export const signOut = defineRoute({
  method: 'POST',
  path: '/sign-out',
  access: 'anyone',
  audit: { action: 'signed-out' },
  schema: {},
  status: 204,
  async handle({ sessions }, { request, reply }) {
    const session = await identifySession(sessions, request, reply);
    await sessions.end(sentToken(request));
    clearToken(reply);
    request.log.info({ reqId: request.id, account: session?.accountId }, 'signed out');
  },
});
