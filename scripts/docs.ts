/**
 * Writes the reference pages that are generated from code and data: `npm run docs`.
 *
 * Short tables are kept in docs/, because messages, alerts and other pages link to them. Long lists
 * are built into dist/docs/, which is part of the package but not of the repository.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import type { Command } from 'commander';
import { buildProgram } from '../src/commands/cli.ts';
import { asvsPage } from './docs/asvs.ts';
import { errorsPage } from './docs/errors.ts';
import { metricsPage } from './docs/metrics.ts';
import { settingsPage } from './docs/settings.ts';

type Pages = Readonly<Record<string, string>>;

/** The tables in docs/, by path. */
export function keptPages(): Pages {
  return {
    'docs/errors.md': errorsPage(),
    'docs/metrics.md': metricsPage(),
    'docs/settings.md': settingsPage(),
  };
}

/** The lists that are only in the package, by path. */
export async function builtPages(): Promise<Pages> {
  return {
    'dist/docs/asvs.md': asvsPage(),
    'dist/docs/commands.md': commandsPage(await readCommands()),
  };
}

function commandsPage(commands: readonly CommandHelp[]): string {
  return `# Commands

Installed, a command is \`cardprice COMMAND\`. In a checkout it is
\`npm run -s cardprice -- COMMAND\`. Results go to standard output and errors to standard error.

| exit code | meaning |
|---|---|
| 0 | success |
| 1 | you have to fix something; the message says what |
| 2 | the command line is wrong |
| 70 | a bug in Cardprice |

Commands with other exit codes list them below.

${commands.map(commandSection).join('\n')}`;
}

export interface CommandHelp {
  /** The full name: `cardprice key list`. */
  readonly name: string;
  readonly help: string;
}

/** Returns the help of every command without subcommands, in the order of the help. */
export async function readCommands(): Promise<CommandHelp[]> {
  return leaves(await buildProgram('')).map((command) => ({
    name: fullName(command),
    help: helpOf(command),
  }));
}

function leaves(command: Command): Command[] {
  return command.commands.length === 0 ? [command] : command.commands.flatMap(leaves);
}

function commandSection({ name, help }: CommandHelp): string {
  return `## \`${name}\`\n\n\`\`\`text\n${help}\`\`\`\n`;
}

function fullName(command: Command): string {
  return command.parent ? `${fullName(command.parent)} ${command.name()}` : command.name();
}

/** Returns the output of `--help` on a terminal of 80 columns. */
function helpOf(command: Command): string {
  let text = '';
  command.configureOutput({
    writeOut: (part) => {
      text += part;
    },
    getOutHelpWidth: () => 80,
  });
  command.outputHelp();
  return text;
}

if (import.meta.main) {
  const root = new URL('../', import.meta.url);
  mkdirSync(new URL('dist/docs/', root), { recursive: true });
  for (const [path, page] of Object.entries({ ...keptPages(), ...(await builtPages()) })) {
    writeFileSync(new URL(path, root), page);
  }
}
