import { hash, timingSafeEqual } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyBaseLogger, FastifyInstance, FastifyRequest } from 'fastify';
import ipaddr from 'ipaddr.js';
import type { Authenticator } from '../accounts/keys/authenticator.ts';
import type { Catalog } from '../catalog/catalog.ts';
import { ageOf, type Millis } from '../domain/day.ts';
import { ApiError } from '../domain/errors.ts';
import { bearerOf } from './api-key.ts';
import { RETRY_SECONDS } from './errors.ts';
import { logFailure } from './failures.ts';

/** Endpoints for monitors: whether a process runs, whether it is ready, and its metrics. */

export interface HealthOptions {
  readonly catalog: Catalog;
  readonly authenticator: Authenticator;
  readonly clock: () => Millis;
  /** Whether the process is about to stop and should no longer get requests. */
  readonly isStopping?: () => boolean;
  /** The metrics in the text format of Prometheus. */
  readonly metrics: () => Promise<string>;
  readonly metricsAccess: MetricsAccess;
}

/** Serves `/healthz`, `/readyz` and `/metrics`, which need no API key. */
export async function healthRoutes(app: FastifyInstance, options: HealthOptions): Promise<void> {
  const { catalog, metrics, metricsAccess } = options;
  const healthCheck = { schema: { hide: true }, config: { isHealthCheck: true } };
  app.get('/healthz', healthCheck, async () => ({ status: 'ok' }));
  app.get('/readyz', healthCheck, async (request, reply) => {
    const status = await readinessOf(options, request.log);
    if (status !== 'ready') reply.code(503).header('retry-after', RETRY_SECONDS);
    return { status, cards: catalog.cardCount, publication: servedPublication(options) };
  });
  app.get('/metrics', { schema: { hide: true } }, async (request, reply) => {
    requireMetricsAccess(metricsAccess, request);
    reply.type('text/plain; version=0.0.4; charset=utf-8');
    return metrics();
  });
}

/** Whether a process can take requests, or the first reason against it. */
type Readiness = 'ready' | 'stopping' | 'no catalogue' | 'no database' | 'outdated' | 'no charges';

/** How long a process may serve a publication after the next one was published, in milliseconds. */
const MAX_OUTDATED_MS = 10_000;

/**
 * How long the database may take to answer, in milliseconds. A proxy takes a process that is silent
 * for 0.8 s for frozen, and closes its connections (`deploy/cluster/haproxy-front.cfg`).
 */
const ANSWER_MS = 500;

async function readinessOf(options: HealthOptions, logger: FastifyBaseLogger): Promise<Readiness> {
  const { catalog, authenticator, isStopping } = options;
  if (isStopping?.()) return 'stopping';
  if (!catalog.ready) return 'no catalogue';
  let failed: Readiness = 'no database';
  const check = async (): Promise<Readiness> => {
    try {
      await authenticator.check();
      if (await isOutdated(options)) return 'outdated';
      failed = 'no charges';
      await authenticator.checkCharges();
      return 'ready';
    } catch (error) {
      logFailure(logger, error, 'not ready');
      return failed;
    }
  };
  const silence = sleep(ANSWER_MS, undefined, { ref: false }).then(() => failed);
  return Promise.race([check(), silence]);
}

async function isOutdated({ catalog, clock }: HealthOptions): Promise<boolean> {
  const since = await catalog.outdatedSince();
  return since !== null && ageOf(since, clock()) > MAX_OUTDATED_MS;
}

/** Returns the publication that a process serves, for operators; null before the first one. */
function servedPublication({ catalog, clock }: HealthOptions) {
  const { id, revision, publishedAt } = catalog.publication;
  if (revision === 0) return null;
  if (publishedAt === null) return { id, revision, publishedAt, ageSeconds: null };
  const ageSeconds = Math.round(ageOf(publishedAt, clock()) / 1000);
  return { id, revision, publishedAt: new Date(publishedAt).toISOString(), ageSeconds };
}

/** Access to the metrics. */
export interface MetricsAccess {
  /** Whether everyone may read them. */
  readonly isPublic: boolean;
  /** The bearer token that lets programs on other machines read them; `''` for none. */
  readonly token: string;
}

/** Headers that proxies add. A request with one of them comes from another machine. */
const FORWARDED = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'via'];

/**
 * Allows the metrics to programs on this machine and programs that send the token, or to everyone
 * if the operator has made them public.
 * @throws ApiError FORBIDDEN otherwise.
 */
function requireMetricsAccess(access: MetricsAccess, request: FastifyRequest): void {
  if (access.isPublic || isLocal(request) || hasToken(access, request)) return;
  throw new ApiError(
    'FORBIDDEN',
    'The metrics are for programs on the same machine. Others send the token that the operator ' +
      'has set: Authorization: Bearer TOKEN (CARDPRICE_METRICS_TOKEN).',
  );
}

/** Whether a request comes from this machine, and not through a proxy that adds its headers. */
function isLocal({ headers, socket }: FastifyRequest): boolean {
  if (FORWARDED.some((name) => headers[name] !== undefined)) return false;
  const { remoteAddress = '' } = socket;
  return ipaddr.isValid(remoteAddress) && ipaddr.process(remoteAddress).range() === 'loopback';
}

function hasToken({ token }: MetricsAccess, { headers }: FastifyRequest): boolean {
  const sent = bearerOf(headers);
  return token !== '' && sent !== '' && timingSafeEqual(digest(sent), digest(token));
}

/** Returns a digest, because the comparison needs values of equal length. */
function digest(text: string): Buffer {
  return hash('sha256', text, 'buffer');
}
