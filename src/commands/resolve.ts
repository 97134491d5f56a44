import { Command, Option } from 'commander';
import { dayOf } from '../domain/day.ts';
import type { GameSlug } from '../domain/games.ts';
import { localPricesOf } from '../http/parameters.ts';
import { resolverOf } from '../http/resources.ts';
import { whyNoCard } from '../resolve/lines.ts';
import type { Store } from '../store/connect.ts';
import { loadCatalog, noteConversion } from './catalog.ts';
import type { CommandContext } from './context.ts';
import {
  type CurrencyFlag,
  currencyOption,
  GAME_LIST,
  gameOption,
  type RawFlag,
  rawOption,
} from './options.ts';
import { EXIT, printErrorLine, writeText } from './output.ts';
import { showProgress } from './progress.ts';
import { type Asking, answerRows, Tally } from './resolve/answers.ts';
import { parseChosenColumns } from './resolve/columns.ts';
import { MAX_FILE_SIZE, readInput } from './resolve/input.ts';
import {
  FORMATS,
  type Format,
  type OpenedList,
  openList,
  type ReadOptions,
} from './resolve/open.ts';
import { OUTPUT_FORMATS, type OutputFormat, writeAnswers } from './resolve/write.ts';

interface ResolveFlags extends RawFlag, CurrencyFlag {
  readonly inputFormat?: Format;
  readonly format?: OutputFormat;
  readonly output?: string;
  readonly columns?: string;
  readonly game?: GameSlug;
}

/** `cardprice resolve`: finds the cards that the lines or rows of a file mean. */
export function resolveCommand(context: CommandContext): Command {
  return new Command('resolve')
    .description(
      'Find the card or sealed product, printing and price for each line or row of a file, or ' +
        'explain why no match is certain.',
    )
    .argument('[file]', 'A table, JSON lines or a decklist. Default, or -: the standard input.')
    .addOption(
      new Option(
        '--input-format <format>',
        'The format of the file. Default: detected from its content.',
      ).choices(FORMATS),
    )
    .option('--columns <pairs>', 'The meaning of columns, such as name=Title,number=No.')
    .addOption(gameOption('--game <slug>', `The game of all cards: ${GAME_LIST}.`))
    .addOption(
      new Option('--format <format>', 'The format of the answers.').choices(OUTPUT_FORMATS),
    )
    .addOption(currencyOption())
    .addOption(rawOption())
    .option('--output <file>', 'Where to write the answers. Default: the standard output.')
    .addHelpText(
      'after',
      `
Exports of ManaBox, Moxfield, Archidekt, Deckbox, Dragon Shield, TCGplayer, Cardmarket, PriceCharting,
Collectr and others are recognised by their headers (docs/resolver.md). A file may have up to
${MAX_FILE_SIZE}. JSON lines get answers as JSON lines, other files as CSV. Each line or row keeps its own columns.
They are followed by line, status (matched, ambiguous, unknown, not_a_card, unreadable), card, name,
set, number, printing, quantity, condition, grade, confidence, market (the price of one copy), reasons,
candidates and, instead of card, the id of a sealed product; with --currency, the currency of market is
the last. Progress, the detected format and counts go to the standard error output. The exit code is 0
even if cards are ambiguous or unknown, and ${EXIT.incomplete} if lines could not be read.

Examples:
  cardprice resolve collection.csv --output answers.csv
  cardprice resolve deck.txt --game mtg --format ndjson
  gunzip -c shop.csv.gz | cardprice resolve --columns name=Title,set=Edition`,
    )
    .action((file: string | undefined, flags: ResolveFlags) => {
      return resolveFile(context, file === '-' ? undefined : file, flags);
    });
}

async function resolveFile(
  context: CommandContext,
  file: string | undefined,
  flags: ResolveFlags,
): Promise<void> {
  const options = readOptions(flags);
  const list = await openList(await readInput(file), options);
  const tally = new Tally();
  for (const note of list.notes) printErrorLine(note);
  await context.withStore(async (store) => {
    const asking = await openResolver(context, store, flags);
    noteConversion(asking.local);
    await writeText(answered(list, asking, tally, flags), flags.output);
  });
  for (const note of tally.notes()) printErrorLine(note);
  if (tally.unreadable > 0) process.exitCode = EXIT.incomplete;
}

function readOptions({ inputFormat: format, columns }: ResolveFlags): ReadOptions {
  return {
    ...(format !== undefined && { format }),
    chosen: columns === undefined ? new Map() : parseChosenColumns(columns),
  };
}

/** @throws OperatorError if the database has no cards. */
async function openResolver(
  context: CommandContext,
  store: Store,
  flags: Pick<ResolveFlags, 'game' | 'currency'>,
): Promise<Asking> {
  const catalog = await loadCatalog(context, store);
  const resolver = resolverOf(catalog);
  const local = localPricesOf(flags, catalog, dayOf(context.clock()));
  return {
    ...(flags.game !== undefined && { game: flags.game }),
    ...(local && { local }),
    resolve: (items, options) => resolver.resolveAny(items, options),
    isCard: (text) => whyNoCard(text.replace(/\s+/g, ' ').trim()) === undefined,
  };
}

/** Yields the answers as text, counts them and shows progress. */
async function* answered(
  list: OpenedList,
  asking: Asking,
  tally: Tally,
  { format = list.answersAs, output, currency, raw = false }: ResolveFlags,
): AsyncGenerator<string> {
  // On a terminal, the answers themselves show the progress.
  const isShown = output === undefined && process.stdout.isTTY;
  const progress = isShown ? undefined : showProgress('lines');
  try {
    const rows = answerRows(tally.countEmpty(list.rows), asking);
    const counted = tally.count(rows, (line) => progress?.update(line, list.lineCount));
    yield* writeAnswers(counted, list.columns, {
      format,
      raw,
      hasCurrency: currency !== undefined,
    });
  } finally {
    progress?.end();
  }
}
