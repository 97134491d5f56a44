import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { BULK_FORMATS, type BulkFile, type BulkFormat, type BulkType } from '../../domain/bulk.ts';
import {
  csvHeader,
  type EncodedGroup,
  GroupBuilder,
  ParquetFile,
  TextBuilder,
  TextFile,
  type Texts,
} from './outputs.ts';
import type { BulkRow } from './rows.ts';

/** Writes the rows of one subject into a file of each format. */

/** The subject of a file. */
export type Subject = Pick<BulkFile, 'type' | 'game' | 'month'>;
export type WrittenFile = Omit<BulkFile, 'publication' | 'updatedAt'>;

/** Writes the rows of a type into all tables that share them, so they are encoded only once. */
export class Encoder {
  readonly #builder: TextBuilder;
  readonly #group: GroupBuilder;
  /** The last encoded rows are packed while the next ones are read. */
  #texts: Promise<void> | undefined;

  constructor(type: BulkType) {
    this.#builder = new TextBuilder(type);
    this.#group = new GroupBuilder(type);
  }

  /** Adds rows to tables. The tables stay the same until {@link end}. */
  async write(tables: readonly Table[], rows: readonly BulkRow[]): Promise<void> {
    if (rows.length === 0) return;
    for (const table of tables) await table.add(rows);
    await this.#texts;
    this.#texts = this.#builder.encode(rows).then((texts) => {
      for (const table of tables) table.writeTexts(texts);
    });
    // The next call reports failures.
    this.#texts.catch(() => undefined);
    let left = rows;
    while (left.length > 0) {
      left = this.#group.add(left);
      if (this.#group.isFull) this.#writeGroup(tables);
    }
  }

  /** Writes the remaining rows of the tables. */
  async end(tables: readonly Table[]): Promise<void> {
    await this.#texts;
    if (this.#group.size > 0) this.#writeGroup(tables);
  }

  #writeGroup(tables: readonly Table[]): void {
    const group = this.#group.take();
    for (const table of tables) table.writeGroup(group);
  }
}

/** The files of one subject, one for each format. There are none before the first row. */
export class Table {
  readonly subject: Subject;
  readonly #folder: string;
  readonly #sources = new Set<string>();
  #files: Files | undefined;
  #rows = 0;

  constructor(folder: string, subject: Subject) {
    this.#folder = folder;
    this.subject = subject;
  }

  /** Counts rows to be written, and opens the files for the first ones. */
  async add(rows: readonly BulkRow[]): Promise<void> {
    this.#rows += rows.length;
    for (const source of sourcesOf(rows)) this.#sources.add(source);
    if (this.#files) return;
    const { type } = this.subject;
    const path = (format: BulkFormat) => join(this.#folder, pathOf(this.subject, format));
    await mkdir(dirname(path('csv')), { recursive: true });
    this.#files = {
      ndjson: new TextFile(path('ndjson')),
      csv: new TextFile(path('csv')),
      parquet: new ParquetFile(type, path('parquet')),
    };
    this.#files.csv.write(await csvHeader(type));
  }

  writeTexts({ ndjson, csv }: Texts): void {
    this.#files?.ndjson.write(ndjson);
    this.#files?.csv.write(csv);
  }

  writeGroup(group: EncodedGroup): void {
    this.#files?.parquet.write(group);
  }

  close(): WrittenFile[] {
    const sources = [...this.#sources].sort();
    const files: WrittenFile[] = [];
    if (!this.#files) return files;
    for (const format of FORMATS) {
      const bytes = this.#files[format].close();
      const url = pathOf(this.subject, format);
      files.push({ ...this.subject, format, rows: this.#rows, ...bytes, url, sources });
    }
    return files;
  }
}

interface Files {
  readonly ndjson: TextFile;
  readonly csv: TextFile;
  readonly parquet: ParquetFile;
}

export const FORMATS = Object.keys(BULK_FORMATS) as BulkFormat[];

/**
 * Programs that support Hive's layout, such as DuckDB, read the game and the month from the path.
 */
function pathOf({ type, game, month }: Subject, format: BulkFormat): string {
  const folders = [type, game && `game=${game}`, month && `month=${month}`];
  return [...folders.filter(Boolean), `${type}.${BULK_FORMATS[format]}`].join('/');
}

function* sourcesOf(rows: readonly BulkRow[]): Generator<string> {
  for (const { source, sources } of rows) {
    if (typeof source === 'string') yield source;
    if (Array.isArray(sources)) yield* sources as string[];
  }
}
