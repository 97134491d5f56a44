import { createReadStream } from 'node:fs';
import { Command } from 'commander';
import { formatDay, parseDay } from '../domain/day.ts';
import { OperatorError } from '../domain/errors.ts';
import { type Cents, centsFromDollars } from '../domain/money.ts';
import type { HistoryDay } from '../domain/price.ts';
import { LAST_DAY } from '../history/codec.ts';
import { takeLock } from '../ingest/lock.ts';
import { NextPublication } from '../ingest/run.ts';
import { BadRow, readCsv } from '../sources/io/csv.ts';
import { withReadErrors } from '../sources/io/files.ts';
import { decodeText, splitLines } from '../sources/io/text.ts';
import { openOther } from '../store/backup/other-database.ts';
import { findHistorySince } from '../store/catalogue/history-since.ts';
import { type NamedPrinting, namedPrintings } from '../store/catalogue/series.ts';
import type { Store } from '../store/connect.ts';
import {
  checkHistory,
  type Repair,
  type RepairOptions,
  type Replacement,
  repairHistory,
  seriesById,
} from '../store/history/index.ts';
import type { CommandContext } from './context.ts';
import { type JsonFlag, jsonOption } from './options.ts';
import { EXIT, printErrorLine, printJson, printLine } from './output.ts';
import { withProgress } from './progress.ts';

interface RepairFlags extends JsonFlag {
  readonly leaveOut?: boolean;
}

/** `cardprice history repair`: replaces damaged blocks, or gives up their days. */
export function repairCommand(context: CommandContext): Command {
  return new Command('repair')
    .description('Replace damaged blocks of the history, or discard their days.')
    .argument(
      '[place]',
      'Where to take the days from: the folder of a backup, another database (a file or a ' +
        'postgres:// URL), or a file that `export history --raw` wrote (.csv or .ndjson).',
    )
    .option('--leave-out', 'Permanently discard days that the replacement does not have.')
    .addOption(jsonOption())
    .addHelpText(
      'after',
      `
Back up the database first. Only unreadable blocks change; all other days stay. Cards are matched by
id and printings by name, so any database or export of the same cards works. Without --leave-out, a
block stays damaged unless the other place has its days. The exit code is 1 while any block is
damaged.

Examples:
  cardprice history repair /backup/cardprice-20260128T040000Z
  cardprice history repair old.db --leave-out
  cardprice history repair --leave-out`,
    )
    .action((place: string | undefined, flags: RepairFlags) => {
      return context.withStore((store) => repair(context, store, place, flags));
    });
}

async function repair(
  { clock }: CommandContext,
  store: Store,
  place: string | undefined,
  flags: RepairFlags,
): Promise<void> {
  const lock = await takeLock(store, clock);
  try {
    const printings = await damagedPrintings(store, flags);
    const names = await namesOf(store, printings);
    const source = await openSource(place, names);
    try {
      const { replacement } = source;
      const options = { leaveOut: flags.leaveOut ?? false, ...(replacement && { replacement }) };
      const repairs = await repairAll(store, printings, options, {
        clock,
        renew: () => lock.renew(),
      });
      if (flags.json) printJson(repairs.map((one) => described(one, names)));
      else report(repairs, names);
    } finally {
      await source.close();
    }
  } finally {
    await lock.free();
  }
}

async function damagedPrintings(store: Store, { json = false }: JsonFlag): Promise<number[]> {
  const { damaged } = await withProgress('blocks', json, ({ onProgress }) => {
    return checkHistory(store, onProgress);
  });
  return [...new Set(damaged.map(({ printing }) => printing))];
}

interface Source {
  readonly replacement: Replacement | undefined;
  close(): Promise<void>;
}

async function openSource(
  place: string | undefined,
  names: ReadonlyMap<number, NamedPrinting>,
): Promise<Source> {
  const close = async () => {};
  if (place === undefined) return { replacement: undefined, close };
  if (/\.(csv|ndjson)$/.test(place)) return { replacement: await readExport(place, names), close };
  const other = await openOther(place);
  return { replacement: other.replacementOf(names), close: other.close };
}

async function repairAll(
  store: Store,
  printings: readonly number[],
  options: RepairOptions,
  { clock, renew }: Pick<CommandContext, 'clock'> & { readonly renew: () => Promise<void> },
): Promise<Repair[]> {
  const publication = await NextPublication.open(store);
  // Responses are cached until the next publication.
  if (printings.length > 0) await publication.begin(store.db);
  const repairs: Repair[] = [];
  for (const printing of printings) {
    repairs.push(await repairHistory(store, printing, options));
    await renew();
  }
  await findHistorySince(store.db);
  await publication.finish(clock());
  if (repairs.some(({ outcome }) => outcome === 'still damaged')) process.exitCode = EXIT.failure;
  return repairs;
}

function described(repair: Repair, names: ReadonlyMap<number, NamedPrinting>) {
  const { printing, from, to, kept, replaced, outcome } = repair;
  const named = names.get(printing);
  return {
    card: named?.card ?? null,
    printing: named ? nameOf(named) : `printing ${printing}`,
    from: formatDay(from),
    to: to === LAST_DAY ? null : formatDay(to),
    kept,
    replaced,
    outcome,
  };
}

