import { Command, Option } from 'commander';
import { CURRENCY_CODES, type Currency } from '../../domain/currencies.ts';
import { type Day, dayOf } from '../../domain/day.ts';
import { OperatorError } from '../../domain/errors.ts';
import { type BackfillSummary, importBackfill } from '../../ingest/drivers/backfill.ts';
import type { Backfill } from '../../sources/contract/backfill.ts';
import { isUrl } from '../../sources/io/tree.ts';
import { isMarketplaceName, parseColumns, QUOTE_COLUMNS } from '../../sources/quotes/adapt.ts';
import { openQuotes, type QuoteFormat } from '../../sources/quotes/read.ts';
import {
  type ArchivedDay,
  findDays,
  openArchive,
  webDays,
} from '../../sources/tcgcsv-archive/read.ts';
import { requireSevenZip, Unpacker } from '../../sources/tcgcsv-archive/unpack.ts';
import type { CommandContext } from '../context.ts';
import { dayOption, type JsonFlag, jsonOption } from '../options.ts';
import { EXIT, printLine } from '../output.ts';
import { withProgress } from '../progress.ts';
import {
  dryRunOption,
  importOptions,
  openPolitely,
  pauseOption,
  printBroken,
  quarantineLines,
  rateLines,
  reportImport,
  withTarget,
} from './shared.ts';

export interface PastReport {
  /** The unit of the total, for example `days`. */
  readonly unit: string;
  readonly json: boolean;
  readonly dryRun: boolean;
  /** Describes what was read. */
  readonly describeRead: (summary: BackfillSummary) => string;
}

/** Imports a backfill, shows its progress and prints its summary. */
export async function importPastAndReport(
  context: CommandContext,
  past: Backfill,
  { unit, json, dryRun, describeRead }: PastReport,
): Promise<void> {
  const { summary, changes } = await withTarget(context, dryRun, async (target) => {
    const summary = await withProgress(unit, json, (watch) => {
      return importBackfill(target.store, past, { ...importOptions(context), ...watch });
    });
    return { summary, changes: await target.changes?.() };
  });
  const print = () => {
    for (const line of summaryLines(summary, describeRead(summary))) printLine(line);
    printBroken(summary);
  };
  reportImport(summary, { json, changes, print });
}

function summaryLines(summary: BackfillSummary, read: string): string[] {
  const { source, seconds } = summary;
  return [
    `Imported ${source} in ${seconds.toFixed(1)} s`,
    `Read      ${read}`,
    `Prices    ${summary.points} of days, ${summary.pricesChanged} are served now`,
    `Printings ${summary.printingsAdded} new`,
    `History   ${summary.historyAdded} points added, ${summary.historyCorrected} corrected`,
    ...Object.entries(skippedOf(summary)).map(
      ([reason, count]) => `Skipped   ${count} × ${reason}`,
    ),
    ...rateLines(summary.withoutRate),
    ...quarantineLines(summary.quarantined),
  ];
}

function skippedOf({ unmatched, skipped }: BackfillSummary): Record<string, number> {
  return {
    ...skipped,
    ...(unmatched > 0 && { 'price of a product that is not a known card': unmatched }),
  };
}

interface ArchiveFlags extends JsonFlag {
  readonly from?: Day;
  readonly to?: Day;
  readonly again?: boolean;
  readonly pause: string;
  readonly dryRun?: boolean;
}

/** `cardprice import tcgcsv-archive`: prices of earlier days. */
export function archiveCommand(context: CommandContext): Command {
  return new Command('tcgcsv-archive')
    .description(
      "Fill in the past from TCGCSV's archive of daily prices. Only known cards get prices, so " +
        'import a TCGCSV tree first.',
    )
    .argument(
      '<file, folder or URL>',
      'prices-YYYY-MM-DD.ppmd.7z, a folder of packed or unpacked days, or the URL of one.',
    )
    .addOption(
      dayOption('--from <day>', 'The first day to take (UTC, YYYY-MM-DD); needed for a URL.'),
    )
    .addOption(dayOption('--to <day>', 'The last day to take.'))
    .option('--again', 'Also import days that were imported before.')
    .addOption(pauseOption())
    .addOption(dryRunOption())
    .addOption(jsonOption())
    .addHelpText(
      'after',
      `
Days that were imported before are skipped, so you can stop the command at any moment and run it
again. Use --again after an import of new cards. Unreadable archives and files are named and
skipped, the rest is imported, and the exit code is ${EXIT.incomplete}. A URL that answers 403 or 404 does not have
that day. Prices of a day newer than the served prices are served.

Examples:
  cardprice import tcgcsv-archive ./archive
  cardprice import tcgcsv-archive https://tcgcsv.com/archive/tcgplayer --from 2024-02-08`,
    )
    .action((location: string, flags: ArchiveFlags) => importArchive(context, location, flags));
}

