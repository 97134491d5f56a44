import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type Kysely, sql } from 'kysely';
import { OperatorError } from '../../domain/errors.ts';
import { displayLocation, isPostgres } from '../../domain/location.ts';
import { ACCOUNT_SCHEMA } from '../accounts/migrations.ts';
import { ACCOUNT_TABLES } from '../accounts/schema.ts';
import { CATALOGUE_SCHEMA } from '../catalogue/migrations.ts';
import type { Database } from '../catalogue/schema.ts';
import {
  type OpenDatabase,
  openServerToRead,
  openStore,
  type Store,
  withClock,
} from '../connect.ts';
import { continueNumbers } from '../engine/postgres.ts';
import { copySqlite } from '../engine/sqlite-file.ts';
import { type CatalogueChanges, keepStateBefore, readChanges } from './copy-changes.ts';
import { createPrivateFolder } from './private-folder.ts';

/**
 * Private copies of a database, to try out an import. Closing a copy discards everything written to
 * it. Readers and writers of the database do not wait for the copy.
 */

export interface StoreCopy extends Store {
  /** Returns the differences between the copy and its original state. */
  changes(): Promise<CatalogueChanges>;
}

/**
 * Copies the database at `location` as it is at this moment. SQLite: into a private folder below
 * the system's folder for temporary files. PostgreSQL: into temporary tables, which only this
 * connection sees, without the accounts.
 *
 * @throws OperatorError if the database cannot be opened, or is on a server and does not have the
 *   current schema.
 */
export function openCopy(location: string): Promise<StoreCopy> {
  return isPostgres(location) ? copyServer(location) : copyFile(resolve(location));
}

async function copyFile(file: string): Promise<StoreCopy> {
  const { path, remove } = createPrivateFolder();
  try {
    const copy = join(path, 'copy.db');
    if (existsSync(file)) await copySqlite(file, copy).catch(refuseOtherFiles(file));
    const store = await openStore(copy);
    await prepare(store.db);
    const close = () => store.close().finally(remove);
    return { ...store, close, changes: () => readChanges(store.db) };
  } catch (error) {
    remove();
    throw error;
  }
}

/** SQLite's codes for a file of another kind, or a folder. */
const OTHER_FILES = ['SQLITE_NOTADB', 'SQLITE_CANTOPEN'];

function refuseOtherFiles(file: string): (error: unknown) => never {
  return (error) => {
    const { code, message } = error as { code?: string; message?: string };
    if (!OTHER_FILES.includes(code ?? '')) throw error;
    throw new OperatorError(`${file} cannot be opened as a SQLite database: ${message}.`, {
      cause: error,
    });
  };
}

async function copyServer(url: string): Promise<StoreCopy> {
  try {
    return await copyTables(await openServerToRead(url, { isReadOnly: true }));
  } catch (error) {
    if (error instanceof OperatorError) throw error;
    const reason = error instanceof Error ? error.message || error.name : String(error);
    throw new OperatorError(
      `The database ${displayLocation(url)} cannot be copied for a dry run: ${reason}.`,
      { cause: error },
    );
  }
}

/** Copies the tables; closes the server if that fails. */
async function copyTables(server: OpenDatabase): Promise<StoreCopy> {
  const { db } = server;
  try {
    await db.connection().execute(async (connection) => {
      await sql`begin isolation level repeatable read read write`.execute(connection);
      for (const table of await tablesToCopy(connection)) await copyTable(connection, table);
      await prepare(connection);
      await sql`commit`.execute(connection);
    });
    return { ...(await withClock(server)), changes: () => readChanges(db) };
  } catch (error) {
    await server.close();
    throw error;
  }
}

/** Tables that imports do not read or write. Some contain private data. */
const LEFT_OUT: readonly string[] = [
  ...ACCOUNT_TABLES,
  ...[CATALOGUE_SCHEMA, ACCOUNT_SCHEMA].flatMap(({ records }) => Object.values(records)),
];

async function tablesToCopy(db: Kysely<Database>): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select tablename as name from pg_tables
    where schemaname = current_schema() order by tablename`.execute(db);
  return rows.map(({ name }) => name).filter((name) => !LEFT_OUT.includes(name));
}

/** Creates a temporary table with the same name, which then hides the original. */
async function copyTable(db: Kysely<Database>, name: string): Promise<void> {
  const { rows } = await sql<{ schema: string }>`select current_schema() as schema`.execute(db);
  const original = sql.id(rows[0]?.schema ?? 'public', name);
  const copy = sql.id('pg_temp', name);
  await sql`create temporary table ${sql.id(name)} (like ${original} including all)`.execute(db);
  await sql`insert into ${copy} select * from ${original}`.execute(db);
  await sql`analyze ${copy}`.execute(db);
  await continueNumbers(db, `pg_temp.${name}`);
}

/** Saves the state to compare with, and frees locks, because no other process uses the copy. */
async function prepare(db: Kysely<Database>): Promise<void> {
  await keepStateBefore(db);
  await db
    .updateTable('import_lock')
    .set({ holder: null, expires_at: 0, taken_at: null })
    .execute();
}
