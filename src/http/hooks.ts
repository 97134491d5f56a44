import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Authenticator, Caller } from '../accounts/keys/authenticator.ts';
import type { Remaining } from '../accounts/quota/quota-charger.ts';
import { OTHER_ENDPOINT, type UsageRecorder } from '../accounts/quota/usage-recorder.ts';
import type { Session } from '../accounts/sign-in/sessions.ts';
import type { Catalog } from '../catalog/catalog.ts';
import { dayOf, type Millis } from '../domain/day.ts';
import { ApiError, type ApiErrorCode } from '../domain/errors.ts';
import type { Feature } from '../domain/plans.ts';
import { type Admission, needsOf, senderOf, sheetToken } from './admission.ts';
import { keyInHeaders } from './api-key.ts';
import {
  type Encoding,
  encodedTag,
  encodingOf,
  LEAST_COMPRESSED,
  plainTag,
} from './compression.ts';
import { type AuthErrorForm, answerBody, failureOf, noteError } from './errors.ts';
import { logFailure } from './failures.ts';
import { handovers } from './handover.ts';
import { API_HEADERS, commonHeaders } from './headers.ts';
import { problemOfDemand } from './publication.ts';
import { type Edition, etagOf, type ResponseCache } from './response-cache.ts';

/**
 * The hooks of `/v1` and the compatible addresses: API key, plan and quota before the handler,
 * charge and headers after it.
 */

declare module 'fastify' {
  interface FastifyRequest {
    /** The owner of the request's API key, once authenticated. */
    caller: Caller | undefined;
    /** The session of a dashboard call, once its cookie is authenticated. */
    session: Session | undefined;
    /** The index of the endpoint under which the usage recorder counts the request. */
    endpoint: number;
    /** Whether API key, plan, quota and burst limit allow the request, which is then charged. */
    admitted: boolean;
    /** Returns the cost in requests of a 200, for routes whose cost is not always 1. */
    costOf: FastifyContextConfig['cost'];
    /** The cost of a 200, in requests. */
    cost: number;
    /** The code of the error that answers the request; null for none. */
    errorCode: ApiErrorCode | null;
  }
  interface FastifyContextConfig {
    /** The feature that the plan of the caller must include. */
    feature?: Feature;
    /** The further features that query parameters need, by `parameter` or `parameter=word`. */
    parameterFeatures?: Readonly<Record<string, Feature>>;
    /** The days of history that a request asks for; `Infinity` for all, 0 if it is malformed. */
    historyDays?: (query: unknown) => number;
    /** The cost of a 200, in requests; 1 if absent. */
    cost?: (request: FastifyRequest) => number;
    /** The index of the endpoint under which requests of this route are counted. */
    endpoint?: number;
  }
}

export interface ApiHookOptions {
  readonly catalog: Pick<Catalog, 'publication'>;
  readonly authenticator: Authenticator;
  readonly clock: () => Millis;
  readonly admission: Admission;
  readonly authErrors: AuthErrorForm;
  /** Keeps the compressed bodies of cacheable endpoints. */
  readonly cache: Pick<ResponseCache, 'compressed'>;
  readonly edition: () => Edition;
  /** Whether API keys are also accepted in the query. */
  readonly queryKeys: boolean;
  /** Counts the answered requests of each account. */
  readonly usageRecorder: UsageRecorder;
}

/**
 * The hooks of the API. A request is charged when its answer is known. A 304 and a failure of the
 * service are never charged. So charges never have to be undone, and the remaining quota never
 * rises within a day.
 */
export class ApiHooks {
  readonly #options: ApiHookOptions;

  constructor(options: ApiHookOptions) {
    this.#options = options;
  }

