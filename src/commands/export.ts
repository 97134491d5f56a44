import { Command, Option } from 'commander';
import type { CopyName } from '../domain/copy.ts';
import { csvLine } from '../domain/csv.ts';
import { type Day, formatDay } from '../domain/day.ts';
import { OperatorError } from '../domain/errors.ts';
import type { GameSlug } from '../domain/games.ts';
import { isGrade } from '../domain/grades.ts';
import { dollarsOrNull } from '../domain/money.ts';
import { CONDITIONS, type Condition, type HistoryDay } from '../domain/price.ts';
import { findCardsById } from '../store/catalogue/catalogue.ts';
import {
  type NamedPrinting,
  namedPrintings,
  type PrintingFilter,
} from '../store/catalogue/series.ts';
import type { Store } from '../store/connect.ts';
import {
  type DamagedHistory,
  type ExportFilter,
  exportHistory,
  seriesOf,
} from '../store/history/index.ts';
import type { CommandContext } from './context.ts';
import {
  dayOption,
  GAME_LIST,
  gameOption,
  type JsonFlag,
  jsonOption,
  type RawFlag,
  rawOption,
  requireSets,
} from './options.ts';
import { EXIT, printErrorLine, writeText } from './output.ts';

type Format = 'csv' | 'ndjson';

interface ExportFlags extends RawFlag {
  readonly format: Format;
  readonly output?: string;
  readonly game?: GameSlug;
  readonly set?: string;
  readonly card?: string;
  readonly printing?: string;
  readonly grade?: string;
  readonly condition?: string;
  readonly from?: Day;
  readonly to?: Day;
}

/** `cardprice export …`: exports data. */
export function exportCommand(context: CommandContext): Command {
  return new Command('export')
    .description('Export data as plain rows.')
    .addCommand(historyCommand(context))
    .addCommand(bulkCommand(context));
}

function bulkCommand(context: CommandContext): Command {
  return new Command('bulk')
    .description('Export the catalogue and its history as files of NDJSON, CSV and Parquet.')
    .argument('<folder>', 'The folder of the files. It is created if it does not exist.')
    .addOption(jsonOption())
    .addHelpText(
      'after',
      `
Writes sets, cards with prices, prices alone, and the history by month, for each game and (except
the history) for all games, with a list of the files, bulk.json. CARDPRICE_BULK_SOURCES says which
prices may be in them, CARDPRICE_BULK_KEY signs the list. Other programs may read the folder
meanwhile: files of earlier publications stay for CARDPRICE_BULK_DAYS.

Example:
  cardprice export bulk /srv/bulk`,
    )
    .action(async (folder: string, { json = false }: JsonFlag) => {
      const { bulkSources: sources, bulkKey: key, bulkDays: keepDays } = context.config();
      const { clock } = context;
      const options = { sources, key, keepDays, json, clock };
      // Only this command needs the modules for Parquet.
      const { exportBulk } = await import('./bulk/export.ts');
      await context.withStore((store) => exportBulk(store, folder, options));
    });
}

function historyCommand(context: CommandContext): Command {
  return new Command('history')
    .description('Export the price history, with one row for each printing and day.')
    .addOption(gameOption('--game <slug>', `Only this game: ${GAME_LIST}.`))
    .option('--set <name>', 'Only this set, by setId, code or name.')
    .option('--card <id>', 'Only this card.')
    .option('--printing <name>', 'Only printings of this name.')
    .option('--grade <grade>', 'The history of a grade, such as psa_9, instead of the figures.')
    .addOption(
      new Option(
        '--condition <condition>',
        'The history of a condition instead of the figures.',
      ).choices(CONDITIONS),
    )
    .addOption(dayOption('--from <day>', 'The first day (UTC, YYYY-MM-DD).'))
    .addOption(dayOption('--to <day>', 'The last day.'))
    .addOption(
      new Option('--format <format>', 'The format.').choices(['csv', 'ndjson']).default('csv'),
    )
    .addOption(rawOption())
    .option('--output <file>', 'The file to write; the standard output by default.')
    .addHelpText(
      'after',
      `
Columns: card, printing, date, market, low, mid, high, source, marketplace and repeated (true if
the source published the same prices as the day before). Prices are in US dollars. Unknown values
are empty in CSV and null in JSON. With --grade or --condition, one column of that name stands in the
place of the four prices. Rows of one printing are consecutive, oldest first. "cardprice
import quotes" can read the file: the rows become your own prices of the same marketplace. Damaged
parts of the history are listed and left out, and the exit code is then 1.

Examples:
  cardprice export history --game lorcana --output lorcana.csv
  cardprice export history --card pokemon-bs-charizard-004 --format ndjson | head`,
    )
    .action((flags: ExportFlags) => {
      return context.withStore((store) => exportAll(store, flags));
    });
}

