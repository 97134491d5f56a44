import type { IncomingMessage } from 'node:http';
import cors, { type FastifyCorsOptions } from '@fastify/cors';
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyPluginAsync,
  type FastifyRequest,
  LogController,
} from 'fastify';
import type { Logger } from 'pino';
import type { Authenticator } from '../accounts/keys/authenticator.ts';
import type { UsageRecorder } from '../accounts/quota/usage-recorder.ts';
import type { Replays } from '../accounts/replays.ts';
import type { Catalog } from '../catalog/catalog.ts';
import type { Millis } from '../domain/day.ts';
import { ApiError } from '../domain/errors.ts';
import type { BurstLimit, BurstLimits } from '../domain/plans.ts';
import { isDecodable } from '../lib/percent-encoding.ts';
import type { ChangesReader } from '../store/catalogue/changes.ts';
import type { KnownPublications } from '../store/catalogue/known-publications.ts';
import type { MarketplaceChangesReader } from '../store/catalogue/marketplace-changes.ts';
import type { SourceFactsReader } from '../store/catalogue/source-facts.ts';
import type { ObservationsReader } from '../store/reports/explain.ts';
import { Admission } from './admission.ts';
import { countedAs, registerCompatible } from './compatible/index.ts';
import { refuseConnection } from './connection-errors.ts';
import {
  CONNECTION_LIMITS,
  type ConnectionLimits,
  limitConnections,
  timeoutOptions,
} from './connections.ts';
import { docs } from './docs.ts';
import { type AuthErrorForm, BODY_LIMIT, errorHandler } from './errors.ts';
import { Guard, type HostOptions, Hosts } from './guard.ts';
import { API_HEADERS } from './headers.ts';
import { healthRoutes, type MetricsAccess } from './health.ts';
import { ApiHooks } from './hooks.ts';
import { addHotPath } from './hot-path.ts';
import { mcpRoute } from './mcp/route.ts';
import { registerOpenApi } from './openapi.ts';
import { TrustedProxies } from './proxies.ts';
import { AT_LEAST_HEADER, PUBLICATION_HEADER } from './publication.ts';
import type { Presentation } from './reference/layout.ts';
import {
  pathOf,
  RequestLog,
  type RequestReport,
  reportAnswers,
  requestIds,
} from './request-log.ts';
import { type Edition, ResponseCache } from './response-cache.ts';
import { bulk, registerBulkFiles } from './v1/bulk.ts';
import type {
  HistoriesReader,
  HistoryReader,
  KnownHistoriesReader,
  PastPricesReader,
  Resources,
  SeriesReader,
} from './v1/endpoint.ts';
import { ENDPOINTS, editionOf, registerEndpoints } from './v1/routes.ts';
import { sheet } from './v1/sheet.ts';
import { lateSerializers, type PrepareWith, shown, validatorCompiler } from './validation.ts';

/** The dependencies of the application. It opens no port, and reads no settings and no clock. */
export interface AppDependencies {
  readonly catalog: Catalog;
  readonly authenticator: Authenticator;
  readonly history: HistoryReader;
  readonly histories: HistoriesReader;
  readonly knownHistories: KnownHistoriesReader;
  readonly knownPublications: KnownPublications;
  readonly historySeries: SeriesReader;
  readonly pastPrices: PastPricesReader;
  readonly observations: ObservationsReader;
  readonly facts: Resources['facts'];
  readonly marketplaceChanges: MarketplaceChangesReader;
  readonly changes: ChangesReader;
  readonly publicationWaits: Resources['publicationWaits'];
  readonly sourceFacts: SourceFactsReader;
  readonly resolver: Resources['resolver'];
  readonly usage: Resources['usage'];
  readonly alerts: Resources['alerts'];
  readonly webhooks: Resources['webhooks'];
  readonly replays: Replays;
  /** Whether to estimate prices of conditions that no source gives. */
  readonly estimates: boolean;
  /** The folder of bulk files; empty for none. */
  readonly bulkFolder: string;
  readonly clock: () => Millis;
  readonly version: string;
  readonly logger: Logger;
  /** Logs one in this many successful requests at `info`; 0, the default, for none. */
  readonly logSample?: number;
  readonly authErrors: AuthErrorForm;
  /** Web origins whose pages may call the API. */
  readonly corsOrigins: readonly string[];
  /** The addresses and networks of trusted proxies. */
  readonly trustProxy: readonly string[];
  readonly burst: BurstLimits;
  /** The burst limit of each API key; null for none. */
  readonly keyBurst: BurstLimit | null;
  /** The burst limit of each network address; null for none. */
  readonly addressBurst: BurstLimit | null;
  /** The host names of the service. */
  readonly hosts: HostOptions;
  readonly metricsAccess: MetricsAccess;
  /** The web origin of the pages; `''` uses the origin of each request. */
  readonly publicUrl: string;
  /** The branding of the pages below `/docs`; Cardprice's by default. */
  readonly presentation?: Presentation;
  readonly connections?: ConnectionLimits;
  /** Whether API keys are also accepted in the query. */
  readonly queryKeys: boolean;
  /** Counts the answered requests of each account. */
  readonly usageRecorder: UsageRecorder;
  /** Serves everything except the API, and answers unknown paths. */
  readonly dashboard: FastifyPluginAsync;
  /** The metrics in the text format of Prometheus. */
  readonly metrics: () => Promise<string>;
  /** Whether the process is about to stop and should no longer get requests. */
  readonly isStopping?: () => boolean;
  /** Receives work to do in advance, which makes first answers faster. */
  readonly prepareWith?: PrepareWith;
  /** Counts and times an answered request. */
  readonly countAnswer: (answered: RequestReport) => void;
  /** Adds hooks that see every request. Fastify then answers all of them. */
  readonly observe?: (app: FastifyInstance) => void;
}