  /** Adds the hooks to every route of `app`, including unknown paths. */
  addTo(app: FastifyInstance): void {
    app.decorateRequest('caller', undefined);
    app.decorateRequest('endpoint', OTHER_ENDPOINT);
    app.decorateRequest('admitted', false);
    app.decorateRequest('costOf', undefined);
    app.decorateRequest('cost', 1);
    // Callbacks, because promises took a fifth of the cost of these hooks.
    app.addHook('onRequest', (request, reply, done) => this.#identify(request, reply, done));
    // After the other checks, because the cost depends on the body.
    app.addHook('preHandler', (request, _reply, done) => {
      const { costOf } = request;
      done(costOf && this.#claim(request, costOf(request)));
    });
    app.addHook('onSend', (request, reply, payload, done) => {
      this.#settle(request, reply, payload).then((body) => done(null, body), done);
    });
  }

  #identify(request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void): void {
    const begun = handovers.get(request.raw);
    if (begun?.error !== undefined) {
      request.caller = begun.caller;
      request.endpoint = request.routeOptions.config.endpoint ?? OTHER_ENDPOINT;
      done(begun.error as Error);
      return;
    }
    const key = sentKey(request, this.#options.queryKeys);
    if (key === '') throw new ApiError('MISSING_API_KEY');
    this.#options.authenticator.identify(key).then((caller) => {
      done(this.#admit(request, reply, caller));
    }, done);
  }

  /** Marks a request as admitted, or returns why it is refused. */
  #admit(
    request: FastifyRequest,
    reply: FastifyReply,
    caller: Caller | undefined,
  ): ApiError | undefined {
    request.caller = caller;
    if (!caller) return new ApiError('INVALID_API_KEY');
    const { admission, catalog } = this.#options;
    // Fastify creates the options for each access.
    const { config } = request.routeOptions;
    request.endpoint = config.endpoint ?? OTHER_ENDPOINT;
    request.costOf = config.cost;
    const needs = needsOf(config, request.query);
    const problem = admission.problemOf(caller, senderOf(request), needs);
    if (problem) return problem;
    request.admitted = true;
    return problemOfDemand(request, reply, catalog.publication.revision);
  }

  /** Sets the cost of an admitted request, or returns why it is refused. */
  #claim(request: FastifyRequest, cost: number): ApiError | undefined {
    const { caller } = request;
    if (!caller) return undefined;
    const problem = this.#options.admission.problemOfCost(caller, cost);
    request.admitted = problem === undefined;
    if (!problem) request.cost = cost;
    return problem;
  }

  /** Charges and records an answer, and sets its headers. Returns its body. */
  async #settle(request: FastifyRequest, reply: FastifyReply, payload: unknown): Promise<unknown> {
    const encoding = isWorthCompressing(payload) ? encodingOf(request.headers) : undefined;
    // The file endpoint has already checked its own tag.
    const unchanged = setEtag(request, reply, payload, encoding) || reply.statusCode === 304;
    const { caller, admitted } = request;
    // A refusal by the plan is never charged, even one by the handler.
    const isFree = unchanged || request.errorCode === 'PLAN_RESTRICTION';
    let body = payload;
    if (caller && admitted && !isFree && reply.statusCode < 500) {
      const refusal = await this.#charge(caller, request, reply);
      if (refusal) body = refuse(request, reply, refusal, this.#options.authErrors);
    } else {
      const limit = caller?.plan.dailyRequests ?? 0;
      this.#setHeaders(request, reply, limit, await this.#leftQuota(request, reply));
      // Fastify itself removes the body of a HEAD, and fails if there is none.
      if (unchanged && request.method !== 'HEAD') body = null;
    }
    this.#record(request, reply);
    // Only a 200 has a tag, and the tag states the encoding.
    const isEncoded = encoding && body === payload && reply.statusCode === 200;
    return isEncoded ? this.#compress(request, reply, { payload: String(body), encoding }) : body;
  }

  #compress(
    { url }: FastifyRequest,
    reply: FastifyReply,
    text: { readonly payload: string; readonly encoding: Encoding },
  ): Promise<Buffer> {
    const { cache, edition } = this.#options;
    reply.header('content-encoding', text.encoding);
    return cache.compressed(url, edition(), text);
  }

  /**
   * Charges an answer and sets the quota headers. Returns the error if the charge is refused. Never
   * rejects, because Fastify would answer a second error itself.
   */
  async #charge(
    caller: Caller,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<ApiError | undefined> {
    const { authenticator, admission } = this.#options;
    const { dailyRequests } = caller.plan;
    const cost = reply.statusCode === 200 ? request.cost : 1;
    try {
      const charge = await authenticator.charge(caller, cost);
      this.#setHeaders(request, reply, dailyRequests, charge);
      return charge.granted ? undefined : admission.refusedCharge(caller, charge, cost);
    } catch (error) {
      this.#setHeaders(request, reply, dailyRequests, leftBefore(caller));
      return failureOf(error, request);
    }
  }

  /**
   * Returns the remaining quota. If the store fails, returns the quota at the start of the request.
   */
  async #leftQuota(
    { caller, id, log }: FastifyRequest,
    { statusCode }: FastifyReply,
  ): Promise<Remaining> {
    const { authenticator, clock } = this.#options;
    if (!caller) return { remaining: 0, day: dayOf(clock()) };
    // The database may be lost: a request that has already waited for it does not wait again.
    if (statusCode === 503) return leftBefore(caller);
    try {
      return await authenticator.remaining(caller);
    } catch (error) {
      logFailure(log, error, 'the remaining quota could not be read', { reqId: id });
      return leftBefore(caller);
    }
  }

  #setHeaders(request: FastifyRequest, reply: FastifyReply, limit: number, left: Remaining): void {
    // The CORS plugin may have set Vary already.
    const varied = reply.getHeader('vary');
    reply.headers(commonHeaders(request.id, limit, left, this.#options.clock()));
    if (varied !== undefined) reply.header('vary', `${varied}, ${API_HEADERS.vary}`);
  }

  #record(request: FastifyRequest, reply: FastifyReply): void {
    const { usageRecorder, clock } = this.#options;
    const { caller, endpoint, errorCode: code, id, ip } = request;
    const { statusCode: status } = reply;
    const ms = reply.elapsedTime - request.waitedMs;
    // A closed connection has no address.
    const answered = { endpoint, status, code, id, address: ip ?? '', at: clock(), ms };
    if (caller) usageRecorder.record(caller, answered);
  }
}