function nameOf({ name, copy }: NamedPrinting): string {
  return copy === undefined ? name : `${name}, ${copy}`;
}

const WORDS = {
  replaced: 'Replaced ',
  'left out': 'Left out ',
  'still damaged': 'Damaged  ',
} as const;

function report(repairs: readonly Repair[], names: ReadonlyMap<number, NamedPrinting>): void {
  for (const repair of repairs) {
    const { card, printing, from, to, kept, replaced, outcome } = described(repair, names);
    const range = to === null ? `from ${from} on` : `${from} to ${to}`;
    const days =
      outcome === 'left out'
        ? `${range}: ${replaced} days replaced, all others are lost; ${kept} days elsewhere stay`
        : `${range}: ${replaced} days replaced; ${kept} days elsewhere stay`;
    printLine(`${WORDS[outcome]} ${card ?? 'unknown card'}, ${printing}, ${days}`);
  }
  const left = repairs.filter(({ outcome }) => outcome === 'still damaged').length;
  if (repairs.length === 0) printLine('No block of the history is damaged.');
  if (left === 0) return;
  printErrorLine(
    `${left} printings are still damaged, and their damaged blocks are not served. Name ` +
      'a backup, another database or an export that has these days, or give the days up with ' +
      '--leave-out.',
  );
}

/** A row of `cardprice export history`. CSV has only text; JSON also numbers, booleans and null. */
type ExportRow = Readonly<Record<string, unknown>>;

/**
 * Reads a CSV or NDJSON file of `cardprice export history`, and keeps only the days of these
 * printings.
 *
 * @throws OperatorError if the file cannot be read or a row is malformed.
 */
export async function readExport(
  file: string,
  names: ReadonlyMap<number, NamedPrinting>,
): Promise<Replacement> {
  const wanted = Map.groupBy(names.values(), ({ card, name }) => keyOf(card, name));
  const days = new Map<number, HistoryDay[]>();
  await withReadErrors(file, async () => {
    for await (const row of rowsOf(file)) {
      for (const { id, copy = 'market' } of wanted.get(keyOf(row.card, row.printing)) ?? []) {
        if (!(copy in row)) continue;
        days.set(id, [...(days.get(id) ?? []), dayOf(row, copy, file)]);
      }
    }
  });
  return async (printing, from, to) => {
    const own = (days.get(printing) ?? []).filter(({ day }) => from <= day && day <= to);
    return own.sort((a, b) => a.day - b.day);
  };
}

function keyOf(card: unknown, printing: unknown): string {
  return JSON.stringify([card, printing]);
}

async function* rowsOf(file: string): AsyncGenerator<ExportRow> {
  const bytes = createReadStream(file);
  if (!file.endsWith('.csv')) {
    for await (const line of splitLines(decodeText(bytes))) {
      if (line !== '') yield parseLine(line, file);
    }
    return;
  }
  for await (const row of readCsv(bytes)) {
    if (row instanceof BadRow) throw notAnExport(file, row.reason);
    yield row;
  }
}

function parseLine(line: string, file: string): ExportRow {
  try {
    const row: unknown = JSON.parse(line);
    if (typeof row === 'object' && row !== null) return row as ExportRow;
  } catch {
    // Reported below.
  }
  throw notAnExport(file, `"${line.slice(0, 40)}" is not a JSON object`);
}

/** Returns the day of a row, with its column `market` or that of a condition or grade. */
function dayOf(row: ExportRow, market: string, file: string): HistoryDay {
  const day = parseDay(String(row.date));
  if (day === undefined) throw notAnExport(file, `"${row.date}" is not a date`);
  const { source, marketplace, repeated } = row;
  const hasSource = typeof source === 'string' && source !== '';
  return {
    day,
    market: centsOf(row[market], file),
    low: centsOf(row.low, file),
    mid: centsOf(row.mid, file),
    high: centsOf(row.high, file),
    provenance: hasSource
      ? { source, marketplace: String(marketplace), repeated: String(repeated) === 'true' }
      : null,
  };
}

function centsOf(dollars: unknown, file: string): Cents | null {
  if (dollars === '' || dollars === null || dollars === undefined) return null;
  const cents = centsFromDollars(Number(dollars));
  if (cents === undefined) throw notAnExport(file, `"${dollars}" is not a price`);
  return cents;
}

function notAnExport(file: string, reason: string): OperatorError {
  return new OperatorError(
    `${file} is not a file of \`cardprice export history\`: ${reason}. Name it .csv or .ndjson.`,
  );
}

/**
 * Returns the cards and names of printings and of the series of their conditions and grades,
 * without printings that no longer exist.
 */
export async function namesOf(
  store: Store,
  printings: Iterable<number>,
): Promise<Map<number, NamedPrinting>> {
  const ids = [...new Set(printings)];
  const series = new Map((await seriesById(store.db, ids)).map((one) => [one.id, one]));
  const names = new Map<number, NamedPrinting>();
  for (const id of ids) {
    const { printing = id, copy } = series.get(id) ?? {};
    for await (const [named] of namedPrintings(store.db, { id: printing })) {
      if (named) names.set(id, { ...named, id, ...(copy !== undefined && { copy }) });
    }
  }
  return names;
}
