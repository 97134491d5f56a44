import cluster from 'node:cluster';
import { readFile, stat } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { Command } from 'commander';
import type { Logger } from 'pino';
import { AuditLog, AuditTrail } from '../accounts/audit/audit.ts';
import { type Config, type Flags, unknownVariables } from '../config/config.ts';
import { dashboard } from '../dashboard/index.ts';
import { OperatorError } from '../domain/errors.ts';
import { Supervisor, shareMetrics } from '../http/cluster.ts';
import { createLogger } from '../http/logger.ts';
import { type Server, startServer } from '../http/server.ts';
import { startTracing } from '../http/tracing.ts';
import { type Alias, parseAliases } from '../search/index.ts';
import type { Store } from '../store/connect.ts';
import { exportBulkWhileServing } from './bulk/serving.ts';
import type { CommandContext } from './context.ts';
import { workingPath } from './files.ts';
import { settingOption } from './options.ts';
import { EXIT } from './output.ts';
import {
  alertMails,
  dashboardSettings,
  mailDisabledWebhook,
  readBrand,
} from './serve-dashboard.ts';
import { recordSettings } from './start-settings.ts';
import { type BackgroundTask, manualSync, syncWhileServing } from './syncing.ts';
import { tracingOf } from './traces.ts';

/** Milliseconds that requests in progress may take after a signal stops the process. */
const DRAIN_MS = 10_000;

/** `cardprice serve`: serves requests until a signal stops it. */
export function serveCommand(context: CommandContext): Command {
  return new Command('serve')
    .description('Serve the API, its documentation (/docs) and metrics until stopped.')
    .addOption(settingOption('host'))
    .addOption(settingOption('port'))
    .addOption(settingOption('workers'))
    .option('--sync', 'Also sync every day at the times in CARDPRICE_SYNC_AT (see `sync`).')
    .option('--create', 'Create the database if it does not exist.')
    .addHelpText(
      'after',
      '\nExample:\n  cardprice serve --host 0.0.0.0 --port 8080 --workers 2' +
        '\n  cardprice serve --sync --create' +
        '\n  CARDPRICE_DATABASE=postgres://cardprice@db/cardprice cardprice serve',
    )
    .action(({ sync = false, create = false, ...flags }: ServeFlags) => {
      return serve(context, flags, { isSyncing: sync, mayCreate: create });
    });
}

interface ServeFlags extends Omit<Flags, 'sync'> {
  readonly sync?: boolean;
  readonly create?: boolean;
}

/** Serves with the configured number of processes until a signal stops them. */
async function serve(
  context: CommandContext,
  flags: Flags,
  { isSyncing, mayCreate }: Pick<ServeOptions, 'isSyncing' | 'mayCreate'>,
): Promise<void> {
  const config = context.config(flags);
  const logger = createLogger(config.logLevel);
  if (!cluster.isWorker) warnOfUnknown(logger);
  if (cluster.isWorker) {
    const onListening = async (server: Server) => logListening(server, logger);
    return serveAlone(context, config, { flags, logger, isSyncing, mayCreate, onListening });
  }
  const tasks: BackgroundTask[] = [];
  if (isSyncing) tasks.push(syncWhileServing(context, config, logger));
  if (config.bulk !== '') tasks.push(exportBulkWhileServing(context, config, logger));
  try {
    if (config.workers === 1) {
      await serveAlone(context, config, {
        flags,
        logger,
        isSyncing,
        mayCreate,
        async onListening(server) {
          logListening(server, logger);
          startAll(tasks);
        },
      });
    } else {
      cluster.once('listening', () => startAll(tasks));
      await superviseWorkers(context, config, { flags, logger, mayCreate });
    }
  } finally {
    await stopAll(tasks);
  }
}

/** Warns of variables that look like settings, because a misspelt setting has no effect. */
export function warnOfUnknown(logger: Logger): void {
  for (const variable of unknownVariables()) {
    logger.warn(
      { variable },
      'this variable is not a setting: `cardprice config --all` lists them',
    );
  }
}

/** Starts tasks, until a signal stops the process. */
export function startAll(tasks: readonly BackgroundTask[]): void {
  for (const task of tasks) task.start();
  void stopSignal().then(() => stopAll(tasks));
}

export async function stopAll(tasks: readonly BackgroundTask[]): Promise<void> {
  for (const task of tasks) await task.stop();
}

