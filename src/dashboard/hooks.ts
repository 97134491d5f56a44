import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { RateLimiter } from '../accounts/rate-limiter.ts';
import type { SecondFactors } from '../accounts/second-factors/second-factors.ts';
import type { SignInSteps } from '../accounts/second-factors/sign-in-steps.ts';
import { requireOperator, type Session, type Sessions } from '../accounts/sessions.ts';
import type { Millis } from '../domain/day.ts';
import { ApiError } from '../domain/errors.ts';
import type { BurstLimit } from '../domain/plans.ts';
import { planRestriction } from '../http/hooks.ts';
import { clearToken, sentToken } from './cookie.ts';

/** Who may call a route: anyone, signed-in accounts or operators. */
export type Access = 'anyone' | 'account' | 'operator';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Who may call this route of the dashboard; signed-in accounts by default. */
    access?: Access;
    /** As in `Route`. */
    isDangerous?: boolean;
    isForNewOperators?: boolean;
  }
}

/**
 * The burst limit of a session. Its calls are not charged to the quota of the API; one that would
 * cost several requests there counts as so many.
 */
const SESSION_LIMIT: BurstLimit = { requests: 600, seconds: 60 };

/** How long a proof of who somebody is suffices for what is dangerous, in milliseconds. */
export const PROOF_MS: Millis = 10 * 60_000;

const SAFE_METHODS = ['GET', 'HEAD'];

/**
 * Adds a hook that refuses calls sent by pages of other sites (docs/adr/0011). Browsers say in
 * headers where a call comes from; a client without them is no browser and has no cookie to abuse.
 */
export function addOriginCheck(app: FastifyInstance): void {
  app.addHook('onRequest', (request, _reply, done) => {
    if (SAFE_METHODS.includes(request.method) || isOwnSite(request)) return done();
    done(new ApiError('FORBIDDEN', 'This call came from a page of another site.'));
  });
}

function isOwnSite({ headers, host }: FastifyRequest): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin' || site === 'none';
  const { origin } = headers;
  if (origin === undefined) return true;
  return URL.canParse(origin) && new URL(origin).host === host;
}

/**
 * Adds the hook that authenticates sessions to every route of `app`, also to unknown paths: it
 * checks the `access` and the features of the route, and the burst limit of the session.
 */
export function addSessionHooks(
  app: FastifyInstance,
  { sessions, clock, ...services }: HookServices,
): void {
  const rateLimiter = new RateLimiter<string>();
  app.addHook('onRequest', async (request, reply) => {
    const { access } = request.routeOptions.config;
    if (access === 'anyone') return;
    const session = await identifySession(sessions, request, reply);
    if (!session) throw new ApiError('UNAUTHORIZED');
    const wait = rateLimiter.wait(session.token, SESSION_LIMIT, clock());
    if (wait > 0) throw tooFast(wait);
    if (access === 'operator') requireOperator(session);
    await requireSecondFactor(services, session, request);
    requireProof(session, request, clock());
    const restriction = planRestriction(session.plan, request);
    if (restriction) throw restriction;
  });
  app.addHook('preHandler', (request, _reply, done) => {
    const { session, routeOptions } = request;
    const cost = routeOptions.config.cost?.(request) ?? 1;
    if (session && cost > 1) rateLimiter.count(session.token, SESSION_LIMIT, cost - 1, clock());
    done();
  });
}

interface HookServices {
  readonly sessions: Sessions;
  readonly clock: () => Millis;
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

/** The session of a request. Clears the cookie of a session that has ended. */
export async function identifySession(
  sessions: Sessions,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Session | undefined> {
  const token = sentToken(request);
  if (token === '') return undefined;
  request.session = await sessions.identify(token);
  if (request.session) markUsed(sessions, request.session, request);
  else clearToken(reply);
  return request.session;
}

/** Records the use of a session; the answer does not wait for it. */
function markUsed(sessions: Sessions, session: Session, { id, log }: FastifyRequest): void {
  sessions.markUsed(session).catch((err) => {
    log.error({ reqId: id, err }, 'the use of a session could not be recorded');
  });
}

function tooFast(wait: number): ApiError {
  const retryAfter = Math.ceil(wait / 1000);
  const message = `Too many requests. Please wait ${retryAfter} s.`;
  return new ApiError('TOO_MANY_ATTEMPTS', message, { retryAfter });
}
