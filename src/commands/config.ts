import { Command } from 'commander';
import { describeSettings, unknownVariables } from '../config/config.ts';
import type { CommandContext } from './context.ts';
import { type JsonFlag, jsonOption } from './options.ts';
import { printJson, printLine, printTable } from './output.ts';

interface ConfigFlags extends JsonFlag {
  readonly all?: boolean;
}

/** `cardprice config`: shows the settings and where each one is set. */
export function configCommand({ flags }: CommandContext): Command {
  return new Command('config')
    .description('Show which settings are set and where. Secrets are never shown.')
    .option('--all', 'Also show settings with their default value.')
    .addOption(jsonOption())
    .addHelpText('after', '\nExample:\n  cardprice config --all')
    .action(({ all = false, json }: ConfigFlags) => {
      const settings = describeSettings(flags()).filter(({ from }) => all || from !== 'default');
      const unknown = unknownVariables();
      if (json) printJson({ settings, unknown });
      else printSettings(settings, unknown);
    });
}

function printSettings(
  settings: ReturnType<typeof describeSettings>,
  unknown: readonly string[],
): void {
  printTable(
    ['SETTING', 'VALUE', 'FROM'],
    settings.map(({ variable, value, from, place }) => {
      return [variable, value, from === 'default' ? 'default' : `${from} ${place}`];
    }),
    'Every setting has its default. `cardprice config --all` shows them.',
  );
  for (const name of unknown) printLine(`${name} is set, but is not a setting of Cardprice.`);
}
