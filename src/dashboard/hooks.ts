import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { PageQuota, VisitorQuota } from '../accounts/quota/page-quota.ts';
import type { Plans } from '../accounts/quota/plans.ts';
import { RateLimiter } from '../accounts/quota/rate-limiter.ts';
import type { SecondFactors } from '../accounts/sign-in/second-factors.ts';
import { requireOperator, type Session, type Sessions } from '../accounts/sign-in/sessions.ts';
import type { SignInSteps } from '../accounts/sign-in/sign-in-steps.ts';
import type { Millis } from '../domain/day.ts';
import { ApiError } from '../domain/errors.ts';
import { type BurstLimit, FREE, type Plan, type PlanTable } from '../domain/plans.ts';
import { needsOf, planRestriction } from '../http/admission.ts';
import { isOwnSite } from '../http/guard.ts';
import { resolve } from '../http/v1/resolve.ts';
import { ENDPOINTS } from '../http/v1/routes.ts';
import { autocomplete } from '../http/v1/search.ts';
import { games, rarities, sets, setsOfGame } from '../http/v1/sets.ts';
import { refusals } from '../lib/counts.ts';
import { networkOf } from '../lib/networks.ts';
import { tooFast } from '../operator/api.ts';
import { sentToken } from './cookies.ts';

/**
 * The callers of a route: anyone, visitors (if the pages are public; accounts always), signed-in
 * accounts, or operators.
 */
export type Access = 'anyone' | 'visitor' | 'account' | 'operator';

/** A person without an account, who may read what the free plan includes. */
interface Visitor {
  /** The network address. */
  readonly address: string;
  readonly plan: Plan;
  /** All plans. */
  readonly plans: PlanTable;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The callers of this route of the dashboard; signed-in accounts by default. */
    access?: Access;
    /** See `Route`. */
    isDangerous?: boolean;
    isForNewOperators?: boolean;
  }
  interface FastifyRequest {
    /** The sender of a call without a session, once admitted. */
    visitor: Visitor | undefined;
  }
}

const SAFE_METHODS = ['GET', 'HEAD'];

/**
 * Adds a hook that refuses calls from pages of other sites (docs/adr/0011). Browsers state the
 * origin of a call in headers. A client that does not is not a browser, so it has no cookie to
 * abuse.
 */
export function addOriginCheck(app: FastifyInstance, publicUrl: string): void {
  app.addHook('onRequest', (request, _reply, done) => {
    if (SAFE_METHODS.includes(request.method) || isOwnSite(request, publicUrl)) return done();
    done(new ApiError('FORBIDDEN', 'This call came from a page of another site.'));
  });
}

/**
 * The burst limit of an account over all its sessions, and of a visitor's network. Calls of pages
 * do not use the quota of the API. A call that costs several requests in the API also counts as
 * several here.
 */
const PAGE_LIMIT: BurstLimit = { requests: 600, seconds: 60 };

/** How long a proof of identity is valid for dangerous calls, in milliseconds. */
const PROOF_MS: Millis = 10 * 60_000;

interface HookServices {
  readonly clock: () => Millis;
  readonly plans: Plans;
  /** Whether visitors without an account may read cards. */
  readonly isPublic: boolean;
  readonly sessions: Sessions;
  readonly secondFactors: SecondFactors;
  readonly signInSteps: SignInSteps;
}

/**
 * Adds the hook that admits a call to a route or an unknown path. It checks, in this order: the
 * session, the burst limit, the operator, the second factor, the recent proof and the plan.
 */
export function addSessionHooks(app: FastifyInstance, services: HookServices): void {
  const { sessions, clock } = services;
  const rateLimiter = new RateLimiter<string>();
  const admitVisitor = visitorAdmission(services, rateLimiter);
  app.decorateRequest('visitor', undefined);
  app.addHook('onRequest', async (request) => {
    const { config } = request.routeOptions;
    const { access } = config;
    if (access === 'anyone') return;
    const session = await identifySession(sessions, request);
    if (!session) return admitVisitor(request);
    requireSlow(rateLimiter.wait(senderOf(request), PAGE_LIMIT, clock()));
    if (access === 'operator') requireOperator(session);
    await requireSecondFactor(services, session, request);
    requireProof(session, request, clock());
    const restriction = planRestriction(session, needsOf(config, request.query));
    if (restriction) throw restriction;
  });
  app.addHook('preHandler', (request, _reply, done) => {
    const cost = request.routeOptions.config.cost?.(request) ?? 1;
    if (cost > 1) rateLimiter.count(senderOf(request), PAGE_LIMIT, cost - 1, clock());
    done();
  });
}

/** The subject whose calls are counted together: an account over all its sessions, or a network. */
function senderOf({ session, ip }: FastifyRequest): string {
  return session ? `account ${session.accountId}` : `network ${networkOf(ip)}`;
}

/**
 * Returns a function that admits a call without a session if the pages are public and the route is
 * for visitors, and throws otherwise. It also refuses an ended session, so the page asks the user
 * to sign in again instead of showing less than before.
 */