async function importArchive(
  context: CommandContext,
  location: string,
  flags: ArchiveFlags,
): Promise<void> {
  const unpacker = new Unpacker();
  const { days, close } = await openDays(context, location, flags, unpacker);
  try {
    if (days.some(({ isPacked }) => isPacked)) requireSevenZip();
    const past = openArchive({ days, now: context.clock(), again: flags.again ?? false });
    await importPastAndReport(context, past, {
      unit: 'days',
      json: flags.json ?? false,
      dryRun: flags.dryRun ?? false,
      describeRead: describeDays,
    });
  } finally {
    await close();
    await unpacker.close();
  }
}

interface OpenDays {
  readonly days: readonly ArchivedDay[];
  close(): Promise<void>;
}

async function openDays(
  context: CommandContext,
  location: string,
  { from, to, pause }: ArchiveFlags,
  unpacker: Unpacker,
): Promise<OpenDays> {
  if (!isUrl(location)) {
    const found = await findDays(location, unpacker);
    const days = found.filter(({ day }) => {
      return (from === undefined || from <= day) && (to === undefined || day <= to);
    });
    return { days, close: async () => {} };
  }
  if (from === undefined) {
    throw new OperatorError('A URL needs the first day: --from YYYY-MM-DD.');
  }
  const tree = openPolitely(context, location, pause, { missingStatuses: [403, 404] });
  const range = { from, to: to ?? dayOf(context.clock()) };
  return { days: webDays(tree, range, unpacker), close: () => tree.close() };
}

function describeDays({ parts, partsUnchanged, partsUnavailable }: BackfillSummary): string {
  return `${parts} days, ${partsUnchanged} done before, ${partsUnavailable} not available`;
}

interface QuoteFlags extends JsonFlag {
  readonly columns?: string;
  readonly inputFormat?: QuoteFormat;
  readonly source: string;
  readonly currency: Currency;
  readonly dryRun?: boolean;
}

/** `cardprice import quotes`: a file of prices of your own. */
export function quotesCommand(context: CommandContext): Command {
  return new Command('quotes')
    .description('Import your own series of prices: a card and a day in each row, in any order.')
    .argument('<file>', 'CSV with a header, or one JSON object per line.')
    .option('--columns <names>', 'The names of your columns: <yours>=<ours>, separated by commas.')
    .addOption(
      new Option(
        '--input-format <format>',
        'The format of the file; by default, its extension decides (.ndjson, .jsonl).',
      ).choices(['csv', 'ndjson']),
    )
    .option('--source <name>', 'The name of the source in the API.', 'quotes')
    .addOption(
      new Option('--currency <currency>', 'The currency of rows without one.')
        .choices(CURRENCY_CODES)
        .default('USD'),
    )
    .addOption(dryRunOption())
    .addOption(jsonOption())
    .addHelpText(
      'after',
      `
Columns (others are ignored):
${columnList()}
A row replaces the earlier prices of its day. Prices without a column in the file do not change.
An empty price is unknown. Prices of a day newer than the served prices are served. Prices by
condition and grade have no history: only the newest day counts.
Give each column its exact meaning: market is what cards sold for, low is the cheapest offer, psa_9
is grade 9 of PSA. Prices in other currencies are served in dollars only if a rate is known.
Unreadable rows are named and skipped, the rest is imported, and the exit code is ${EXIT.incomplete}.

Examples:
  cardprice import quotes history.csv
  cardprice import quotes sales.csv --columns product=tcgplayer,price=market --source my-shop
  cardprice import quotes daily.csv --columns card_id=tcgplayer,price=near_mint`,
    )
    .action((location: string, flags: QuoteFlags) => importQuotes(context, location, flags));
}

function columnList(): string {
  const lines = Object.entries(QUOTE_COLUMNS).map(([name, what]) => `  ${name.padEnd(17)} ${what}`);
  return `${lines.join('\n')}\n`;
}

async function importQuotes(
  context: CommandContext,
  location: string,
  { columns, inputFormat, source, currency, dryRun = false, json = false }: QuoteFlags,
): Promise<void> {
  if (!isMarketplaceName(source)) {
    throw new OperatorError(`--source "${source}" must be 1 to 32 of a-z, 0-9 and -.`);
  }
  const past = await openQuotes(location, {
    format: inputFormat ?? (/\.(ndjson|jsonl)$/i.test(location) ? 'ndjson' : 'csv'),
    renamed: columns === undefined ? new Map() : parseColumns(columns),
    marketplace: source,
    currency,
    now: context.clock(),
  });
  await importPastAndReport(context, past, {
    unit: 'KB',
    json,
    dryRun,
    describeRead: describeRows,
  });
}

function describeRows({ points, unmatched, brokenCount }: BackfillSummary): string {
  return `${points + unmatched + brokenCount} rows`;
}
