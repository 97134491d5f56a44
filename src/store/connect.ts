import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { Kysely } from 'kysely';
import type { Millis } from '../domain/day.ts';
import { OperatorError } from '../domain/errors.ts';
import { displayLocation, isPostgres } from '../domain/location.ts';
import { ACCOUNT_SCHEMA } from './accounts/migrations.ts';
import type { AccountDatabase } from './accounts/schema.ts';
import { usageFile } from './accounts/usage-tables.ts';
import { CATALOGUE_SCHEMA } from './catalogue/migrations.ts';
import type { Database } from './catalogue/schema.ts';
import type { Opened } from './engine/engine.ts';
import { migrate, newerMigrations, pendingMigrations } from './engine/migrator.ts';
import { openPostgres, openPostgresReadOnly } from './engine/postgres.ts';
import { openSqlite } from './engine/sqlite.ts';
import { isDamage } from './engine/sqlite-file.ts';

/**
 * The catalogue, or a transaction in it. Only the files that contain SQL use its contents; other
 * files pass it on. A test reports SQL in any other file.
 */
export type Transaction = Kysely<Database>;

/** Like {@link Transaction}, for accounts. */
export type AccountTransaction = Kysely<AccountDatabase>;

/** An open database with the current schema. */
export interface Store extends Opened<Database> {
  /** Accounts and everything that requests write. On SQLite, imports never lock these files. */
  readonly accounts: Opened<AccountDatabase>;
  /** The time to use for everything written to the database or compared with its contents. */
  readonly clock: () => Millis;
  close(): Promise<void>;
}

/** An open database without its clock. */
export type OpenDatabase = Omit<Store, 'clock'>;

/**
 * Opens the database at `location`, a file path or a `postgres://` URL, and migrates it to the
 * current schema. Without `isMigrating` it requires that schema instead. Creates missing files, but
 * not their folder.
 *
 * @throws OperatorError if the database cannot be opened, lacks migrations that may not run now, is
 *   too old, or was written by a newer version that removed something this version needs.
 */
export async function openStore(
  location: string,
  { isMigrating = true }: { readonly isMigrating?: boolean } = {},
): Promise<Store> {
  const database = openDatabase(location);
  try {
    if (isMigrating) await bringUpToDate(database, location);
    else await requireUpToDate(database, location);
    return await withClock(database);
  } catch (error) {
    await database.close();
    throw error;
  }
}

/**
 * Runs the pending migrations and returns their names. With `isCheck` it only returns the names.
 *
 * @throws OperatorError as `openStore` does.
 */
export async function migrateStore(
  location: string,
  { isCheck }: { readonly isCheck: boolean },
): Promise<string[]> {
  const database = openDatabase(location);
  try {
    return await (isCheck ? pendingOf : bringUpToDate)(database, location);
  } finally {
    await database.close();
  }
}

/**
 * Checks that this version can open a database, without migrating it.
 *
 * @param name The name of the database in messages.
 * @throws OperatorError if its schema is too old, or a newer version has contracted it.
 */
export async function requireMigratable(location: string, name: string): Promise<void> {
  const database = openDatabase(location);
  try {
    await pendingOf(database, name);
  } finally {
    await database.close();
  }
}

/**
 * Opens a PostgreSQL database for reading, without a clock. With `isReadOnly` the connection can
 * write only to temporary tables.
 *
 * @throws OperatorError if its schema is not current.
 */
export async function openServerToRead(
  url: string,
  { isReadOnly = false }: { readonly isReadOnly?: boolean } = {},
): Promise<OpenDatabase> {
  const server = openServer(url, isReadOnly ? openPostgresReadOnly : openPostgres);
  try {
    await requireUpToDate(server, url);
    return server;
  } catch (error) {
    await server.close();
    throw error;
  }
}

/** Starts the clock of a database. Closing the database stops the clock. */
export async function withClock(database: OpenDatabase): Promise<Store> {
  const clock = await database.engine.startClock();
  return {
    ...database,
    clock: () => clock.now(),
    close() {
      clock.stop();
      return database.close();
    },
  };
}