function visitorAdmission(
  { clock, plans, isPublic }: HookServices,
  rateLimiter: RateLimiter<string>,
) {
  return async (request: FastifyRequest): Promise<void> => {
    const { config } = request.routeOptions;
    if (!isPublic || config.access !== 'visitor' || sentToken(request) !== '') {
      throw new ApiError('UNAUTHORIZED');
    }
    requireSlow(rateLimiter.wait(senderOf(request), PAGE_LIMIT, clock()));
    const table = await plans.read();
    const plan = table.find(FREE);
    if (!plan) throw new Error('the free plan is missing, although it cannot be deleted');
    request.visitor = { address: request.ip, plan, plans: table };
    const restriction = planRestriction(request.visitor, needsOf(config, request.query));
    if (restriction) throw restriction;
  };
}

/** @throws ApiError if a call came too early, by `wait` milliseconds. */
function requireSlow(wait: number): void {
  if (wait <= 0) return;
  refusals.add('page-burst');
  throw tooFast(wait);
}

/** @throws ApiError if an operator lacks a required second factor, except in calls that add one. */
async function requireSecondFactor(
  { secondFactors, signInSteps }: Pick<HookServices, 'secondFactors' | 'signInSteps'>,
  session: Session,
  { routeOptions }: FastifyRequest,
): Promise<void> {
  if (routeOptions.config.isForNewOperators || !secondFactors.isRequired(session)) return;
  const factors = await signInSteps.factorsOf(session.accountId);
  if (factors.length === 0) throw new ApiError('SECOND_FACTOR_REQUIRED');
}

/** @throws ApiError if a call is dangerous and the owner has not proved their identity recently. */
function requireProof(
  { authenticatedAt }: Session,
  { routeOptions }: FastifyRequest,
  now: Millis,
): void {
  if (!routeOptions.config.isDangerous || now - authenticatedAt < PROOF_MS) return;
  throw new ApiError('REAUTHENTICATION_REQUIRED');
}

/**
 * Returns the session of a request. Keeps the cookie of an ended session, because another request
 * may have renewed it.
 */
export async function identifySession(
  sessions: Sessions,
  request: FastifyRequest,
): Promise<Session | undefined> {
  const token = sentToken(request);
  if (token === '') return undefined;
  request.session = await sessions.identify(token);
  if (!request.session) return undefined;
  markUsed(sessions, request.session, request);
  return request.session;
}

/** Records the use of a session; the answer does not wait for it. */
function markUsed(sessions: Sessions, session: Session, { id, log }: FastifyRequest): void {
  sessions.markUsed(session).catch((err) => {
    log.error({ reqId: id, err }, 'the use of a session could not be recorded');
  });
}

/** The daily quotas of priced cards. */
export interface PageQuotas {
  readonly accounts: PageQuota;
  readonly visitors: VisitorQuota;
}

/** Endpoints whose answers contain no prices of cards, by the `endpoint` of their routes. */
const WITHOUT_PRICES = [autocomplete, sets, setsOfGame, games, rarities].map((endpoint) => {
  return ENDPOINTS.indexOf(endpoint);
});

/**
 * Adds the hooks that charge the priced cards of an answer to the daily quota of the account, or of
 * the visitor's network. An answer that exceeds the quota becomes a 429.
 *
 * Lines to resolve are charged before the work, one card each, because reading a line takes long
 * even if no card is found.
 */
export function addPageQuota(app: FastifyInstance, { accounts, visitors }: PageQuotas): void {
  const charge = async ({ session, visitor }: FastifyRequest, cards: number) => {
    if (cards > 0 && session) await accounts.charge(session, cards);
    if (cards > 0 && visitor) await visitors.charge(visitor.address, cards);
  };
  app.addHook('preHandler', (request) => charge(request, linesIn(request)));
  app.addHook('onSend', async (request, reply, payload) => {
    const { endpoint } = request.routeOptions.config;
    if (endpoint === undefined || reply.statusCode !== 200) return payload;
    if (WITHOUT_PRICES.includes(endpoint)) return payload;
    await charge(request, countCards(payload) - linesIn(request));
    return payload;
  });
}

const RESOLVE = ENDPOINTS.indexOf(resolve);

/** The number of lines that a call resolves. */
function linesIn({ routeOptions, body }: FastifyRequest): number {
  if (routeOptions.config.endpoint !== RESOLVE) return 0;
  return (body as { readonly items: readonly unknown[] }).items.length;
}

/**
 * The number of cards that the body of an endpoint shows: those in its list, or the single one.
 * Every line of the resolver counts at least as one.
 */
function countCards(payload: unknown): number {
  const { data } = JSON.parse(String(payload)) as { readonly data: Shown | readonly Shown[] };
  return [data].flat().reduce((sum, shown) => sum + cardsIn(shown), 0);
}

interface Shown {
  readonly candidates?: readonly unknown[];
  readonly products?: readonly unknown[];
  readonly mostValuable?: readonly unknown[];
  readonly others?: readonly unknown[];
  readonly previous?: unknown;
  readonly next?: unknown;
}

/**
 * The number of cards in an item: those of a resolved line, of a set or around a card. A card
 * counts as one.
 */
function cardsIn(shown: Shown): number {
  const { candidates, products, mostValuable, others, previous, next } = shown;
  const choices = candidates ?? products;
  if (choices) return Math.max(1, choices.length);
  const around = others && [...others, previous, next].filter((card) => card !== null);
  return (mostValuable ?? around)?.length ?? 1;
}
