import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { Millis } from '../domain/day.ts';
import { OperatorError } from '../domain/errors.ts';
import { isPostgres } from '../domain/location.ts';
import type { AccountDatabase } from './accounts/schema.ts';
import type { Database } from './catalogue/schema.ts';
import type { Opened } from './engine/engine.ts';
import { openPostgres } from './engine/postgres.ts';
import { openSqlite, openSqliteAccounts } from './engine/sqlite.ts';
import { isDamage } from './engine/sqlite-file.ts';
import { migrate, pendingMigrations, requireNonePending } from './migrate.ts';

/** An open database of the current schema. */
export interface Store extends Opened<Database> {
  /** Accounts and all that requests write: on SQLite in files that no import locks. */
  readonly accounts: Opened<AccountDatabase>;
  /** The time by which goes whatever is written to the database or compared with it. */
  readonly clock: () => Millis;
  close(): Promise<void>;
}

/** An open database before its schema is current. */
type OpenDatabase = Omit<Store, 'clock'>;

/**
 * Opens the database at `location`, a file path or a `postgres://` URL, and migrates it to the
 * current schema, or requires that it has it. Missing files are created in a folder that exists.
 *
 * @throws OperatorError when it cannot be opened, or was written by a newer version that has taken
 *   away what this one needs.
 */
export async function openStore(
  location: string,
  { isMigrating = true }: { readonly isMigrating?: boolean } = {},
): Promise<Store> {
  const database = openDatabase(location);
  try {
    if (isMigrating) await migrate(database, location);
    else await requireNonePending(database, location);
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
    const pending = await pendingMigrations(database, location);
    if (!isCheck) await migrate(database, location);
    return pending;
  } finally {
    await database.close();
  }
}

/** The database with its clock, which stops when it is closed. */
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

/** Whether a database is a SQLite file, and there is none yet. */
export function isMissing(location: string): boolean {
  return !isPostgres(location) && !existsSync(resolve(location));
}

function openDatabase(location: string): OpenDatabase {
  return isPostgres(location) ? openServer(location) : openFiles(location);
}

function openServer(location: string): OpenDatabase {
  const server = openPostgres(location);
  return { ...server, close: () => server.db.destroy() };
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
  const catalogue = opened(location, () => openSqlite(file));
  const accounts = opened(`${location}-accounts`, () => openSqliteAccounts(file));
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
