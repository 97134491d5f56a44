import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { waits } from '../lib/waits.ts';
import { LineBudget } from './line-budget.ts';
import { pathOf } from './paths.ts';
import { shown } from './validation.ts';

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
