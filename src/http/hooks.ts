import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Authenticator, Caller } from '../accounts/authenticator.ts';
import { RateLimiter } from '../accounts/rate-limiter.ts';
import type { Session } from '../accounts/sessions.ts';
import { OTHER_ENDPOINT, type UsageRecorder } from '../accounts/usage-recorder.ts';
import { addDays, dayOf, type Millis, startOfDay } from '../domain/day.ts';
import { ApiError } from '../domain/errors.ts';
import {
  type BurstLimit,
  type BurstLimits,
  type Feature,
  findPlanWith,
  type Plan,
} from '../domain/plans.ts';
import { type AuthErrorForm, errorBody } from './errors.ts';
import { etagOf } from './response-cache.ts';

/** The hooks of `/v1`: API key, plan and quota before the handler, charge and headers after it. */

declare module 'fastify' {
  interface FastifyRequest {
    /** Whose API key the request carries, once it is authenticated. */
    caller: Caller | undefined;
    /** Whose session the cookie of a dashboard call proves, once it is authenticated. */
    session: Session | undefined;
    /** The endpoint, as an index in its names: what the usage recorder counts by. */
    endpoint: number;
    /** Whether API key, plan, quota and burst limit allow the request, so that it is charged. */
    admitted: boolean;
  }
  interface FastifyContextConfig {
    /** The feature that the plan of the caller must include. */
    feature?: Feature;
    /** The index of the endpoint under which requests of this route are counted. */
    endpoint?: number;
  }
}

export interface ApiHookOptions {
  readonly authenticator: Authenticator;
  readonly clock: () => Millis;
  readonly authErrors: AuthErrorForm;
  readonly burst: BurstLimits;
  /** Counts the answered requests of each account. */
  readonly usageRecorder: UsageRecorder;
}

/**
 * Adds the hooks of `/v1` to every route of `app`, also to unknown paths. A request is charged when
 * its answer is known. A 304 and a failure of the service are never charged, so no charge has to
 * be undone, and the remaining quota never rises within a day.
 */
export function addApiHooks(
  app: FastifyInstance,
  { authenticator, clock, authErrors, burst, usageRecorder }: ApiHookOptions,
): void {
  const rateLimiter = new RateLimiter();
  app.decorateRequest('caller', undefined);
  app.decorateRequest('endpoint', OTHER_ENDPOINT);
  app.decorateRequest('admitted', false);

  // Callbacks, because promises made up a fifth of the cost of these hooks.
  app.addHook('onRequest', (request, _reply, done) => {
    const key = sentKey(request);
    if (key === '') return done(new ApiError('MISSING_API_KEY'));
    authenticator.identify(key).then((caller) => done(admit(request, caller)), done);
  });

  /** Marks a request as admitted, or returns why it is refused. */
  function admit(request: FastifyRequest, caller: Caller | undefined): ApiError | undefined {
    request.caller = caller;
    if (!caller) return new ApiError('INVALID_API_KEY');
    const { plan, accountId, usedToday } = caller;
    const { feature, endpoint = OTHER_ENDPOINT } = request.routeOptions.config;
    request.endpoint = endpoint;
    const restriction = planRestriction(plan, feature);
    if (restriction) return restriction;
    if (usedToday >= plan.dailyRequests) return quotaExceeded(caller, clock());
    const limit = burst[plan.name];
    const wait = limit ? rateLimiter.wait(accountId, limit, clock()) : 0;
    if (limit && wait > 0) return tooFast(limit, wait);
    request.admitted = true;
    return undefined;
  }

  app.addHook('onSend', (request, reply, payload, done) => {
    const unchanged = setEtag(request, reply, payload);
    const { caller, admitted } = request;
    if (caller && admitted && !unchanged && reply.statusCode < 500) {
      authenticator.charge(caller).then(({ granted, remaining }) => {
        const now = clock();
        setHeaders(request, reply, caller.plan.dailyRequests, remaining, now);
        const body = granted ? payload : refuse(reply, quotaExceeded(caller, now), authErrors);
        record(request, reply, now);
        done(null, body);
      }, done);
      return;
    }
    const limit = caller?.plan.dailyRequests ?? 0;
    remainingQuota(authenticator, caller, request).then((remaining) => {
      const now = clock();
      setHeaders(request, reply, limit, remaining, now);
      record(request, reply, now);
      done(null, unchanged ? null : payload);
    }, done);
  });

  function record(request: FastifyRequest, reply: FastifyReply, now: Millis): void {
    const { caller, endpoint, ip } = request;
    // A closed connection has no address.
    if (caller) usageRecorder.record(caller, endpoint, reply.statusCode, ip ?? '', now);
  }
}

