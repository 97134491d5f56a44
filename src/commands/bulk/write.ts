import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { BULK_FORMATS, type BulkFile, type BulkFormat, type BulkList } from '../../domain/bulk.ts';
import { addDays, type Day, formatDay, formatMoment, parseMonth } from '../../domain/day.ts';
import { GAME_SLUGS, type GameSlug } from '../../domain/games.ts';
import { readBulkList } from '../../http/bulk-folder.ts';
import { historySince } from '../../store/catalogue/history-since.ts';
import { readPublication } from '../../store/catalogue/publications.ts';
import { readSetsSince } from '../../store/catalogue/published.ts';
import type { Store } from '../../store/connect.ts';
import { newestHistoryDays } from '../../store/history/index.ts';
import { PARTIAL, removePartial, removeReplaced } from './folder.ts';
import { writeList } from './list.ts';
import { type Batch, batchOf, type Output, openOutput } from './outputs.ts';
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

/**
 * Writes the bulk files of the newest publication into a folder of its own, and then the list of
 * them. Readers of the folder see the old list or the new one. Returns the new one.
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
      const { revision, publishedAt } = await readPublication(db);
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
      return { data };
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
      for await (const { cards, prices } of cardRows(this.#published, game)) {
        await writeTo([ownCards, allCards], cards);
        await writeTo([ownPrices, allPrices], prices);
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
    for await (const rows of historyRows(this.#published, game, window)) {
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

async function writeTo(tables: readonly [Table, ...Table[]], rows: readonly BulkRow[]) {
  if (rows.length === 0) return;
  const batch = batchOf(tables[0].subject.type, rows);
  for (const table of tables) await table.write(batch);
}

/** The files of one subject, one in each format. There are none until there is a row. */
class Table {
  readonly subject: Subject;
  readonly #folder: string;
  readonly #sources = new Set<string>();
  #outputs: readonly (readonly [BulkFormat, Output])[] = [];
  #rows = 0;

  constructor(folder: string, subject: Subject) {
    this.#folder = folder;
    this.subject = subject;
  }

  async write(batch: Batch): Promise<void> {
    if (this.#outputs.length === 0) await this.#open();
    this.#rows += batch.rows.length;
    for (const source of sourcesOf(batch.rows)) this.#sources.add(source);
    for (const [, output] of this.#outputs) await output.write(batch);
  }

  async close(): Promise<WrittenFile[]> {
    const sources = [...this.#sources].sort();
    const files: WrittenFile[] = [];
    for (const [format, output] of this.#outputs) {
      const bytes = await output.close();
      const url = pathOf(this.subject, format);
      files.push({ ...this.subject, format, rows: this.#rows, ...bytes, url, sources });
    }
    return files;
  }

  async #open(): Promise<void> {
    const paths = formats().map((format) => {
      return [format, join(this.#folder, pathOf(this.subject, format))] as const;
    });
    await mkdir(dirname(paths[0]?.[1] ?? this.#folder), { recursive: true });
    this.#outputs = paths.map(([format, path]) => {
      return [format, openOutput(this.subject.type, format, path)];
    });
  }
}

function formats(): BulkFormat[] {
  return Object.keys(BULK_FORMATS) as BulkFormat[];
}

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
