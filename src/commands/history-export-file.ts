import { createReadStream } from 'node:fs';
import { parseDay } from '../domain/day.ts';
import { OperatorError } from '../domain/errors.ts';
import { type Cents, centsFromDollars } from '../domain/money.ts';
import type { HistoryDay } from '../domain/price.ts';
import { BadRow, readCsv } from '../sources/io/csv.ts';
import { withReadErrors } from '../sources/io/files.ts';
import { decodeText, splitLines } from '../sources/io/text.ts';
import type { NamedPrinting } from '../store/catalogue/series.ts';
import type { Replacement } from '../store/history/index.ts';

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
  const ids = new Map([...names].map(([id, { card, name }]) => [keyOf(card, name), id]));
  const days = new Map<number, HistoryDay[]>();
  await withReadErrors(file, async () => {
    for await (const row of rowsOf(file)) {
      const id = ids.get(keyOf(row.card, row.printing));
      if (id !== undefined) days.set(id, [...(days.get(id) ?? []), dayOf(row, file)]);
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

function dayOf(row: ExportRow, file: string): HistoryDay {
  const day = parseDay(String(row.date));
  if (day === undefined) throw notAnExport(file, `"${row.date}" is not a date`);
  const { source, marketplace, repeated } = row;
  const hasSource = typeof source === 'string' && source !== '';
  return {
    day,
    market: centsOf(row.market, file),
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