/** The API key of a request, `''` for none. The header comes before the query parameter. */
function sentKey(request: FastifyRequest): string {
  const header = request.headers['x-api-key'];
  if (typeof header === 'string' && header !== '') return header;
  const parameter = (request.query as Record<string, unknown>).api_key;
  if (Array.isArray(parameter)) throw new ApiError('INVALID_API_KEY');
  return typeof parameter === 'string' ? parameter : '';
}

const FEATURE_NAMES: Record<Feature, string> = {
  history: 'Price history',
  batch: 'Batch lookup',
  explain: 'The explanation of prices',
  'marketplace-changes': 'The list of marketplace changes',
};

/** The error of a plan that does not include a feature; undefined when it does. */
export function planRestriction(plan: Plan, feature: Feature | undefined): ApiError | undefined {
  if (!feature || plan.features.includes(feature)) return undefined;
  const needed = findPlanWith(feature);
  return new ApiError(
    'PLAN_RESTRICTION',
    `${FEATURE_NAMES[feature]} requires the ${needed.label} plan or above.`,
  );
}

function quotaExceeded(caller: Caller, now: Millis): ApiError {
  const { dailyRequests } = caller.plan;
  return new ApiError(
    'RATE_LIMIT_EXCEEDED',
    `The daily quota of ${dailyRequests} requests is used up. It resets at midnight UTC.`,
    { retryAfter: Math.max(1, Math.ceil((nextReset(now) - now) / 1000)) },
  );
}

function tooFast({ requests, seconds }: BurstLimit, wait: number): ApiError {
  return new ApiError(
    'RATE_LIMIT_EXCEEDED',
    `Too fast: the plan allows ${requests} request(s) within ${seconds} s.`,
    { retryAfter: Math.ceil(wait / 1000) },
  );
}

/** The next midnight (UTC), when quotas begin anew. */
function nextReset(now: Millis): Millis {
  return startOfDay(addDays(dayOf(now), 1));
}

/** The remaining quota; as of the start of the request when the store fails. */
async function remainingQuota(
  authenticator: Authenticator,
  caller: Caller | undefined,
  request: FastifyRequest,
): Promise<number> {
  if (!caller) return 0;
  try {
    return await authenticator.remaining(caller);
  } catch (error) {
    request.log.error({ reqId: request.id, err: error }, 'the remaining quota could not be read');
    return Math.max(0, caller.plan.dailyRequests - caller.usedToday);
  }
}

/** Sets the ETag of a 200, and makes it a 304 when the caller has that version; returns whether. */
function setEtag(request: FastifyRequest, reply: FastifyReply, payload: unknown): boolean {
  if (reply.statusCode !== 200 || typeof payload !== 'string') return false;
  const known = reply.getHeader('etag');
  const etag = typeof known === 'string' ? known : etagOf(payload);
  if (known === undefined) reply.header('etag', etag);
  if (!matchesTag(request.headers['if-none-match'], etag)) return false;
  reply.code(304).removeHeader('content-type');
  return true;
}

/** Whether an If-None-Match header names the tag, by weak comparison (RFC 9110, section 13.1.2). */
function matchesTag(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  return header.split(',').some((part) => {
    const candidate = part.trim().replace(/^W\//, '');
    return candidate === etag || candidate === '*';
  });
}

function setHeaders(
  request: FastifyRequest,
  reply: FastifyReply,
  limit: number,
  remaining: number,
  now: Millis,
): void {
  // The CORS plugin may have set Vary already.
  const varied = reply.getHeader('vary');
  reply.headers(commonHeaders(request.id, limit, remaining, now));
  if (varied !== undefined) reply.header('vary', `${varied}, X-API-Key`);
}

/** The headers of every answer of `/v1`; 0 of 0 requests without a caller. */
export function commonHeaders(requestId: string, limit: number, remaining: number, now: Millis) {
  return {
    'x-ratelimit-limit': limit,
    'x-ratelimit-remaining': remaining,
    'x-ratelimit-reset': nextReset(now) / 1000,
    'x-request-id': requestId,
    'cache-control': 'private, no-cache',
    vary: 'X-API-Key',
  };
}

/** Turns a reply that is ready into an error; returns its body. */
function refuse(reply: FastifyReply, error: ApiError, form: AuthErrorForm): string {
  const body = JSON.stringify(errorBody(error, form));
  reply.code(error.status).removeHeader('etag');
  reply.type('application/json; charset=utf-8').removeHeader('content-length');
  if (error.retryAfter !== undefined) reply.header('retry-after', error.retryAfter);
  return body;
}
