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

/** Who may ask, and what it costs: key, plan and quota, before and after the handler. */

declare module 'fastify' {
  interface FastifyRequest {
    /** Who sent the request, once the key is known. */
    caller: Caller | undefined;
    /** Who sent the request, once a session of the dashboard is known. */
    session: Session | undefined;
    /** What is asked for, as an index in the names of endpoints. */
    endpoint: number;
    /** Whether key, plan and quota let the request through, so that its answer is charged. */
    admitted: boolean;
  }
  interface FastifyContextConfig {
    /** What the plan must include for this route. */
    feature?: Feature;
    /** Under which of the names of endpoints requests of this route are counted. */
    endpoint?: number;
  }
}

export interface ApiHookOptions {
  readonly authenticator: Authenticator;
  readonly clock: () => Millis;
  readonly authErrors: AuthErrorForm;
  readonly burst: BurstLimits;
  /** Counts what is answered to whom. */
  readonly usageRecorder: UsageRecorder;
}

/**
 * Puts every route of `app`, the unknown ones too, behind key, plan and quota, and charges what
 * they answer. The charge is made when the answer is known: a 304 and a failure of ours cost
 * nothing, so nothing is ever given back and the remaining quota never rises within a day.
 */
export function addApiHooks(
  app: FastifyInstance,
  { authenticator, clock, authErrors, burst, usageRecorder }: ApiHookOptions,
): void {
  const bursts = new RateLimiter();
  app.decorateRequest('caller', undefined);
  app.decorateRequest('endpoint', OTHER_ENDPOINT);
  app.decorateRequest('admitted', false);

  // Callbacks and not async functions: a fifth of what access costs were their promises.
  app.addHook('onRequest', (request, _reply, done) => {
    const key = sentKey(request);
    if (key === '') return done(new ApiError('MISSING_API_KEY'));
    authenticator.identify(key).then((caller) => done(refusal(request, caller)), done);
  });

  /** Lets the request in, or tells why not. */
  function refusal(request: FastifyRequest, caller: Caller | undefined): ApiError | undefined {
    request.caller = caller;
    if (!caller) return new ApiError('INVALID_API_KEY');
    const { plan, accountId, usedToday } = caller;
    const { feature, endpoint = OTHER_ENDPOINT } = request.routeOptions.config;
    request.endpoint = endpoint;
    const restriction = planRestriction(plan, feature);
    if (restriction) return restriction;
    if (usedToday >= plan.dailyRequests) return quotaExceeded(caller, clock());
    const limit = burst[plan.name];
    const wait = limit ? bursts.wait(accountId, limit, clock()) : 0;
    if (limit && wait > 0) return tooFast(limit, wait);
    request.admitted = true;
    return undefined;
  }

  app.addHook('onSend', (request, reply, payload, done) => {
    const unchanged = tag(request, reply, payload);
    const { caller, admitted } = request;
    if (caller && admitted && !unchanged && reply.statusCode < 500) {
      authenticator.charge(caller).then(({ granted, remaining }) => {
        const now = clock();
        setHeaders(request, reply, caller.plan.dailyRequests, remaining, now);
        const answer = granted ? payload : refuse(reply, quotaExceeded(caller, now), authErrors);
        note(request, reply, now);
        done(null, answer);
      }, done);
      return;
    }
    const limit = caller?.plan.dailyRequests ?? 0;
    whatRemains(authenticator, caller, request).then((remaining) => {
      const now = clock();
      setHeaders(request, reply, limit, remaining, now);
      note(request, reply, now);
      done(null, unchanged ? null : payload);
    }, done);
  });

  function note({ caller, endpoint, ip }: FastifyRequest, reply: FastifyReply, now: Millis): void {
    // A connection that is gone has no address any more.
    if (caller) usageRecorder.note(caller, endpoint, reply.statusCode, ip ?? '', now);
  }
}

/** The key that was sent; the header wins. Several keys are no key. */
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
};

/** Why a plan may not have what a route is for; undefined where it may. */
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

/** The next midnight, UTC. */
function nextReset(now: Millis): Millis {
  return startOfDay(addDays(dayOf(now), 1));
}

/** The rest of the quota; as of the start of the request if the store cannot tell any more. */
async function whatRemains(
  gate: Authenticator,
  caller: Caller | undefined,
  request: FastifyRequest,
): Promise<number> {
  if (!caller) return 0;
  try {
    return await gate.remaining(caller);
  } catch (error) {
    request.log.error({ reqId: request.id, err: error }, 'the rest of the quota is unknown');
    return Math.max(0, caller.plan.dailyRequests - caller.usedToday);
  }
}

/** Sets the ETag of a 200, and turns it into a 304 when the caller has the same. */
function tag(request: FastifyRequest, reply: FastifyReply, payload: unknown): boolean {
  if (reply.statusCode !== 200 || typeof payload !== 'string') return false;
  const known = reply.getHeader('etag');
  const etag = typeof known === 'string' ? known : etagOf(payload);
  if (known === undefined) reply.header('etag', etag);
  if (!matchesTag(request.headers['if-none-match'], etag)) return false;
  reply.code(304).removeHeader('content-type');
  return true;
}

/** Whether an If-None-Match header names the tag. Weak and strong tags compare alike (RFC 9110). */
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
  // CORS has its own reason for an answer to vary.
  const varied = reply.getHeader('vary');
  reply.headers(commonHeaders(request.id, limit, remaining, now));
  if (varied !== undefined) reply.header('vary', `${varied}, X-API-Key`);
}

/** The headers that every answer of `/v1` has. */
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

/** Puts an error in the place of an answer that is ready. */
function refuse(reply: FastifyReply, error: ApiError, form: AuthErrorForm): string {
  const body = JSON.stringify(errorBody(error, form));
  reply.code(error.status).removeHeader('etag');
  reply.type('application/json; charset=utf-8').removeHeader('content-length');
  if (error.retryAfter !== undefined) reply.header('retry-after', error.retryAfter);
  return body;
}
