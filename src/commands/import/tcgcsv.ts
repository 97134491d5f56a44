import { Command, Option } from 'commander';
import { type Day, formatMoment, startOfDay } from '../../domain/day.ts';
import { GAMES, type Game } from '../../domain/games.ts';
import { importSnapshot, isImported, type SnapshotSummary } from '../../ingest/drivers/snapshot.ts';
import { applyRates } from '../../ingest/import.ts';
import type { Snapshot, SourceSet } from '../../sources/contract/snapshot.ts';
import { isUrl, openFolder, type Tree } from '../../sources/io/tree.ts';
import { openTcgcsv, readLastUpdated } from '../../sources/tcgcsv/read.ts';
import { findCsvFiles, openTcgcsvCsv } from '../../sources/tcgcsv-csv/read.ts';
import { readSets } from '../../store/catalogue/catalogue.ts';
import type { Store } from '../../store/connect.ts';
import type { CommandContext } from '../context.ts';
import { dayOption, GAME_LIST, type JsonFlag, jsonOption, requireGame } from '../options.ts';
import { EXIT, printErrorLine, printLine } from '../output.ts';
import { withProgress } from '../progress.ts';
import {
  dryRunOption,
  type ImportTarget,
  importOptions,
  openPolitely,
  pauseOption,
  priceSettings,
  printRepriced,
  quarantineLines,
  reportImport,
  withTarget,
} from './shared.ts';

interface TcgcsvFlags extends JsonFlag {
  readonly game?: string[];
  readonly observed?: Day;
  readonly pause: string;
  readonly dryRun?: boolean;
}

/** `cardprice import tcgcsv`: the cards and prices of a whole tree. */
export function tcgcsvCommand(context: CommandContext): Command {
  return new Command('tcgcsv')
    .description(
      'Import a TCGCSV tree: the catalogue of every game. Importing the same tree again changes ' +
        'nothing. A later one updates prices and adds a day of history.',
    )
    .argument('<folder or URL>', 'A folder with the layout that TCGCSV serves, or the URL of one.')
    .addOption(new Option('--game <slug...>', `Only these games: ${GAME_LIST}.`))
    .addOption(
      dayOption(
        '--observed <day>',
        'When the prices were observed (UTC, YYYY-MM-DD); by default, as the tree states.',
      ),
    )
    .addOption(pauseOption())
    .addOption(dryRunOption())
    .addOption(jsonOption())
    .addHelpText(
      'after',
      `
Unreadable rows (a missing id, an impossible price) are named and skipped, and so are whole groups
(bad JSON, a missing file, too many bad rows). The rest is imported, skipped cards keep their
prices, and the exit code is ${EXIT.incomplete}. Run the command again to finish.

Examples:
  cardprice import tcgcsv https://tcgcsv.com
  cardprice import tcgcsv ./tcgcsv --game pokemon lorcana`,
    )
    .action((location: string, flags: TcgcsvFlags) => importTcgcsv(context, location, flags));
}

async function importTcgcsv(
  context: CommandContext,
  location: string,
  flags: TcgcsvFlags,
): Promise<void> {
  const games = chooseGames(flags.game);
  const tree = await openTree(context, location, flags.pause);
  try {
    await withTarget(context, flags.dryRun ?? false, async (target) => {
      const observedAt =
        flags.observed === undefined
          ? await readLastUpdated(tree, context.clock())
          : startOfDay(flags.observed);
      const slugs = games.map((game) => game.slug);
      if (isUrl(location) && (await isImported(target.store, 'tcgcsv', observedAt, slugs))) {
        printLine(
          `Nothing new since ${formatMoment(observedAt)}: this update is already imported.`,
        );
        const { rates = [] } = priceSettings(context.config());
        printRepriced(await applyRates(target.store, { clock: context.clock, rates }));
        return;
      }
      const snapshot = await openTcgcsv(tree, { games, observedAt });
      await importAndReport(context, target, snapshot, flags.json ?? false);
    });
  } finally {
    await tree.close();
  }
}

function chooseGames(names: readonly string[] | undefined): readonly Game[] {
  return names === undefined ? GAMES : [...new Set(names.map(requireGame))];
}

