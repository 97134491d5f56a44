import { Command, Option } from 'commander';
import {
  countDeleted,
  type MonthUsage,
  monthUsageCsv,
  monthUsageView,
  readMonthUsage,
} from '../accounts/quota/usage-report.ts';
import { dayOf, formatDay, type Month, parseMonth } from '../domain/day.ts';
import { OperatorError } from '../domain/errors.ts';
import type { Store } from '../store/connect.ts';
import type { CommandContext } from './context.ts';
import { type JsonFlag, jsonOption, type RawFlag, rawOption } from './options.ts';
import { formatCount, printErrorLine, printJson, printTable, writeText } from './output.ts';

interface UsageFlags extends JsonFlag, RawFlag {
  readonly month?: string;
  readonly format?: 'csv';
}

/** `cardprice usage`: lists the requests charged to accounts in a month, for invoices. */
export function usageCommand(context: CommandContext): Command {
  return new Command('usage')
    .description('List what each account used in a month, for invoices.')
    .option('--month <month>', 'The month (UTC, YYYY-MM), by default the current one.')
    .addOption(new Option('--format <format>', 'Print rows for spreadsheets.').choices(['csv']))
    .addOption(rawOption())
    .addOption(jsonOption())
    .addHelpText(
      'after',
      `
Usage is kept for this month and the 13 months before it. Plans and prices are the current ones.
Deleted accounts have no usage; the standard error output shows how many were deleted.

Examples:
  cardprice usage --month 2026-10
  cardprice usage --month 2026-10 --format csv > invoices.csv`,
    )
    .action((flags: UsageFlags) => {
      const month = requireMonth(flags.month ?? formatDay(dayOf(context.clock())).slice(0, 7));
      return context.withStore((store) => print(store, month, flags));
    });
}

/** @throws OperatorError if the text is not a month. */
function requireMonth(text: string): Month {
  const month = parseMonth(text);
  if (month) return month;
  throw new OperatorError(`--month "${text}" is not a month YYYY-MM.`);
}

async function print(
  store: Store,
  month: Month,
  { format, json, raw = false }: UsageFlags,
): Promise<void> {
  const usages = readMonthUsage(store, month);
  if (format === 'csv') await writeText(monthUsageCsv(usages, { raw }));
  else if (json) printJson((await Array.fromAsync(usages)).map(monthUsageView));
  else printUsages(await Array.fromAsync(usages));
  const deleted = await countDeleted(store, month);
  if (deleted === 0) return;
  printErrorLine(
    `${formatCount(deleted)} accounts were deleted in this month. Their usage is not listed.`,
  );
}

function printUsages(usages: readonly MonthUsage[]): void {
  const rows = usages.map((usage) => {
    const { email, plan, price, requests, days, limits, ...view } = monthUsageView(usage);
    const highest = view.highestDay ?? '';
    return [
      email,
      plan,
      price.toFixed(2),
      formatCount(requests),
      String(days),
      highest,
      formatCount(view.highestRequests),
      limits ? JSON.stringify(limits) : '',
    ];
  });
  printTable(
    ['ACCOUNT', 'PLAN', '$/MONTH', 'REQUESTS', 'DAYS', 'HIGHEST DAY', 'REQUESTS', 'LIMITS'],
    rows,
    'There were no accounts in this month.',
  );
}
