import { createReadStream, type ReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { addDays, dayOf, type Millis } from '../../domain/day.ts';
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
import { BadRow, readCsv } from '../io/csv.ts';
import { withReadErrors } from '../io/read-errors.ts';
import { decodeText, MalformedText, splitLines } from '../io/text.ts';
import { adaptRow, type QuoteFile, type QuoteRow } from './adapt.ts';
import { findColumns, isQuoteColumn, type QuoteColumn } from './columns.ts';

export type QuoteFormat = 'csv' | 'ndjson';

export interface QuoteOptions {
  readonly format: QuoteFormat;
  /** Which of the file's own names stands for which column. */
  readonly renamed: ReadonlyMap<string, QuoteColumn>;
  /** Where the prices come from, as callers of the API are told. */
  readonly marketplace: string;
  /** Of rows that do not tell theirs; US dollars unless told. */
  readonly currency?: Currency;
  readonly now: Millis;
}

/** How many rows become a part. */
const ROWS_AT_ONCE = 5000;

const KILOBYTE = 1024;

/**
 * Opens a file of quotes: the prices of a card on a day in each row, under the columns of
 * QUOTE_COLUMNS, in any order. Which columns there are is told by the head, or by the first
 * thousands of lines of JSON; a line with another one after that is broken. The total is in
 * kilobytes.
 *
 * @throws OperatorError when it cannot be read, holds no row, or lacks a column.
 */
export async function openQuotes(location: string, options: QuoteOptions): Promise<Backfill> {
  const { size } = await withReadErrors(location, () => stat(location));
  const bytes = createReadStream(location);
  const batches = inBatches(options.format === 'csv' ? csvRows(bytes) : jsonRows(bytes));
  const first = await withReadErrors(location, () => batches.next());
  const keys = keysOf(first.value ?? []);
  if (keys.size === 0) throw new OperatorError(`${location} holds no rows.`);
  const { renamed, currency = 'USD', now } = options;
  const names = findColumns([...keys], renamed);
  const isLate = (key: string) => !keys.has(key) && isQuoteColumn(key, renamed);
  const file = { names, isLate, latest: addDays(dayOf(now), 1), currency };
  return {
    source: 'quotes',
    idSpace: names.idSpace,
    marketplace: options.marketplace,
    figures: Object.keys(names.figures) as (keyof PriceFigures)[],
    total: Math.ceil(size / KILOBYTE),
    async *parts() {
      try {
        for (let batch = first; !batch.done; batch = await batches.next()) {
          const part = { chunks: [chunkOf(batch.value, file)] };
          yield step({ kind: 'read', name: location, part }, bytes);
        }
      } catch (error) {
        if (!(error instanceof MalformedText)) throw error;
        yield step({ kind: 'broken', name: location, reason: error.message }, bytes);
      }
    },
  };
}

/** The names in rows: of CSV all have the same. */
function keysOf(rows: readonly NumberedRow[]): Set<string> {
  const keys = new Set<string>();
  for (const { row } of rows) {
    if (!(row instanceof BadRow)) for (const key of Object.keys(row)) keys.add(key);
  }
  return keys;
}

function step(outcome: BackfillOutcome, { bytesRead }: ReadStream): BackfillStep {
  return { outcome, done: Math.ceil(bytesRead / KILOBYTE) };
}

function chunkOf(rows: readonly NumberedRow[], file: QuoteFile): BackfillChunk {
  const listings: BackfillListing[] = [];
  const broken: { name: string; reason: string }[] = [];
  for (const { name, row } of rows) {
    const listing = row instanceof BadRow ? row : adaptRow(row, file);
    if (listing instanceof BadRow) broken.push({ name, reason: listing.reason });
    else listings.push(listing);
  }
  return { listings, skipped: {}, broken };
}

interface NumberedRow {
  /** Where it is in the file: `row 2` is the first below the head of a table. */
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

async function* inBatches(rows: AsyncIterable<NumberedRow>): AsyncGenerator<NumberedRow[]> {
  let batch: NumberedRow[] = [];
  for await (const row of rows) {
    if (batch.push(row) < ROWS_AT_ONCE) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
