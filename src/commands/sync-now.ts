import type { Logger } from 'pino';
import type { Config } from '../config/config.ts';
import { ManualSync } from '../sync/manual.ts';
import { besideDatabase } from './beside-database.ts';
import type { CommandContext } from './context.ts';
import { EXIT_INCOMPLETE } from './import/shared.ts';
import { isProgressLine } from './progress.ts';
import { requireNoSync, syncEnvironment, syncProgram } from './syncing.ts';

/** What starts syncs of the sources that are set, when an operator asks for one. */
export function manualSync(
  context: Pick<CommandContext, 'withStore' | 'clock'>,
  config: Config,
  logger: Logger,
): ManualSync {
  return new ManualSync({
    command: (source) => syncProgram(...(source === null ? [] : ['--source', source])),
    env: syncEnvironment(config),
    file: besideDatabase(config, 'sync'),
    clock: context.clock,
    requireFree: () => requireNoSync(context),
    incompleteCode: EXIT_INCOMPLETE,
    isProgress: isProgressLine,
    onEnd: ({ source, state }) => logger.info({ source, state }, 'sync of an operator ended'),
    onError: (err) => logger.error({ err }, 'the sync of an operator could not be written down'),
  });
}
