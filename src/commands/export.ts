import { Command, Option } from 'commander';
import { csvLine } from '../domain/csv.ts';
import { type Day, formatDay } from '../domain/day.ts';
import { OperatorError } from '../domain/errors.ts';
import type { GameSlug } from '../domain/games.ts';
import { dollarsOrNull } from '../domain/money.ts';
import type { HistoryDay } from '../domain/price.ts';
import { findCardsById } from '../store/catalogue/catalogue.ts';
import {
  type NamedPrinting,
  namedPrintings,
  type PrintingFilter,
} from '../store/catalogue/series.ts';
import type { Store } from '../store/connect.ts';
import { type DamagedHistory, type ExportFilter, exportHistory } from '../store/history/index.ts';
import type { CommandContext } from './context.ts';
import {
  dayOption,
  GAME_LIST,
  gameOption,
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
  readonly from?: Day;
  readonly to?: Day;
}

/** `cardprice export …`: exports data. */
export function exportCommand(context: CommandContext): Command {
  return new Command('export')
    .description('Export data as plain rows.')
    .addCommand(historyCommand(context));
}

function historyCommand(context: CommandContext): Command {
  return new Command('history')
    .description('Export the price history, with one row for each printing and day.')
    .addOption(gameOption('--game <slug>', `Only this game: ${GAME_LIST}.`))
    .option('--set <name>', 'Only this set, by setId, code or name.')
    .option('--card <id>', 'Only this card.')
    .option('--printing <name>', 'Only printings of this name.')
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
are empty in CSV and null in JSON. Rows of one printing are consecutive, oldest first. "cardprice
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
  const printings = namedPrintings(store.db, await printingFilter(store, flags));
  const days = {
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
  };
  const rows = exportedRows(store, printings, days, flags);
  await writeText(rows, output);
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

const COLUMNS = [
  'card',
  'printing',
  'date',
  'market',
  'low',
  'mid',
  'high',
  'source',
  'marketplace',
  'repeated',
] as const;

type ExportedRow = Readonly<Record<(typeof COLUMNS)[number], string | number | boolean | null>>;

/** Yields the rows as text, one printing at a time. */
async function* exportedRows(
  store: Store,
  pages: AsyncIterable<readonly NamedPrinting[]>,
  days: Pick<ExportFilter, 'from' | 'to'>,
  { format, raw = false }: Pick<ExportFlags, 'format' | 'raw'>,
): AsyncGenerator<string> {
  const csvRow = (row: ExportedRow) => {
    const cells = COLUMNS.map((column) => row[column]);
    return csvLine(cells, { raw });
  };
  const write = format === 'csv' ? csvRow : jsonLine;
  if (format === 'csv') yield csvLine(COLUMNS);
  const names = new Map<number, NamedPrinting>();
  const printings = remembered(pages, names);
  const histories = exportHistory(store, { ...days, printings, onDamage: noteDamage });
  for await (const { printing, days: observed } of histories) {
    const named = names.get(printing);
    if (named) yield observed.map((prices) => write(exportedRow(named, prices))).join('');
  }
}

/** Yields the row ids of printings. `names` contains the printings of the current page. */
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

function exportedRow({ card, name }: NamedPrinting, prices: HistoryDay): ExportedRow {
  const { day, market, low, mid, high, provenance } = prices;
  return {
    card,
    printing: name,
    date: formatDay(day),
    market: dollarsOrNull(market),
    low: dollarsOrNull(low),
    mid: dollarsOrNull(mid),
    high: dollarsOrNull(high),
    source: provenance?.source ?? null,
    marketplace: provenance?.marketplace ?? null,
    repeated: provenance?.repeated ?? null,
  };
}

function jsonLine(row: ExportedRow): string {
  return `${JSON.stringify(row)}\n`;
}
