import { Command } from 'commander';
import { type Day, formatDay, formatMoment } from '../domain/day.ts';
import type { GameSlug } from '../domain/games.ts';
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
import { countOption, dayOption, gameOption, type JsonFlag, jsonOption } from './options.ts';
import { formatOptionalMoment, printJson } from './output.ts';
import { exampleJson, groupJson } from './quarantine/list.ts';
import { printReport } from './report-text.ts';

interface ReportFlags extends JsonFlag {
  readonly day?: Day;
  readonly game?: GameSlug;
  readonly limit: number;
}

/** `cardprice report`: sums up a day for the operator. */
export function reportCommand(context: CommandContext): Command {
  return new Command('report')
    .description(
      'Report a day: the largest moves, quarantined prices and those that wait for your decision, ' +
        'stale and failed sources, and how many cards have a price.',
    )
    .addOption(
      dayOption('--day <day>', 'Report this day (UTC) instead of the newest one with prices.'),
    )
    .addOption(gameOption('--game <game>', 'Only this game.'))
    .addOption(countOption('--limit <count>', 'List at most this many of each.').default(10))
    .addOption(jsonOption())
    .addHelpText(
      'after',
      `
A move is a change of at least a dollar since the last earlier day. The list by percent has only
printings that cost at least five dollars on either day. Quarantined prices are those observed on the
day. Prices of a set are old if they are a week older than the newest prices of its game.

Examples:
  cardprice report
  cardprice report --game pokemon --day 2026-01-28 --limit 30`,
    )
    .action((flags: ReportFlags) => report(context, flags));
}

async function report(
  context: CommandContext,
  { day, game, limit, json }: ReportFlags,
): Promise<void> {
  const config = context.config();
  const now = context.clock();
  const found = await context.withStore(async (store) => {
    const limitOf = (source: string) => staleLimit(config, source);
    const health = await readHealth(store, { now, synced: config.sync, limitOf });
    return readDailyReport(store, { day, game, limit, now, health });
  });
  if (json) printJson(reportJson(found));
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
