import { createHash } from 'node:crypto';
import { closeSync, openSync, writeFileSync } from 'node:fs';
import type { RowGroup, SchemaElement } from 'hyparquet';
import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import type { BulkType } from '../../domain/bulk.ts';
import { csvLine } from '../../domain/csv.ts';
import {
  isEmpty,
  PARQUET_TYPES,
  TEXTS,
  TextBuffer,
  type WaitingCells,
  waitingCells,
} from './cells.ts';
import { BULK_COLUMNS, type ColumnKind } from './columns.ts';
import { GZIP_HEADER, GzipEnd, type Packed, packed } from './gzip.ts';
import type { BulkRow } from './rows.ts';

/**
 * Writes rows in each format of bulk files, with little memory. Several files share the encoded
 * rows.
 */

/** A file's entry in the list: facts about its bytes. */
export interface WrittenBytes {
  readonly bytes: number;
  readonly sha256: string;
}

/** Rows in a group of Parquet: enough to compress well, and few enough for a small heap. */
const ROW_GROUP = 20_000;

/** A group with this many bytes of text ends early, because the heap has to hold a whole column. */
const GROUP_BYTES = 5 * 2 ** 20;

/** Rows in the form of the text formats. */
export interface Texts {
  readonly ndjson: Packed;
  readonly csv: Packed;
}

/** Encodes rows as texts, and packs them in other threads. */
export class TextBuilder {
  readonly #columns: readonly TextColumn[];
  /** The JSON members of a row: each name is followed by its value. */
  readonly #members: string[];
  readonly #cells: string[];
  readonly #ndjson = new TextBuffer();
  readonly #csv = new TextBuffer();

  constructor(type: BulkType) {
    const columns = Object.entries(BULK_COLUMNS[type]);
    this.#columns = columns.map(([name, kind]) => ({ name, ...TEXTS[kind] }));
    const members = columns.flatMap(([name], i) => [`${i === 0 ? '{' : ','}"${name}":`, '']);
    this.#members = [...members, '}\n'];
    this.#cells = columns.map(() => '');
  }

  /** Its texts stay valid until the next call. */
  async encode(rows: readonly BulkRow[]): Promise<Texts> {
    this.#ndjson.clear();
    this.#csv.clear();
    for (const row of rows) this.#add(row);
    const [ndjson, csv] = [this.#ndjson.bytes, this.#csv.bytes];
    const both = await Promise.all([packed(ndjson), packed(csv)]);
    return { ndjson: both[0], csv: both[1] };
  }

  #add(row: BulkRow): void {
    let i = 0;
    // Neither entries() nor joining lines with others: both take twice the memory.
    for (const { name, json, csv } of this.#columns) {
      const value = row[name];
      this.#members[2 * i + 1] = isEmpty(value) ? 'null' : json(value);
      this.#cells[i] = isEmpty(value) ? '' : csv(value);
      i += 1;
    }
    this.#ndjson.add(this.#members.join(''));
    this.#csv.add(this.#cells.join(','));
    this.#csv.add('\n');
  }
}

type TextColumn = { readonly name: string } & (typeof TEXTS)[ColumnKind];

/** The columns by which programs skip groups. Computing extremes of others would only take time. */
const FILTERED = new Set(['id', 'game', 'setId', 'market', 'date', 'updatedAt']);

/** A group of rows in the form of Parquet files. */
export interface EncodedGroup {
  readonly bytes: Uint8Array;
  /** Its offsets count from the first byte of the group. */
  readonly group: RowGroup;
}

/**
 * Collects rows by column until a group is full, because rows take several times as much memory.
 */
export class GroupBuilder {
  readonly #kinds: readonly (readonly [name: string, kind: ColumnKind])[];
  readonly #columns: readonly WaitingCells[];
  readonly #schema: SchemaElement[];
  readonly #bytes = new ByteWriter();

