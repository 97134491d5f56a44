import { setTimeout as sleep } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import { OperatorError } from '../domain/errors.ts';
import { displayLocation } from '../domain/location.ts';
import { accountMigrations } from './accounts/migrations.ts';
import type { AccountDatabase } from './accounts/schema.ts';
import { ACCOUNTS_APART, isContract, migrations } from './catalogue/migrations.ts';
import type { Database } from './catalogue/schema.ts';
import type { Engine, Opened } from './engine/engine.ts';
import { MIGRATION_TABLES, type MigrationTables } from './engine/migration-tables.ts';
import { isDeadlock } from './engine/unavailable.ts';

/** Brings the schemas of databases up to date, or tells what they lack. */

/** How often a migration is tried for whose locks PostgreSQL has to wait, and the pause, in ms. */
const ATTEMPTS = 30;
const PAUSE_MS = 2000;

/** Both parts of an open database. */
interface Parts extends Opened<Database> {
  readonly accounts: Opened<AccountDatabase>;
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

/** @throws OperatorError, with what to run, when a database lacks migrations. */
export async function requireNonePending(parts: Parts, location: string): Promise<void> {
  const pending = await pendingMigrations(parts, location);
  if (pending.length === 0) return;
  throw new OperatorError(
    `The database ${displayLocation(location)} lacks the migrations ${pending.join(', ')}: run ` +
      '`cardprice migrate`, or set CARDPRICE_MIGRATE=on.',
  );
}

/**
 * Returns the migrations that a database lacks, oldest first.
 *
 * @throws OperatorError when a newer version has taken away what this one needs.
 */
export async function pendingMigrations(
  { engine, db, accounts }: Parts,
  location: string,
): Promise<string[]> {
  const ofAccounts = accountMigrations(accounts.engine);
  return [
    ...(await pendingOf(db, migrations(engine), location, MIGRATION_TABLES.catalogue)),
    ...(await pendingOf(accounts.db, ofAccounts, location, MIGRATION_TABLES.accounts)),
  ];
}

async function pendingOf<Tables>(
  db: Kysely<Tables>,
  known: Record<string, Migration>,
  location: string,
  { migrationTableName }: MigrationTables,
): Promise<string[]> {
  const applied = await appliedMigrations(db, migrationTableName);
  refuseContracted(applied, known, location);
  return Object.keys(known).filter((name) => !applied.includes(name));
}

/**
 * Brings both parts of a database up to date. Before the accounts leave SQLite's main file, they are
 * copied from there, which needs the last schema that they had in it.
 */
export async function migrate({ engine, db, accounts }: Parts, location: string): Promise<void> {
  const all = hurried(engine, migrations(engine));
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
      hurried(accounts.engine, accountMigrations(accounts.engine)),
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
  const newer = refuseContracted(applied, known, location);
  // What a newer version has added is nothing to this one.
  const done = Object.fromEntries(newer.map((name) => [name, { up: async () => {} }]));
  const provider = { getMigrations: async () => ({ ...known, ...done }) };
  const migrator = new Migrator({ db, provider, ...tables });
  for (let attempt = 1; ; attempt += 1) {
    const { error } = await migrator.migrateToLatest();
    if (error === undefined) return;
    if (attempt === ATTEMPTS || !hasGivenWay(error)) {
      throw new OperatorError(
        `The database ${displayLocation(location)} could not be brought up to date: ` +
          reason(error),
        { cause: error },
      );
    }
    await sleep(PAUSE_MS);
  }
}

/** Whether PostgreSQL says that a statement waited too long for a lock, or in a deadlock. */
function hasGivenWay(error: unknown): boolean {
  return isDeadlock(error) || (error as { code?: unknown }).code === '55P03';
}

/** The migrations that wait no longer for a lock than others can wait behind them. */
function hurried(engine: Engine, known: Record<string, Migration>): Record<string, Migration> {
  const entries = Object.entries(known).map(([name, { up }]) => {
    const hurriedUp = async (db: Kysely<unknown>) => {
      await engine.limitLockWait(db);
      await up(db);
    };
    return [name, { up: hurriedUp }] as const;
  });
  return Object.fromEntries(entries);
}

/** Returns what newer versions have applied, unless it takes something away. */
function refuseContracted(
  applied: readonly string[],
  known: Record<string, Migration>,
  location: string,
): string[] {
  const newer = applied.filter((name) => !(name in known));
  const contracted = newer.find(isContract);
  if (contracted === undefined) return newer;
  throw new OperatorError(
    `The database ${displayLocation(location)} was written by a newer version of cardprice ` +
      `(it has the migration ${contracted}). Upgrade cardprice or choose another database.`,
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