/** Above the longest URL, so every long id is answered like an unknown one. */
const MAX_PARAMETER_LENGTH = 16_384;

/** Builds the HTTP application. It does not listen. */
export async function buildApp(dependencies: AppDependencies): Promise<FastifyInstance> {
  const { authErrors, clock, corsOrigins, logger, connections = CONNECTION_LIMITS } = dependencies;
  const proxies = new TrustedProxies(dependencies.trustProxy);
  const idOf = requestIds(proxies);
  const app = Fastify({
    // Fastify's own log lines below a warning repeat ours, such as "Server listening at …".
    loggerInstance: warningsOf(logger),
    // A child logger for each request costs more than the line it writes.
    childLoggerFactory: () => logger as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    // The caller is the last address that is not a proxy: callers can forge all earlier ones.
    trustProxy: proxies.areAny && ((address: string) => proxies.has(address)),
    bodyLimit: BODY_LIMIT,
    routerOptions: { maxParamLength: MAX_PARAMETER_LENGTH },
    schemaController: {
      compilersFactory: { buildSerializer: lateSerializers(dependencies.prepareWith) },
    },
    genReqId: idOf,
    rewriteUrl: (request) => wellFormed(pathOfTarget(request)),
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    clientErrorHandler: refuseConnection(clock),
    ...timeoutOptions(connections),
  });
  // Node would refuse unknown expectations; RFC 9110 lets us ignore them.
  app.server.on('checkExpectation', (request, response) => {
    app.server.emit('request', request, response);
  });
  limitConnections(app.server, connections, { proxies, logger });
  dependencies.observe?.(app);
  const guard = new Guard({ ...dependencies, proxies, hosts: new Hosts(dependencies.hosts) });
  const report = reporter(app, dependencies);
  reportAnswers(app, report);
  guard.addTo(app);
  app.removeContentTypeParser('text/plain');
  app.setValidatorCompiler(validatorCompiler as never);
  app.setErrorHandler(errorHandler(authErrors));
  app.decorateRequest('session', undefined);
  app.decorateRequest('provedAccount', null);
  app.decorateRequest('isReplay', false);
  app.decorateRequest('waitedMs', 0);
  app.decorateRequest('errorCode', null);
  await registerOpenApi(app, dependencies.version);
  await app.register(healthRoutes, dependencies);
  await app.register(docs, dependencies);
  const edition = () => editionOf(dependencies);
  const shared = { admission: new Admission(dependencies), cache: new ResponseCache(), edition };
  await app.register(api, { ...dependencies, ...shared });
  await app.register(mcpRoute, dependencies);
  await app.register(dependencies.dashboard);
  app.addHook('preClose', async () => dependencies.publicationWaits.close());
  if (!dependencies.observe) {
    const hotPath = addHotPath(app.server, {
      ...dependencies,
      ...shared,
      guard,
      report,
      cached: (url, encoding) => shared.cache.get(url, edition(), encoding),
      corsHeaders: corsHeadersFor(corsOrigins),
      idOf,
    });
    app.addHook('preClose', async () => hotPath?.close());
  }
  return app;
}

