import { createReadStream, type ReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { latestDay, type Millis } from '../../domain/day.ts';
import { OperatorError } from '../../domain/errors.ts';
import type { Currency } from '../../domain/observation.ts';
import type { PriceFigures } from '../../domain/price.ts';
import type {
  Backfill,
  BackfillChunk,
  BackfillListing,
  BackfillOutcome,
  BackfillStep,
} from '../contract/backfill.ts';
import type { BrokenPart } from '../contract/files.ts';
import { BadRow, readCsv } from '../io/csv.ts';
import { kilobytes, withReadErrors } from '../io/files.ts';
import { decodeText, MalformedText, splitLines } from '../io/text.ts';
import { refusalFor } from '../kit/feed-batcher.ts';
import {
  adaptRow,
  findColumns,
  isQuoteColumn,
  type QuoteColumn,
  type QuoteFile,
  type QuoteRow,
} from './adapt.ts';

export type QuoteFormat = 'csv' | 'ndjson';

export interface QuoteOptions {
  readonly format: QuoteFormat;
  /** The operator's mapping of the file's names to columns. */
  readonly renamed: ReadonlyMap<string, QuoteColumn>;
  /** The marketplace of rows without one. */
  readonly marketplace: string;
  /** The currency of rows without one; US dollars by default. */
  readonly currency?: Currency;
  readonly now: Millis;
}

/** Rows in a part of the backfill. */
const ROWS_PER_PART = 5000;

/**
 * Opens a file of prices from any origin. Each row has the prices of a card on a day, under the
 * columns of {@link QUOTE_COLUMNS} in any order. A CSV file names its columns in the header; of
 * JSON lines, the first {@link ROWS_PER_PART} show them, and a later line with another column is
 * broken. The total is in kilobytes.
 *
 * @throws OperatorError if it cannot be read, holds no row, or lacks a column.
 */
export async function openQuotes(location: string, options: QuoteOptions): Promise<Backfill> {
  const { size } = await withReadErrors(location, () => stat(location));
  const bytes = createReadStream(location);
  const batches = batchRows(options.format === 'csv' ? csvRows(bytes) : jsonRows(bytes));
  const first = await withReadErrors(location, () => batches.next());
  const columns = columnsOf(first.value ?? []);
  if (columns.size === 0) throw new OperatorError(`${location} holds no rows.`);
  const { renamed, currency = 'USD', now } = options;
  const names = findColumns([...columns], renamed);
  const isLate = (name: string) => !columns.has(name) && isQuoteColumn(name, renamed);
  const file = { names, isLate, latest: latestDay(now), currency };
  return {
    source: 'quotes',
    idSpace: names.idSpace,
    marketplace: options.marketplace,
    figures: Object.keys(names.figures) as (keyof PriceFigures)[],
    total: kilobytes(size),
    async *parts() {
      try {
        for (let batch = first; !batch.done; batch = await batches.next()) {
          yield step(readPart(location, batch.value, file), bytes);
        }
      } catch (error) {
        if (!(error instanceof MalformedText)) throw error;
        yield step({ kind: 'broken', name: location, reason: error.message }, bytes);
      }
    },
  };
}

/** Returns all names of columns in some rows. Rows of CSV have the same names. */
function columnsOf(rows: readonly NumberedRow[]): Set<string> {
  const columns = new Set<string>();
  for (const { row } of rows) {
    if (!(row instanceof BadRow)) for (const name of Object.keys(row)) columns.add(name);
  }
  return columns;
}

function step(outcome: BackfillOutcome, { bytesRead }: ReadStream): BackfillStep {
  return { outcome, done: kilobytes(bytesRead) };
}

/** Reads some thousand rows. All are refused if too many of them are bad. */
function readPart(name: string, rows: readonly NumberedRow[], file: QuoteFile): BackfillOutcome {
  const chunk = chunkOf(rows, file);
  const refusal = refusalFor(chunk.broken.length, rows.length, chunk.broken[0]);
  if (refusal === undefined) return { kind: 'read', name, part: { chunks: [chunk] } };
  const range = `${rows[0]?.name} to ${rows.at(-1)?.name}`;
  return { kind: 'broken', name, reason: `${range}: ${refusal}` };
}

function chunkOf(rows: readonly NumberedRow[], file: QuoteFile): BackfillChunk {
  const listings: BackfillListing[] = [];
  const broken: BrokenPart[] = [];
  for (const { name, row } of rows) {
    const listing = row instanceof BadRow ? row : adaptRow(row, file);
    if (listing instanceof BadRow) broken.push({ name, reason: listing.reason });
    else listings.push(listing);
  }
  return { listings, skipped: {}, broken };
}

interface NumberedRow {
  /** Its position in the file: `row 2` is the first below the header of a table. */
  readonly name: string;
  readonly row: QuoteRow | BadRow;
}

async function* csvRows(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<NumberedRow> {
  let number = 1;
  for await (const row of readCsv(bytes)) {
    number += 1;
    yield { name: `row ${number}`, row };
  }
}

async function* jsonRows(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<NumberedRow> {
  let number = 0;
  for await (const line of splitLines(decodeText(bytes))) {
    number += 1;
    if (line.trim() !== '') yield { name: `line ${number}`, row: parseLine(line) };
  }
}

function parseLine(line: string): QuoteRow | BadRow {
  try {
    const value: unknown = JSON.parse(line);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? (value as QuoteRow) : new BadRow('not a JSON object');
  } catch {
    return new BadRow('not valid JSON');
  }
}

async function* batchRows(rows: AsyncIterable<NumberedRow>): AsyncGenerator<NumberedRow[]> {
  let batch: NumberedRow[] = [];
  for await (const row of rows) {
    if (batch.push(row) < ROWS_PER_PART) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
