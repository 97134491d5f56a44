import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
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

/** The ids that are safe to take over: they cannot break a line, a header or a query. */
const SAFE_ID = /^[\w.-]{8,64}$/;

/**
 * Returns a function that gives each request its id, for the log, the answer and the audit log. It
 * takes the id of a trusted proxy (`X-Request-Id`) if its form is safe. Callers cannot choose one.
 */
export function requestIds(proxies: TrustedProxies): (request: IncomingMessage) => string {
  return (request) => {
    const sent = request.headers['x-request-id'];
    const isUsed = typeof sent === 'string' && SAFE_ID.test(sent) && proxies.sent(request);
    return isUsed ? sent : randomUUID();
  };
}

/** Requests that take at least this many milliseconds are slow. */
const SLOW_MS = 1000;

export interface RequestLogOptions {
  readonly logger: Logger;
  /** Logs one in this many good requests at `info`; 0 for none. */
  readonly logSample: number;
}

/**
 * Logs requests: refused and failed ones at `info`, slow ones at `warn`, good ones at `debug`.
 * Logging every request would cost a seventh of the requests per second (docs/adr/0027), but a
 * sample of the good ones may be at `info`. Beyond a number of lines, bad requests are also at
 * `debug`, so that they do not fill the disk; the log reports their count. The query is left out,
 * because it may contain an API key.
 */
export function logRequests(app: FastifyInstance, { logger, logSample }: RequestLogOptions): void {
  const budget = new LineBudget(logger);
  // A separate budget, so that a flood does not use up the lines of other requests.
  const floodBudget = new LineBudget(logger);
  let good = 0;
  app.addHook('onResponse', (request, reply, done) => {
    const isSlow = reply.elapsedTime >= SLOW_MS;
    const level = isSlow || reply.statusCode >= 400 ? levelOfBad(request, isSlow) : levelOfGood();
    if (logger.isLevelEnabled(level)) {
      const fields = isSlow ? slowFieldsOf(request, reply) : fieldsOf(request, reply);
      logger[level](fields, isSlow ? 'slow request' : 'request');
    }
    done();
  });
  app.addHook('onClose', (_app, done) => {
    budget.flush();
    floodBudget.flush();
    done();
  });

  function levelOfBad(request: FastifyRequest, isSlow: boolean): 'debug' | 'info' | 'warn' {
    const { isFlood } = request;
    if (!(isFlood ? floodBudget : budget).allows()) return 'debug';
    return isSlow ? 'warn' : 'info';
  }

  function levelOfGood(): 'debug' | 'info' {
    if (logSample === 0) return 'debug';
    good = (good + 1) % logSample;
    return good === 0 ? 'info' : 'debug';
  }
}

function fieldsOf(request: FastifyRequest, reply: FastifyReply) {
  return {
    reqId: request.id,
    method: request.method,
    path: shown(pathOf(request.url)),
    status: reply.statusCode,
    ms: Math.round(reply.elapsedTime * 100) / 100,
    account: (request.caller ?? request.session)?.accountId,
  };
}

/** Returns the route and how long this process waited during the request, in milliseconds. */
function slowFieldsOf(request: FastifyRequest, reply: FastifyReply) {
  const now = performance.now();
  const waited = waits.between(now - reply.elapsedTime, now);
  return { ...fieldsOf(request, reply), route: request.routeOptions.url ?? 'unknown', waited };
}