  constructor(type: BulkType) {
    this.#kinds = Object.entries(BULK_COLUMNS[type]);
    this.#schema = schemaOf(type, PLAIN);
    this.#columns = this.#kinds.map(([, kind]) => waitingCells(kind, ROW_GROUP));
  }

  get size(): number {
    return this.#columns[0]?.length ?? 0;
  }

  /** Adds the rows that fit, and returns the others. */
  add(rows: readonly BulkRow[]): readonly BulkRow[] {
    const fitting = rows.slice(0, ROW_GROUP - this.size);
    for (const [i, column] of this.#columns.entries()) {
      const name = this.#kinds[i]?.[0] ?? '';
      for (const row of fitting) column.push(row[name]);
    }
    return rows.slice(fitting.length);
  }

  get isFull(): boolean {
    const bytes = this.#columns.reduce((sum, column) => sum + column.bytes, 0);
    return this.size >= ROW_GROUP || bytes >= GROUP_BYTES;
  }

  /** Returns the group, and starts the next one. Its bytes stay valid until the next call. */
  take(): EncodedGroup {
    const [bytes, columns] = [this.#bytes, this.#columns];
    bytes.index = 0;
    const writer = new ParquetWriter({ writer: bytes, schema: this.#schema });
    const { index, offset } = bytes;
    const columnData = this.#kinds.map(([name], i) => ({
      name,
      // Only one column at a time is in the heap.
      get data() {
        return columns[i]?.values() ?? [];
      },
      statistics: FILTERED.has(name),
      // Its offsets would also need moving, and programs read whole groups.
      offsetIndex: false,
    }));
    writer.write({ columnData, rowGroupSize: ROW_GROUP });
    const [group] = writer.row_groups;
    if (!group) throw new Error('A group without rows was written.');
    for (const column of columns) column.clear();
    const written = new Uint8Array(bytes.buffer, index, bytes.index - index);
    return { bytes: written, group: movedGroup(this.#declared(group), -BigInt(offset)) };
  }

  /**
   * Returns a group in which the extremes of amounts are those of decimal numbers: bigints in
   * cents.
   */
  #declared(group: RowGroup): RowGroup {
    const columns = group.columns.map((chunk, i) => {
      const { meta_data: column } = chunk;
      if (this.#kinds[i]?.[1] !== 'amount' || !column?.statistics) return chunk;
      const { min_value: min, max_value: max } = column.statistics;
      if (typeof min !== 'number' || typeof max !== 'number') return chunk;
      const extremes = { min_value: BigInt(min), max_value: BigInt(max) };
      const statistics = { ...column.statistics, ...extremes };
      return { ...chunk, meta_data: { ...column, statistics } };
    });
    return { ...group, columns };
  }
}

/** Returns the description of a group whose bytes start `by` bytes later. */
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

/** A file that is hashed during writing. */
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

  /** Writes the rest and returns the facts about the written bytes. */
  close(): WrittenBytes {
    this.#file.write(this.#end.bytes());
    return this.#file.close();
  }
}

/** Returns the first line of a CSV file. */
export function csvHeader(type: BulkType): Promise<Packed> {
  return packed(Buffer.from(csvLine(Object.keys(BULK_COLUMNS[type]))));
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

  /** Writes the rest and returns the facts about the written bytes. */
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

/** The encoding of groups: the bytes are the same, but take less time and memory. */
const PLAIN: Partial<typeof PARQUET_TYPES> = {
  amount: { type: 'INT32' },
  json: PARQUET_TYPES.text,
};

function schemaOf(type: BulkType, instead: Partial<typeof PARQUET_TYPES> = {}): SchemaElement[] {
  const types = { ...PARQUET_TYPES, ...instead };
  const columns = Object.entries(BULK_COLUMNS[type]);
  return [
    { name: 'root', num_children: columns.length },
    ...columns.map(([name, kind]): SchemaElement => {
      return { name, repetition_type: 'OPTIONAL', ...types[kind] };
    }),
  ];
}
