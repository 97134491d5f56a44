import type { Logger } from 'pino';
import type { Config } from '../config/config.ts';
import { type Day, dayOf, type Millis } from '../domain/day.ts';
import { LockTaken, withLock } from '../ingest/lock.ts';
import { readChecks } from '../store/catalogue/sync.ts';
import type { Store } from '../store/connect.ts';
import { type ChildOutcome, reasonOf, SyncChild } from '../sync/child.ts';
import { ManualSync } from '../sync/manual.ts';
import { Schedule, type SyncEnd } from '../sync/schedule.ts';
import type { CommandContext } from './context.ts';
import { workingPath } from './files.ts';
import { EXIT } from './output.ts';
import { isProgressLine } from './progress.ts';
import { mailDigest } from './quarantine/digest-mail.ts';

/** Work in processes separate from the service. */
export interface BackgroundTask {
  start(): void;
  /** Stops the current process, and prevents further ones. */
  stop(): Promise<void>;
}

/** Syncs at the configured times until it is stopped, and logs each result. */
export function syncWhileServing(
  context: CommandContext,
  config: Config,
  logger: Logger,
): BackgroundTask {
  const child = new SyncChild({
    command: syncProgram('--json'),
    env: syncEnvironment(config),
    onStart: (process) => logger.info({ process }, 'sync started'),
  });
  const digest = new DailyDigest(context, config, logger);
  const schedule = new Schedule({
    times: config.syncAt,
    clock: context.clock,
    random: Math.random,
    lastSync: () => context.withStore(lastSync),
    async sync() {
      const end = await syncOnce(context, child, logger);
      if (end === 'succeeded') await digest.mail();
      return end;
    },
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

/** After the first sync of a day (UTC), mails the operators the most important decisions. */
class DailyDigest {
  readonly #context: CommandContext;
  readonly #config: Config;
  readonly #logger: Logger;
  #mailedOn: Day | undefined;

  constructor(context: CommandContext, config: Config, logger: Logger) {
    this.#context = context;
    this.#config = config;
    this.#logger = logger;
  }

  async mail(): Promise<void> {
    const today = dayOf(this.#context.clock());
    const isOn = this.#config.digest && this.#config.smtp !== '';
    if (!isOn || this.#mailedOn === today) return;
    this.#mailedOn = today;
    try {
      const mails = await this.#context.withStore((store) => {
        return mailDigest(store, this.#config, this.#context.clock());
      });
      this.#logger.info({ mails }, 'digest of the quarantine mailed');
    } catch (err) {
      this.#logger.error({ err }, 'the digest of the quarantine could not be mailed');
    }
  }
}

/** This program as `cardprice sync` with some flags. */
export function syncProgram(...flags: readonly string[]): readonly string[] {
  return [process.execPath, ...process.execArgv, process.argv[1] ?? '', 'sync', ...flags];
}

/** Not a flag: the location may contain a password, and other users can read command lines. */
export function syncEnvironment({ database }: Config): NodeJS.ProcessEnv {
  return { ...process.env, CARDPRICE_DATABASE: database };
}

async function lastSync({ db }: Store): Promise<Millis | null> {
  const moments = (await readChecks(db)).map(({ askedAt }) => askedAt);
  return moments.length === 0 ? null : Math.max(...moments);
}

/** @throws LockTaken, which names the other process, while another sync is running. */
export function requireNoSync({
  withStore,
  clock,
}: Pick<CommandContext, 'withStore' | 'clock'>): Promise<void> {
  // A sync takes the lock itself. Taking it here shows at once which process holds it.
  return withStore((store) => withLock(store, clock, async () => {}, 'sync'));
}

async function syncOnce(
  context: CommandContext,
  child: SyncChild,
  logger: Logger,
): Promise<SyncEnd> {
  const started = performance.now();
  try {
    await requireNoSync(context);
    const outcome = await child.run();
    // Another process may have started between the check of the lock and the start of the child.
    if (outcome?.code && sourcesIn(outcome.out).length === 0) await requireNoSync(context);
    if (outcome) report(outcome, logger, (performance.now() - started) / 1000);
    return outcome === undefined || outcome.code === 0 ? 'succeeded' : 'failed';
  } catch (err) {
    if (err instanceof LockTaken) {
      logger.info({ reason: err.message }, 'sync left to another process');
      return 'taken';
    }
    logger.error({ err }, 'sync could not be started');
    return 'failed';
  }
}

interface Reported {
  readonly sources?: readonly { readonly error: string | null }[];
}

function report(outcome: ChildOutcome, logger: Logger, seconds: number): void {
  const { code, out, err } = outcome;
  for (const source of sourcesIn(out)) {
    if (source.error === null) logger.info({ sync: source }, 'source synced');
    else logger.error({ sync: source }, 'source not synced');
  }
  const rounded = Number(seconds.toFixed(1));
  if (code === 0) logger.info({ seconds: rounded }, 'sync ended');
  else {
    const reason = reasonOf(outcome);
    logger.error(
      { seconds: rounded, code, reason, stderr: err.trim().slice(-1000) },
      'sync failed',
    );
  }
}

function sourcesIn(out: string) {
  try {
    return (JSON.parse(out) as Reported).sources ?? [];
  } catch {
    return [];
  }
}

/** Starts syncs of the configured sources at the request of an operator. */
export function manualSync(
  context: Pick<CommandContext, 'withStore' | 'clock'>,
  config: Config,
  logger: Logger,
): ManualSync {
  return new ManualSync({
    command: (source) => syncProgram(...(source === null ? [] : ['--source', source])),
    env: syncEnvironment(config),
    file: workingPath(config, 'sync'),
    clock: context.clock,
    requireFree: () => requireNoSync(context),
    incompleteCode: EXIT.incomplete,
    isProgress: isProgressLine,
    onEnd: ({ source, state }) => logger.info({ source, state }, 'manual sync ended'),
    onError: (err) => logger.error({ err }, 'the manual sync could not be recorded'),
  });
}
