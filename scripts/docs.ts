/**
 * Writes the pages of docs/ that are generated from the code: `node scripts/docs.ts`.
 * A test fails when a page and the code disagree.
 */
import { writeFileSync } from 'node:fs';
import type { Command } from 'commander';
import { buildProgram } from '../src/commands/cli.ts';
import { SETTINGS, type Setting } from '../src/config/settings.ts';
import { aliasesPage } from './docs/aliases.ts';
import { errorsPage } from './docs/errors.ts';
import { metricsPage } from './docs/metrics.ts';
import { searchWordsPage } from './docs/search-words.ts';
import { securityPage } from './docs/security.ts';

/** The generated pages by file name. */
export async function generatedPages(): Promise<Readonly<Record<string, string>>> {
  return {
    'aliases.md': aliasesPage(),
    'settings.md': settingsPage(),
    'commands.md': commandsPage(await readCommands()),
    'errors.md': errorsPage(),
    'metrics.md': metricsPage(),
    'search-words.md': searchWordsPage(),
    'security.md': securityPage(),
  };
}

function settingsPage(): string {
  const settings: Setting<unknown>[] = Object.values(SETTINGS);
  return `# Settings

Every setting is an environment variable; some are flags too, and a flag wins. An empty variable
counts as unset. A value that is not allowed stops the program with a message that says what is.
\`cardprice config\` shows what is set, and from where.

A setting that may hold a secret can be kept in a file: its variable with \`_FILE\` names the file, as
in \`CARDPRICE_SMTP_FILE=/run/secrets/smtp\`. A systemd credential of the variable's name is read
without any variable: \`LoadCredential=CARDPRICE_SMTP:/etc/cardprice/smtp\`.

${settings.map(settingSection).join('\n')}`;
}

function settingSection(setting: Setting<unknown>): string {
  const lines = [
    `## \`${setting.variable}\``,
    '',
    setting.description,
    '',
    `- Allowed: ${setting.allowed}.`,
    `- Default: ${setting.default === '' ? 'none' : `\`${setting.default}\``}.`,
  ];
  if (setting.flag) lines.push(`- Flag: \`${setting.flag}\`.`);
  if (setting.secret) lines.push(`- From a file: \`${setting.variable}_FILE\`.`);
  return `${lines.join('\n')}\n`;
}

function commandsPage(commands: readonly CommandHelp[]): string {
  return `# Commands

In the checkout a command is run as \`npm run -s cardprice -- <command>\`; installed, as
\`cardprice <command>\`. Results go to the standard output, messages about errors to the standard
error output. The exit code is 0 when all went well, 1 when the operator has something to mend, 2
when the command line is wrong, and 70 when cardprice itself is at fault; a command with one of its
own says so below.

${commands.map(commandSection).join('\n')}`;
}

export interface CommandHelp {
  /** With the names of its parents: `cardprice key list`. */
  readonly name: string;
  readonly help: string;
}

/** The help of every command that has no subcommands, in the order of the help. */
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

/** What `--help` prints on a terminal of 80 columns. */
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
  for (const [name, page] of Object.entries(await generatedPages())) {
    writeFileSync(new URL(`../docs/${name}`, import.meta.url), page);
  }
}
