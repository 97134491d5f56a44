import { Command } from 'commander';
import { staleLimit } from '../domain/staleness.ts';
import { readDailyReport } from '../store/reports/daily-report.ts';
import { readHealth } from '../store/reports/health.ts';
import { readCount, requireDay, requireGame } from './arguments.ts';
import type { CommandContext } from './context.ts';
import { jsonOption } from './options.ts';
import { printJson } from './output.ts';
import { reportJson } from './report/json.ts';
import { printReport } from './report/print.ts';

interface ReportFlags {
  readonly day?: string;
  readonly game?: string;
  readonly limit?: string;
  readonly json?: boolean;
}

/** How many items each list has unless the operator says otherwise. */
const DEFAULT_LIMIT = 10;

/** `cardprice report`: what an operator should know of a day. */
export function reportCommand(context: CommandContext): Command {
  return new Command('report')
    .description(
      'Report a day: what moved most, what was quarantined, what waits for your decision, what is ' +
        'stale or failed, and how many cards have a price.',
    )
    .option('--day <day>', 'Report this day (UTC) instead of the newest one that has prices.')
    .option('--game <game>', 'Only this game.')
    .option('--limit <count>', `List so many of each; ${DEFAULT_LIMIT} unless given.`)
    .addOption(jsonOption())
    .addHelpText(
      'after',
      `
A move is from the newest day before, and of at least a dollar; by percent, the higher of both
prices is at least five dollars. What is quarantined of the day was observed on it. Prices of a set
are old when they are a week older than the newest ones of its game.

Examples:
  cardprice report
  cardprice report --game pokemon --day 2026-01-28 --limit 30`,
    )
    .action((flags: ReportFlags) => report(context, flags));
}

async function report(context: CommandContext, flags: ReportFlags): Promise<void> {
  const config = context.config();
  const now = context.clock();
  const limit = flags.limit === undefined ? DEFAULT_LIMIT : readCount('--limit', flags.limit);
  const day = flags.day === undefined ? undefined : requireDay('--day', flags.day);
  const game = flags.game === undefined ? undefined : requireGame(flags.game).slug;
  const found = await context.withStore(async (store) => {
    const limitOf = (source: string) => staleLimit(config, source);
    const health = await readHealth(store, { now, synced: config.sync, limitOf });
    return readDailyReport(store, { day, game, limit, now, health });
  });
  if (flags.json) printJson(reportJson(found));
  else printReport(found, now);
}