async function bringUpToDate(database: OpenDatabase, location: string): Promise<string[]> {
  try {
    const pending = await pendingOf(database, location);
    // Most starts find nothing to do, and the migrator would list all tables several times.
    if (pending.length === 0) return pending;
    await migrate(database.accounts, ACCOUNT_SCHEMA, location);
    await migrate(database, CATALOGUE_SCHEMA, location);
    return pending;
  } catch (error) {
    if (error instanceof OperatorError) throw error;
    throw new OperatorError(
      `The database ${displayLocation(location)} cannot be used: ${reason(error)}`,
      { cause: error },
    );
  }
}

async function pendingOf(database: OpenDatabase, location: string): Promise<string[]> {
  const parts = [
    pendingMigrations(database, CATALOGUE_SCHEMA, location),
    pendingMigrations(database.accounts, ACCOUNT_SCHEMA, location),
  ];
  // Kysely closes only connections that have run a statement, so one refusal must not skip another.
  await Promise.allSettled(parts);
  return (await Promise.all(parts)).flat();
}

async function requireUpToDate(database: OpenDatabase, location: string): Promise<void> {
  const pending = await pendingOf(database, location);
  if (pending.length === 0) return;
  throw new OperatorError(
    `The database ${displayLocation(location)} lacks the migrations ${pending.join(', ')}: run ` +
      '`cardprice migrate`, or set CARDPRICE_MIGRATE=on.',
  );
}

/**
 * Returns the migrations that a newer version has run on a database. Only that version knows what
 * they added.
 */
export async function newerMigrationsOf(database: OpenDatabase): Promise<string[]> {
  const [catalogue, accounts] = await Promise.all([
    newerMigrations(database, CATALOGUE_SCHEMA),
    newerMigrations(database.accounts, ACCOUNT_SCHEMA),
  ]);
  return [...catalogue, ...accounts];
}

/** Whether a database is a SQLite file that does not exist yet. */
export function isMissing(location: string): boolean {
  return !isPostgres(location) && !existsSync(resolve(location));
}

function openDatabase(location: string): OpenDatabase {
  return isPostgres(location) ? openServer(location) : openFiles(location);
}

function openServer(location: string, open: typeof openPostgres = openPostgres): OpenDatabase {
  const { engine, db } = open<Database & AccountDatabase>(location);
  // All tables are in one database; the types keep their parts apart, as SQLite's files do.
  const [catalogue, accounts] = [db as unknown, db as unknown];
  return {
    engine,
    db: catalogue as Kysely<Database>,
    accounts: { engine, db: accounts as Kysely<AccountDatabase> },
    close: () => db.destroy(),
  };
}

function openFiles(location: string): OpenDatabase {
  const file = resolve(location);
  if (!existsSync(dirname(file))) {
    throw new OperatorError(`The folder ${dirname(file)} of the database does not exist.`);
  }
  if (existsSync(file)) {
    if (statSync(file).isDirectory()) {
      throw new OperatorError(`${location} is a folder; the database must be a file.`);
    }
    requireWritable(file, `${file} cannot be read and written by this user.`);
  }
  requireWritable(
    dirname(file),
    `The folder ${dirname(file)} cannot be written by this user. SQLite makes files in it.`,
  );
  const catalogue = opened(location, () => {
    return openSqlite<Database>(file, { schema: CATALOGUE_SCHEMA });
  });
  const accounts = opened(`${location}-accounts`, () => {
    const options = { schema: ACCOUNT_SCHEMA, attachment: usageFile(file) };
    return openSqlite<AccountDatabase>(`${file}-accounts`, options);
  });
  return {
    ...catalogue,
    accounts,
    async close() {
      await accounts.db.destroy();
      await catalogue.db.destroy();
    },
  };
}

function opened<Part>(name: string, open: () => Part): Part {
  try {
    return open();
  } catch (error) {
    const advice = isDamage(error)
      ? '. See `cardprice restore --help` for what a backup can do'
      : '';
    const problem = `${name} cannot be opened as a SQLite database: ${reason(error)}`;
    throw new OperatorError(problem + advice, { cause: error });
  }
}

function requireWritable(path: string, refusal: string): void {
  try {
    accessSync(path, constants.R_OK | constants.W_OK);
  } catch (error) {
    throw new OperatorError(refusal, { cause: error });
  }
}

function reason(error: unknown): string {
  return error instanceof Error ? error.message || error.name : String(error);
}
