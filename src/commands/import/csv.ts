import { Command } from 'commander';
import { startOfDay } from '../../domain/day.ts';
import type { SourceSet } from '../../sources/contract/snapshot.ts';
import { findCsvFiles } from '../../sources/tcgcsv-csv/files.ts';
import { openTcgcsvCsv } from '../../sources/tcgcsv-csv/read.ts';
import { readSets } from '../../store/catalogue/catalogue.ts';
import type { Store } from '../../store/connect.ts';
import { requireDay } from '../arguments.ts';
import type { CommandContext } from '../context.ts';
import { jsonOption } from '../options.ts';
import { dryRunOption, withTarget } from './dry-run.ts';
import { EXIT_INCOMPLETE } from './shared.ts';
import { importAndReport } from './snapshot.ts';

interface CsvFlags {
  readonly observed?: string;
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

/** `cardprice import tcgcsv-csv`: cards and prices of groups as CSV. */
export function csvCommand(context: CommandContext): Command {
  return new Command('tcgcsv-csv')
    .description(
      "Import TCGCSV's ProductsAndPrices.csv, a file a group (set): cards and prices, as its JSON " +
        'files bring them.',
    )
    .argument('<file or folder>', 'A file, or a folder with files …ProductsAndPrices.csv in it.')
    .option(
      '--observed <day>',
      "When the prices were observed (UTC, YYYY-MM-DD); else each file's time of change counts.",
    )
    .addOption(dryRunOption())
    .addOption(jsonOption())
    .addHelpText(
      'after',
      `
The files do not name their set. A group must be known from an earlier import, or
from TCGCSV's file "groups" of its game in the same folder. A row that cannot be read is named and
skipped, and so is a file with too many of them, or whose group is not known. The rest is imported,
and the exit code is ${EXIT_INCOMPLETE}.

Example:
  cardprice import tcgcsv-csv ./csv --observed 2026-01-28`,
    )
    .action((location: string, flags: CsvFlags) => importCsv(context, location, flags));
}

async function importCsv(
  context: CommandContext,
  location: string,
  { observed, dryRun, json }: CsvFlags,
): Promise<void> {
  const day = observed === undefined ? undefined : requireDay('--observed', observed);
  const found = await findCsvFiles(location);
  await withTarget(context, dryRun ?? false, async (target) => {
    const snapshot = openTcgcsvCsv(found, {
      sets: await knownSets(target.store),
      now: context.clock(),
      ...(day !== undefined && { observedAt: startOfDay(day) }),
    });
    await importAndReport(context, target, snapshot, json ?? false);
  });
}

/** The sets that TCGCSV has a group for, by that group's id. */
async function knownSets(store: Store): Promise<Map<string, SourceSet>> {
  const sets = new Map<string, SourceSet>();
  for (const { externalIds, game, code, name, release_date } of await readSets(store.db)) {
    const key = externalIds.get('tcgcsv');
    if (key !== undefined)
      sets.set(key, { externalId: key, game, code, name, releaseDate: release_date });
  }
  return sets;
}
