import { Option } from 'commander';
import type { Config } from '../../config/config.ts';
import { formatMoment, type Millis } from '../../domain/day.ts';
import { OperatorError } from '../../domain/errors.ts';
import { dollarsOrNull, formatCents } from '../../domain/money.ts';
import type { ImportOptions, PriceSettings } from '../../ingest/import.ts';
import { openWeb, type Tree, type WebOptions } from '../../sources/io/tree.ts';
import type { Added, CatalogueChanges, PriceChange } from '../../store/backup/copy-changes.ts';
import type { Store } from '../../store/connect.ts';
import { throughOutages } from '../../store/engine/outages.ts';
import type { CommandContext } from '../context.ts';
import { EXIT, printErrorLine, printJson, printLine, reportOutage } from '../output.ts';

/** TCGCSV asks for about 100 ms between two requests. */
const PAUSE_MS = 100;

/** `--pause`, for commands that may read from a URL. */
export function pauseOption(): Option {
  const description = 'Milliseconds between two requests to a URL.';
  return new Option('--pause <ms>', description).default(String(PAUSE_MS));
}

/** The User-Agent header by which sources recognise this program. */
export function userAgent({ version }: CommandContext): string {
  return `cardprice/${version} (self-hosted card price service)`;
}

/** Opens a source on the web, and follows TCGCSV's rules of use. */
export function openPolitely(
  context: CommandContext,
  url: string,
  pause: string,
  options: Partial<WebOptions> = {},
): Tree {
  if (!/^\d{1,5}$/.test(pause)) {
    throw new OperatorError(`--pause "${pause}" is not a number of milliseconds.`);
  }
  return openWeb(url, { userAgent: userAgent(context), pauseMs: Number(pause), ...options });
}

/** `--dry-run`, for every kind of import: it imports into a private copy of the database. */
export function dryRunOption(): Option {
  return new Option('--dry-run', 'Show what would change and be quarantined; write nothing.');
}

/** The database to import into. */
export interface ImportTarget {
  readonly store: Store;
  /** Returns what the import has changed; only in a dry run. */
  readonly changes?: () => Promise<CatalogueChanges>;
}

/** Returns the options that every import takes from the settings. */
export function importOptions({ clock, config }: CommandContext): ImportOptions {
  return { clock, ...priceSettings(config()) };
}

/**
 * Runs an import on the database or, in a dry run, on a copy that is removed afterwards. If the
 * database is lost, the import waits for it and starts again.
 */
export function withTarget<Result>(
  { withStore, withCopy }: CommandContext,
  isDryRun: boolean,
  work: (target: ImportTarget) => Promise<Result>,
): Promise<Result> {
  if (!isDryRun) {
    const importInto = (store: Store) => {
      return throughOutages(store, () => work({ store }), { onOutage: reportOutage });
    };
    return withStore(importInto, { mayCreate: true });
  }
  printErrorLine('Dry run, on a copy of the database: nothing is written to the database itself.');
  return withCopy((copy) => work({ store: copy, changes: copy.changes }));
}

/** Facts that the summaries of all imports share. */
interface Summary {
  readonly observedAt?: Millis;
  /** The first unreadable parts. */
  readonly broken: readonly { readonly name: string; readonly reason: string }[];
  /** The number of unreadable parts. */
  readonly brokenCount: number;
}

/** How to report an import. */
interface Report<Shown> {
  readonly json: boolean;
  /** The changes that a dry run would make. */
  readonly changes: CatalogueChanges | undefined;
  /** Prints the summary for people. */
  print(summary: Shown): void;
}

/**
 * Prints the summary of an import, and the changes that a dry run would make. Sets the exit code if
 * the import left something out.
 */
export function reportImport<Shown extends Summary>(
  summary: Shown,
  { json, changes, print }: Report<Shown>,
): void {
  const { observedAt, brokenCount } = summary;
  if (json) {
    const moment = observedAt === undefined ? {} : { observedAt: formatMoment(observedAt) };
    printJson({ ...summary, ...moment, ...describeChanges(changes) });
  } else {
    print(summary);
    for (const line of changeLines(changes)) printLine(line);
  }
  if (brokenCount > 0) process.exitCode = EXIT.incomplete;
}

/** Broken parts listed by name. The count covers all of them. */
const BROKEN_SHOWN = 20;

/** Prints the first broken parts, and the number of further ones. */
export function printBroken({ broken, brokenCount }: Summary): void {
  for (const { name, reason } of broken.slice(0, BROKEN_SHOWN)) {
    printErrorLine(`Skipped   ${name}: ${reason}`);
  }
  if (brokenCount > BROKEN_SHOWN) printErrorLine(`Skipped   ${brokenCount - BROKEN_SHOWN} more`);
}

