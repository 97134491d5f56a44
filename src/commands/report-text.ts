import {
  type Day,
  dayOf,
  formatDay,
  formatMoment,
  type Millis,
  MS_PER_DAY,
} from '../domain/day.ts';
import { formatCents } from '../domain/money.ts';
import { formatAge } from '../domain/sync.ts';
import { escapeControls } from '../lib/control-characters.ts';
import type { StoredPartFault } from '../store/catalogue/failed-parts.ts';
import type { FailedImport } from '../store/catalogue/imports.ts';
import type { MarketplaceChange } from '../store/catalogue/marketplace-changes.ts';
import type { SetCoverage } from '../store/catalogue/set-coverage.ts';
import type { QuarantineGroup } from '../store/quarantine/groups.ts';
import type {
  Counted,
  DailyReport,
  GameCoverage,
  MovesReport,
  NamedMove,
  QuarantineReport,
} from '../store/reports/daily-report.ts';
import type { SourceHealth } from '../store/reports/health.ts';
import { formatCount, printLine, type Style, type StyledText } from './output.ts';
import { exampleText } from './quarantine/list.ts';

/** Prints a report for people. An empty section is one line. */
export function printReport(report: DailyReport, now: Millis): void {
  printLine({ style: 'bold', text: `Report of ${formatDay(report.day)}` });
  printCoverage(report.coverage);
  printMoves(report.moves, report.day);
  printQuarantined(report.quarantine);
  printWaiting(report.quarantine.waiting, now);
  printSources(report.sources);
  printFailedImports(report.failedImports);
  printFailedParts(report.failedParts);
  printMarketplaceChanges(report.marketplaceChanges);
  printSets('Sets with old prices', report.oldSets, ({ figuresAt }) => {
    return figuresAt === null ? '' : formatDay(dayOf(figuresAt));
  });
  printSets('Sets without a market price', report.unpricedSets, ({ releaseDate }) => {
    return releaseDate ?? 'no date';
  });
}

function printCoverage(games: readonly GameCoverage[]): void {
  printTitle('Coverage');
  printList(
    games.map(({ game, sets, cards, priced }) => [
      game,
      number(`${formatCount(sets)} sets`),
      number(`${formatCount(cards)} cards`),
      number(`${formatCount(priced)} priced`),
      number(percent(cards === 0 ? 0 : priced / cards)),
    ]),
    'There are no cards.',
  );
}

function printMoves({ compared, moved, damaged, byPercent, byMoney }: MovesReport, day: Day): void {
  const of = `${formatCount(moved)} of ${formatCount(compared)} printings moved`;
  printTitle(`Largest changes by percent (${of})`);
  printMoveRows(byPercent, day);
  printTitle('Largest changes by amount');
  printMoveRows(byMoney, day);
  if (damaged === 0) return;
  const what = damaged === 1 ? 'A history is' : `${formatCount(damaged)} histories are`;
  printNothing(`${what} damaged and left out. See \`cardprice history check\`.`);
}

function printMoveRows(moves: readonly NamedMove[], day: Day): void {
  printList(
    moves.map((move) => [
      { ...number(changeText(move)), style: move.to < move.from ? 'red' : 'green' } as Cell,
      number(formatCents(move.from)),
      number(`→ ${formatCents(move.to)}`),
      moveText(move, day),
    ]),
    'There are no large price changes.',
  );
}

function printQuarantined({ observed, byRule, bySet }: QuarantineReport): void {
  printTitle(`Quarantined of this day (${formatCount(observed)})`);
  printList(byRule.map(groupRow), 'Nothing.');
  if (observed > 0) printLine();
  printList(bySet.first.map(groupRow));
  printMore(bySet);
}

/** A group with its most striking entry. */
function groupRow({ name, game, count, examples }: QuarantineGroup): Cell[] {
  const [example] = examples;
  return [
    number(formatCount(count)),
    { text: `${name ?? 'of no set'}${game ? ` (${game})` : ''}` },
    { text: example ? exampleText(example) : '', style: 'dim' },
  ];
}

function printWaiting({ count, first }: QuarantineReport['waiting'], now: Millis): void {
  printTitle(`Waiting for your decision (${formatCount(count)}), longest wait first`);
  printList(
    first.map((example) => {
      const days = Math.floor((now - example.price.quarantinedAt) / MS_PER_DAY);
      return [
        number(days === 1 ? '1 day' : `${days} days`),
        example.price.rule,
        exampleText(example),
      ];
    }),
    'Nothing.',
  );
  printMore({ count, first });
}

function printSources(sources: readonly SourceHealth[]): void {
  printTitle('Stale and failing sources');
  printList(
    sources.map(({ source, game, age, stale, error }) => [
      source,
      game ?? '-',
      { text: stale ? 'stale' : 'failing', style: 'yellow' } as Cell,
      number(age === null ? '-' : formatAge(age)),
      error ?? '',
    ]),
    'None.',
  );
}

