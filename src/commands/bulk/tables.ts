import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { ColumnSource } from 'hyparquet-writer';
import { BULK_FORMATS, type BulkFile, type BulkFormat } from '../../domain/bulk.ts';
import { groupOf, ParquetFile, ROW_GROUP, TextFile, type Texts, textsOf } from './outputs.ts';
import type { BulkRow } from './rows.ts';

/** Writes the rows of one subject into a file of each format. */

/** What a file is of. */
export type Subject = Pick<BulkFile, 'type' | 'game' | 'month'>;
export type WrittenFile = Omit<BulkFile, 'publication' | 'updatedAt'>;

/** How many rows are turned into text at a time. */
const TEXT_ROWS = 1000;

/** Writes a group of rows into tables of one type, so that it is encoded only once. */
export async function writeTo(tables: readonly [Table, ...Table[]], rows: readonly BulkRow[]) {
  if (rows.length === 0) return;
  const { type } = tables[0].subject;
  for (const table of tables) await table.add(rows);
  for (let start = 0; start < rows.length; start += TEXT_ROWS) {
    const texts = textsOf(type, rows.slice(start, start + TEXT_ROWS));
    for (const table of tables) await table.writeTexts(texts);
  }
  const group = groupOf(type, rows);
  for (const table of tables) await table.writeGroup(group);
}

/** Collects rows into the groups of Parquet. */
export async function* inGroups(
  pages: AsyncIterable<readonly BulkRow[]>,
): AsyncGenerator<BulkRow[]> {
  let group: BulkRow[] = [];
  for await (const page of pages) {
    for (const row of page) {
      group.push(row);
      if (group.length < ROW_GROUP) continue;
      yield group;
      group = [];
    }
  }
  yield group;
}

/** The files of one subject, one in each format. There are none until there is a row. */
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

  /** Counts rows that will be written, and opens the files for the first ones. */
  async add(rows: readonly BulkRow[]): Promise<void> {
    this.#rows += rows.length;
    for (const source of sourcesOf(rows)) this.#sources.add(source);
    if (this.#files) return;
    const { type } = this.subject;
    const path = (format: BulkFormat) => join(this.#folder, pathOf(this.subject, format));
    await mkdir(dirname(path('csv')), { recursive: true });
    this.#files = {
      ndjson: new TextFile(type, 'ndjson', path('ndjson')),
      csv: new TextFile(type, 'csv', path('csv')),
      parquet: new ParquetFile(type, path('parquet')),
    };
  }

  async writeTexts(texts: Texts): Promise<void> {
    await this.#files?.ndjson.write(texts);
    await this.#files?.csv.write(texts);
  }

  async writeGroup(group: ColumnSource[]): Promise<void> {
    await this.#files?.parquet.write(group);
  }

  async close(): Promise<WrittenFile[]> {
    const sources = [...this.#sources].sort();
    const files: WrittenFile[] = [];
    if (!this.#files) return files;
    for (const format of FORMATS) {
      const bytes = await this.#files[format].close();
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

/** Programs that know Hive's layout, such as DuckDB, read the game and the month from the path. */
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
