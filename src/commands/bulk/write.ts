import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { BULK_TYPES, type BulkFile, type BulkList } from '../../domain/bulk.ts';
import { addDays, type Day, formatDay, formatMoment, parseMonth } from '../../domain/day.ts';
import { OperatorError } from '../../domain/errors.ts';
import { GAME_SLUGS, type GameSlug } from '../../domain/games.ts';
import { cursorOf } from '../../domain/publication-cursor.ts';
import { compareText } from '../../domain/text.ts';
import { readBulkList } from '../../http/bulk-folder.ts';
import { cardOrder } from '../../store/catalogue/bulk.ts';
import { historySince } from '../../store/catalogue/history-since.ts';
import { hasUnpublished, readPublication } from '../../store/catalogue/publications.ts';
import { readSetsSince } from '../../store/catalogue/published.ts';
import type { Store } from '../../store/connect.ts';
import { newestHistoryDays } from '../../store/history/index.ts';
import type { Watch } from '../progress.ts';
import { moveInto, PARTIAL, removePartial, removeReplaced } from './folder.ts';
import { writeList } from './list.ts';
import { filesOfMonth, MonthDigest } from './months.ts';
import {
  type BulkRow,
  cardRows,
  historyPages,
  historyRows,
  type Published,
  redistributable,
  type SeriesDays,
  setRow,
} from './rows.ts';
import { Encoder, type Subject, Table, type WrittenFile } from './tables.ts';

export interface BulkOptions {
  /** The sources whose prices the files may contain. */
  readonly sources: readonly string[];
  /** The key that signs the list; empty for an unsigned list. */
  readonly key: string;
  /** How many days to keep the files of a replaced publication. */
  readonly keepDays: number;
  /** Called after the cards of a game, and after each month of its history. */
  readonly onProgress?: Watch['onProgress'];
}

/** This order keeps cards of all games in the order of their ids, which begin with the game. */
const GAMES_BY_SLUG = [...GAME_SLUGS].sort();

/** An import has written rows that it has not published. */
class UnpublishedImport extends OperatorError {
  constructor() {
    super(
      'An import has written prices that are not published. Export when it has ended; if it was ' +
        'killed, run it again first.',
    );
  }
}

/**
 * Writes the bulk files of the newest publication into a new folder, and then their list. Readers
 * of the folder see either the old list or the new one. Returns the new one.
 *
 * @throws OperatorError while there are rows of an unpublished import.
 */
export async function writeBulk(
  store: Store,
  folder: string,
  { sources, key, keepDays, onProgress }: BulkOptions,
): Promise<BulkList> {
  await mkdir(folder, { recursive: true });
  await removePartial(folder);
  const before = await readBulkList(folder);
  const partial = await mkdtemp(join(folder, PARTIAL));
  try {
    const list = await store.engine.snapshot(store.db, async (db) => {
      // Unlike sets, cards and printings, days of the history keep no earlier versions.
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
      const keeps = (game: GameSlug, month: string) => filesOfMonth(folder, before, game, month);
      const { written, kept } = await new BulkWriter(published, partial, keeps).write(onProgress);
      const named = await moveInto(folder, partial, { written, revision });
      const updatedAt = publishedAt === null ? null : formatMoment(publishedAt);
      const data = named.map((file) => ({ ...file, publication: revision, updatedAt }));
      return { cursor: cursorOf({ revision, id }), data: [...data, ...kept].sort(bySubject) };
    });
    await writeList(folder, list, key);
    await removeReplaced(folder, { before, now: list }, keepDays);
    return list;
  } finally {
    await rm(partial, { recursive: true, force: true });
  }
}

/** Returns the files of an earlier publication for a month, if there are any. */
type FilesOfMonth = (game: GameSlug, month: string) => readonly BulkFile[] | undefined;

class BulkWriter {
  readonly #published: Published;
  readonly #folder: string;
  readonly #filesOfMonth: FilesOfMonth;
  readonly #written: WrittenFile[] = [];
  readonly #kept: BulkFile[] = [];
  readonly #orders = new Map<GameSlug, Promise<Int32Array>>();
  /** Called with the name of each written part. */
  #onPart: (name: string) => void = () => {};

  constructor(published: Published, folder: string, filesOfMonth: FilesOfMonth) {
    this.#published = published;
    this.#folder = folder;
    this.#filesOfMonth = filesOfMonth;
  }

  /** Returns the written files, and the listed ones whose rows are unchanged. */
  async write(onProgress: Watch['onProgress']) {
    const months = await this.#months();
    const total = GAMES_BY_SLUG.length + [...months.values()].flat().length;
    let done = 0;
    this.#onPart = (name) => {
      done += 1;
      onProgress?.(done, total, name);
    };
    await this.#writeSets();
    await this.#writeCards();
    await this.#writeHistory(months);
    return { written: this.#written, kept: this.#kept };
  }

