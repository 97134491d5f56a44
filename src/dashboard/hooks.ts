import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { PageQuota } from '../accounts/quota/page-quota.ts';
import { RateLimiter } from '../accounts/quota/rate-limiter.ts';
import type { VisitorQuota } from '../accounts/quota/visitor-quota.ts';
import type { SecondFactors } from '../accounts/sign-in/second-factors.ts';
import { requireOperator, type Session, type Sessions } from '../accounts/sign-in/sessions.ts';
import type { SignInSteps } from '../accounts/sign-in/sign-in-steps.ts';
import type { Millis } from '../domain/day.ts';
import { ApiError } from '../domain/errors.ts';
import { planRestriction } from '../http/hooks.ts';
import { autocomplete } from '../http/v1/autocomplete.ts';
import { games } from '../http/v1/games.ts';
import { rarities } from '../http/v1/rarities.ts';
import { ENDPOINTS } from '../http/v1/routes.ts';
import { setsOfGame } from '../http/v1/set.ts';
import { sets } from '../http/v1/sets.ts';
import { renameToken, sentToken } from './cookie.ts';
import { PAGE_LIMIT, tooFast, type VisitorServices, visitorAdmission } from './visitors.ts';

/**
 * Who may call a route: anyone, visitors (where the pages are public; accounts everywhere),
 * signed-in accounts or operators.
 */
export type Access = 'anyone' | 'visitor' | 'account' | 'operator';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Who may call this route of the dashboard; signed-in accounts by default. */
    access?: Access;
    /** As in `Route`. */
    isDangerous?: boolean;
    isForNewOperators?: boolean;
  }
}

/** The endpoints whose answers have no prices of cards, as `endpoint` of their routes. */
const WITHOUT_PRICES = [autocomplete, sets, setsOfGame, games, rarities].map((endpoint) => {
  return ENDPOINTS.indexOf(endpoint);
});

/** How long a proof of who somebody is suffices for what is dangerous, in milliseconds. */
export const PROOF_MS: Millis = 10 * 60_000;

const SAFE_METHODS = ['GET', 'HEAD'];

/**
 * Adds a hook that refuses calls sent by pages of other sites (docs/adr/0011). Browsers say in
 * headers where a call comes from; a client without them is no browser and has no cookie to abuse.
 */
export function addOriginCheck(app: FastifyInstance, publicUrl: string): void {
  app.addHook('onRequest', (request, _reply, done) => {
    if (SAFE_METHODS.includes(request.method) || isOwnSite(request, publicUrl)) return done();
    done(new ApiError('FORBIDDEN', 'This call came from a page of another site.'));
  });
}

function isOwnSite({ headers }: FastifyRequest, publicUrl: string): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin' || site === 'none';
  const { origin } = headers;
  if (origin === undefined || (publicUrl !== '' && origin === publicUrl)) return true;
  // Not `request.host`, which may be what a caller wrote into X-Forwarded-Host.
  return URL.canParse(origin) && new URL(origin).host === headers.host;
}

/**
 * Adds the hook that authenticates sessions to every route of `app`, also to unknown paths: it
 * checks the `access` and the features of the route, and the burst limit of the account.
 */
export function addSessionHooks(
  app: FastifyInstance,
  { sessions, clock, ...services }: HookServices,
): void {
  const rateLimiter = new RateLimiter();
  const admitVisitor = visitorAdmission({ clock, ...services });
  app.decorateRequest('visitor', undefined);
  app.addHook('onRequest', async (request, reply) => {
    const { config } = request.routeOptions;
    const { access } = config;
    if (access === 'anyone') return;
    const session = await identifySession(sessions, request, reply);
    if (!session) return admitVisitor(request);
    const wait = rateLimiter.wait(session.accountId, PAGE_LIMIT, clock());
    if (wait > 0) throw tooFast(wait);
    if (access === 'operator') requireOperator(session);
    await requireSecondFactor(services, session, request);
    requireProof(session, request, clock());
    const restriction = planRestriction(session, config, request.query);
    if (restriction) throw restriction;
  });
  app.addHook('preHandler', (request, _reply, done) => {
    const { session, routeOptions } = request;
    const cost = routeOptions.config.cost?.(request) ?? 1;
    if (session && cost > 1) rateLimiter.count(session.accountId, PAGE_LIMIT, cost - 1, clock());
    done();
  });
}