async function superviseWorkers(
  context: CommandContext,
  config: Config,
  { flags, logger, mayCreate }: Pick<ServeOptions, 'flags' | 'logger' | 'mayCreate'>,
): Promise<void> {
  // This runs before there are workers. An error is then reported once, and only one process
  // migrates the schema.
  await readAliases(config.aliases);
  await readBrand(config);
  await context.withStore(async () => {}, { mayCreate });
  const record = async (store: Store) => {
    const trail = new AuditTrail(new AuditLog(store, context.clock), logger);
    await recordSettings(store, context.settingTexts(flags), { trail, logger });
    await trail.settled();
  };
  cluster.once('listening', () => {
    context.withStore(record).catch((err) => {
      logger.error({ err }, 'the settings could not be recorded');
    });
  });
  const cameUp = await new Supervisor(logger).run(config.workers);
  if (!cameUp) process.exitCode = EXIT.failure;
}

export interface ServeOptions {
  /** The flags of the command, which override settings. */
  readonly flags: Flags;
  readonly logger: Logger;
  /** Whether the service syncs by itself. */
  readonly isSyncing: boolean;
  /** Whether a missing SQLite file is created. */
  readonly mayCreate: boolean;
  /** Called once the server accepts requests. */
  onListening(server: Server): Promise<void>;
}

/** Logs the address of a server and the catalogue that it serves. */
export function logListening({ url, catalog }: Server, logger: Logger): void {
  logger.info(
    { url, cards: catalog.cardCount, revision: catalog.publication.revision },
    'listening',
  );
}

/** Serves in this process until a signal stops it, then finishes the requests in progress. */
export async function serveAlone(
  context: CommandContext,
  config: Config,
  { flags, logger, isSyncing, mayCreate, onListening }: ServeOptions,
): Promise<void> {
  const syncs = manualSync(context, config, logger);
  const settings = await dashboardSettings(context, config, { logger, isSyncing, syncs });
  const aliases = await readAliases(config.aliases);
  const { version, clock } = context;
  const tracing = await startTracing({
    ...tracingOf(config, version),
    onError: (reason) => logger.warn({ reason }, 'traces could not be sent'),
  });
  const store = await context.openStore({ mayCreate });
  const trail = new AuditTrail(new AuditLog(store, clock), logger);
  try {
    const server = await startServer({
      config,
      store,
      version,
      logger,
      clock,
      aliases,
      snapshot: workingPath(config, 'snapshot'),
      ...(tracing ? { tracing } : {}),
      dashboard: (core) => dashboard({ ...core, ...settings, store, version, clock, trail }),
      mailsOf: (catalog) => alertMails(settings, store, catalog),
      onWebhookDisabled: (webhook) => mailDisabledWebhook(settings, store, webhook),
      ...(cluster.isWorker ? { shareMetrics } : {}),
    });
    try {
      const stopped = stopSignal();
      if (cluster.isPrimary) {
        await recordSettings(store, context.settingTexts(flags), { trail, logger });
      }
      await onListening(server);
      await stopped;
    } finally {
      await syncs.stop();
      await drain(server, config.drainSeconds);
    }
  } finally {
    await store.close();
    await tracing?.close();
    if (cluster.isWorker) cluster.worker?.disconnect();
  }
}

function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => resolve());
  });
}

/** Waits some seconds for load balancers to stop sending requests, then closes connections. */
async function drain(server: Server, seconds: number): Promise<void> {
  server.announceStop();
  await sleep(seconds * 1000);
  const deadline = setTimeout(() => process.exit(0), DRAIN_MS);
  await server.close();
  clearTimeout(deadline);
}

/** The largest file of aliases that is read. */
const MAX_ALIAS_BYTES = 4_000_000;

/**
 * Reads the operator's own aliases from a UTF-8 file (`CARDPRICE_ALIASES`). Returns none for an
 * empty path.
 *
 * @throws OperatorError that names the unreadable file or the invalid line.
 */
async function readAliases(path: string): Promise<readonly Alias[]> {
  if (path === '') return [];
  try {
    const { size } = await stat(path);
    if (size > MAX_ALIAS_BYTES) {
      throw new OperatorError(`It has more than ${MAX_ALIAS_BYTES} bytes.`);
    }
    const text = new TextDecoder('utf-8', { fatal: true }).decode(await readFile(path));
    return parseAliases(text);
  } catch (error) {
    throw new OperatorError(`${path}: ${reasonOf(error)} It is set by CARDPRICE_ALIASES.`, {
      cause: error,
    });
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof OperatorError) return error.message;
  if (error instanceof TypeError) return 'It is not UTF-8 text.';
  return `The file of aliases cannot be read (${(error as NodeJS.ErrnoException).code}).`;
}