  async #writeSets(): Promise<void> {
    const sets = [...this.#published.sets.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
    const encoder = new Encoder('sets');
    const all = this.#table({ type: 'sets', game: null });
    for (const game of GAMES_BY_SLUG) {
      const tables = [this.#table({ type: 'sets', game }), all] as const;
      const rows = sets.filter((set) => set.game === game).map(setRow);
      await encoder.write(tables, rows);
      await encoder.end(tables);
      this.#close(tables[0]);
    }
    this.#close(all);
  }

  async #writeCards(): Promise<void> {
    const encoders = { cards: new Encoder('cards'), prices: new Encoder('prices') };
    const allCards = this.#table({ type: 'cards', game: null });
    const allPrices = this.#table({ type: 'prices', game: null });
    for (const game of GAMES_BY_SLUG) {
      const cards = [this.#table({ type: 'cards', game }), allCards] as const;
      const prices = [this.#table({ type: 'prices', game }), allPrices] as const;
      for await (const rows of cardRows(this.#published, await this.#orderOf(game))) {
        await encoders.cards.write(cards, rows);
        await encoders.prices.write(prices, rows.filter(isPriced));
      }
      await encoders.cards.end(cards);
      await encoders.prices.end(prices);
      this.#close(cards[0], prices[0]);
      this.#onPart(game);
    }
    this.#close(allCards, allPrices);
  }

  /** Returns the months of the history of each game. */
  async #months(): Promise<ReadonlyMap<GameSlug, readonly string[]>> {
    const { store } = this.#published;
    const first = await historySince(store.db);
    const newest = await newestHistoryDays(store);
    const months = GAMES_BY_SLUG.map((game) => {
      const last = newest.get(game);
      const some = first === null || last === undefined ? [] : [...monthsBetween(first, last)];
      return [game, some] as const;
    });
    return new Map(months);
  }

  /** Reads every game once for each month, so only one month is open at a time. */
  async #writeHistory(months: ReadonlyMap<GameSlug, readonly string[]>): Promise<void> {
    for (const [game, ofGame] of months) {
      for (const month of ofGame) {
        await this.#writeMonth(game, month);
        this.#onPart(`${game} ${month}`);
      }
    }
  }

  async #writeMonth(game: GameSlug, month: string): Promise<void> {
    const days = parseMonth(month);
    if (!days) return;
    const order = await this.#orderOf(game);
    const window = { from: days.first, to: days.last };
    const pages = () => historyPages(this.#published, order, window);
    const known = this.#filesOfMonth(game, month);
    if (known && (await digestOfPages(pages())) === known[0]?.rowsSha256) {
      this.#kept.push(...known);
      return;
    }
    const table = this.#table({ type: 'history', game, month });
    const digest = new MonthDigest();
    const encoder = new Encoder('history');
    for await (const rows of digested(pages(), digest)) await encoder.write([table], rows);
    await encoder.end([table]);
    const files = table.close();
    const rowsSha256 = digest.end();
    this.#written.push(...files.map((file) => ({ ...file, rowsSha256 })));
  }

  /**
   * Returns the row ids of a game's cards in the order of files. The cards and each month need
   * them.
   */
  #orderOf(game: GameSlug): Promise<Int32Array> {
    const order = this.#orders.get(game) ?? cardOrder(this.#published.store.db, game);
    this.#orders.set(game, order);
    return order;
  }

  #table(subject: Subject): Table {
    return new Table(this.#folder, subject);
  }

  #close(...tables: readonly Table[]): void {
    for (const table of tables) this.#written.push(...table.close());
  }
}

async function digestOfPages(pages: AsyncIterable<readonly SeriesDays[]>): Promise<string> {
  const digest = new MonthDigest();
  for await (const page of pages) digest.add(page);
  return digest.end();
}

/** Yields the rows of pages, and adds them to a digest. */
async function* digested(pages: AsyncIterable<readonly SeriesDays[]>, digest: MonthDigest) {
  for await (const page of pages) {
    digest.add(page);
    yield page.flatMap(historyRows);
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

function isPriced({ sources }: BulkRow): boolean {
  return Array.isArray(sources) && sources.length > 0;
}

/**
 * Sorts types in the order of the documentation, then games and months in theirs; all games come
 * last.
 */
function bySubject(a: BulkFile, b: BulkFile): number {
  const types = BULK_TYPES.indexOf(a.type) - BULK_TYPES.indexOf(b.type);
  return types || compareText(placeOf(a), placeOf(b));
}

function placeOf({ game, month, format }: BulkFile): string {
  return [game ?? '~', month, format].join();
}
