import { Command, Option } from 'commander';
import { OperatorError } from '../../domain/errors.ts';
import type { Currency } from '../../domain/observation.ts';
import type { BackfillSummary } from '../../ingest/drivers/backfill.ts';
import { isMarketplaceName, parseColumns, QUOTE_COLUMNS } from '../../sources/quotes/columns.ts';
import { openQuotes, type QuoteFormat } from '../../sources/quotes/read.ts';
import type { CommandContext } from '../context.ts';
import { jsonOption } from '../options.ts';
import { dryRunOption } from './dry-run.ts';
import { importPastAndReport } from './past.ts';
import { EXIT_INCOMPLETE } from './shared.ts';

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
    .argument('<file>', 'CSV with a head, or a JSON object a line.')
    .option('--columns <names>', 'The names of your columns: <yours>=<ours>, separated by commas.')
    .addOption(
      new Option(
        '--format <format>',
        'Follows from the ending of the file (.ndjson, .jsonl) unless set.',
      ).choices(['csv', 'ndjson']),
    )
    .option('--source <name>', 'What the API calls the source of prices from it.', 'quotes')
    .addOption(
      new Option('--currency <currency>', 'The currency of rows that name none.')
        .choices(['USD', 'EUR'] satisfies Currency[])
        .default('USD'),
    )
    .addOption(dryRunOption())
    .addOption(jsonOption())
    .addHelpText(
      'after',
      `
Columns; other ones are ignored:
${columnList()}
A row takes the place of what is known of its day; columns that the file does not have leave it as
it is. An empty price is unknown. A day that is newer than what is served becomes what is served;
prices by condition and grade have no history, only those of the newest day count.
Name each price for what it is: market is what a card sold for, low is the cheapest offer, psa_9
is a 9 of PSA. A column of nines of any company is psa_9 only if you name it so. Prices in euros are served in dollars
only with a rate that you have set. Rows that cannot be read are named and skipped, the rest is
imported, and the exit code is ${EXIT_INCOMPLETE}.

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
  await importPastAndReport(context, past, { unit: 'KB', json, dryRun, describeRead });
}

function describeRead({ points, unmatched, brokenCount }: BackfillSummary): string {
  return `${points + unmatched + brokenCount} rows`;
}
