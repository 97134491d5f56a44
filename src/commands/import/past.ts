import { Command, Option } from 'commander';
import { dayOf } from '../../domain/day.ts';
import { OperatorError } from '../../domain/errors.ts';
import type { Currency } from '../../domain/observation.ts';
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
import { jsonOption, requireDay } from '../options.ts';
import { printErrorLine, printJson, printLine } from '../output.ts';
import { showProgress } from '../progress.ts';
import {
  changeLines,
  describeChanges,
  dryRunOption,
  EXIT_INCOMPLETE,
  openPolitely,
  pauseOption,
  priceSettings,
  quarantineLines,
  rateLines,
  withTarget,
} from './shared.ts';

/** How many broken parts are named. The count covers all of them. */
const BROKEN_SHOWN = 20;

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
  const { clock, config } = context;
  const progress = json ? undefined : showProgress(unit);
  const options = {
    clock,
    ...priceSettings(config()),
    ...(progress && { onProgress: progress.update }),
  };
  const { summary, changes } = await withTarget(context, dryRun, async (target) => {
    const summary = await importBackfill(target.store, past, options);
    return { summary, changes: await target.changes?.() };
  }).finally(() => progress?.end());
  if (json) printJson({ ...summary, ...describeChanges(changes) });
  else printSummary(summary, describeRead(summary));
  if (!json) for (const line of changeLines(changes)) printLine(line);
  if (summary.brokenCount > 0) process.exitCode = EXIT_INCOMPLETE;
}

function printSummary(summary: BackfillSummary, read: string): void {
  const { broken, brokenCount } = summary;
  for (const line of summaryLines(summary, read)) printLine(line);
  for (const { name, reason } of broken.slice(0, BROKEN_SHOWN)) {
    printErrorLine(`Skipped   ${name}: ${reason}`);
  }
  if (brokenCount > BROKEN_SHOWN) printErrorLine(`Skipped   ${brokenCount - BROKEN_SHOWN} more`);
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
    ...(unmatched > 0 && { 'price of a product that is not a card of ours': unmatched }),
  };
}

interface ArchiveFlags {
  readonly from?: string;
  readonly to?: string;
  readonly again?: boolean;
  readonly pause: string;
  readonly dryRun?: boolean;
  readonly json?: boolean;
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
    .option('--from <day>', 'The first day to take (UTC, YYYY-MM-DD); needed for a URL.')
    .option('--to <day>', 'The last day to take.')
    .option('--again', 'Also import days that were imported before.')
    .addOption(pauseOption())
    .addOption(dryRunOption())
    .addOption(jsonOption())
    .addHelpText(
      'after',
      `
Days that were imported before are passed over: stopped at any moment, run it again to go on. Use
--again after cards came in that were not known then. An archive or a file in it that cannot be
read is named and skipped, the rest is imported, and the exit code is ${EXIT_INCOMPLETE}. A URL that answers 403 or
404 does not have that day. A day that is newer than what is served becomes what is served.

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
  flags: ArchiveFlags,
  unpacker: Unpacker,
): Promise<OpenDays> {
  const from = flags.from === undefined ? undefined : requireDay('--from', flags.from);
  const to = flags.to === undefined ? dayOf(context.clock()) : requireDay('--to', flags.to);
  if (!isUrl(location)) {
    const found = await findDays(location, unpacker);
    const days = found.filter(({ day }) => (from ?? 0) <= day && (!flags.to || day <= to));
    return { days, close: async () => {} };
  }
  if (from === undefined) {
    throw new OperatorError('A URL needs the first day: --from YYYY-MM-DD.');
  }
  const tree = openPolitely(context, location, flags.pause, { missingStatuses: [403, 404] });
  return { days: webDays(tree, { from, to }, unpacker), close: () => tree.close() };
}

function describeDays({ parts, partsUnchanged, partsUnavailable }: BackfillSummary): string {
  return `${parts} days, ${partsUnchanged} done before, ${partsUnavailable} not available`;
}

interface QuoteFlags {
  readonly columns?: string;
  readonly format?: QuoteFormat;
  readonly source: string;
  readonly currency: Currency;
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

/** `cardprice import quotes`: a file of prices of your own. */
export function quotesCommand(context: CommandContext): Command {
  return new Command('quotes')
    .description('Import your own series of prices: a card and a day in each row, in any order.')
    .argument('<file>', 'CSV with a header, or one JSON object per line.')
    .option('--columns <names>', 'The names of your columns: <yours>=<ours>, separated by commas.')
    .addOption(
      new Option(
        '--format <format>',
        'The format; by default, the file extension decides (.ndjson, .jsonl).',
      ).choices(['csv', 'ndjson']),
    )
    .option('--source <name>', 'The name of the source in the API.', 'quotes')
    .addOption(
      new Option('--currency <currency>', 'The currency of rows without one.')
        .choices(['USD', 'EUR'] satisfies Currency[])
        .default('USD'),
    )
    .addOption(dryRunOption())
    .addOption(jsonOption())
    .addHelpText(
      'after',
      `
Columns (others are ignored):
${columnList()}
A row replaces the known prices of its day. Prices without a column in the file stay as they are.
An empty price is unknown. A day newer than the served price becomes the served price. Prices by
condition and grade have no history: only those of the newest day count.
Name each price for what it is: market is what a card sold for, low is the cheapest offer, psa_9
is a 9 of PSA. A column of nines of any company is psa_9 only if you name it so. Prices in euros
are served in dollars only with a rate that you have set. Rows that cannot be read are named and
skipped, the rest is imported, and the exit code is ${EXIT_INCOMPLETE}.

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
  { columns, format, source, currency, dryRun = false, json = false }: QuoteFlags,
): Promise<void> {
  if (!isMarketplaceName(source)) {
    throw new OperatorError(`--source "${source}" must be 1 to 32 of a-z, 0-9 and -.`);
  }
  const past = await openQuotes(location, {
    format: format ?? (/\.(ndjson|jsonl)$/i.test(location) ? 'ndjson' : 'csv'),
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
