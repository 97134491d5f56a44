import { SingleBar } from 'cli-progress';
import { Command, Option } from 'commander';
import { formatMoment, type Millis, parseDay, startOfDay } from '../domain/day.ts';
import { OperatorError } from '../domain/errors.ts';
import { findGame, GAMES, type Game } from '../domain/games.ts';
import { type ImportSummary, importSnapshot, isImported } from '../ingest/run.ts';
import type { Snapshot } from '../sources/source.ts';
import { openTcgcsv, readLastUpdated } from '../sources/tcgcsv/read.ts';
import { isUrl, openFolder, openWeb, type Tree } from '../sources/tree.ts';
import type { Store } from '../store/connect.ts';
import type { CommandContext } from './context.ts';
import { jsonOption } from './options.ts';
import { printJson } from './output.ts';

/** What an import ends with when some groups were skipped: the rest is in, but look at it. */
const EXIT_INCOMPLETE = 3;

/** TCGCSV asks for about 100 ms between two requests. */
const PAUSE_MS = 100;

interface TcgcsvFlags {
  readonly game?: string[];
  readonly observed?: string;
  readonly pause: string;
  readonly json?: boolean;
}

/** `cardprice import …`: brings prices in. */
export function importCommand(context: CommandContext): Command {
  return new Command('import')
    .description('Import cards and prices from a source.')
    .addHelpText('after', '\nExample:\n  cardprice import tcgcsv https://tcgcsv.com')
    .addCommand(tcgcsvCommand(context));
}

function tcgcsvCommand(context: CommandContext): Command {
  return new Command('tcgcsv')
    .description(
      'Import a TCGCSV tree: every game, the backbone. The same input twice changes nothing; a ' +
        'later one updates prices and adds a day of history.',
    )
    .argument('<folder or URL>', 'A folder laid out as TCGCSV serves it, or the address of one.')
    .addOption(new Option('--game <slug...>', `Only these games: ${slugs()}.`))
    .option('--observed <day>', 'When the prices were observed (UTC, YYYY-MM-DD), if not told.')
    .addOption(
      new Option('--pause <ms>', 'Milliseconds between two requests to a URL.').default(
        String(PAUSE_MS),
      ),
    )
    .addOption(jsonOption())
    .addHelpText(
      'after',
      `
A group that cannot be read (bad JSON, a missing file, a price that cannot be one) is named and
skipped whole, the rest is imported, and the exit code is ${EXIT_INCOMPLETE}. Run it again to finish.

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
    await context.withStore(async (store) => {
      const observedAt = flags.observed
        ? moment(flags.observed)
        : await readLastUpdated(tree, context.clock());
      const slugs = games.map((game) => game.slug);
      if (isUrl(location) && (await isImported(store, 'tcgcsv', observedAt, slugs))) {
        console.log(`Nothing new since ${formatMoment(observedAt)}, which is imported already.`);
        return;
      }
      const snapshot = await openTcgcsv(tree, { games, observedAt });
      report(await runImport(context, store, snapshot, flags.json ?? false), flags.json ?? false);
    });
  } finally {
    await tree.close();
  }
}

async function runImport(
  { clock }: CommandContext,
  store: Store,
  snapshot: Snapshot,
  quiet: boolean,
): Promise<ImportSummary> {
  const progress = quiet ? undefined : showProgress(snapshot.groupCount);
  try {
    return await importSnapshot(store, snapshot, {
      clock,
      ...(progress ? { onProgress: progress.update } : {}),
    });
  } finally {
    progress?.end();
  }
}

function report(summary: ImportSummary, json: boolean): void {
  if (json) printJson({ ...summary, observedAt: formatMoment(summary.observedAt) });
  else printSummary(summary);
  if (summary.broken.length > 0) process.exitCode = EXIT_INCOMPLETE;
}

function slugs(): string {
  return GAMES.map((game) => game.slug).join(', ');
}

function chooseGames(names: readonly string[] | undefined): readonly Game[] {
  return names === undefined ? GAMES : [...new Set(names.map(requireGame))];
}

function requireGame(name: string): Game {
  const game = findGame(name);
  if (!game) throw new OperatorError(`There is no game "${name}"; the games are ${slugs()}.`);
  return game;
}

function moment(text: string): Millis {
  const day = parseDay(text);
  if (day === undefined) throw new OperatorError(`--observed "${text}" is not a day YYYY-MM-DD.`);
  return startOfDay(day);
}

async function openTree(context: CommandContext, location: string, pause: string): Promise<Tree> {
  if (!isUrl(location)) return openFolder(location);
  if (!/^\d{1,5}$/.test(pause)) {
    throw new OperatorError(`--pause "${pause}" is not a number of milliseconds.`);
  }
  return openWeb(location, {
    userAgent: `cardprice/${context.version} (self-hosted card price service)`,
    pause: Number(pause),
  });
}

interface Progress {
  update(done: number, total: number, name: string): void;
  end(): void;
}

/** A bar on a terminal; elsewhere a line now and then, for logs. */
function showProgress(total: number): Progress {
  if (!process.stderr.isTTY) return plainProgress();
  const bar = new SingleBar({
    format: '{bar} {percentage}% | {value}/{total} sets | {eta_formatted} left | {name}',
    hideCursor: true,
    clearOnComplete: true,
  });
  bar.start(total, 0, { name: '' });
  return {
    update: (done, _total, name) => bar.update(done, { name: name.slice(0, 40) }),
    end: () => bar.stop(),
  };
}

const PLAIN_LINE_MS = 2000;

function plainProgress(): Progress {
  let last = performance.now();
  return {
    update(done, total) {
      if (performance.now() - last < PLAIN_LINE_MS) return;
      last = performance.now();
      console.error(`${done} of ${total} sets`);
    },
    end() {},
  };
}

function printSummary(summary: ImportSummary): void {
  const { broken } = summary;
  for (const line of summaryLines(summary)) console.log(line);
  for (const [reason, count] of Object.entries(summary.skipped)) {
    console.log(`Skipped   ${count} × ${reason}`);
  }
  for (const { name, reason } of broken) console.error(`Skipped   ${name}: ${reason}`);
  if (broken.length > 0) {
    console.error(`${broken.length} sets were skipped whole. Run the import again to finish.`);
  }
}

function summaryLines(summary: ImportSummary): string[] {
  const { setsUnchanged, listingsWithoutCard } = summary;
  return [
    `Imported ${summary.source} as observed on ${formatMoment(summary.observedAt)} ` +
      `in ${summary.seconds.toFixed(1)} s`,
    `Sets      ${summary.sets} (${summary.setsAdded} new), ${setsUnchanged} unchanged`,
    `Cards     ${summary.cards} (${summary.cardsAdded} new, ${summary.cardsChanged} changed)`,
    `Printings ${summary.printings} (${summary.printingsAdded} new)`,
    `Prices    ${summary.prices} (${summary.pricesChanged} changed)`,
    `History   ${summary.historyAdded} points added, ${summary.historyCorrected} corrected`,
    ...(listingsWithoutCard > 0
      ? [`Skipped   ${listingsWithoutCard} × price of a product that is not a card`]
      : []),
  ];
}
