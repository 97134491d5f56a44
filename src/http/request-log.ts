import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { waits } from '../lib/waits.ts';
import { LineBudget } from './line-budget.ts';
import { pathOf } from './paths.ts';
import { shown } from './validation.ts';

/** From how many milliseconds on a request is slow. */
const SLOW_MS = 1000;

export interface RequestLogOptions {
  readonly logger: Logger;
  /** Of how many good requests one is logged at `info`; 0 for none. */
  readonly logSample: number;
}

/**
 * Logs requests. Those that were refused or failed are at the level `info`, slow ones at `warn`, and
 * good ones at `debug`, because logging every request would cost a seventh of the requests per
 * second (docs/adr/0027); of these a sample may be at `info`. Bad requests beyond a number of lines
 * are at `debug`, too, so that they do not fill the disk; the log counts them. The query is left out,
 * because it may hold an API key.
 */
export function logRequests(app: FastifyInstance, { logger, logSample }: RequestLogOptions): void {
  const budget = new LineBudget(logger);
  // Its own, so that a flood leaves the lines of others in the log.
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

/** Adds the route and how long this process waited in the meantime, in milliseconds. */
function slowFieldsOf(request: FastifyRequest, reply: FastifyReply) {
  const now = performance.now();
  const waited = waits.between(now - reply.elapsedTime, now);
  return { ...fieldsOf(request, reply), route: request.routeOptions.url ?? 'unknown', waited };
}
