import { closeSync, openSync, writeSync } from 'node:fs';
import { Command, Option } from 'commander';
import { type CsvCell, type CsvOptions, csvLine } from '../../domain/csv.ts';
import { type Day, formatMoment, startOfDay } from '../../domain/day.ts';
import { OperatorError } from '../../domain/errors.ts';
import { findSource } from '../../domain/sources.ts';
import { growHeapSlowly } from '../../http/process.ts';
import { type FeedSummary, importFeed } from '../../ingest/drivers/feed.ts';
import type { Unmatched } from '../../ingest/identity/match.ts';
import { type CardReference, type FeedOptions, parseGrades } from '../../sources/contract/feed.ts';
import type { FeedSource } from '../../sources/contract/source.ts';
import type { CommandContext } from '../context.ts';
import {
  dayOption,
  type JsonFlag,
  jsonOption,
  type RawFlag,
  rawOption,
  requireGame,
} from '../options.ts';
import { EXIT, printLine } from '../output.ts';
import { withProgress } from '../progress.ts';
import {
  dryRunOption,
  importOptions,
  printBroken,
  printRepriced,
  quarantineLines,
  rateLines,
  reportImport,
  withTarget,
} from './shared.ts';

interface FeedFlags extends JsonFlag, RawFlag {
  readonly game?: string[];
  readonly observed?: Day;
  readonly grade?: string[];
  readonly report?: string;
  readonly again?: boolean;
  readonly dryRun?: boolean;
  /** Further files, by their registry names in camel case. */
  readonly [name: string]: unknown;
}

/** `cardprice import <source>`, for each feed source of the registry. */
export function feedCommand(context: CommandContext, source: FeedSource): Command {
  const command = new Command(source.name)
    .description(source.summary)
    .argument('<file or folder>', source.takes)
    .addOption(
      dayOption(
        '--observed <day>',
        'When the prices were observed (UTC, YYYY-MM-DD), if you know better than the files.',
      ),
    )
    .option('--report <file.csv>', 'Write unmatched cards to a CSV file.')
    .addOption(rawOption())
    .option('--again', 'Import an unchanged file again, for example after new cards were added.')
    .addOption(dryRunOption())
    .addOption(jsonOption());
  for (const option of ownOptions(source)) command.addOption(option);
  return command
    .addHelpText('after', helpOf(source))
    .action((location: string, flags: FeedFlags) => {
      return importAndReport(context, source, location, flags);
    });
}

function ownOptions(source: FeedSource): Option[] {
  const games = findSource(source.name)?.games ?? [];
  const game = new Option('--game <slug...>', `Only these games: ${games.join(', ')}.`);
  const grade = new Option('--grade <pair...>', 'Count generic grades as grades of one company.');
  return [
    ...(games.length > 1 ? [game] : []),
    ...Object.values(fileOptions(source)),
    ...(source.hasGenericGrades ? [grade] : []),
  ];
}

/** The flags of further files, by the files' names. */
function fileOptions({ files = {} }: FeedSource): Record<string, Option> {
  const options = Object.entries(files).map(([name, what]) => {
    return [name, new Option(`--${name} <file>`, what)] as const;
  });
  return Object.fromEntries(options);
}

function helpOf({ name, example }: FeedSource): string {
  return `
Only cards in the database get prices, so import a TCGCSV tree first. A card is matched by a shared
id, or by set, number and name. Cardprice never guesses: doubtful cards are counted, and --report lists
them. Implausible prices are quarantined (see cardprice quarantine). Unreadable records are named
and skipped, the rest is imported, and the exit code is ${EXIT.incomplete}.

Examples:
  cardprice import ${name} ${example}
  cardprice import ${name} ${example} --report unmatched.csv`;
}

async function importAndReport(
  context: CommandContext,
  source: FeedSource,
  location: string,
  flags: FeedFlags,
): Promise<void> {
  growHeapSlowly();
  const { report: reportFile, raw = false, json = false, dryRun = false } = flags;
  const options = readFlags(context, source, flags);
  const { summary, changes } = await withTarget(context, dryRun, async (target) => {
    const feed = await source.open(location, options);
    const report = reportFile === undefined ? undefined : new UnmatchedReport(reportFile, { raw });
    const imported = {
      ...importOptions(context),
      // A report lists all cards, so an unchanged file is read again.
      again: flags.again === true || report !== undefined,
      ...(report && { onUnmatched: report.add.bind(report) }),
    };
    try {
      const summary = await withProgress(feed.unit, json, (watch) => {
        return importFeed(target.store, feed, { ...imported, ...watch });
      });
      return { summary, changes: await target.changes?.() };
    } finally {
      report?.close();
    }
  });
  reportImport(summary, { json, changes, print: () => printSummary(summary, reportFile) });
}

