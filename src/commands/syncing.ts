import type { Logger } from 'pino';
import type { Config } from '../config/config.ts';
import type { Millis } from '../domain/day.ts';
import type { Store } from '../store/connect.ts';
import { readChecks } from '../store/sync.ts';
import { type ChildOutcome, SyncChild } from '../sync/child.ts';
import { Schedule } from '../sync/schedule.ts';
import type { CommandContext } from './context.ts';

/** Syncing beside a service, in processes of their own. */
export interface Syncing {
  start(): void;
  /** Ends the sync that is under way, and begins no more. */
  stop(): Promise<void>;
}

/** Syncs at the times that are set, from when it is started; what came of it goes to the log. */
export function syncBeside(context: CommandContext, config: Config, logger: Logger): Syncing {
  const child = new SyncChild({
    command: [process.execPath, ...process.execArgv, process.argv[1] ?? '', 'sync', '--json'],
    // Not as a flag: the location may contain a password, and other users can read command lines.
    env: { ...process.env, CARDPRICE_DATABASE: config.database },
    onStart: (process) => logger.info({ process }, 'sync started'),
  });
  const schedule = new Schedule({
    times: config.syncAt,
    clock: context.clock,
    random: Math.random,
    lastSync: () => context.withStore(lastSync),
    sync: () => syncOnce(child, logger),
    onError: (err) => logger.error({ err }, 'the sync schedule failed'),
  });
  return {
    start: () => schedule.start(),
    async stop() {
      child.stop();
      await schedule.stop();
    },
  };
}

async function lastSync({ db }: Store): Promise<Millis | null> {
  const moments = (await readChecks(db)).map((row) => row.asked_at);
  return moments.length === 0 ? null : Math.max(...moments);
}

async function syncOnce(child: SyncChild, logger: Logger): Promise<boolean> {
  const started = performance.now();
  try {
    const outcome = await child.run();
    if (outcome) report(outcome, logger, (performance.now() - started) / 1000);
    return outcome === undefined || outcome.code === 0;
  } catch (err) {
    logger.error({ err }, 'sync could not be started');
    return false;
  }
}

interface Reported {
  readonly sources?: readonly { readonly error: string | null }[];
}

function report({ code, signal, out, err }: ChildOutcome, logger: Logger, seconds: number): void {
  for (const source of sourcesIn(out)) {
    if (source.error === null) logger.info({ sync: source }, 'source synced');
    else logger.error({ sync: source }, 'source not synced');
  }
  const rounded = Number(seconds.toFixed(1));
  if (code === 0) logger.info({ seconds: rounded }, 'sync ended');
  else {
    const reason = reasonOf(signal, err);
    logger.error(
      { seconds: rounded, code, reason, stderr: err.trim().slice(-1000) },
      'sync failed',
    );
  }
}

const NO_MEMORY =
  'It ran out of memory. Nothing of it is served; give the machine or Node (NODE_OPTIONS=' +
  '--max-old-space-size) more, and it is finished with the next sync.';

/** Why a process ended that could not say so itself; undefined of one that could. */
function reasonOf(signal: NodeJS.Signals | null, err: string): string | undefined {
  if (signal === null) return undefined;
  return err.includes('heap out of memory') ? NO_MEMORY : `The signal ${signal} ended it.`;
}

function sourcesIn(out: string) {
  try {
    return (JSON.parse(out) as Reported).sources ?? [];
  } catch {
    return [];
  }
}
