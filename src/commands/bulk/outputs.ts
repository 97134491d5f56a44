import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { type Duplex, PassThrough } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { SchemaElement } from 'hyparquet';
import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import type { BulkFormat, BulkType } from '../../domain/bulk.ts';
import { csvLine } from '../../domain/csv.ts';
import { MS_PER_DAY } from '../../domain/day.ts';
import { BULK_COLUMNS, type ColumnKind } from './columns.ts';
import type { BulkRow } from './rows.ts';

/** Writes rows in each format of bulk files, in little memory. */

/** What the list says of the bytes of a file. */
interface WrittenBytes {
  readonly bytes: number;
  readonly sha256: string;
}

/** A file of one format. */
export interface Output {
  write(batch: Batch): Promise<void>;
  /** Writes the rest and returns what was written. */
  close(): Promise<WrittenBytes>;
}

/** Some rows with their texts, so that several files share them. */
export interface Batch {
  readonly rows: readonly BulkRow[];
  readonly ndjson: string;
  readonly csv: string;
}

export function batchOf(type: BulkType, rows: readonly BulkRow[]): Batch {
  const columns = Object.entries(BULK_COLUMNS[type]);
  const csvRow = (row: BulkRow) => {
    return csvLine(
      columns.map(([name, kind]) => textCell(row[name], kind)),
      { raw: true },
    );
  };
  return {
    rows,
    ndjson: rows.map((row) => `${JSON.stringify(row)}\n`).join(''),
    csv: rows.map(csvRow).join(''),
  };
}

export function openOutput(type: BulkType, format: BulkFormat, path: string): Output {
  if (format === 'parquet') return new ParquetFile(type, path);
  return new TextFile(
    format,
    path,
    format === 'csv' ? csvLine(Object.keys(BULK_COLUMNS[type])) : '',
  );
}

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

class TextFile implements Output {
  readonly #format: 'ndjson' | 'csv';
  readonly #file: HashedFile;
  #head: string;

  constructor(format: 'ndjson' | 'csv', path: string, head: string) {
    this.#format = format;
    this.#head = head;
    this.#file = new HashedFile(path, createGzip());
  }

  write(batch: Batch): Promise<void> {
    const text = this.#head + batch[this.#format];
    this.#head = '';
    return this.#file.write(text);
  }

  close(): Promise<WrittenBytes> {
    return this.#file.close();
  }
}

/** Enough for good compression, and little enough that two groups fit into the heap of the writer. */
const ROW_GROUP = 20_000;

class ParquetFile implements Output {
  readonly #columns: readonly (readonly [string, ColumnKind])[];
  readonly #file: HashedFile;
  readonly #bytes = new ByteWriter();
  readonly #writer: ParquetWriter;
  #rows: BulkRow[] = [];

  constructor(type: BulkType, path: string) {
    this.#columns = Object.entries(BULK_COLUMNS[type]);
    this.#file = new HashedFile(path, new PassThrough());
    const schema: SchemaElement[] = [
      { name: 'root', num_children: this.#columns.length },
      ...this.#columns.map(([name, kind]) => elementOf(name, kind)),
    ];
    this.#writer = new ParquetWriter({ writer: this.#bytes, schema, createdBy: 'cardprice' });
  }

  async write({ rows }: Batch): Promise<void> {
    for (const row of rows) {
      this.#rows.push(row);
      if (this.#rows.length === ROW_GROUP) await this.#writeGroup();
    }
  }

  async close(): Promise<WrittenBytes> {
    if (this.#rows.length > 0) await this.#writeGroup();
    await this.#writer.finish();
    await this.#flush();
    return this.#file.close();
  }

  async #writeGroup(): Promise<void> {
    const rows = this.#rows;
    this.#rows = [];
    const columnData = this.#columns.map(([name, kind]) => {
      return { name, data: rows.map((row) => parquetValue(row[name], kind)) };
    });
    await this.#writer.write({ columnData, rowGroupSize: ROW_GROUP });
    await this.#flush();
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
