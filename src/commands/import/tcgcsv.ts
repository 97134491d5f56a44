import { Command, Option } from 'commander';
import { formatMoment, startOfDay } from '../../domain/day.ts';
import { GAMES, type Game } from '../../domain/games.ts';
import { isImported } from '../../ingest/drivers/snapshot.ts';
import { isUrl, openFolder, type Tree } from '../../sources/io/tree.ts';
import { openTcgcsv, readLastUpdated } from '../../sources/tcgcsv/read.ts';
import { GAME_LIST, requireDay, requireGame } from '../arguments.ts';
import type { CommandContext } from '../context.ts';
import { jsonOption } from '../options.ts';
import { printLine } from '../output.ts';
import { dryRunOption, withTarget } from './dry-run.ts';
import { EXIT_INCOMPLETE, openPolitely, pauseOption } from './shared.ts';
import { importAndReport } from './snapshot.ts';

interface TcgcsvFlags {
  readonly game?: string[];
  readonly observed?: string;
  readonly pause: string;
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

/** `cardprice import tcgcsv`: the cards and prices of a whole tree. */
export function tcgcsvCommand(context: CommandContext): Command {
  return new Command('tcgcsv')
    .description(
      'Import a TCGCSV tree: every game, the backbone. The same input twice changes nothing; a ' +
        'later one updates prices and adds a day of history.',
    )
    .argument('<folder or URL>', 'A folder laid out as TCGCSV serves it, or the address of one.')
    .addOption(new Option('--game <slug...>', `Only these games: ${GAME_LIST}.`))
    .option(
      '--observed <day>',
      'When the prices were observed (UTC, YYYY-MM-DD); otherwise as the tree states.',
    )
    .addOption(pauseOption())
    .addOption(dryRunOption())
    .addOption(jsonOption())
    .addHelpText(
      'after',
      `
A row that cannot be read (a missing id, a price that cannot be one) is named and skipped, and so is
a group as a whole (bad JSON, a missing file, too many bad rows). The rest is imported, what was
skipped keeps its prices, and the exit code is ${EXIT_INCOMPLETE}. Run it again to finish.

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
      const observedAt = flags.observed
        ? startOfDay(requireDay('--observed', flags.observed))
        : await readLastUpdated(tree, context.clock());
      const slugs = games.map((game) => game.slug);
      if (isUrl(location) && (await isImported(target.store, 'tcgcsv', observedAt, slugs))) {
        printLine(`Nothing new since ${formatMoment(observedAt)}, which is imported already.`);
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
