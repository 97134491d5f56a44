import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { RateLimiter } from '../accounts/rate-limiter.ts';
import { requireOperator, type Session, type Sessions } from '../accounts/sessions.ts';
import type { Millis } from '../domain/day.ts';
import { ApiError } from '../domain/errors.ts';
import type { BurstLimit } from '../domain/plans.ts';
import { planRestriction } from '../http/hooks.ts';
import { clearToken, sentToken } from './cookie.ts';

/** Who may call: anyone, whoever is signed in, or operators. */
export type Access = 'anyone' | 'account' | 'operator';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Who may call this route of the dashboard; whoever is signed in unless this says so. */
    access?: Access;
  }
}

/** What a session may ask. Nothing of it is charged to the quota of the API. */
const LIMIT: BurstLimit = { requests: 600, seconds: 60 };

const SAFE_METHODS = ['GET', 'HEAD'];

/**
 * Refuses what a page of another site had the browser send (docs/adr/0011). Browsers say where a
 * call comes from; what says nothing is none, and has no cookie to be misused either.
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
 * Puts every route of `app`, the unknown ones too, behind what they say of `access`, the plan that
 * their `feature` needs, and the limit of a session.
 */
export function addSessionHooks(
  app: FastifyInstance,
  { sessions, clock }: { sessions: Sessions; clock: () => Millis },
): void {
  const bursts = new RateLimiter<string>();
  app.addHook('onRequest', async (request, reply) => {
    const { access, feature } = request.routeOptions.config;
    if (access === 'anyone') return;
    const session = await identifySession(sessions, request, reply);
    if (!session) throw new ApiError('UNAUTHORIZED');
    const wait = bursts.wait(session.token, LIMIT, clock());
    if (wait > 0) throw tooFast(wait);
    if (access === 'operator') requireOperator(session);
    const restriction = planRestriction(session.plan, feature);
    if (restriction) throw restriction;
  });
}

/** Who sent a request. A browser is told to forget a session that has ended. */
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
