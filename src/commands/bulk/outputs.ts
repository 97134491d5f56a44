import { createHash } from 'node:crypto';
import { closeSync, openSync, writeFileSync } from 'node:fs';
import type { RowGroup, SchemaElement } from 'hyparquet';
import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import type { BulkType } from '../../domain/bulk.ts';
import { csvLine } from '../../domain/csv.ts';
import { MS_PER_DAY } from '../../domain/day.ts';
import { BULK_COLUMNS, type ColumnKind } from './columns.ts';
import { GZIP_HEADER, GzipEnd, type Packed, packed } from './gzip.ts';
import type { BulkRow } from './rows.ts';

/** Writes rows in each format of bulk files, in little memory. Several files share what is encoded. */

/** What the list says of the bytes of a file. */
export interface WrittenBytes {
  readonly bytes: number;
  readonly sha256: string;
}

/** How many rows a group of Parquet has: enough to compress well, and few enough for a small heap. */
const ROW_GROUP = 20_000;

/** Rows as the text formats have them. */
export interface Texts {
  readonly ndjson: Packed;
  readonly csv: Packed;
}

/** Encodes rows as texts, and packs them in other threads. */
export async function textsOf(type: BulkType, rows: readonly BulkRow[]): Promise<Texts> {
  const columns = Object.entries(BULK_COLUMNS[type]);
  let [ndjson, csv] = ['', ''];
  for (const row of rows) {
    const cells = columns.map(([name, kind]) => textCell(row[name], kind));
    csv += csvLine(cells, { raw: true });
    const values = columns.map(([name]) => [name, row[name]]);
    ndjson += `${JSON.stringify(Object.fromEntries(values))}\n`;
  }
  const both = await Promise.all([packed(ndjson), packed(csv)]);
  return { ndjson: both[0], csv: both[1] };
}

/** The columns by which programs skip groups; the extremes of the others would only take time. */
const FILTERED = new Set(['id', 'game', 'setId', 'market', 'date', 'updatedAt']);

/** A group of rows as Parquet files have it. */
export interface EncodedGroup {
  readonly bytes: Uint8Array;
  /** Its offsets count from the first byte of the group. */
  readonly group: RowGroup;
}

/** Collects rows by column until a group is full, because rows take several times as much memory. */
export class GroupBuilder {
  readonly #type: BulkType;
  /** JSON is a text here: the bytes are the same, and texts take less time and memory. */
  readonly #schema: SchemaElement[];
  #columns: unknown[][];

  constructor(type: BulkType) {
    this.#type = type;
    this.#schema = schemaOf(type, 'text');
    this.#columns = this.#emptyColumns();
  }

  get size(): number {
    return this.#columns[0]?.length ?? 0;
  }

