import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { ColumnSource } from 'hyparquet-writer';
import { BULK_FORMATS, type BulkFile, type BulkFormat, type BulkList } from '../../domain/bulk.ts';
import { addDays, type Day, formatDay, formatMoment, parseMonth } from '../../domain/day.ts';
import { OperatorError } from '../../domain/errors.ts';
import { GAME_SLUGS, type GameSlug } from '../../domain/games.ts';
import { cursorOf } from '../../domain/publication-cursor.ts';
import { readBulkList } from '../../http/bulk-folder.ts';
import { historySince } from '../../store/catalogue/history-since.ts';
import { hasUnpublished, readPublication } from '../../store/catalogue/publications.ts';
import { readSetsSince } from '../../store/catalogue/published.ts';
import type { Store } from '../../store/connect.ts';
import { newestHistoryDays } from '../../store/history/index.ts';
import { PARTIAL, removePartial, removeReplaced } from './folder.ts';
import { writeList } from './list.ts';
import { groupOf, ParquetFile, ROW_GROUP, TextFile, type Texts, textsOf } from './outputs.ts';
import {
  type BulkRow,
  cardRows,
  historyRows,
  type Published,
  redistributable,
  setRow,
} from './rows.ts';

export interface BulkOptions {
  /** The sources whose prices may be in the files. */
  readonly sources: readonly string[];
  /** The key that signs the list; empty for no signature. */
  readonly key: string;
  /** For how many days the files of a replaced publication stay. */
  readonly keepDays: number;
}

/** What a file is of. */
type Subject = Pick<BulkFile, 'type' | 'game' | 'month'>;
type WrittenFile = Omit<BulkFile, 'publication' | 'updatedAt'>;

/** In this order, cards of all games are in the order of their ids, which begin with the game. */
const GAMES_BY_SLUG = [...GAME_SLUGS].sort();

/** An import has written what it has not published. */
class UnpublishedImport extends OperatorError {
  constructor() {
    super(
      'An import has written prices that are not published. Export when it has ended; if it was ' +
        'killed, run it again first.',
    );
  }
}

/**
 * Writes the bulk files of the newest publication into a new folder, and then the list of them.
 * Readers of the folder see the old list or the new one. Returns the new one.
 *
 * @throws OperatorError while there are rows of an unpublished import.
 */
export async function writeBulk(
  store: Store,
  folder: string,
  { sources, key, keepDays }: BulkOptions,
): Promise<BulkList> {
  await mkdir(folder, { recursive: true });
  await removePartial(folder);
  const partial = await mkdtemp(join(folder, PARTIAL));
  try {
    const list = await store.engine.snapshot(store.db, async (db) => {
      // The history has no earlier versions of its days, as sets, cards and printings have.
      if (await hasUnpublished(db)) throw new UnpublishedImport();
      const { revision, id, publishedAt } = await readPublication(db);
      const allowed = await redistributable({ ...store, db }, sources);
      const sets = await readSetsSince(db, { since: 0, published: revision });
      const published: Published = {
        store: { ...store, db },
        revision,
        sources: allowed,
        sets: new Map(sets.map((set) => [set.rowId, set])),
      };
      const written = await new BulkWriter(published, partial).write();
      const updatedAt = publishedAt === null ? null : formatMoment(publishedAt);
      const named = `${revision}-${digestOf(written)}`;
      const data = written.map((file): BulkFile => {
        return { ...file, publication: revision, updatedAt, url: `${named}/${file.url}` };
      });
      // The same publication gives the same files, which a reader may have open.
      if (!existsSync(join(folder, named))) await rename(partial, join(folder, named));
      return { cursor: cursorOf({ revision, id }), data };
    });
    const before = await readBulkList(folder);
    await writeList(folder, list, key);
    await removeReplaced(folder, { before, now: list }, keepDays);
    return list;
  } finally {
    await rm(partial, { recursive: true, force: true });
  }
}

/** Makes the name of a folder say what is in it, so that a name never stands for other files. */
function digestOf(files: readonly WrittenFile[]): string {
  const hash = createHash('sha256');
  for (const { url, sha256 } of files) hash.update(`${sha256} ${url}\n`);
  return hash.digest('hex').slice(0, 16);
}

class BulkWriter {
  readonly #published: Published;
  readonly #folder: string;
  readonly #files: WrittenFile[] = [];

  constructor(published: Published, folder: string) {
    this.#published = published;
    this.#folder = folder;
  }

  async write(): Promise<readonly WrittenFile[]> {
    await this.#writeSets();
    await this.#writeCards();
    await this.#writeHistory();
    return this.#files;
  }

  async #writeSets(): Promise<void> {
    const sets = [...this.#published.sets.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
    const all = this.#table({ type: 'sets', game: null });
    for (const game of GAMES_BY_SLUG) {
      const own = this.#table({ type: 'sets', game });
      const rows = sets.filter((set) => set.game === game).map(setRow);
      await writeTo([own, all], rows);
      await this.#close(own);
    }
    await this.#close(all);
  }

  async #writeCards(): Promise<void> {
    const allCards = this.#table({ type: 'cards', game: null });
    const allPrices = this.#table({ type: 'prices', game: null });
    for (const game of GAMES_BY_SLUG) {
      const ownCards = this.#table({ type: 'cards', game });
      const ownPrices = this.#table({ type: 'prices', game });
      for await (const rows of inGroups(cardRows(this.#published, game))) {
        await writeTo([ownCards, allCards], rows);
        await writeTo([ownPrices, allPrices], rows.filter(isPriced));
      }
      await this.#close(ownCards, ownPrices);
    }
    await this.#close(allCards, allPrices);
  }

  /** Reads every game once a month, so that only one month is open at a time. */
  async #writeHistory(): Promise<void> {
    const { store } = this.#published;
    const first = await historySince(store.db);
    const newest = await newestHistoryDays(store);
    for (const game of GAMES_BY_SLUG) {
      const last = newest.get(game);
      if (first === null || last === undefined) continue;
      for (const month of monthsBetween(first, last)) await this.#writeMonth(game, month);
    }
  }

  async #writeMonth(game: GameSlug, month: string): Promise<void> {
    const days = parseMonth(month);
    if (!days) return;
    const table = this.#table({ type: 'history', game, month });
    const window = { from: days.first, to: days.last };
    for await (const rows of inGroups(historyRows(this.#published, game, window))) {
      await writeTo([table], rows);
    }
    await this.#close(table);
  }

  #table(subject: Subject): Table {
    return new Table(this.#folder, subject);
  }

  async #close(...tables: readonly Table[]): Promise<void> {
    for (const table of tables) this.#files.push(...(await table.close()));
  }
}

/** How many rows are turned into text at a time. */
const TEXT_ROWS = 1000;

/** Writes a group of rows into tables of one type, so that it is encoded only once. */
async function writeTo(tables: readonly [Table, ...Table[]], rows: readonly BulkRow[]) {
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
async function* inGroups(pages: AsyncIterable<readonly BulkRow[]>): AsyncGenerator<BulkRow[]> {
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

function isPriced({ sources }: BulkRow): boolean {
  return Array.isArray(sources) && sources.length > 0;
}

/** The files of one subject, one in each format. There are none until there is a row. */
class Table {
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

const FORMATS = Object.keys(BULK_FORMATS) as BulkFormat[];

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

/** Yields the months of some days as `YYYY-MM`. */
function* monthsBetween(first: Day, last: Day): Generator<string> {
  for (let day = first; day <= last; ) {
    const month = formatDay(day).slice(0, 7);
    yield month;
    day = addDays(parseMonth(month)?.last ?? last, 1);
  }
}