async function exportAll(store: Store, flags: ExportFlags): Promise<void> {
  const { from, to, output } = flags;
  const copy = copyOf(flags);
  const all = namedPrintings(store.db, await printingFilter(store, flags));
  const printings = copy === undefined ? all : seriesAmong(store, all, copy);
  const days = {
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
  };
  const rows = exportedRows(store, printings, days, { ...flags, copy });
  await writeText(rows, output);
}

/** @throws OperatorError for an unknown grade, or a grade and a condition at once. */
function copyOf({ grade, condition }: ExportFlags): CopyName | undefined {
  if (grade !== undefined && condition !== undefined) {
    throw new OperatorError('Give --grade or --condition, not both.');
  }
  if (grade !== undefined && !isGrade(grade)) {
    throw new OperatorError(`--grade "${grade}" is not a company with a grade, such as psa_9.`);
  }
  return grade ?? (condition as Condition | undefined);
}

/** Yields the series of a condition or grade of printings, by the ids of the series. */
async function* seriesAmong(
  store: Store,
  pages: AsyncIterable<readonly NamedPrinting[]>,
  copy: CopyName,
): AsyncGenerator<NamedPrinting[]> {
  for await (const page of pages) {
    const byId = new Map(page.map((printing) => [printing.id, printing]));
    const series = await seriesOf(store.db, [...byId.keys()]);
    const own = series.filter((one) => one.copy === copy);
    yield own.flatMap(({ id, printing }) => {
      const named = byId.get(printing);
      return named ? [{ ...named, id, copy }] : [];
    });
  }
}

async function printingFilter(store: Store, flags: ExportFlags): Promise<PrintingFilter> {
  const { game, set, card, printing } = flags;
  if (card !== undefined && (await findCardsById(store.db, [card])).size === 0) {
    throw new OperatorError(`There is no card "${card}".`);
  }
  return {
    ...(game !== undefined && { game }),
    ...(set !== undefined && { sets: (await requireSets(store, set)).map(({ rowId }) => rowId) }),
    ...(card !== undefined && { card }),
    ...(printing !== undefined && { printing }),
  };
}

const FIGURE_COLUMNS = ['market', 'low', 'mid', 'high'];

/** The columns; a history of a condition or grade has one of that name instead of the figures. */
function columnsOf(copy: CopyName | undefined): string[] {
  const prices = copy === undefined ? FIGURE_COLUMNS : [copy];
  return ['card', 'printing', 'date', ...prices, 'source', 'marketplace', 'repeated'];
}

type ExportedRow = Readonly<Record<string, string | number | boolean | null>>;

/** Yields the rows as text, one printing at a time. */
async function* exportedRows(
  store: Store,
  pages: AsyncIterable<readonly NamedPrinting[]>,
  days: Pick<ExportFilter, 'from' | 'to'>,
  {
    format,
    raw = false,
    copy,
  }: Pick<ExportFlags, 'format' | 'raw'> & { readonly copy: CopyName | undefined },
): AsyncGenerator<string> {
  const columns = columnsOf(copy);
  const csvRow = (row: ExportedRow) => {
    const cells = columns.map((column) => row[column]);
    return csvLine(cells, { raw });
  };
  const write = format === 'csv' ? csvRow : jsonLine;
  if (format === 'csv') yield csvLine(columns);
  const names = new Map<number, NamedPrinting>();
  const printings = remembered(pages, names);
  const histories = exportHistory(store, { ...days, printings, onDamage: noteDamage });
  for await (const { printing, days: observed } of histories) {
    const named = names.get(printing);
    if (named) yield observed.map((prices) => write(exportedRow(named, prices))).join('');
  }
}

/** Yields the row ids of printings. Fills `names` with the printings of the current page. */
async function* remembered(
  pages: AsyncIterable<readonly NamedPrinting[]>,
  names: Map<number, NamedPrinting>,
): AsyncGenerator<number> {
  for await (const page of pages) {
    names.clear();
    for (const printing of page) names.set(printing.id, printing);
    yield* names.keys();
  }
}

function noteDamage({ message }: DamagedHistory): void {
  printErrorLine(`Left out  ${message}`);
  process.exitCode = EXIT.failure;
}

function exportedRow({ card, name, copy }: NamedPrinting, prices: HistoryDay): ExportedRow {
  const { day, market, low, mid, high, provenance } = prices;
  return {
    card,
    printing: name,
    date: formatDay(day),
    ...(copy === undefined
      ? {
          market: dollarsOrNull(market),
          low: dollarsOrNull(low),
          mid: dollarsOrNull(mid),
          high: dollarsOrNull(high),
        }
      : { [copy]: dollarsOrNull(market) }),
    source: provenance?.source ?? null,
    marketplace: provenance?.marketplace ?? null,
    repeated: provenance?.repeated ?? null,
  };
}

function jsonLine(row: ExportedRow): string {
  return `${JSON.stringify(row)}\n`;
}
