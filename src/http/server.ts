import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, resolve } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { FastifyInstance, FastifyPluginAsync } from 'fastify';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import { Authenticator } from '../accounts/keys/authenticator.ts';
import { CardViews } from '../accounts/quota/card-views.ts';
import { UsageRecorder } from '../accounts/quota/usage-recorder.ts';
import { countAllSessions } from '../accounts/sign-in/session-sql.ts';
import type { OutboxMails } from '../accounts/webhooks/attempt.ts';
import type { DisabledWebhook } from '../accounts/webhooks/delivery.ts';
import { Catalog } from '../catalog/catalog.ts';
import { nameProgram } from '../catalog/program.ts';
import { SnapshotFile } from '../catalog/snapshot-file.ts';
import { SnapshotKeeper } from '../catalog/snapshot-keeper.ts';
import type { Config } from '../config/config.ts';
import type { Millis } from '../domain/day.ts';
import { OperatorError } from '../domain/errors.ts';
import { isPostgres } from '../domain/location.ts';
import { poll } from '../lib/poll.ts';
import type { Alias } from '../search/index.ts';
import { readSourceTimes } from '../store/catalogue/sync.ts';
import type { Store } from '../store/connect.ts';
import { countQuarantinedByRule } from '../store/quarantine/quarantine.ts';
import { watchAlerts } from './alerts.ts';
import { buildApp } from './app.ts';
import { ENDPOINT_NAMES } from './compatible/index.ts';
import { logFailure } from './failures.ts';
import { createMetrics, type Metrics } from './metrics.ts';
import type { Tracing } from './opentelemetry.ts';
import {
  compactHeap,
  HeapBound,
  LullCompactor,
  loadWithoutCollecting,
  watchEventLoop,
  whenIdle,
} from './process.ts';
import type { Presentation } from './reference/layout.ts';
import { pathOf, type RequestReport } from './request-log.ts';
import { coreOf, openReplica, resolverOf, type ServerCore } from './resources.ts';
import { card } from './v1/card.ts';
import { openWebhooks } from './webhooks.ts';

/** One serving process: a catalogue in memory, kept up to date, behind the HTTP application. */
export interface Server {
  /** The address that it listens on, for example `http://127.0.0.1:8080`. */
  readonly url: string;
  /** The catalogue that it serves. */
  readonly catalog: Catalog;
  /** Makes `/readyz` report that the server is about to stop. It continues to answer. */
  announceStop(): void;
  /** Refuses new connections, and resolves when the requests in progress are answered. */
  close(): Promise<void>;
}

export interface ServerOptions {
  readonly config: Config;
  readonly store: Store;
  readonly version: string;
  readonly logger: Logger;
  readonly clock: () => Millis;
  /** The operator's own aliases of cards, in addition to the program's. */
  readonly aliases: readonly Alias[];
  /** The file in which the search index is saved for the next start. */
  readonly snapshot: string;
  /** Creates spans for requests. Without it, nothing is traced. */
  readonly tracing?: Tracing;
  /** Creates the plugin that serves everything except the API. */
  readonly dashboard: (core: ServerCore) => FastifyPluginAsync;
  /** Notifies the owner of a webhook that it was disabled. */
  readonly onWebhookDisabled: (webhook: DisabledWebhook) => Promise<void>;
  /** Returns the sender of mails to accounts; undefined without a mail server. */
  readonly mailsOf: (catalog: Catalog) => OutboxMails | undefined;
  /** With several processes, combines the metrics of this process with those of the others. */
  readonly shareMetrics?: (own: Registry) => () => Promise<string>;
}

/** The approximate interval between checks for a new publication, in milliseconds. */
const REFRESH_MS = 1000;

/** The time limit of a statement, including waits for a connection or a lock, in milliseconds. */
const STATEMENT_MS = 4000;

/** Interval at which a stopping process closes idle connections, in milliseconds. */
const CLOSE_IDLE_MS = 50;