function printFailedImports(imports: readonly FailedImport[]): void {
  printTitle('Incomplete imports');
  printList(
    imports.map(({ source, startedAt, finishedAt, broken, example }) => [
      source,
      formatMoment(startedAt),
      finishedAt === null ? 'no end' : `${formatCount(broken)} broken`,
      example ?? '',
    ]),
    'None.',
  );
}

function printFailedParts(parts: Counted<StoredPartFault>): void {
  printTitle(`Unreadable parts (${count(parts)}), until an import reads them`);
  printList(
    parts.first.map(({ source, part, since, badRows, examples: [example] }) => [
      source,
      part,
      `since ${formatDay(dayOf(since))}`,
      number(badRows === null ? 'not read' : `${formatCount(badRows)} left out`),
      example?.reason ?? '',
    ]),
    'Nothing.',
  );
  printMore(parts);
}

function printMarketplaceChanges(changes: Counted<MarketplaceChange>): void {
  printTitle(`Priced by another marketplace since this day (${count(changes)})`);
  printList(
    changes.first.map(({ day, from, to, name, printing, set, game }) => [
      formatDay(day),
      `${from} → ${to}`,
      `${name} (${printing}), ${set} (${game})`,
    ]),
    'None.',
  );
  printMore(changes);
}

function printSets(
  title: string,
  sets: Counted<SetCoverage>,
  dateOf: (set: SetCoverage) => string,
): void {
  printTitle(`${title} (${formatCount(sets.count)})`);
  printList(
    sets.first.map((set) => [
      dateOf(set),
      number(`${formatCount(set.cards)} cards`),
      set.game,
      `${set.name} (${set.code})`,
    ]),
    'None.',
  );
  printMore(sets);
}

/** Prints rows, or `empty` if there are none. */
function printList(rows: readonly (readonly (Cell | string)[])[], empty?: string): void {
  if (rows.length > 0) printRows(rows);
  else if (empty) printNothing(empty);
}

function printMore({ count, first }: Counted<unknown>): void {
  const more = count - first.length;
  if (more > 0) printNothing(`${formatCount(more)} more; --limit shows them.`);
}

function printNothing(text: string): void {
  printLine('  ', { style: 'dim', text });
}

function count(list: Counted<unknown>): string {
  return formatCount(list.count);
}

function number(text: string): Cell {
  return { text, isNumber: true };
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}

function changeText({ from, to }: NamedMove): string {
  return `${to > from ? '+' : ''}${percent(to / from - 1)}`;
}

/** Names a printing that moved, and the start of the move unless that is the day before. */
function moveText({ before, name, printingName, set, game }: NamedMove, day: Day): string {
  const what = `${name} (${printingName}), ${set} (${game})`;
  return before === day - 1 ? what : `${what}, since ${formatDay(before)}`;
}

/** Lines are never cut shorter than this. */
const LEAST_WIDTH = 40;

/** A cell; numbers are right-aligned. */
interface Cell {
  readonly text: string;
  readonly isNumber?: boolean;
  readonly style?: Style;
}

function printTitle(title: string): void {
  printLine();
  printLine({ style: 'bold', text: title });
}

/**
 * Prints rows in columns. On a terminal the last column is truncated to keep lines from wrapping.
 * Names, which may have wide characters, belong there.
 */
function printRows(rows: readonly (readonly (Cell | string)[])[]): void {
  const cells = rows.map((row) => row.map(cellOf));
  const widths = (cells[0] ?? []).map((_, column) => {
    return Math.max(...cells.map((row) => row[column]?.text.length ?? 0));
  });
  for (const row of cells) printLine('  ', ...lineOf(row, widths));
}

function cellOf(cell: Cell | string): Cell {
  const { text, ...rest } = typeof cell === 'string' ? { text: cell } : cell;
  return { ...rest, text: escapeControls(text) };
}

function lineOf(row: readonly Cell[], widths: readonly number[]): (string | StyledText)[] {
  let left = width() - 2;
  const parts = row.flatMap(({ text, isNumber, style }, column) => {
    const size = widths[column] ?? 0;
    const isLast = column === row.length - 1;
    const shown = isLast ? cut(text, left) : text;
    left -= size + 2;
    const padded = isNumber ? shown.padStart(size) : isLast ? shown : shown.padEnd(size);
    return [column === 0 ? '' : '  ', style ? { style, text: padded } : padded];
  });
  return withoutTrailingSpace(parts);
}

function withoutTrailingSpace(parts: readonly (string | StyledText)[]): (string | StyledText)[] {
  const end = parts.findLastIndex((part) => typeof part !== 'string' || part.trimEnd() !== '');
  return parts.slice(0, end + 1).map((part, index) => {
    return index === end && typeof part === 'string' ? part.trimEnd() : part;
  });
}

function width(): number {
  const { isTTY, columns } = process.stdout;
  return isTTY ? Math.max(columns, LEAST_WIDTH) : Number.POSITIVE_INFINITY;
}

function cut(text: string, size: number): string {
  if (text.length <= size) return text;
  return `${text.slice(0, Math.max(size - 1, 8))}…`;
}
