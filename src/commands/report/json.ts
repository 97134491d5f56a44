import { formatDay, formatMoment } from '../../domain/day.ts';
import { dollarsFromCents } from '../../domain/money.ts';
import type { StoredPartFault } from '../../store/catalogue/failed-parts.ts';
import type { MarketplaceChange } from '../../store/catalogue/marketplace-changes.ts';
import type { SetCoverage } from '../../store/catalogue/set-coverage.ts';
import type { Counted, DailyReport, NamedMove } from '../../store/reports/daily-report.ts';
import { formatOptionalMoment } from '../output.ts';
import { exampleJson, groupJson } from '../quarantine/list.ts';

/** The form of a report for programs: moments as ISO 8601 text, amounts in dollars. */
export function reportJson(report: DailyReport) {
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