/** The last line of a dry run. */
const NOTHING_WRITTEN = 'Dry run: nothing was written.';

/**
 * Formats the changes that a dry run would make as lines of text. `undefined` means that the import
 * was not a dry run.
 */
function changeLines(changes: CatalogueChanges | undefined): string[] {
  if (!changes) return [];
  const { prices, setsAdded, cardsAdded, productsAdded, printingsAdded } = changes;
  return [
    '',
    'It would change:',
    `Prices    ${prices.up} up, ${prices.down} down, ${prices.appeared} new, ${prices.gone} gone, ` +
      `${prices.other} in other figures only`,
    ...listLines('Largest by ratio', prices.largestByRatio),
    ...listLines('Largest by money', prices.largestByMoney),
    ...listLines('Delisted, the dearest', prices.dearestGone),
    addedLine('Sets', setsAdded),
    addedLine('Cards', cardsAdded),
    addedLine('Products', productsAdded),
    addedLine('Printings', printingsAdded),
    ...newlyQuarantined(changes),
    '',
    NOTHING_WRITTEN,
  ];
}

function listLines(title: string, list: readonly PriceChange[]): string[] {
  if (list.length === 0) return [];
  const shown = (cents: PriceChange['before']) => (cents === null ? 'none' : formatCents(cents));
  const lines = list.map(({ card, printing, before, after }) => {
    return `  ${card} ${printing}: ${shown(before)} → ${shown(after)}`;
  });
  return [`${title}:`, ...lines];
}

function addedLine(what: string, { count, examples }: Added): string {
  if (count === 0) return `${what.padEnd(9)} none new`;
  const more = count > examples.length ? ', …' : '';
  return `${what.padEnd(9)} ${count} new: ${examples.join(', ')}${more}`;
}

/** Kinds of quarantined prices to list. `--json` has all. */
const KINDS_SHOWN = 20;

function newlyQuarantined({ quarantined }: CatalogueChanges): string[] {
  const lines = quarantined
    .slice(0, KINDS_SHOWN)
    .flatMap(({ rule, source, set, ...kind }) => [
      `  ${kind.count} × ${rule}, ${source}, ${set ?? 'several sets'}`,
      ...kind.examples.map((example) => `    ${example}`),
    ]);
  if (lines.length === 0) return ['Quarantine nothing new'];
  const more = quarantined.length - KINDS_SHOWN;
  const rest = more > 0 ? [`  and ${more} more kinds`] : [];
  return ['Quarantine, by rule and set:', ...lines, ...rest];
}

/** Formats the changes that a dry run would make for JSON, with amounts in dollars. */
function describeChanges(changes: CatalogueChanges | undefined) {
  if (!changes) return {};
  const { prices, ...rest } = changes;
  const { largestByRatio, largestByMoney, dearestGone, ...counts } = prices;
  const lists = { largestByRatio, largestByMoney, dearestGone };
  const described = Object.entries(lists).map(([name, list]) => [name, list.map(inDollars)]);
  return { dryRun: { prices: { ...counts, ...Object.fromEntries(described) }, ...rest } };
}

function inDollars({ before, after, ...printing }: PriceChange) {
  return { ...printing, before: dollarsOrNull(before), after: dollarsOrNull(after) };
}

/** Returns the settings that apply to every import of prices. */
export function priceSettings({ rates, jumpFactor, lossShare }: Config): PriceSettings {
  return { rates, limits: { jumpFactor, lossShare } };
}

/** Returns lines with the number of prices that an import quarantined, by rule. */
export function quarantineLines(quarantined: Readonly<Record<string, number>>): string[] {
  const counts = Object.entries(quarantined).sort(([, a], [, b]) => b - a);
  if (counts.length === 0) return [];
  return [
    ...counts.map(([rule, count]) => `Quarantined ${count} × ${rule}`),
    'Review quarantined prices: cardprice quarantine list',
  ];
}

/** Returns a line about prices in other currencies without an exchange rate, if there are any. */
export function rateLines(withoutRate: number): string[] {
  if (withoutRate === 0) return [];
  const count = `${withoutRate} price${withoutRate === 1 ? '' : 's'}`;
  return [
    `${count} in other currencies not served in dollars: there is no exchange rate for their day. ` +
      'Import the rates of the ECB (cardprice import ecb), or set CARDPRICE_EUR_RATE.',
  ];
}

/** Prints how many served prices changed because of exchange rates, if any did. */
export function printRepriced(repriced: number): void {
  if (repriced > 0) printLine(`The changed exchange rate changed ${repriced} served prices.`);
}
