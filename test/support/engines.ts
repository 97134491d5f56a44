import { rmSync } from 'node:fs';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe } from 'node:test';
import { openStore, type Store } from '../../src/store/connect.ts';
import { cleanUp, cleanUpFirst } from './cleanup.ts';
import { createDatabaseFrom, drop, giveBack, takeDatabase } from './postgres-databases.ts';

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
  /** Opens the same database again, like another process. It is closed together with the first. */
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
export async function createDatabase(label: EngineLabel): Promise<TestDatabase> {
  cleanUpFirst();
  if (label === 'SQLite') return createSqliteDatabase();
  const location = await createDatabaseFrom('template1');
  return { location, remove: () => drop(location) };
}

/** Like `createDatabase`, with the schema. */
export async function createMigratedDatabase(label: EngineLabel): Promise<TestDatabase> {
  cleanUpFirst();
  return migratedDatabase(label);
}

async function openFor(label: EngineLabel): Promise<TestStore> {
  const { location, remove } = await migratedDatabase(label);
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

async function migratedDatabase(label: EngineLabel): Promise<TestDatabase> {
  if (label === 'SQLite') {
    migratedFolder ??= migrateSqliteDatabase();
    return createSqliteDatabase(await migratedFolder);
  }
  const location = await takeDatabase();
  return { location, remove: () => giveBack(location) };
}

/** A folder with a database that has the schema. Copying it is faster than migrating. */
let migratedFolder: Promise<string> | undefined;

async function migrateSqliteDatabase(): Promise<string> {
  const { location } = await createSqliteDatabase();
  const folder = dirname(location);
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  await (await openStore(location)).close();
  return folder;
}

/** Creates a folder for a database, with a copy of another folder's content. */
async function createSqliteDatabase(from?: string): Promise<TestDatabase> {
  const folder = await mkdtemp(join(tmpdir(), 'cardprice-test-'));
  if (from) await cp(from, folder, { recursive: true });
  return {
    location: join(folder, 'test.db'),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}
