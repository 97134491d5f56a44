import cluster from 'node:cluster';
import { setTimeout as sleep } from 'node:timers/promises';
import { Command } from 'commander';
import type { Logger } from 'pino';
import { AuditLog, AuditTrail } from '../accounts/audit/audit.ts';
import { type Config, type Flags, unknownVariables } from '../config/config.ts';
import { type DashboardOptions, dashboard } from '../dashboard/index.ts';
import { createMailer, type Mailer } from '../dashboard/mail.ts';
import { PictureCache } from '../dashboard/picture-cache.ts';
import { Pictures } from '../dashboard/pictures.ts';
import { OperatorError } from '../domain/errors.ts';
import { Supervisor, shareMetrics } from '../http/cluster.ts';
import { createLogger } from '../http/logger.ts';
import { type Server, startServer } from '../http/server.ts';
import { startTracing } from '../http/start-tracing.ts';
import type { Store } from '../store/connect.ts';
import type { ManualSync } from '../sync/manual.ts';
import { readAliases } from './aliases.ts';
import { besideDatabase } from './beside-database.ts';
import { readBrand } from './brand.ts';
import type { CommandContext } from './context.ts';
import { userAgent } from './import/shared.ts';
import { machineHealth } from './machine-health.ts';
import { settingOption } from './options.ts';
import { PAGES_FOLDER } from './pages.ts';
import { dashboardReview } from './quarantine/review.ts';
import { recordSettings } from './start-settings.ts';
import { syncableSources } from './sync.ts';
import { manualSync, type Syncing, syncBeside } from './syncing.ts';
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
    .addHelpText(
      'after',
      '\nExample:\n  cardprice serve --host 0.0.0.0 --port 8080 --workers 2' +
        '\n  cardprice serve --sync' +
        '\n  CARDPRICE_DATABASE=postgres://cardprice@db/cardprice cardprice serve',
    )
    .action(({ sync = false, ...flags }: Omit<Flags, 'sync'> & { sync?: boolean }) => {
      return serve(context, flags, sync);
    });
}

/** Serves with the configured number of processes until a signal stops them. */
async function serve(context: CommandContext, flags: Flags, sync: boolean): Promise<void> {
  const config = context.config(flags);
  const logger = createLogger(config.logLevel);
  if (!cluster.isWorker) warnOfUnknown(logger);
  if (cluster.isWorker) {
    const onListening = async (server: Server) => logListening(server, logger);
    return serveAlone(context, config, { flags, logger, isSyncing: sync, onListening });
  }
  const syncing = sync ? syncBeside(context, config, logger) : undefined;
  try {
    if (config.workers === 1) {
      await serveAlone(context, config, {
        flags,
        logger,
        isSyncing: sync,
        async onListening(server) {
          logListening(server, logger);
          startSyncing(syncing);
        },
      });
    } else {
      cluster.once('listening', () => startSyncing(syncing));
      await superviseWorkers(context, config, { flags, logger });
    }
  } finally {
    await syncing?.stop();
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

/** Starts syncing, until a signal stops the process. */
function startSyncing(syncing: Syncing | undefined): void {
  syncing?.start();
  void stopSignal().then(() => syncing?.stop());
}

async function superviseWorkers(
  context: CommandContext,
  config: Config,
  { flags, logger }: Pick<ServeOptions, 'flags' | 'logger'>,
): Promise<void> {
  // This runs before there are workers. An error is then reported once, and only one process
  // migrates the schema.
  await readAliases(config.aliases);
  await readBrand(config);
  await context.withStore(async () => {}, { mayCreate: true });
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
  if (!cameUp) process.exitCode = 1;
}

export interface ServeOptions {
  /** The flags of the command, which override settings. */
  readonly flags: Flags;
  readonly logger: Logger;
  /** Whether the service syncs by itself. */
  readonly isSyncing: boolean;
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
  { flags, logger, isSyncing, onListening }: ServeOptions,
): Promise<void> {
  const brand = await readBrand(config);
  const syncs = manualSync(context, config, logger);
  const own = dashboardSettings(context, config, { logger, isSyncing, syncs });
  const settings = { ...own, brand };
  const aliases = await readAliases(config.aliases);
  const { version, clock } = context;
  const tracing = await startTracing({
    ...tracingOf(config, version),
    onError: (reason) => logger.warn({ reason }, 'traces could not be sent'),
  });
  const store = await context.openStore({ mayCreate: true });
  const trail = new AuditTrail(new AuditLog(store, clock), logger);
  try {
    const server = await startServer({
      config,
      store,
      version,
      logger,
      clock,
      aliases,
      snapshot: besideDatabase(config, 'snapshot'),
      ...(tracing ? { tracing } : {}),
      dashboard: (core) => dashboard({ ...core, ...settings, store, version, clock, trail }),
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

/** The options that the dashboard gets from the running server. */
type FromServer = 'resources' | 'health' | 'store' | 'version' | 'clock' | 'trail';
type DashboardSettings = Omit<DashboardOptions, FromServer | 'brand'>;

interface Syncs {
  readonly syncs: ManualSync;
}

/** Returns the options of the dashboard that come from the settings. */
function dashboardSettings(
  context: CommandContext,
  config: Config,
  { logger, isSyncing, syncs }: Pick<ServeOptions, 'logger' | 'isSyncing'> & Syncs,
): DashboardSettings {
  const { publicUrl, signUp, invitationCode, keyDays, auditDays } = config;
  const { smtp, mailFrom } = config;
  return {
    machine: () => machineHealth(context, config, { isSyncing }),
    syncs,
    syncable: syncableSources(config),
    review: dashboardReview(context),
    isPublic: config.isPublic,
    signUp: { isOpen: signUp, invitationCode },
    keyRules: { keyDays },
    auditDays,
    burst: config.burst,
    keyBurst: config.keyBurst === 'off' ? null : config.keyBurst,
    operatorSecondFactor: config.operatorSecondFactor,
    publicUrl,
    mailer: smtp === '' ? undefined : mailerOf(smtp, mailFrom, publicUrl),
    pictures: config.pictures ? picturesOf(context, config, logger) : undefined,
    security: { contacts: config.securityContacts, policy: config.securityPolicy },
    pages: PAGES_FOLDER,
  };
}

/** Returns the pictures, with a cache next to the database. */
function picturesOf(context: CommandContext, config: Config, logger: Logger): Pictures {
  const folder = besideDatabase(config, 'pictures');
  const cache = new PictureCache({ folder, logger, clock: context.clock });
  return new Pictures({ userAgent: userAgent(context), logger, cache });
}

/** @throws OperatorError without a public URL. Callers choose the Host header, so links need it. */
function mailerOf(smtp: string, from: string, publicUrl: string): Mailer {
  if (publicUrl !== '') return createMailer(smtp, from);
  throw new OperatorError(
    'Links in mail need CARDPRICE_URL. Set it to the address at which people open the ' +
      'dashboard, such as https://cards.example, or unset CARDPRICE_SMTP.',
  );
}

function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => resolve());
  });
}

/** Waits some seconds, so that load balancers stop sending requests, then closes connections. */
async function drain(server: Server, seconds: number): Promise<void> {
  server.announceStop();
  await sleep(seconds * 1000);
  const deadline = setTimeout(() => process.exit(0), DRAIN_MS);
  await server.close();
  clearTimeout(deadline);
}
