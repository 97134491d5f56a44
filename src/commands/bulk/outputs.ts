import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { type Duplex, PassThrough } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { SchemaElement } from 'hyparquet';
import { ByteWriter, type ColumnSource, ParquetWriter } from 'hyparquet-writer';
import type { BulkType } from '../../domain/bulk.ts';
import { csvLine } from '../../domain/csv.ts';
import { MS_PER_DAY } from '../../domain/day.ts';
import { BULK_COLUMNS, type ColumnKind } from './columns.ts';
import type { BulkRow } from './rows.ts';

/** Writes rows in each format of bulk files, in little memory. */

/** What the list says of the bytes of a file. */
export interface WrittenBytes {
  readonly bytes: number;
  readonly sha256: string;
}

/** How many rows a group of Parquet has: enough to compress well, and few enough for a small heap. */
export const ROW_GROUP = 20_000;

/** Rows as the text formats have them. */
export interface Texts {
  readonly ndjson: string;
  readonly csv: string;
}

/** Returns the texts of rows, which several files share. */
export function textsOf(type: BulkType, rows: readonly BulkRow[]): Texts {
  const columns = Object.entries(BULK_COLUMNS[type]);
  const texts = { ndjson: '', csv: '' };
  for (const row of rows) {
    const cells = columns.map(([name, kind]) => textCell(row[name], kind));
    texts.csv += csvLine(cells, { raw: true });
    const values = columns.map(([name]) => [name, row[name]]);
    texts.ndjson += `${JSON.stringify(Object.fromEntries(values))}\n`;
  }
  return texts;
}

/** Returns a group of rows by column, which several files share. */
export function groupOf(type: BulkType, rows: readonly BulkRow[]): ColumnSource[] {
  return Object.entries(BULK_COLUMNS[type]).map(([name, kind]) => ({
    name,
    data: rows.map((row) => parquetValue(row[name], kind)),
    statistics: FILTERED.has(name),
  }));
}

/** The columns by which programs skip groups; the extremes of the others would only take time. */
const FILTERED = new Set(['id', 'game', 'setId', 'market', 'date', 'updatedAt']);

/** A file that is hashed while it is written. */
class HashedFile {
  readonly #input: Duplex;
  readonly #hash = createHash('sha256');
  readonly #written: Promise<void>;
  #bytes = 0;

  constructor(path: string, input: Duplex) {
    this.#input = input;
    this.#written = pipeline(input, (chunks) => this.#hashed(chunks), createWriteStream(path));
    // A failure also ends the input, so the next write or the end reports it.
    this.#written.catch(() => undefined);
  }

  async *#hashed(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of chunks) {
      this.#hash.update(chunk);
      this.#bytes += chunk.length;
      yield chunk;
    }
  }

  async write(chunk: string | Uint8Array): Promise<void> {
    if (chunk.length > 0 && !this.#input.write(chunk)) await once(this.#input, 'drain');
  }

  async close(): Promise<WrittenBytes> {
    this.#input.end();
    await this.#written;
    return { bytes: this.#bytes, sha256: this.#hash.digest('hex') };
  }
}

/** A file of a text format. */
export class TextFile {
  readonly #format: keyof Texts;
  readonly #file: HashedFile;
  #head: string;

  constructor(type: BulkType, format: keyof Texts, path: string) {
    this.#format = format;
    this.#head = format === 'csv' ? csvLine(Object.keys(BULK_COLUMNS[type])) : '';
    this.#file = new HashedFile(path, createGzip());
  }

  write(texts: Texts): Promise<void> {
    const text = this.#head + texts[this.#format];
    this.#head = '';
    return this.#file.write(text);
  }

  /** Writes the rest and returns what was written. */
  close(): Promise<WrittenBytes> {
    return this.#file.close();
  }
}

export class ParquetFile {
  readonly #file: HashedFile;
  readonly #bytes = new ByteWriter();
  readonly #writer: ParquetWriter;

  constructor(type: BulkType, path: string) {
    const columns = Object.entries(BULK_COLUMNS[type]);
    this.#file = new HashedFile(path, new PassThrough());
    const schema: SchemaElement[] = [
      { name: 'root', num_children: columns.length },
      ...columns.map(([name, kind]) => elementOf(name, kind)),
    ];
    this.#writer = new ParquetWriter({ writer: this.#bytes, schema, createdBy: 'cardprice' });
  }

  /** Writes a group of rows. */
  async write(columnData: ColumnSource[]): Promise<void> {
    await this.#writer.write({ columnData, rowGroupSize: ROW_GROUP });
    await this.#flush();
  }

  /** Writes the rest and returns what was written. */
  async close(): Promise<WrittenBytes> {
    await this.#writer.finish();
    await this.#flush();
    return this.#file.close();
  }

  async #flush(): Promise<void> {
    const { buffer, index } = this.#bytes;
    await this.#file.write(new Uint8Array(buffer.slice(0, index)));
    this.#bytes.index = 0;
  }
}

/** Amounts are whole cents in 32 bits, which readers show as decimal numbers. */
function elementOf(name: string, kind: ColumnKind): SchemaElement {
  const optional = { name, repetition_type: 'OPTIONAL' } as const;
  if (kind === 'amount') {
    return { ...optional, type: 'INT32', converted_type: 'DECIMAL', scale: 2, precision: 9 };
  }
  if (kind === 'day') return { ...optional, type: 'INT32', converted_type: 'DATE' };
  if (kind === 'moment') return { ...optional, type: 'INT64', converted_type: 'TIMESTAMP_MILLIS' };
  if (kind === 'flag') return { ...optional, type: 'BOOLEAN' };
  if (kind === 'json') return { ...optional, type: 'BYTE_ARRAY', converted_type: 'JSON' };
  return { ...optional, type: 'BYTE_ARRAY', converted_type: 'UTF8' };
}

type Cell = BulkRow[string] | undefined;

function parquetValue(value: Cell, kind: ColumnKind): unknown {
  if (value === null || value === undefined) return null;
  if (kind === 'day') return Date.parse(String(value)) / MS_PER_DAY;
  if (kind === 'moment') return Date.parse(String(value));
  return kind === 'list' ? textCell(value, kind) : value;
}

function textCell(value: Cell, kind: ColumnKind): string | number | boolean | null {
  if (value === null || value === undefined) return null;
  if (kind === 'list' && Array.isArray(value)) return value.join(' ');
  return typeof value === 'object' ? JSON.stringify(value) : value;
}