/**
 * Loads the catalogue and listens.
 *
 * @throws OperatorError if it cannot listen on the address.
 */
export async function startServer(options: ServerOptions): Promise<Server> {
  const { config, store, version, logger, clock, aliases } = options;
  const snapshot = snapshotFile(options);
  const catalog = new Catalog(store, { aliases, snapshot, rates: config.rates });
  await loadWithoutCollecting(() => catalog.refresh());
  // Only after loading, because reading a whole catalogue takes longer than the limit.
  for (const { engine } of [store, store.accounts]) engine.limitStatements(STATEMENT_MS);
  const resolver = resolverOf(catalog);
  const replica = openReplica(options, catalog);
  const core = coreOf(options, { catalog, resolver, replica });
  const { registry, count } = metricsOf(options, catalog, core);
  const { onWebhookDisabled: onDisabled } = options;
  const mails = options.mailsOf(catalog);
  const webhooks = await openWebhooks({
    store,
    clock,
    config,
    logger,
    catalog,
    mails,
    onDisabled,
  });
  const usageRecorder = new UsageRecorder(store, ENDPOINT_NAMES, (err) => {
    logFailure(
      logger,
      err,
      'usage counts could not be written; they are kept for the next attempt',
    );
  });
  const cardViews = new CardViews(store, clock, (err) => {
    logFailure(logger, err, 'counts of requested cards could not be written; they are lost');
  });
  let isStopping = false;
  const preparation = [() => resolver.prepare()];
  const prepare = async () => {
    for (const work of [...preparation.splice(0), compactHeap]) {
      work();
      // Requests that arrived in the meantime.
      await nextTurn();
    }
  };
  const app = await buildApp({
    ...core.resources,
    authenticator: new Authenticator(store, clock, webhooks.observe),
    clock,
    version,
    logger,
    logSample: config.logSample === 'off' ? 0 : config.logSample,
    authErrors: config.authErrors,
    corsOrigins: config.corsOrigins,
    trustProxy: config.trustProxy,
    ...edgeOptions(config),
    presentation: presentationOf(config),
    queryKeys: config.queryKeys,
    usageRecorder,
    dashboard: options.dashboard(core),
    isStopping: () => isStopping,
    prepareWith: (work) => preparation.push(work),
    metrics: options.shareMetrics?.(registry) ?? (() => registry.metrics()),
    countAnswer: (answered) => {
      count(answered);
      countCard(cardViews, answered);
    },
    ...(options.tracing && { observe: options.tracing.observe }),
  });
  // Other nodes answer until this one listens. It then gets a share of their load at once.
  const isOneOfSeveral = isPostgres(config.database);
  if (isOneOfSeveral) {
    await app.ready();
    await prepare();
  }
  const url = await listen(app, config);
  usageRecorder.start();
  cardViews.start();
  webhooks.start();
  const { changes } = core.resources;
  const stopAlerts = watchAlerts({ store, catalog, changes, clock }, logger);
  const stopRefreshing = keepFresh(catalog, logger);
  const keeper = new SnapshotKeeper(catalog, snapshot, (err) => {
    logger.warn({ err }, 'the search index could not be saved; the next start takes longer');
  });
  keeper.start();
  const preparing = isOneOfSeveral ? undefined : whenIdle(() => void prepare());
  const unwatch = watchEventLoop();
  return {
    url,
    catalog,
    announceStop() {
      isStopping = true;
    },
    async close() {
      stopRefreshing();
      clearInterval(preparing);
      unwatch();
      // Otherwise keep-alive connections whose last request ends after this call would stay open.
      const closing = setInterval(() => app.server.closeIdleConnections(), CLOSE_IDLE_MS);
      await app.close();
      clearInterval(closing);
      await keeper.close();
      await usageRecorder.close();
      await cardViews.close();
      await stopAlerts();
      await webhooks.close();
      await replica?.close();
    },
  };
}

/** The routes of a card, for programs and for pages. */
const CARD_ROUTES: readonly (string | undefined)[] = [card.path, `/dashboard${card.path}`];

