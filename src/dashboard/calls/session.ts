import type { FastifyRequest } from 'fastify';
import type { Static } from 'typebox';
import type { Account } from '../../accounts/accounts.ts';
import { MAX_ACTIVE_KEYS } from '../../accounts/keys/account-keys.ts';
import { dailyCardsOf } from '../../accounts/quota/page-quota.ts';
import { PASSWORD } from '../../accounts/sign-in/self-service.ts';
import type {
  AdmittedAccount,
  Client,
  Session,
  VerifiedAccount,
} from '../../accounts/sign-in/sessions.ts';
import { formatMoment } from '../../domain/day.ts';
import { GAMES } from '../../domain/games.ts';
import { dollarsFromCents } from '../../domain/money.ts';
import { FREE, type Plan } from '../../domain/plans.ts';
import { lastDay } from '../../operator/keys.ts';
import { Data } from '../../operator/schemas.ts';
import {
  clearPendingToken,
  clearToken,
  sentDevice,
  sentToken,
  setDevice,
  setPendingToken,
  setToken,
} from '../cookies.ts';
import { identifySession } from '../hooks.ts';
import { type AnyRoute, defineRoute, type Exchange, type Services } from '../route.ts';
import { type Me, SessionView } from '../views.ts';
import { partyOf } from './second-factors.ts';

/** The first data that the pages load, and signing out. */
export const SESSION_ROUTES: readonly AnyRoute[] = [
  defineRoute({
    method: 'GET',
    path: '/session',
    access: 'anyone',
    audit: null,
    schema: { response: { 200: Data(SessionView) } },
    async handle(services, { request, reply }) {
      const session = await identifySession(services.sessions, request);
      if (!session && sentToken(request) !== '') clearToken(reply);
      const account = session ? await meView(services, session) : null;
      const table = await services.plans.read();
      const passkeyOrigin = partyOf(services, request)?.origin ?? null;
      const { historyDays = 0 } = session?.plan ?? table.find(FREE) ?? {};
      const view = sessionView(services, account, table.plans);
      return { data: { ...view, passkeyOrigin, historyDays } };
    },
  }),

  /** Succeeds even if the session has already ended. */
  defineRoute({
    method: 'POST',
    path: '/sign-out',
    access: 'anyone',
    audit: { action: 'signed-out' },
    schema: {},
    status: 204,
    async handle({ sessions }, { request, reply }) {
      const session = await identifySession(sessions, request);
      await sessions.end(sentToken(request));
      clearToken(reply);
      request.log.info({ reqId: request.id, account: session?.accountId }, 'signed out');
    },
  }),
];

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

function planView(plan: Plan) {
  const { burst, ...parts } = plan;
  return {
    ...parts,
    dailyLookups: dailyCardsOf(plan),
    price: dollarsFromCents(plan.price),
    features: [...plan.features],
  };
}

/** The account of a session, or an account that has just signed in. */
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

/**
 * Starts a session for an account whose password was right. If the account has a second factor,
 * answers 202 with its kinds instead, and the sign-in waits for one of them.
 */
export async function admit(
  services: Services,
  { request, reply }: Exchange,
  account: VerifiedAccount,
) {
  request.provedAccount = account.email;
  const step = await services.signInSteps.begin(account);
  if (!('factors' in step)) return openSession(services, { request, reply }, step);
  setPendingToken(reply, step.token);
  reply.code(202);
  return { data: { factors: [...step.factors] } };
}

/** Starts a session, and ends the browser's previous one; returns the body of the answer. */
export async function openSession(
  services: Services,
  { request, reply }: Exchange,
  account: AdmittedAccount,
) {
  request.provedAccount = account.email;
  await services.sessions.end(sentToken(request));
  setDevice(reply, await services.selfService.devices.remember(account.id, sentDevice(request)));
  clearPendingToken(reply);
  setToken(reply, await services.sessions.open(account, clientOf(request)));
  request.log.info({ reqId: request.id, account: account.id }, 'signed in');
  return { data: await meView(services, account) };
}

/** The network address and the browser of a call. */
export function clientOf({ ip, headers }: FastifyRequest): Client {
  return { address: ip, userAgent: headers['user-agent'] ?? '' };
}