  /** Adds the rows that fit, and returns the others. */
  add(rows: readonly BulkRow[]): readonly BulkRow[] {
    const fitting = rows.slice(0, ROW_GROUP - this.size);
    for (const [i, [name, kind]] of Object.entries(BULK_COLUMNS[this.#type]).entries()) {
      const column = this.#columns[i];
      for (const row of fitting) column?.push(parquetValue(row[name], kind));
    }
    return rows.slice(fitting.length);
  }

  get isFull(): boolean {
    return this.size >= ROW_GROUP;
  }

  /** Returns the group, and begins the next. */
  take(): EncodedGroup {
    const columns = this.#columns;
    this.#columns = this.#emptyColumns();
    const bytes = new ByteWriter();
    const writer = new ParquetWriter({ writer: bytes, schema: this.#schema });
    const begin = bytes.index;
    const columnData = Object.keys(BULK_COLUMNS[this.#type]).map((name, i) => ({
      name,
      data: columns[i] ?? [],
      statistics: FILTERED.has(name),
      // Its offsets would have to be moved too, and programs read whole groups.
      offsetIndex: false,
    }));
    writer.write({ columnData, rowGroupSize: ROW_GROUP });
    const [group] = writer.row_groups;
    if (!group) throw new Error('A group without rows was written.');
    const written = new Uint8Array(bytes.buffer.slice(begin, bytes.index));
    return { bytes: written, group: movedGroup(group, -BigInt(begin)) };
  }

  #emptyColumns(): unknown[][] {
    return Object.keys(BULK_COLUMNS[this.#type]).map(() => []);
  }
}

/** Returns the description of a group whose bytes are `by` bytes further on. */
function movedGroup(group: RowGroup, by: bigint): RowGroup {
  const columns = group.columns.map(({ meta_data: column, ...chunk }) => {
    if (!column) return chunk;
    const { data_page_offset, dictionary_page_offset } = column;
    const dictionary =
      dictionary_page_offset === undefined
        ? {}
        : { dictionary_page_offset: dictionary_page_offset + by };
    return {
      ...chunk,
      file_offset: chunk.file_offset + by,
      meta_data: { ...column, data_page_offset: data_page_offset + by, ...dictionary },
    };
  });
  return { ...group, columns };
}

/** A file that is hashed while it is written. */
class HashedFile {
  readonly #hash = createHash('sha256');
  readonly #file: number;
  #bytes = 0;

  constructor(path: string) {
    this.#file = openSync(path, 'w');
  }

  get bytes(): number {
    return this.#bytes;
  }

  write(chunk: Uint8Array): void {
    this.#hash.update(chunk);
    this.#bytes += chunk.length;
    writeFileSync(this.#file, chunk);
  }

  close(): WrittenBytes {
    closeSync(this.#file);
    return { bytes: this.#bytes, sha256: this.#hash.digest('hex') };
  }
}

/** A file of a text format. */
export class TextFile {
  readonly #file: HashedFile;
  readonly #end = new GzipEnd();

  constructor(path: string) {
    this.#file = new HashedFile(path);
    this.#file.write(GZIP_HEADER);
  }

  write({ text, deflated }: Packed): void {
    this.#end.add(text);
    this.#file.write(deflated);
  }

  /** Writes the rest and returns what was written. */
  close(): WrittenBytes {
    this.#file.write(this.#end.bytes());
    return this.#file.close();
  }
}

/** Returns the first line of a CSV file. */
export function csvHeader(type: BulkType): Promise<Packed> {
  return packed(csvLine(Object.keys(BULK_COLUMNS[type])));
}

export class ParquetFile {
  readonly #file: HashedFile;
  readonly #bytes = new ByteWriter();
  readonly #writer: ParquetWriter;

  constructor(type: BulkType, path: string) {
    this.#file = new HashedFile(path);
    const schema = schemaOf(type);
    this.#writer = new ParquetWriter({ writer: this.#bytes, schema, createdBy: 'cardprice' });
    this.#flush();
  }

  write({ bytes, group }: EncodedGroup): void {
    this.#writer.row_groups.push(movedGroup(group, BigInt(this.#file.bytes)));
    this.#writer.num_rows += group.num_rows;
    this.#file.write(bytes);
  }

  /** Writes the rest and returns what was written. */
  close(): WrittenBytes {
    this.#writer.finish();
    this.#flush();
    return this.#file.close();
  }

  #flush(): void {
    const { buffer, index } = this.#bytes;
    this.#file.write(new Uint8Array(buffer, 0, index));
    this.#bytes.index = 0;
  }
}

/** @param json What columns of JSON are. */
function schemaOf(type: BulkType, json: ColumnKind = 'json'): SchemaElement[] {
  const columns = Object.entries(BULK_COLUMNS[type]);
  return [
    { name: 'root', num_children: columns.length },
    ...columns.map(([name, kind]) => elementOf(name, kind === 'json' ? json : kind)),
  ];
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
  return kind === 'list' || kind === 'json' ? textCell(value, kind) : value;
}

function textCell(value: Cell, kind: ColumnKind): string | number | boolean | null {
  if (value === null || value === undefined) return null;
  if (kind === 'list' && Array.isArray(value)) return value.join(' ');
  return typeof value === 'object' ? JSON.stringify(value) : value;
}