/** Returns a function that counts and logs answered requests. */
function reporter(
  app: FastifyInstance,
  { logger, logSample = 0, countAnswer }: AppDependencies,
): (answered: RequestReport) => void {
  const log = new RequestLog({ logger, logSample });
  app.addHook('onClose', async () => log.flush());
  return (answered) => {
    countAnswer(answered);
    log.add(answered);
  };
}

/** The parts that both ways of answering `/v1` share. */
interface Shared {
  readonly admission: Admission;
  readonly cache: ResponseCache;
  readonly edition: () => Edition;
}

/**
 * `/v1` and the addresses that are compatible with other services. Every path below them, known or
 * not, requires an API key.
 */
async function api(app: FastifyInstance, dependencies: AppDependencies & Shared): Promise<void> {
  const { corsOrigins } = dependencies;
  if (corsOrigins.length > 0) await app.register(cors, corsOptions(corsOrigins));
  new ApiHooks(dependencies).addTo(app);
  const mount = { cache: dependencies.cache, callerOf: ({ caller }: FastifyRequest) => caller };
  registerEndpoints(app, dependencies, { ...mount, endpoints: ENDPOINTS, isDocumented: true });
  registerEndpoints(app, dependencies, {
    ...mount,
    endpoints: [sheet],
    isDocumented: false,
    configOf: (endpoint) => ({ endpoint: countedAs(endpoint) }),
  });
  await registerBulkFiles(app, dependencies, {
    callerOf: mount.callerOf,
    endpoint: ENDPOINTS.indexOf(bulk),
    notFound,
  });
  registerCompatible(app, dependencies, dependencies.cache);
  await app.register(
    async (unknown) => {
      const refuse = async (request: FastifyRequest) => {
        throw notFound(request.url);
      };
      // A hook, which runs before the body is read: no body could make the path known.
      unknown.addHook('onRequest', refuse);
      unknown.setNotFoundHandler(refuse);
    },
    { prefix: '/v1' },
  );
}

/** The headers that pages of other origins may read. */
const EXPOSED_HEADERS = [
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'RateLimit',
  'RateLimit-Policy',
  'X-Request-Id',
  'Retry-After',
  'ETag',
  PUBLICATION_HEADER,
  'Link',
];

/**
 * Returns the headers that the CORS plugin adds to an answer of `/v1` to a request without an
 * origin.
 */
function corsHeadersFor(corsOrigins: readonly string[]): Readonly<Record<string, string>> {
  if (corsOrigins.length === 0) return {};
  return {
    vary: `Origin, ${API_HEADERS.vary}`,
    'access-control-expose-headers': EXPOSED_HEADERS.join(', '),
  };
}

/** How long browsers may keep the answer to a preflight: two hours, Chromium's maximum. */
const PREFLIGHT_SECONDS = 7200;

function corsOptions(origins: readonly string[]): FastifyCorsOptions {
  return {
    origin: [...origins],
    allowedHeaders: [
      'X-API-Key',
      'Authorization',
      'Content-Type',
      'If-None-Match',
      'Range',
      AT_LEAST_HEADER,
    ],
    exposedHeaders: EXPOSED_HEADERS,
    maxAge: PREFLIGHT_SECONDS,
    // An OPTIONS request that is not a preflight gets our 405, with CORS headers.
    strictPreflight: false,
  };
}

/** Returns a logger that logs only warnings and errors. */
function warningsOf(logger: Logger): FastifyBaseLogger {
  const level = logger.isLevelEnabled('warn') ? 'warn' : logger.level;
  return logger.child({}, { level }) as FastifyBaseLogger;
}

/**
 * Returns the path and query of a request's target. A target may be a whole URL, whose host
 * replaces the Host header (RFC 9112, section 3.2.2).
 */
function pathOfTarget({ url = '/', headers }: IncomingMessage): string {
  if (url.startsWith('/')) return url;
  const [, host, path = url] = /^https?:\/\/([^/?#]*)(.*)$/i.exec(url) ?? [];
  if (host !== undefined) headers.host = host;
  return path.startsWith('/') ? path : `/${path}`;
}

/** Escapes malformed percent-encodings, so they are answered like unknown ids. */
function wellFormed(url: string): string {
  if (!url.includes('%')) return url;
  const path = pathOf(url);
  return isDecodable(path) ? url : path.replaceAll('%', '%25') + url.slice(path.length);
}

/** The error for a URL without a route. */
export function notFound(url: string): ApiError {
  const path = pathOf(url);
  return new ApiError(
    'NOT_FOUND',
    `There is nothing at ${shown(path)}. See /docs for the endpoints.`,
  );
}