async function openTree(context: CommandContext, location: string, pause: string): Promise<Tree> {
  return isUrl(location) ? openPolitely(context, location, pause) : openFolder(location);
}

interface CsvFlags extends JsonFlag {
  readonly observed?: Day;
  readonly dryRun?: boolean;
}

/** `cardprice import tcgcsv-csv`: cards and prices of groups as CSV. */
export function csvCommand(context: CommandContext): Command {
  return new Command('tcgcsv-csv')
    .description(
      "Import cards and prices from TCGCSV's ProductsAndPrices.csv files, one per group " +
        '(set).',
    )
    .argument('<file or folder>', 'A file, or a folder with files …ProductsAndPrices.csv in it.')
    .addOption(
      dayOption(
        '--observed <day>',
        "When the prices were observed (UTC, YYYY-MM-DD); by default, each file's modification time.",
      ),
    )
    .addOption(dryRunOption())
    .addOption(jsonOption())
    .addHelpText(
      'after',
      `
The files do not name their set. Each group must be in the database, or in TCGCSV's file "groups" of
its game in the same folder. Unreadable rows are named and skipped, and so are files with many of
them or with an unknown group. The rest is imported, and the exit code is ${EXIT.incomplete}.

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
  const found = await findCsvFiles(location);
  await withTarget(context, dryRun ?? false, async (target) => {
    const snapshot = openTcgcsvCsv(found, {
      sets: await knownSets(target.store),
      now: context.clock(),
      ...(observed !== undefined && { observedAt: startOfDay(observed) }),
    });
    await importAndReport(context, target, snapshot, json ?? false);
  });
}

/** The sets that TCGCSV has a group for, by that group's id. */
async function knownSets(store: Store): Promise<Map<string, SourceSet>> {
  const sets = new Map<string, SourceSet>();
  for (const { externalIds, game, code, name, releaseDate } of await readSets(store.db)) {
    const key = externalIds.get('tcgcsv');
    if (key !== undefined) sets.set(key, { externalId: key, game, code, name, releaseDate });
  }
  return sets;
}

/** Imports a snapshot, shows its progress, and prints its summary and the changes of a dry run. */
async function importAndReport(
  context: CommandContext,
  { store, changes }: ImportTarget,
  snapshot: Snapshot,
  json: boolean,
): Promise<void> {
  const summary = await withProgress('sets', json, (watch) => {
    return importSnapshot(store, snapshot, { ...importOptions(context), ...watch });
  });
  reportImport(summary, { json, changes: await changes?.(), print: printSummary });
}

function printSummary(summary: SnapshotSummary): void {
  const { broken, brokenCount } = summary;
  for (const line of summaryLines(summary)) printLine(line);
  for (const [reason, count] of Object.entries(summary.skipped)) {
    printLine(`Skipped   ${count} × ${reason}`);
  }
  for (const { name, reason } of broken) printErrorLine(`Skipped   ${name}: ${reason}`);
  if (brokenCount > 0) {
    printErrorLine(
      `${brokenCount} were skipped and keep their prices. Run the import again to finish.`,
    );
  }
}

function summaryLines(summary: SnapshotSummary): string[] {
  const { setsUnchanged, listingsWithoutCard } = summary;
  return [
    `Imported ${summary.source} as observed on ${formatMoment(summary.observedAt)} ` +
      `in ${summary.seconds.toFixed(1)} s`,
    `Sets      ${summary.sets} (${summary.setsAdded} new), ${setsUnchanged} unchanged`,
    `Cards     ${summary.cards} (${summary.cardsAdded} new, ${summary.cardsChanged} changed)`,
    ...(summary.products > 0 ? [`Products  ${summary.products}`] : []),
    `Printings ${summary.printings} (${summary.printingsAdded} new)`,
    `Prices    ${summary.prices} (${summary.pricesChanged} changed)`,
    `History   ${summary.historyAdded} points added, ${summary.historyCorrected} corrected`,
    ...(listingsWithoutCard > 0
      ? [`Skipped   ${listingsWithoutCard} × price of an unknown product`]
      : []),
    ...quarantineLines(summary.quarantined),
  ];
}