/** @throws OperatorError for a flag with an impossible value. */
function readFlags({ clock }: CommandContext, source: FeedSource, flags: FeedFlags): FeedOptions {
  const { game, observed, grade } = flags;
  const files = Object.entries(fileOptions(source)).flatMap(([name, option]) => {
    const file = flags[option.attributeName()];
    return typeof file === 'string' ? [[name, file] as const] : [];
  });
  return {
    now: clock(),
    games: game === undefined ? null : game.map((name) => requireGame(name).slug),
    observedAt: observed === undefined ? null : startOfDay(observed),
    files: Object.fromEntries(files),
    ...(grade && { grades: parseGrades(grade) }),
  };
}

function printSummary(summary: FeedSummary, reportFile: string | undefined): void {
  const { source, observedAt } = summary;
  if (summary.unchanged) {
    printLine(
      `Nothing new: ${source} as observed on ${formatMoment(observedAt)} is imported already. ` +
        'Use --again to import it again.',
    );
    printRepriced(summary.pricesChanged);
    return;
  }
  for (const line of summaryLines(summary, reportFile)) printLine(line);
  printBroken(summary);
}

function summaryLines(summary: FeedSummary, reportFile: string | undefined): string[] {
  const { source, observedAt, seconds, cards, matched, unmatched, quarantined, skipped } = summary;
  const notMatched = cards - matched;
  return [
    `Imported ${source} as observed on ${formatMoment(observedAt)} in ${seconds.toFixed(1)} s`,
    `Cards     ${cards}: ${matched} matched, ${notMatched} not`,
    ...countLines('Unmatched', unmatched),
    `Prices    ${summary.observations} observed, ${summary.pricesChanged} changed what is served`,
    `Printings ${summary.printingsAdded} new`,
    `History   ${summary.historyAdded} points added, ${summary.historyCorrected} corrected`,
    ...rateLines(summary.withoutRate),
    ...countLines('Skipped', skipped),
    ...overruledLines(summary.overruled),
    ...(notMatched > 0 ? [reportLine(reportFile)] : []),
    ...quarantineLines(quarantined),
  ];
}

/** Printings named in a warning because later rows price them differently. */
const OVERRULED_SHOWN = 5;

function overruledLines(overruled: readonly string[]): string[] {
  if (overruled.length === 0) return [];
  const more = overruled.length > OVERRULED_SHOWN ? ', …' : '';
  return [`Priced twice: ${overruled.slice(0, OVERRULED_SHOWN).join(', ')}${more}`];
}

function countLines(label: string, counts: Readonly<Record<string, number>>): string[] {
  return Object.entries(counts)
    .sort(([, a], [, b]) => b - a)
    .map(([reason, count]) => `${label.padEnd(9)} ${count} × ${reason}`);
}

function reportLine(reportFile: string | undefined): string {
  if (reportFile !== undefined) return `Report    unmatched cards: ${reportFile}`;
  return 'To list the unmatched cards, import again with --report unmatched.csv';
}

const COLUMNS = [
  'source_key',
  'game',
  'set_code',
  'set',
  'number',
  'name',
  'variant',
  'rarity',
  'reason',
  'candidates',
] as const;

/** Lines written at a time. */
const LINES_AT_ONCE = 500;

/** A CSV file of the source's cards that match no card in the database. */
export class UnmatchedReport {
  readonly #file: string;
  readonly #descriptor: number;
  readonly #options: CsvOptions;
  #lines: string[] = [];
  /** The number of cards in the report. */
  count = 0;

  /** @throws OperatorError if the file cannot be written. */
  constructor(file: string, options: CsvOptions) {
    this.#file = file;
    this.#options = options;
    this.#descriptor = this.#try(() => openSync(file, 'w'));
    this.#add(COLUMNS);
  }

  add(card: CardReference, { reason, candidates }: Unmatched): void {
    const { externalId, game, setCode, setName, number, name, variant, rarity } = card;
    const described = [externalId, game, setCode, setName, number, name, variant, rarity];
    this.#add([...described, reason, candidates.join(' ')]);
    this.count += 1;
    if (this.#lines.length >= LINES_AT_ONCE) this.#flush();
  }

  close(): void {
    this.#flush();
    closeSync(this.#descriptor);
  }

  #add(cells: readonly CsvCell[]): void {
    this.#lines.push(csvLine(cells, this.#options));
  }

  #flush(): void {
    const text = this.#lines.join('');
    this.#try(() => writeSync(this.#descriptor, text));
    this.#lines = [];
  }

  #try<Result>(write: () => Result): Result {
    try {
      return write();
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new OperatorError(`--report ${this.#file} cannot be written: ${reason}.`, {
        cause: error,
      });
    }
  }
}
