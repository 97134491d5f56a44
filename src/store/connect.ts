import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { type Kysely, sql } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import type { Millis } from '../domain/day.ts';
import { OperatorError } from '../domain/errors.ts';
import { displayLocation, isPostgres } from '../domain/location.ts';
import { accountMigrations } from './account-migrations.ts';
import type { AccountDatabase } from './account-schema.ts';
import type { Opened } from './engine.ts';
import { MIGRATION_TABLES, type MigrationTables } from './migration-tables.ts';
import { ACCOUNTS_APART, isContract, migrations } from './migrations.ts';
import { openPostgres } from './postgres.ts';
import type { Database } from './schema.ts';
import { openSqlite, openSqliteAccounts } from './sqlite.ts';
import { isDamage } from './sqlite-file.ts';

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
 * current schema. Missing files are created in a folder that exists.
 *
 * @throws OperatorError when it cannot be opened, or was written by a newer version that has taken
 *   away what this one needs.
 */
export async function openStore(location: string): Promise<Store> {
  const database = isPostgres(location) ? openServer(location) : openFiles(location);
  try {
    await migrate(database, location);
    return await withClock(database);
  } catch (error) {
    await database.close();
    throw error;
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

/** @throws OperatorError when a database does not have the current schema. */
export async function requireMigrated(
  { engine, db }: Opened<Database>,
  location: string,
): Promise<void> {
  const applied = await appliedMigrations(db);
  const known = Object.keys(migrations(engine));
  const newer = applied.filter((name) => !known.includes(name));
  if (known.every((name) => applied.includes(name)) && !newer.some(isContract)) return;
  throw new OperatorError(
    `The database ${displayLocation(location)} is empty, or of another version of cardprice, and a ` +
      'dry run does not bring it up to date. Any other command does, such as cardprice status.',
  );
}

/**
 * Brings both parts of a database up to date. Before the accounts leave SQLite's main file, they are
 * copied from there, which needs the last schema that they had in it.
 */
async function migrate({ engine, db, accounts }: OpenDatabase, location: string): Promise<void> {
  const all = migrations(engine);
  const before = Object.fromEntries(Object.entries(all).filter(([name]) => name < ACCOUNTS_APART));
  const areApart = async () => (await appliedMigrations(db)).includes(ACCOUNTS_APART);
  try {
    if (!(await areApart())) {
      await bring(db, before, location, MIGRATION_TABLES.catalogue).catch(async (error) => {
        // Another process that started at the same moment may have done all of it meanwhile.
        if (!(await areApart())) throw error;
      });
    }
    await bring(
      accounts.db,
      accountMigrations(accounts.engine),
      location,
      MIGRATION_TABLES.accounts,
    );
    await bring(db, all, location, MIGRATION_TABLES.catalogue);
  } catch (error) {
    if (error instanceof OperatorError) throw error;
    throw new OperatorError(
      `The database ${displayLocation(location)} cannot be used: ${reason(error)}`,
      { cause: error },
    );
  }
}

async function bring<Tables>(
  db: Kysely<Tables>,
  known: Record<string, Migration>,
  location: string,
  tables: MigrationTables,
): Promise<void> {
  const applied = await appliedMigrations(db, tables.migrationTableName);
  const newer = applied.filter((name) => !(name in known));
  const contracted = newer.find(isContract);
  if (contracted) {
    throw new OperatorError(
      `The database ${displayLocation(location)} was written by a newer version of cardprice ` +
        `(it has the migration ${contracted}). Upgrade cardprice or choose another database.`,
    );
  }
  // What a newer version has added is nothing to this one.
  const done = Object.fromEntries(newer.map((name) => [name, { up: async () => {} }]));
  const provider = { getMigrations: async () => ({ ...known, ...done }) };
  const { error } = await new Migrator({ db, provider, ...tables }).migrateToLatest();
  if (error === undefined) return;
  throw new OperatorError(
    `The database ${displayLocation(location)} could not be brought up to date: ${reason(error)}`,
    { cause: error },
  );
}

async function appliedMigrations<Tables>(
  db: Kysely<Tables>,
  table: string = MIGRATION_TABLES.catalogue.migrationTableName,
): Promise<string[]> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true });
  if (!tables.some(({ name }) => name === table)) return [];
  const { rows } = await sql<{ name: string }>`select name from ${sql.table(table)}`.execute(db);
  return rows.map(({ name }) => name);
}

function reason(error: unknown): string {
  return error instanceof Error ? error.message || error.name : String(error);
}
