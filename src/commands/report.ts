import { Command } from 'commander';
import { formatDay, formatMoment } from '../domain/day.ts';
import { dollarsFromCents } from '../domain/money.ts';
import { staleLimit } from '../domain/staleness.ts';
import type { StoredPartFault } from '../store/catalogue/failed-parts.ts';
import type { MarketplaceChange } from '../store/catalogue/marketplace-changes.ts';
import type { SetCoverage } from '../store/catalogue/set-coverage.ts';
import {
  type Counted,
  type DailyReport,
  type NamedMove,
  readDailyReport,
} from '../store/reports/daily-report.ts';
import { readHealth } from '../store/reports/health.ts';
import type { CommandContext } from './context.ts';
import { jsonOption, readCount, requireDay, requireGame } from './options.ts';
import { formatOptionalMoment, printJson } from './output.ts';
import { exampleJson, groupJson } from './quarantine/list.ts';
import { printReport } from './report-text.ts';

interface ReportFlags {
  readonly day?: string;
  readonly game?: string;
  readonly limit?: string;
  readonly json?: boolean;
}

/** How many items each list has by default. */
const DEFAULT_LIMIT = 10;

/** `cardprice report`: sums up a day for the operator. */
export function reportCommand(context: CommandContext): Command {
  return new Command('report')
    .description(
      'Report a day: the largest moves, what was quarantined and what waits for your decision, ' +
        'stale and failed sources, and how many cards have a price.',
    )
    .option('--day <day>', 'Report this day (UTC) instead of the newest one with prices.')
    .option('--game <game>', 'Only this game.')
    .option('--limit <count>', `List at most this many of each; ${DEFAULT_LIMIT} by default.`)
    .addOption(jsonOption())
    .addHelpText(
      'after',
      `
A move is the change from the last earlier day, of at least a dollar. By percent, the higher price is
at least five dollars. Quarantined prices of the day were observed on it. Prices of a set are old if
they are a week older than the newest ones of its game.

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

/** The report for programs: moments in ISO 8601, amounts in dollars. */
function reportJson(report: DailyReport) {
  const { day, coverage, moves, quarantine, sources, failedImports } = report;
  const { byPercent, byMoney, ...counts } = moves;
  return {
    day: formatDay(day),
    coverage: coverage.map((game) => ({ ...game, share: share(game) })),
    moves: { ...counts, byPercent: byPercent.map(moveJson), byMoney: byMoney.map(moveJson) },
    quarantine: {
      observed: quarantine.observed,
      byRule: quarantine.byRule.map(groupJson),
      bySet: counted(quarantine.bySet, groupJson),
      waiting: counted(quarantine.waiting, exampleJson),
    },
    sources: sources.map(({ succeededAt, observedAt, errorAt, age, ...source }) => ({
      ...source,
      succeededAt: formatOptionalMoment(succeededAt),
      observedAt: formatOptionalMoment(observedAt),
      age: age === null ? null : Math.floor(age / 1000),
      errorAt: formatOptionalMoment(errorAt),
    })),
    failedImports: failedImports.map(({ startedAt, finishedAt, ...one }) => ({
      ...one,
      startedAt: formatOptionalMoment(startedAt),
      finishedAt: formatOptionalMoment(finishedAt),
    })),
    failedParts: counted(report.failedParts, partJson),
    marketplaceChanges: counted(report.marketplaceChanges, changeJson),
    oldSets: counted(report.oldSets, setJson),
    unpricedSets: counted(report.unpricedSets, setJson),
  };
}

function counted<Item, View>({ count, first }: Counted<Item>, view: (item: Item) => View) {
  return { count, first: first.map(view) };
}

function share({ priced, cards }: { readonly priced: number; readonly cards: number }) {
  return cards === 0 ? null : Number((priced / cards).toFixed(4));
}

function moveJson({ from, to, before, printing: _, printingName, ...move }: NamedMove) {
  return {
    ...move,
    printing: printingName,
    since: formatDay(before),
    from: dollarsFromCents(from),
    to: dollarsFromCents(to),
    percent: Number(((to / from - 1) * 100).toFixed(1)),
  };
}

function partJson({ since, lastAt, ...part }: StoredPartFault) {
  return { ...part, since: formatMoment(since), lastAt: formatMoment(lastAt) };
}

function changeJson({ day, changedAt, ...change }: MarketplaceChange) {
  return { ...change, day: formatDay(day), changedAt: formatMoment(changedAt) };
}

function setJson({ figuresAt, ...set }: SetCoverage) {
  return { ...set, figuresAt: formatOptionalMoment(figuresAt) };
}
