import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { waits } from '../lib/waits.ts';
import { LineBudget } from './failures.ts';
import type { TrustedProxies } from './proxies.ts';
import { shown } from './validation.ts';

/** The path of a URL without its query, which may hold an API key. */
export function pathOf(url: string): string {
  const end = url.indexOf('?');
  return end === -1 ? url : url.slice(0, end);
}

/** Ids that are safe to adopt: they cannot break a line, a header or a query. */
const SAFE_ID = /^[\w.-]{8,64}$/;

/** The start of all ids of this process: a random UUID without its last 12 digits. */
const ID_PREFIX = randomUUID().slice(0, -12);
let idCount = 0;

/**
 * Returns a UUID whose last digits count the requests of this process. An id only has to be unique:
 * random digits for each request would take ten times as long and 700 bytes.
 */
function nextId(): string {
  idCount += 1;
  return ID_PREFIX + idCount.toString(16).padStart(12, '0');
}

/**
 * Returns a function that gives each request its id, for the log, the answer and the audit log.
 * Adopts the id of a trusted proxy (`X-Request-Id`) if its form is safe. Callers cannot choose an
 * id.
 */
export function requestIds(proxies: TrustedProxies): (request: IncomingMessage) => string {
  return (request) => {
    const sent = request.headers['x-request-id'];
    const isUsed = typeof sent === 'string' && SAFE_ID.test(sent) && proxies.sent(request);
    return isUsed ? sent : nextId();
  };
}

/** Requests that take at least this many milliseconds are slow. */
const SLOW_MS = 1000;

/** An answered request, with the data for the log and the metrics. */
export interface RequestReport {
  readonly id: string;
  readonly method: string;
  /** Its path and query. */
  readonly url: string;
  /** The path of its route, such as `/v1/cards/:id`; undefined for an unknown one. */
  readonly route: string | undefined;
  readonly status: number;
  /** The duration in milliseconds. */
  readonly ms: number;
  /** The row id of the account that sent it, if any. */
  readonly account: number | undefined;
  /** Whether it was refused because its network sends too many. */
  readonly isFlood: boolean;
}

/** Adds the hook that reports every request answered by Fastify. */
export function reportAnswers(
  app: FastifyInstance,
  report: (answered: RequestReport) => void,
): void {
  app.addHook('onResponse', (request, reply, done) => {
    report({
      id: request.id,
      method: request.method,
      url: request.url,
      route: request.routeOptions.url,
      status: reply.statusCode,
      ms: reply.elapsedTime - request.waitedMs,
      account: (request.caller ?? request.session)?.accountId,
      isFlood: request.isFlood,
    });
    done();
  });
}

export interface RequestLogOptions {
  readonly logger: Logger;
  /** Logs one in this many successful requests at `info`; 0 for none. */
  readonly logSample: number;
}

/**
 * Logs requests: refused and failed ones at `info`, slow ones at `warn`, successful ones at
 * `debug`. Logging every request would cost a seventh of the requests per second (docs/adr/0027),
 * but a sample of the successful ones may be logged at `info`. Beyond a limit, refused and failed
 * requests are also logged at `debug`, to save disk space; the log reports their count. The query
 * is omitted, because it may contain an API key.
 */
export class RequestLog {
  readonly #logger: Logger;
  readonly #logSample: number;
  readonly #budget: LineBudget;
  /** A separate budget, so a flood does not use up the lines of other requests. */
  readonly #floodBudget: LineBudget;
  #good = 0;

  constructor({ logger, logSample }: RequestLogOptions) {
    this.#logger = logger;
    this.#logSample = logSample;
    this.#budget = new LineBudget(logger);
    this.#floodBudget = new LineBudget(logger);
  }

  add(answered: RequestReport): void {
    const isSlow = answered.ms >= SLOW_MS;
    const isBad = isSlow || answered.status >= 400;
    const level = isBad ? this.#levelOfBad(answered, isSlow) : this.#levelOfGood();
    if (!this.#logger.isLevelEnabled(level)) return;
    const fields = isSlow ? slowFieldsOf(answered) : fieldsOf(answered);
    this.#logger[level](fields, isSlow ? 'slow request' : 'request');
  }

  /** Logs the number of omitted lines. */
  flush(): void {
    this.#budget.flush();
    this.#floodBudget.flush();
  }

  #levelOfBad({ isFlood }: RequestReport, isSlow: boolean): 'debug' | 'info' | 'warn' {
    if (!(isFlood ? this.#floodBudget : this.#budget).allows()) return 'debug';
    return isSlow ? 'warn' : 'info';
  }

  #levelOfGood(): 'debug' | 'info' {
    if (this.#logSample === 0) return 'debug';
    this.#good = (this.#good + 1) % this.#logSample;
    return this.#good === 0 ? 'info' : 'debug';
  }
}

function fieldsOf({ id, method, url, status, ms, account }: RequestReport) {
  const path = shown(pathOf(url));
  return { reqId: id, method, path, status, ms: Math.round(ms * 100) / 100, account };
}

/** Returns the route and how long this process waited during the request, in milliseconds. */
function slowFieldsOf(answered: RequestReport) {
  const now = performance.now();
  const waited = waits.between(now - answered.ms, now);
  return { ...fieldsOf(answered), route: answered.route ?? 'unknown', waited };
}
