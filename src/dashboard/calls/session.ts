import type { FastifyRequest } from 'fastify';
import type { Static } from 'typebox';
import { MAX_ACTIVE_KEYS } from '../../accounts/account-keys.ts';
import type { Account } from '../../accounts/accounts.ts';
import { PASSWORD, resetLink } from '../../accounts/self-service.ts';
import { formatMoment } from '../../domain/day.ts';
import { parseEmail } from '../../domain/email.ts';
import { GAMES } from '../../domain/games.ts';
import { dollarsFromCents } from '../../domain/money.ts';
import type { Plan } from '../../domain/plans.ts';
import { clearToken, sentToken, setToken } from '../cookie.ts';
import { identifySession } from '../hooks.ts';
import { type Call, defineRoute } from '../route.ts';
import {
  Data,
  EmailBody,
  EmptyView,
  Me,
  ResetBody,
  SessionView,
  SignInBody,
  SignUpBody,
} from '../schemas.ts';
import type { Services } from '../services.ts';
import { lastDay, meView } from './views.ts';

/** The calls for signing up, in and out, and for resetting a password. */

/** The account that somebody meant, by its address. The log does not keep what no account has. */
function accountOf(email: string): string {
  return email.includes('@') ? email : 'unknown account';
}

export const read = defineRoute({
  method: 'GET',
  path: '/session',
  access: 'anyone',
  audit: null,
  schema: { response: { 200: Data(SessionView) } },
  async handle(services, { request, reply }) {
    const session = await identifySession(services.sessions, request, reply);
    const account = session ? await meView(services, session) : null;
    const { plans } = await services.plans.read();
    return { data: sessionView(services, account, plans) };
  },
});

function sessionView(
  { clock, version, signUp, mailer, pictures, keys }: Services,
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
    action: 'signed-in',
    refusal: 'sign-in-failed',
    subject: ({ body }) => accountOf(body.email),
  },
  schema: { body: SignInBody, response: { 200: Data(Me) } },
  async handle(services, { body, ...call }) {
    const address = call.request.ip;
    return openSession(services, call, await services.selfService.signIn({ ...body, address }));
  },
});

export const signUp = defineRoute({
  method: 'POST',
  path: '/sign-up',
  access: 'anyone',
  audit: { action: 'account-created', subject: ({ body }) => accountOf(body.email) },
  schema: { body: SignUpBody, response: { 201: Data(Me) } },
  status: 201,
  async handle(services, { body, ...call }) {
    const address = call.request.ip;
    const account = await services.selfService.signUp({ invitation: '', ...body, address });
    return openSession(services, call, account);
  },
});

/** Answers the same whether or not the account exists, and sends the mail after that. */
export const forgot = defineRoute({
  method: 'POST',
  path: '/forgot',
  access: 'anyone',
  audit: { action: 'reset-link-asked', subject: ({ body }) => accountOf(body.email) },
  schema: { body: EmailBody, response: { 202: Data(EmptyView) } },
  status: 202,
  async handle(services, { body: { email }, request }) {
    if (services.mailer) await sendLink(services, request, email);
    return { data: {} };
  },
});

async function sendLink(
  { selfService, mailer, publicUrl }: Services,
  request: FastifyRequest,
  email: string,
): Promise<void> {
  const reset = await selfService.requestReset(email, request.ip);
  // To the spelling of the account: another one may be the mailbox of somebody else.
  const to = parseEmail(email);
  if (!reset || !to) return;
  mailer?.sendReset(to, resetLink(publicUrl, reset.token), reset.expiresAt).catch((err) => {
    request.log.error({ reqId: request.id, err }, 'a password reset link could not be mailed');
  });
}

export const reset = defineRoute({
  method: 'POST',
  path: '/reset',
  access: 'anyone',
  audit: { action: 'password-reset', subject: ({ answer }) => answer?.data.email ?? null },
  schema: { body: ResetBody, response: { 200: Data(Me) } },
  async handle(services, { body: { token, password }, ...call }) {
    const account = await services.selfService.reset(token, password, call.request.ip);
    return openSession(services, call, account);
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

/** Begins a session, and ends the one that the browser had; returns the body of the answer. */
async function openSession(
  services: Services,
  { request, reply }: Pick<Call, 'request' | 'reply'>,
  account: Account,
) {
  await services.sessions.end(sentToken(request));
  setToken(reply, await services.sessions.open(account.id));
  request.log.info({ reqId: request.id, account: account.id }, 'signed in');
  return { data: await meView(services, account) };
}
