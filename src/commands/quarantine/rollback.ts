import { Command } from 'commander';
import { formatDay } from '../../domain/day.ts';
import { OperatorError } from '../../domain/errors.ts';
import {
  type RollbackSummary,
  rollBackDays,
  type WrongDays,
} from '../../ingest/decisions/rollback.ts';
import type { Store } from '../../store/connect.ts';
import { recordCommand } from '../audit.ts';
import type { CommandContext } from '../context.ts';
import { jsonOption, requireDay, requireGame, requireSets, requireSource } from '../options.ts';
import { printErrorLine, printJson, printLine } from '../output.ts';
import { showProgress } from '../progress.ts';

interface RollbackFlags {
  readonly source: string;
  readonly since: string;
  readonly until?: string;
  readonly game?: string;
  readonly set?: string;
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

/** `cardprice quarantine rollback`: undoes everything a source reported on wrong days. */
export function rollbackCommand(context: CommandContext): Command {
  return new Command('rollback')
    .description('Undo everything a source has reported since a given day.')
    .requiredOption('--source <name>', 'The source whose days were wrong.')
    .requiredOption('--since <day>', 'The first wrong day (UTC, YYYY-MM-DD).')
    .option('--until <day>', 'The last wrong day; today by default.')
    .option('--game <game>', 'Only this game.')
    .option('--set <name>', 'Only this set, by code or name.')
    .option('--dry-run', 'Show what would be rolled back, and change nothing.')
    .addOption(jsonOption())
    .addHelpText(
      'after',
      `
The days leave the history. The source's price of each printing goes back to its last earlier day; its
prices by condition and grade have no history and are deleted. Then the prices of all sources are
merged again, and quarantined prices of these days are deleted. You can import the source's files of
these days again once they are right. Days without a recorded source stay and are counted. The command
fails while an import is running.

Examples:
  cardprice quarantine rollback --source scryfall --since 2026-01-20 --dry-run
  cardprice quarantine rollback --source tcgcsv --since 2026-01-20 --until 2026-01-21 --game mtg`,
    )
    .action((flags: RollbackFlags) => {
      return context.withStore((store) => rollBack(context, store, flags));
    });
}

async function rollBack(
  context: CommandContext,
  store: Store,
  flags: RollbackFlags,
): Promise<void> {
  const { json = false, dryRun: isDryRun = false } = flags;
  const wrong = await readWrongDays(store, flags);
  const progress = json ? undefined : showProgress('printings');
  const started = performance.now();
  const options = {
    clock: context.clock,
    isDryRun,
    ...(progress && { onProgress: progress.update }),
  };
  const summary = await rollBackDays(store, wrong, options).finally(progress?.end);
  const seconds = (performance.now() - started) / 1000;
  if (!isDryRun) await recordRollback(context, store, wrong);
  if (json) printJson(describe(summary, isDryRun, seconds));
  else printSummary(wrong, summary, isDryRun, seconds);
  if (summary.damaged.length > 0) process.exitCode = 1;
}

function recordRollback(
  context: CommandContext,
  store: Store,
  { source, since, until, game, sets }: WrongDays,
): Promise<void> {
  const days = `from ${formatDay(since)}${until === undefined ? '' : ` to ${formatDay(until)}`}`;
  const only = [...(game ? [`game ${game}`] : []), ...(sets ? [`sets ${sets.join(' ')}`] : [])];
  const detail = [days, ...only].join(', ');
  return recordCommand(context, store, 'rolled-back', { subject: source, detail });
}

/** @throws OperatorError if a flag makes no sense. */
async function readWrongDays(store: Store, flags: RollbackFlags): Promise<WrongDays> {
  const { since: first, until: last, game, set } = flags;
  const source = requireSource(flags.source);
  const since = requireDay('--since', first);
  const until = last === undefined ? undefined : requireDay('--until', last);
  if (until !== undefined && until < since) {
    throw new OperatorError(`--until ${last} is before --since ${first}.`);
  }
  return {
    source,
    since,
    until,
    game: game === undefined ? undefined : requireGame(game).slug,
    sets: set === undefined ? undefined : (await requireSets(store, set)).map(({ rowId }) => rowId),
  };
}

function describe(summary: RollbackSummary, dryRun: boolean, seconds: number) {
  const damaged = summary.damaged.map(({ message }) => message);
  return { dryRun, ...summary, damaged, seconds: Number(seconds.toFixed(1)) };
}

function printSummary(
  { source, since, until }: WrongDays,
  summary: RollbackSummary,
  isDryRun: boolean,
  seconds: number,
): void {
  const { printings, days, unknownDays, putBack, removed, pricesChanged, damaged } = summary;
  const span = `${formatDay(since)}${until === undefined ? ' on' : ` to ${formatDay(until)}`}`;
  const rolledBack = isDryRun ? 'Dry run   nothing is changed' : 'Done      rolled back';
  printLine(`${rolledBack}: ${source} from ${span}, in ${seconds.toFixed(1)} s`);
  printLine(`Printings ${printings}, of which ${pricesChanged} serve another price`);
  printLine(`History   ${days} days of printings removed`);
  printLine(`Source    ${putBack} prices put back to an earlier day, ${removed} removed`);
  printLine(`Also      ${summary.quarantined} entries of the quarantine, ${summary.files} files`);
  if (unknownDays > 0) printLine(`Left      ${unknownDays} days whose source was not recorded`);
  for (const { message } of damaged) printErrorLine(`Left out  ${message}`);
}
