import type { Command } from 'commander';
import type { Config } from '../config/config.ts';
import { isPostgres } from '../domain/location.ts';
import type { Tracing, TracingOptions } from '../http/opentelemetry.ts';
import { startTracing } from '../http/tracing.ts';
import type { CommandContext } from './context.ts';
import { printErrorLine } from './output.ts';

/** Returns the options of tracing that come from the settings. */
export function tracingOf(config: Config, version: string): Omit<TracingOptions, 'onError'> {
  const { traces: url, database, trustProxy } = config;
  return { url, version, trustProxy, database: isPostgres(database) ? 'postgresql' : 'sqlite' };
}

/** Traces an import command, if `CARDPRICE_TRACES` is set. */
export function traced(command: Command, context: CommandContext): Command {
  let tracing: Tracing | undefined;
  const onError = (reason: string) => printErrorLine(`Traces could not be sent: ${reason}`);
  return command
    .hook('preAction', async () => {
      const options = tracingOf(context.config(), context.version);
      tracing = await startTracing({ ...options, task: command.name(), onError });
    })
    .hook('postAction', () => tracing?.close());
}
