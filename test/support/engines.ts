import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe } from 'node:test';
import pg from 'pg';
import { openStore, type Store } from '../../src/store/connect.ts';
import { cleanUp, cleanUpFirst } from './cleanup.ts';
import { postgresUrl, TEMPLATE } from './global-setup.ts';

export type EngineLabel = 'SQLite' | 'PostgreSQL';

/**
 * The engines that {@link forEachEngine} tests: both, or the one that `TEST_ENGINES` names.
 * `npm run test:quick` names SQLite.
 */
export const ENGINES: readonly EngineLabel[] = (['SQLite', 'PostgreSQL'] as const).filter(
  (label) => (process.env.TEST_ENGINES ?? label) === label,
);

/** A store with a separate database. */
export interface TestStore extends Store {
  readonly location: string;
  /** Opens the same database again, like another process. Closes together with the first. */
  reopen(): Promise<Store>;
}

/** A database for one test. */
export interface TestDatabase {
  readonly location: string;
  remove(): Promise<void>;
}

/**
 * Declares the same tests for both engines, in one suite per engine. `open` returns a store with a
 * new database. When the calling test ends, the store is closed and the database removed.
 */
export function forEachEngine(
  declare: (label: EngineLabel, open: () => Promise<TestStore>) => void,
): void {
  for (const label of ENGINES) {
    describe(label, () => declare(label, () => openFor(label)));
  }
}

/**
 * Creates an empty database without a schema. The caller removes it after the work of `cleanUp` is
 * done.
 */
export function createDatabase(label: EngineLabel): Promise<TestDatabase> {
  cleanUpFirst();
  return label === 'SQLite' ? createSqliteDatabase() : createPostgresDatabase();
}

/** Like `createDatabase`, with the schema. */
export async function createMigratedDatabase(label: EngineLabel): Promise<TestDatabase> {
  cleanUpFirst();
  if (label === 'PostgreSQL') return createPostgresDatabase(TEMPLATE);
  const database = await createSqliteDatabase();
  await (await openStore(database.location)).close();
  return database;
}

async function openFor(label: EngineLabel): Promise<TestStore> {
  const { location, remove } =
    label === 'SQLite' ? await createSqliteDatabase() : await createPostgresDatabase(TEMPLATE);
  const stores: Store[] = [];
  cleanUp(async () => {
    for (const store of stores) await store.close();
    await remove();
  });
  const reopen = async () => {
    const store = await openStore(location);
    stores.push(store);
    return store;
  };
  return { ...(await reopen()), location, reopen };
}

async function createSqliteDatabase(): Promise<TestDatabase> {
  const folder = await mkdtemp(join(tmpdir(), 'cardprice-test-'));
  return {
    location: join(folder, 'test.db'),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

async function createPostgresDatabase(template = 'template1'): Promise<TestDatabase> {
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  await onServer(`create database ${name} template ${template}`);
  const location = new URL(await serverUrl());
  location.pathname = `/${name}`;
  return {
    location: location.href,
    // The server waits a while for connections to close, and fails if a test left one open.
    remove: () => onServer(`drop database ${name}`),
  };
}

let url: Promise<string> | undefined;

function serverUrl(): Promise<string> {
  url ??= postgresUrl();
  return url;
}

async function onServer(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: await serverUrl() });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
