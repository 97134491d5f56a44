import cluster from 'node:cluster';
import { Command } from 'commander';
import type { Config, Flags } from '../config.ts';
import { Supervisor, shareMetrics } from '../http/cluster.ts';
import { createLogger, type Server, startServer } from '../http/server.ts';
import { openStore } from '../store/connect.ts';
import type { CommandContext } from './context.ts';
import { settingOption } from './options.ts';

/** Requests under way get this long to end when the process is asked to stop. */
const DRAIN_MS = 10_000;

/** `cardprice serve`: answers requests until it is told to stop. */
export function serveCommand(context: CommandContext): Command {
  return new Command('serve')
    .description('Serve the API, its documentation (/docs) and metrics until stopped.')
    .addOption(settingOption('host'))
    .addOption(settingOption('port'))
    .addOption(settingOption('workers'))
    .addHelpText(
      'after',
      '\nExample:\n  cardprice serve --host 0.0.0.0 --port 8080 --workers 2' +
        '\n  CARDPRICE_DATABASE=postgres://cardprice@db/cardprice cardprice serve',
    )
    .action((flags: Flags) => serve(context, context.config(flags)));
}

/** Serves with as many processes as are set, until a signal stops them. */
async function serve(context: CommandContext, config: Config): Promise<void> {
  if (config.workers === 1 || cluster.isWorker) {
    await serveAlone(context, config);
    return;
  }
  // Opened once before there are workers: whatever is wrong with it is said once, and only one
  // process brings the schema up to date.
  await (await openStore(config.database)).close();
  const cameUp = await new Supervisor(createLogger(config.logLevel)).run(config.workers);
  if (!cameUp) process.exitCode = 1;
}

/**
 * Serves with this process until a signal stops it, then lets the requests under way end.
 * `onListening` is called with the address once requests are answered.
 */
export async function serveAlone(
  context: CommandContext,
  config: Config,
  onListening: (url: string) => Promise<void> = async () => {},
): Promise<void> {
  const store = await openStore(config.database);
  try {
    const server = await startServer({
      config,
      store,
      version: context.version,
      logger: createLogger(config.logLevel),
      clock: context.clock,
      ...(cluster.isWorker ? { shareMetrics } : {}),
    });
    try {
      const stopped = stopSignal();
      await onListening(server.url);
      await stopped;
    } finally {
      await drain(server);
    }
  } finally {
    await store.close();
    if (cluster.isWorker) cluster.worker?.disconnect();
  }
}

function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => resolve());
  });
}

async function drain(server: Server): Promise<void> {
  const deadline = setTimeout(() => process.exit(0), DRAIN_MS);
  await server.close();
  clearTimeout(deadline);
}