/** Counts an answered request for a card. */
function countCard(views: CardViews, { route, url, status }: RequestReport): void {
  if (!CARD_ROUTES.includes(route) || status >= 400) return;
  const path = pathOf(url);
  // Ids need no escapes, so an escaped id could only be another spelling of a counted card.
  if (!path.includes('%')) views.count(path.slice(path.lastIndexOf('/') + 1));
}

function metricsOf(
  { store, clock, config, logger }: ServerOptions,
  catalog: Catalog,
  { health }: ServerCore,
): Metrics {
  const sources = {
    health,
    quarantined: () => countQuarantinedByRule(store.db),
    onFailure: (error: unknown) =>
      logFailure(logger, error, 'the database could not be read for /metrics'),
  };
  return createMetrics(catalog, clock, sources, {
    sessions: () => countAllSessions(store.accounts.db, clock()),
    times: () => readSourceTimes(store),
    connections: () => store.engine.connections(),
    folder: folderOf(config),
  });
}

/** The folder of the database; with PostgreSQL, the folder of downloads. */
function folderOf({ database, downloads }: Config): string {
  if (isPostgres(database)) return downloads === '' ? tmpdir() : downloads;
  return dirname(resolve(database));
}

/** Burst limits, host names and access to the metrics. */
function edgeOptions(config: Config) {
  const { burst, keyBurst, addressBurst, publicUrl, hosts, host, metrics, metricsToken } = config;
  return {
    burst,
    keyBurst: keyBurst === 'off' ? null : keyBurst,
    addressBurst: addressBurst === 'off' ? null : addressBurst,
    hosts: { publicUrl, hosts, listenHost: host },
    metricsAccess: { isPublic: metrics === 'public', token: metricsToken },
    publicUrl,
  };
}

function presentationOf({ name, color, logo }: Config): Presentation {
  return { name, hasColor: color !== 'default', hasLogo: logo !== '' };
}

function snapshotFile({ snapshot: path, logger }: ServerOptions): SnapshotFile {
  return new SnapshotFile({
    path,
    program: nameProgram(),
    onDrop: (reason) => {
      logger.info({ path, reason }, 'the saved search index was dropped and is rebuilt');
    },
  });
}

async function listen(app: FastifyInstance, { host, port }: Config): Promise<string> {
  try {
    await app.listen({ host, port });
  } catch (error) {
    await app.close();
    throw addressError(error as NodeJS.ErrnoException, host, port);
  }
  const address = app.server.address() as AddressInfo;
  const shown = address.family === 'IPv6' ? `[${address.address}]` : address.address;
  return `http://${shown}:${address.port}`;
}

function addressError(error: NodeJS.ErrnoException, host: string, port: number): Error {
  const where = `${host}:${port}`;
  const messages: Record<string, string> = {
    EADDRINUSE: `${where} is in use. Stop what listens there, or choose another with --port.`,
    EACCES: `${where} may not be listened on by this user. Choose a port above 1023 with --port.`,
    EADDRNOTAVAIL: `${host} is not an address of this machine. Choose another with --host.`,
    ENOTFOUND: `${host} is not a known host. Choose another with --host.`,
    EAI_AGAIN: `${host} cannot be looked up now. Choose an address with --host.`,
  };
  const message = messages[error.code ?? ''];
  return message ? new OperatorError(message, { cause: error }) : error;
}

/** Checks for new publications regularly. Returns a function that stops it. */
function keepFresh(catalog: Catalog, logger: Logger): () => void {
  const compactor = new LullCompactor();
  const heapBound = new HeapBound();
  return poll(async () => {
    compactor.tick();
    try {
      if (!(await heapBound.during(() => catalog.refresh()))) return;
      logger.info(
        { cards: catalog.cardCount, revision: catalog.publication.revision },
        'catalogue refreshed',
      );
    } catch (error) {
      logFailure(logger, error, 'the catalogue could not be refreshed');
    }
  }, REFRESH_MS);
}