const HEADER_ONLY =
  'An API key is required. Send it in the X-API-Key header: it is not taken from the query here.';

/** Returns the API key of a request; `''` for none. Headers take precedence over the query. */
export function sentKey(request: FastifyRequest, queryKeys: boolean): string {
  const header = keyInHeaders(request.headers);
  if (header !== '') return header;
  const token = sheetToken(request);
  if (token !== '') return token;
  const parameter = (request.query as Record<string, unknown>).api_key;
  if (!queryKeys && parameter !== undefined) throw new ApiError('MISSING_API_KEY', HEADER_ONLY);
  if (Array.isArray(parameter)) throw new ApiError('INVALID_API_KEY');
  return typeof parameter === 'string' ? parameter : '';
}

/** Returns the quota that was left at the start of a request. */
function leftBefore({ plan, usedToday, day }: Caller): Remaining {
  return { remaining: Math.max(0, plan.dailyRequests - usedToday), day };
}

/**
 * Sets the ETag of a 200, and turns it into a 304 if the caller has that version; returns whether.
 * Only a GET or HEAD can be a 304 (RFC 9110, section 13.1.2): a POST has already done its work.
 */
function setEtag(
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
  encoding: Encoding | undefined,
): boolean {
  if (reply.statusCode !== 200 || typeof payload !== 'string') return false;
  const known = reply.getHeader('etag');
  const etag = typeof known === 'string' ? known : etagOf(payload);
  if (encoding) reply.header('etag', encodedTag(etag, encoding));
  else if (known === undefined) reply.header('etag', etag);
  if (request.method === 'POST') return false;
  if (!matchesTag(request.headers['if-none-match'], etag)) return false;
  reply.code(304).removeHeader('content-type');
  return true;
}

function isWorthCompressing(payload: unknown): payload is string {
  return typeof payload === 'string' && payload.length >= LEAST_COMPRESSED;
}

/**
 * Whether an If-None-Match header contains the tag, by weak comparison (RFC 9110, section 13.1.2).
 * `*` matches no tag: a caller without a version gets an answer, and pays for it.
 */
function matchesTag(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  return header.split(',').some((part) => {
    return plainTag(part.trim().replace(/^W\//, '')) === etag;
  });
}

/** Turns a finished reply into an error; returns its body. */
function refuse(
  request: FastifyRequest,
  reply: FastifyReply,
  error: ApiError,
  form: AuthErrorForm,
): string {
  noteError(request, error);
  const body = JSON.stringify(answerBody(request, error, form));
  reply.code(error.status).removeHeader('etag');
  reply.type('application/json; charset=utf-8').removeHeader('content-length');
  if (error.retryAfter !== undefined) reply.header('retry-after', error.retryAfter);
  return body;
}
