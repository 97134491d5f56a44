import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { Kysely } from 'kysely';
import { type MigrationResultSet, Migrator } from 'kysely/migration';
import { OperatorError } from '../domain/errors.ts';
import { type Engine, type OpenEngine, openPostgres, openSqlite } from './engine.ts';
import { migrations } from './migrations.ts';
import type { Database } from './schema.ts';

/** An open database of the current schema. */
export interface Store {
  readonly engine: Engine;
  readonly db: Kysely<Database>;
  close(): Promise<void>;
}

/**
 * Opens the database at `location`, a file path or a `postgres://` URL, and migrates it to the
 * current schema. A missing file is created in a folder that exists.
 *
 * @throws OperatorError when it cannot be opened or was written by a newer version.
 */
export async function openStore(location: string): Promise<Store> {
  const { engine, db } = isPostgres(location) ? openPostgres(location) : openFile(location);
  try {
    await migrate(engine, db, location);
  } catch (error) {
    await db.destroy();
    throw error;
  }
  return { engine, db, close: () => db.destroy() };
}

/** Whether a database location is a PostgreSQL URL, and not a SQLite file. */
export function isPostgres(location: string): boolean {
  return /^postgres(ql)?:\/\//.test(location);
}

/** Returns a location without the password that a URL can have, for messages and logs. */
export function displayLocation(location: string): string {
  return location.replace(/^(postgres(?:ql)?:\/\/[^:@/]*):[^@/]*@/, '$1:***@');
}

function openFile(location: string): OpenEngine {
  const file = resolve(location);
  if (!existsSync(dirname(file))) {
    throw new OperatorError(`The folder ${dirname(file)} of the database does not exist.`);
  }
  if (existsSync(file)) {
    if (statSync(file).isDirectory()) {
      throw new OperatorError(`${location} is a folder; the database must be a file.`);
    }
    requireWritable(file);
  }
  try {
    return openSqlite(file);
  } catch (error) {
    throw new OperatorError(`${location} cannot be opened as a SQLite database: ${reason(error)}`, {
      cause: error,
    });
  }
}

function requireWritable(file: string): void {
  try {
    accessSync(file, constants.R_OK | constants.W_OK);
  } catch (error) {
    throw new OperatorError(`${file} cannot be read and written by this user.`, { cause: error });
  }
}

/** @throws OperatorError when a database does not have the current schema. */
export async function requireMigrated({ engine, db }: OpenEngine, location: string): Promise<void> {
  const applied = await appliedMigrations(db);
  const known = Object.keys(migrations(engine));
  if (known.every((name) => applied.includes(name)) && applied.length === known.length) return;
  throw new OperatorError(
    `The database ${displayLocation(location)} is empty, or of another version of cardprice, and a ` +
      'dry run does not bring it up to date. Any other command does, such as cardprice status.',
  );
}

async function migrate(engine: Engine, db: Kysely<Database>, location: string): Promise<void> {
  const known = migrations(engine);
  const migrator = new Migrator({ db, provider: { getMigrations: async () => known } });
  let result: MigrationResultSet;
  try {
    const newer = (await appliedMigrations(db)).find((name) => !(name in known));
    if (newer) {
      throw new OperatorError(
        `The database ${displayLocation(location)} was written by a newer version of cardprice ` +
          `(it has the migration ${newer}). Upgrade cardprice or choose another database.`,
      );
    }
    result = await migrator.migrateToLatest();
  } catch (error) {
    if (error instanceof OperatorError) throw error;
    throw new OperatorError(
      `The database ${displayLocation(location)} cannot be used: ${reason(error)}`,
      { cause: error },
    );
  }
  if (result.error) {
    throw new OperatorError(
      `The database ${displayLocation(location)} could not be brought up to date: ` +
        reason(result.error),
      { cause: result.error },
    );
  }
}

async function appliedMigrations(db: Kysely<Database>): Promise<string[]> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true });
  if (!tables.some((table) => table.name === 'kysely_migration')) return [];
  const rows = await db
    .withTables<{ kysely_migration: { name: string } }>()
    .selectFrom('kysely_migration')
    .select('name')
    .execute();
  return rows.map((row) => row.name);
}

function reason(error: unknown): string {
  return error instanceof Error ? error.message || error.name : String(error);
}