/** The daily quotas of priced cards. */
export interface PageQuotas {
  readonly accounts: PageQuota;
  readonly visitors: VisitorQuota;
}

/**
 * Adds the hook that charges the priced cards of an answer to the daily quota of the account, or of
 * the network of a visitor. An answer that exceeds it becomes a 429.
 */
export function addPageQuota(app: FastifyInstance, { accounts, visitors }: PageQuotas): void {
  app.addHook('onSend', async ({ session, visitor, routeOptions }, reply, payload) => {
    const { endpoint } = routeOptions.config;
    if (endpoint === undefined || reply.statusCode !== 200) return payload;
    if (WITHOUT_PRICES.includes(endpoint)) return payload;
    const cards = countCards(payload);
    if (cards > 0 && session) await accounts.charge(session, cards);
    if (cards > 0 && visitor) await visitors.charge(visitor.address, cards);
    return payload;
  });
}

/** How many cards the body of an endpoint shows: those of its list, or the one that it is about. */
function countCards(payload: unknown): number {
  const { data } = JSON.parse(String(payload)) as { readonly data: Shown | readonly Shown[] };
  return [data].flat().reduce((sum, shown) => sum + (cardsWithin(shown)?.length ?? 1), 0);
}

interface Shown {
  readonly candidates?: readonly unknown[];
  readonly mostValuable?: readonly unknown[];
  readonly others?: readonly unknown[];
  readonly previous?: unknown;
  readonly next?: unknown;
}

/** The cards in an item of the resolver, in a set or around a card; undefined for a card itself. */
function cardsWithin(shown: Shown): readonly unknown[] | undefined {
  const { candidates, mostValuable, others, previous, next } = shown;
  const around = others && [...others, previous, next].filter((card) => card !== null);
  return candidates ?? mostValuable ?? around;
}

interface HookServices extends VisitorServices {
  readonly sessions: Sessions;
  readonly secondFactors: SecondFactors;
  readonly signInSteps: SignInSteps;
}

/** Lets operators do nothing but add a second factor where they need one and have none. */
async function requireSecondFactor(
  { secondFactors, signInSteps }: Pick<HookServices, 'secondFactors' | 'signInSteps'>,
  session: Session,
  { routeOptions }: FastifyRequest,
): Promise<void> {
  if (routeOptions.config.isForNewOperators || !secondFactors.isRequired(session)) return;
  const factors = await signInSteps.factorsOf(session.accountId);
  if (factors.length === 0) throw new ApiError('SECOND_FACTOR_REQUIRED');
}

/** Refuses what is dangerous to a session whose owner has not proved lately to be there. */
function requireProof(
  { authenticatedAt }: Session,
  { routeOptions }: FastifyRequest,
  now: Millis,
): void {
  if (!routeOptions.config.isDangerous || now - authenticatedAt < PROOF_MS) return;
  throw new ApiError('REAUTHENTICATION_REQUIRED');
}

/**
 * The session of a request. It leaves the cookie of one that has ended: another request may have
 * renewed it meanwhile.
 */
export async function identifySession(
  sessions: Sessions,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Session | undefined> {
  const token = sentToken(request);
  if (token === '') return undefined;
  request.session = await sessions.identify(token);
  if (!request.session) return undefined;
  renameToken(reply);
  markUsed(sessions, request.session, request);
  return request.session;
}

/** Records the use of a session; the answer does not wait for it. */
function markUsed(sessions: Sessions, session: Session, { id, log }: FastifyRequest): void {
  sessions.markUsed(session).catch((err) => {
    log.error({ reqId: id, err }, 'the use of a session could not be recorded');
  });
}
