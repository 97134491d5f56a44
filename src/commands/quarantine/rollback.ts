import { Command } from 'commander';
import { type Day, formatDay } from '../../domain/day.ts';
import { OperatorError } from '../../domain/errors.ts';
import type { GameSlug } from '../../domain/games.ts';
import {
  type RollbackSummary,
  rollBackDays,
  type WrongDays,
} from '../../ingest/decisions/rollback.ts';
import type { Store } from '../../store/connect.ts';
import { recordCommand } from '../audit.ts';
import type { CommandContext } from '../context.ts';
import {
  dayOption,
  gameOption,
  type JsonFlag,
  jsonOption,
  requireSets,
  requireSource,
} from '../options.ts';
import { EXIT, printErrorLine, printJson, printLine } from '../output.ts';
import { withProgress } from '../progress.ts';

interface RollbackFlags extends JsonFlag {
  readonly source: string;
  readonly from: Day;
  readonly to?: Day;
  readonly game?: GameSlug;
  readonly set?: string;
  readonly dryRun?: boolean;
}

/** `cardprice quarantine rollback`: undoes everything a source reported on wrong days. */
export function rollbackCommand(context: CommandContext): Command {
  return new Command('rollback')
    .description('Undo everything a source has reported since a given day.')
    .requiredOption('--source <name>', 'The source whose days were wrong.')
    .addOption(
      dayOption('--from <day>', 'The first wrong day (UTC, YYYY-MM-DD).').makeOptionMandatory(),
    )
    .addOption(dayOption('--to <day>', 'The last wrong day; today by default.'))
    .addOption(gameOption('--game <game>', 'Only this game.'))
    .option('--set <name>', 'Only this set, by code or name.')
    .option('--dry-run', 'Show what would be rolled back, and change nothing.')
    .addOption(jsonOption())
    .addHelpText(
      'after',
      `
The source's prices of these days are removed from the history, and each printing gets back the
source's price of its last earlier day. Prices by condition and grade have no history and are
deleted, like the quarantined prices of these days. Then the prices of all sources are merged again.
Days without a recorded source stay and are counted. Once the source has corrected its files, you can
import them again. Repeating the command changes nothing. It fails while an import is running.

Examples:
  cardprice quarantine rollback --source scryfall --from 2026-01-20 --dry-run
  cardprice quarantine rollback --source tcgcsv --from 2026-01-20 --to 2026-01-21 --game mtg`,
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
  const started = performance.now();
  const summary = await withProgress('printings', json, (watch) => {
    return rollBackDays(store, wrong, { clock: context.clock, isDryRun, ...watch });
  });
  const seconds = (performance.now() - started) / 1000;
  if (!isDryRun) await recordRollback(context, store, wrong);
  if (json) printJson(describe(summary, isDryRun, seconds));
  else printSummary(wrong, summary, isDryRun, seconds);
  if (summary.damaged.length > 0) process.exitCode = EXIT.failure;
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
  const { from: since, to: until, game, set } = flags;
  if (until !== undefined && until < since) {
    throw new OperatorError(`--to ${formatDay(until)} is before --from ${formatDay(since)}.`);
  }
  return {
    source: requireSource(flags.source),
    since,
    until,
    game,
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
  if (isNothing(summary)) {
    printLine(`Nothing of ${source} from ${span} is left: already rolled back, or never imported.`);
    if (unknownDays > 0) printUnknown(unknownDays);
    return;
  }
  const rolledBack = isDryRun ? 'Dry run   nothing is changed' : 'Done      rolled back';
  printLine(`${rolledBack}: ${source} from ${span}, in ${seconds.toFixed(1)} s`);
  printLine(`Printings ${printings}; ${pricesChanged} of them serve another price`);
  printLine(`History   ${days} days of printings removed`);
  printLine(`Source    ${putBack} prices put back to an earlier day, ${removed} removed`);
  printLine(`Also      ${summary.quarantined} entries of the quarantine, ${summary.files} files`);
  if (unknownDays > 0) printUnknown(unknownDays);
  for (const { message } of damaged) printErrorLine(`Left out  ${message}`);
}

/** Whether a rollback found nothing to change. */
function isNothing({ printings, quarantined, files, damaged }: RollbackSummary): boolean {
  return printings + quarantined + files + damaged.length === 0;
}

function printUnknown(days: number): void {
  printLine(`Left      ${days} days whose source was not recorded`);
}
