import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { RateLimiter } from '../accounts/rate-limiter.ts';
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
  }
}

/**
 * The burst limit of a session. Its calls are not charged to the quota of the API; one that would
 * cost several requests there counts as so many.
 */
const SESSION_LIMIT: BurstLimit = { requests: 600, seconds: 60 };

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
  { sessions, clock }: { sessions: Sessions; clock: () => Millis },
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
    const restriction = planRestriction(session, request);
    if (restriction) throw restriction;
  });
  app.addHook('preHandler', (request, _reply, done) => {
    const { session, routeOptions } = request;
    const cost = routeOptions.config.cost?.(request) ?? 1;
    if (session && cost > 1) rateLimiter.count(session.token, SESSION_LIMIT, cost - 1, clock());
    done();
  });
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
  if (!request.session) clearToken(reply);
  return request.session;
}

function tooFast(wait: number): ApiError {
  const retryAfter = Math.ceil(wait / 1000);
  const message = `Too many requests. Please wait ${retryAfter} s.`;
  return new ApiError('TOO_MANY_ATTEMPTS', message, { retryAfter });
}
