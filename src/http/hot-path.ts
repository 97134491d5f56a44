import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Authenticator, Caller } from '../accounts/keys/authenticator.ts';
import type { Remaining } from '../accounts/quota/quota-charger.ts';
import type { UsageRecorder } from '../accounts/quota/usage-recorder.ts';
import type { Millis } from '../domain/day.ts';
import { ApiError } from '../domain/errors.ts';
import { type Admission, missingHistory } from './admission.ts';
import { keyInHeaders } from './api-key.ts';
import { type Encoding, encodingOf } from './compression.ts';
import type { Guard } from './guard.ts';
import { handovers } from './handover.ts';
import { API_HEADERS, DATA_HEADERS } from './headers.ts';
import {
  canSendPrepared,
  headOf,
  keepAliveHeaders,
  requestLines,
  sendPrepared,
} from './prepared-head.ts';
import { AT_LEAST } from './publication.ts';
import type { RequestReport } from './request-log.ts';
import type { CachedResponse } from './response-cache.ts';
import { prefersCsv } from './tables.ts';

export interface HotPathOptions {
  readonly guard: Pick<Guard, 'pass'>;
  readonly authenticator: Pick<Authenticator, 'identify' | 'charge'>;
  readonly admission: Admission;
  readonly usageRecorder: UsageRecorder;
  readonly clock: () => Millis;
  /** Returns the cached response of a URL of `/v1` in an encoding, unless it is outdated. */
  readonly cached: (url: string, encoding: Encoding | undefined) => CachedResponse | undefined;
  /** Headers of every response to pages of other origins. */
  readonly corsHeaders: Readonly<Record<string, string>>;
  readonly idOf: (request: IncomingMessage) => string;
  readonly report: (answered: RequestReport) => void;
}

/** Answers a request. */
type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** A request on the hot path. */
interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly url: string;
  /** The encoding of its answer, if compression is worthwhile. */
  readonly encoding: Encoding | undefined;
  /** The network address of its caller. */
  readonly address: string;
  /** When it arrived, in the time of `performance.now()`. */
  readonly since: number;
}

/** Request headers that change an answer. Fastify answers requests with any of them. */
const SPECIAL = ['if-none-match', 'origin', AT_LEAST] as const;

/** Every cached response costs one request. Endpoints with another cost cannot be cacheable. */
const COST = 1;

/**
 * Answers GETs of cached bodies before Fastify sees them, with the same checks, charges, counts and
 * headers (docs/adr/0008). Fastify's life cycle would take half of the time of such a request.
 * Fastify answers all others, including requests that this path starts and that are refused or
 * fail.
 */
export class HotPath {
  readonly #options: HotPathOptions;
  readonly #fastify: Answer;
  /** The start of every response head. */
  readonly #head: string;
  #isClosed = false;

  /** @param keepAliveMs How long an idle connection stays open. */
  constructor(fastify: Answer, keepAliveMs: number, options: HotPathOptions) {
    this.#fastify = fastify;
    this.#options = options;
    this.#head = headOf({
      ...DATA_HEADERS,
      'content-type': 'application/json; charset=utf-8',
      ...API_HEADERS,
      ...options.corsHeaders,
      ...keepAliveHeaders(keepAliveMs),
    });
  }

  /** Leaves all requests to Fastify, which closes their connections. */
  close(): void {
    this.#isClosed = true;
  }

  readonly answer: Answer = (request, response) => {
    const isOpen = response.shouldKeepAlive && !this.#isClosed;
    const key = isOpen ? keyOf(request) : undefined;
    const { url = '', headers } = request;
    const encoding = encodingOf(headers);
    const isCached = key !== undefined && this.#options.cached(url, encoding) !== undefined;
    const address = isCached ? this.#options.guard.pass(request) : undefined;
    if (key === undefined || address === undefined) {
      this.#fastify(request, response);
      return;
    }
    const exchange = { request, response, url, encoding, address, since: performance.now() };
    this.#options.authenticator.identify(key).then(
      (caller) => this.#attempt(exchange, caller, this.#admit),
      (error) => this.#handOver(exchange, undefined, error),
    );
  };

  /** @throws ApiError if the request is refused. */
  readonly #admit = (exchange: Exchange, caller: Caller | undefined): void => {
    if (!caller) throw new ApiError('INVALID_API_KEY');
    const { admission, authenticator, cached } = this.#options;
    const response = cached(exchange.url, exchange.encoding);
    if (!response) {
      // A newer catalogue was published during the request.
      this.#handOver(exchange, undefined, undefined);
      return;
    }
    if (missingHistory(caller.plan, response.historyDays)) {
      // It was made for a caller whose plan includes more days.
      this.#handOver(exchange, caller, undefined);
      return;
    }
    const sender = { address: exchange.address, isInQuery: false };
    const problem = admission.problemOf(caller, sender, response.needs);
    if (problem) throw problem;
    authenticator.charge(caller, COST).then(
      (charge) => {
        this.#attempt(exchange, caller, () => {
          if (!charge.granted) throw admission.refusedCharge(caller, charge, COST);
          this.#send(exchange, caller, response, charge);
        });
      },
      (error) => this.#handOver(exchange, caller, error),
    );
  };

  #send(exchange: Exchange, caller: Caller, cached: CachedResponse, left: Remaining): void {
    const { clock, idOf, usageRecorder, report } = this.#options;
    const { request, response, url, address, since } = exchange;
    const id = idOf(request);
    const now = clock();
    const { route, endpoint } = cached;
    const own = requestLines(id, caller.plan.dailyRequests, left, now);
    sendPrepared(response, this.#head + cached.lines + own, cached);
    const ms = performance.now() - since;
    const status = 200;
    usageRecorder.record(caller, { endpoint, status, code: null, id, address, at: now, ms });
    const account = caller.accountId;
    report({ id, method: 'GET', url, route, status, ms, account, isFlood: false });
  }

  /** Leaves a request to Fastify. */
  #handOver({ request, response }: Exchange, caller: Caller | undefined, error: unknown): void {
    handovers.set(request, { caller, error });
    this.#fastify(request, response);
  }

  /** Runs a step. If it throws, leaves the request and the error to Fastify. */
  #attempt<Owner extends Caller | undefined>(
    exchange: Exchange,
    caller: Owner,
    step: (exchange: Exchange, caller: Owner) => void,
  ): void {
    try {
      step(exchange, caller);
    } catch (error) {
      this.#handOver(exchange, caller, error);
    }
  }
}

/** Returns the API key of a plain GET; undefined for requests that the hot path does not handle. */
function keyOf({ method, headers }: IncomingMessage): string | undefined {
  if (method !== 'GET') return undefined;
  const key = keyInHeaders(headers);
  if (key === '' || prefersCsv(headers.accept)) return undefined;
  return SPECIAL.some((name) => headers[name] !== undefined) ? undefined : key;
}

/**
 * Lets the hot path answer requests of a server first. Returns undefined, and Fastify still answers
 * all requests, if this version of Node does not send prepared heads.
 */
export function addHotPath(server: Server, options: HotPathOptions): HotPath | undefined {
  if (!canSendPrepared()) return undefined;
  const [fastify] = server.listeners('request') as Answer[];
  if (!fastify) throw new Error('Fastify does not listen to requests');
  const hotPath = new HotPath(fastify, server.keepAliveTimeout, options);
  server.removeListener('request', fastify);
  server.on('request', hotPath.answer);
  return hotPath;
}
