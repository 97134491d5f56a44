import { inspect } from 'node:util';
import { Command, CommanderError } from 'commander';
import { readSetting } from '../config/config.ts';
import { OperatorError } from '../domain/errors.ts';
import { type CommandContext, createContext } from './context.ts';
import { settingOption } from './options.ts';
import { EXIT, PARSER_OUTPUT, printError, printErrorLine, watchOutput } from './output.ts';

type LoadCommand = () => Promise<(context: CommandContext) => Command>;

/**
 * Every command by name, in the order of the help. A command is loaded only if the command line
 * names it, because the modules of `serve` and `import` take half a second to load.
 */
const COMMANDS: Readonly<Record<string, LoadCommand>> = {
  start: async () => (await import('./start.ts')).startCommand,
  serve: async () => (await import('./serve.ts')).serveCommand,
  import: async () => (await import('./import.ts')).importCommand,
  sync: async () => (await import('./sync.ts')).syncCommand,
  status: async () => (await import('./status.ts')).statusCommand,
  report: async () => (await import('./report.ts')).reportCommand,
  sources: async () => (await import('./sources.ts')).sourcesCommand,
  quarantine: async () => (await import('./quarantine.ts')).quarantineCommand,
  search: async () => (await import('./search.ts')).searchCommand,
  show: async () => (await import('./search.ts')).showCommand,
  explain: async () => (await import('./explain.ts')).explainCommand,
  resolve: async () => (await import('./resolve.ts')).resolveCommand,
  mcp: async () => (await import('./mcp.ts')).mcpCommand,
  export: async () => (await import('./export.ts')).exportCommand,
  history: async () => (await import('./history.ts')).historyCommand,
  account: async () => (await import('./account.ts')).accountCommand,
  key: async () => (await import('./key.ts')).keyCommand,
  doctor: async () => (await import('./doctor.ts')).doctorCommand,
  audit: async () => (await import('./audit.ts')).auditCommand,
  backup: async () => (await import('./backup.ts')).backupCommand,
  restore: async () => (await import('./backup.ts')).restoreCommand,
  migrate: async () => (await import('./migrate.ts')).migrateCommand,
  config: async () => (await import('./config.ts')).configCommand,
  plan: async () => (await import('./plan.ts')).planCommand,
  billing: async () => (await import('./billing.ts')).billingCommand,
  webhook: async () => (await import('./webhook.ts')).webhookCommand,
  alert: async () => (await import('./alert.ts')).alertCommand,
  usage: async () => (await import('./usage.ts')).usageCommand,
};

/** Flags that need no command, which makes them ten times faster. */
const VERSION_FLAGS = ['--version', '-V'];

/** Runs a command line, given without the name of the program, and returns its exit code. */
export async function runCli(typed: readonly string[], version: string): Promise<number> {
  watchOutput();
  const args = withHelpFlag(typed);
  try {
    const named = Object.keys(COMMANDS).filter((name) => args.includes(name));
    const needsAll = named.length === 0 && !VERSION_FLAGS.includes(args[0] ?? '');
    const program = await buildProgram(version, needsAll ? undefined : named);
    await program.parseAsync(args, { from: 'user' });
    return outcome();
  } catch (error) {
    return report(error);
  }
}

/** Returns `help key create` as `key create --help`, which explains commands of any depth. */
function withHelpFlag(args: readonly string[]): readonly string[] {
  const [first, ...names] = args;
  if (first !== 'help') return args;
  const [name] = names;
  return name === undefined || name in COMMANDS ? [...names, '--help'] : names;
}

/** Builds the command line with these commands, or with all commands. */
export async function buildProgram(
  version: string,
  names: readonly string[] = Object.keys(COMMANDS),
): Promise<Command> {
  const program = new Command('cardprice')
    .description('A card price service that you run yourself.')
    .version(version)
    .addOption(settingOption('database'))
    .addHelpText('after', '\nExamples:\n  cardprice help status\n  cardprice account list');
  const context = createContext(version, () => program.opts());
  for (const name of names) {
    const command = await COMMANDS[name]?.();
    if (command) program.addCommand(command(context));
  }
  applyHouseRules(program);
  return program;
}

/** Applies common options to every command, because commander does not pass them on. */
function applyHouseRules(command: Command): void {
  command.exitOverride();
  command.configureOutput({ ...PARSER_OUTPUT, outputError: (text) => reportUsage(command, text) });
  command.configureHelp({ showGlobalOptions: true });
  command.helpCommand(false);
  for (const child of command.commands) applyHouseRules(child);
}

/** Reports wrong usage. The parser's message is for example `error: unknown option '--form'`. */
function reportUsage(command: Command, text: string): void {
  const said = text
    .replace(/^error: /, '')
    .trim()
    .replaceAll('\n', ' ')
    .replace(/\.$/, '');
  const sentence = said.charAt(0).toUpperCase() + said.slice(1);
  printError(`${sentence}. See \`${nameOf(command)} --help\`.`);
}

/** Returns the name as it is typed, such as `cardprice key create`. */
function nameOf(command: Command): string {
  return command.parent ? `${nameOf(command.parent)} ${command.name()}` : command.name();
}

/**
 * Returns the exit code of a finished command. A command sets one for bad news, such as a stale
 * source.
 */
function outcome(): number {
  return Number(process.exitCode ?? EXIT.success);
}

function report(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? outcome() : EXIT.usage;
  const message = error instanceof OperatorError ? error.message : storageFailure(error);
  if (message) {
    printError(message);
    return EXIT.failure;
  }
  printError(`Unexpected error: ${error instanceof Error ? error.message : error}`);
  if (isDebugging()) for (const line of inspect(error).split('\n')) printErrorLine(line);
  else printErrorLine('Set CARDPRICE_LOG_LEVEL=debug to see the stack trace.');
  return EXIT.unexpected;
}

/** Error codes for a full disk: of the file system, SQLite and PostgreSQL. */
const FULL = ['ENOSPC', 'SQLITE_FULL', '53100'];

/** Returns a message for a disk error, or undefined for any other error. */
function storageFailure(error: unknown): string | undefined {
  const { code } = error as { code?: unknown };
  if (typeof code !== 'string') return undefined;
  const unharmed = 'Existing data is intact. Fix the problem and run this again.';
  if (FULL.includes(code)) return `There is no space left for the database. ${unharmed}`;
  if (!code.startsWith('SQLITE_IOERR')) return undefined;
  return `The disk is full, over a limit or failing (${code}). ${unharmed}`;
}

function isDebugging(): boolean {
  try {
    return ['trace', 'debug'].includes(readSetting('logLevel'));
  } catch {
    return false;
  }
}
