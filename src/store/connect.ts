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
import { migrate, pendingMigrations } from './engine/migrator.ts';
import { openPostgres, openPostgresReadOnly } from './engine/postgres.ts';
import { openSqlite } from './engine/sqlite.ts';
import { isDamage } from './engine/sqlite-file.ts';

/**
 * The catalogue, or a transaction in it. It is opaque outside of the files that have SQL: others
 * only pass it on to their functions, and a test finds statements elsewhere.
 */
export type Transaction = Kysely<Database>;

/** Like {@link Transaction}, of accounts. */
export type AccountTransaction = Kysely<AccountDatabase>;

/** An open database of the current schema. */
export interface Store extends Opened<Database> {
  /** Accounts and everything that requests write: on SQLite in files that no import locks. */
  readonly accounts: Opened<AccountDatabase>;
  /** The time for everything that is written to the database or compared with it. */
  readonly clock: () => Millis;
  close(): Promise<void>;
}

/** An open database without its clock. */
export type OpenDatabase = Omit<Store, 'clock'>;

/**
 * Opens the database at `location`, a file path or a `postgres://` URL, and migrates it to the
 * current schema. Without `isMigrating` it requires that schema instead. Missing files are created
 * in a folder that exists.
 *
 * @throws OperatorError when it cannot be opened, lacks migrations that it may not run, is too old,
 *   or was written by a newer version that has removed what this one needs.
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
 * Brings the schema of the database up to date, and returns the migrations that this took. With
 * `isCheck` it only returns them.
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
 * Opens the database of a server to read it, without a clock. With `isReadOnly` the connection can
 * write only to temporary tables.
 *
 * @throws OperatorError when its schema is not current.
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

/** Adds its clock to a database; closing the database stops it. */
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
  return [
    ...(await pendingMigrations(database, CATALOGUE_SCHEMA, location)),
    ...(await pendingMigrations(database.accounts, ACCOUNT_SCHEMA, location)),
  ];
}

async function requireUpToDate(database: OpenDatabase, location: string): Promise<void> {
  const pending = await pendingOf(database, location);
  if (pending.length === 0) return;
  throw new OperatorError(
    `The database ${displayLocation(location)} lacks the migrations ${pending.join(', ')}: run ` +
      '`cardprice migrate`, or set CARDPRICE_MIGRATE=on.',
  );
}

/** Whether a database is a SQLite file, and there is none yet. */
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
