import { setTimeout as sleep } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import { type Migration, Migrator, type MigratorProps } from 'kysely/migration';
import { OperatorError } from '../../domain/errors.ts';
import { displayLocation } from '../../domain/location.ts';
import type { Engine, Opened } from './engine.ts';
import { isDeadlock, isLockTimeout } from './unavailable.ts';

/** Attempts at a migration that could not get a lock, and the pause between them in ms. */
const ATTEMPTS = 30;
const PAUSE_MS = 2000;

/** The migrations of a database, and the tables that record which of them it has run. */
export interface Schema {
  /** Catalogue and accounts need separate records, because on PostgreSQL they share a database. */
  readonly records: Required<Pick<MigratorProps, 'migrationTableName' | 'migrationLockTableName'>>;
  /** By name, in order. The first one creates the schema. */
  readonly migrations: (engine: Engine) => Record<string, Migration>;
  readonly first: string;
  /**
   * The last of the migrations that `first` replaced. A database that has run it already has the
   * schema that `first` creates.
   */
  readonly beforeFirst: string;
}

/**
 * Returns the names of pending migrations, oldest first.
 *
 * @throws OperatorError for a schema that is too old or that a newer version has contracted.
 */
export async function pendingMigrations<Tables>(
  { engine, db }: Opened<Tables>,
  schema: Schema,
  location: string,
): Promise<string[]> {
  const applied = await appliedMigrations(engine, db, schema);
  const known = Object.keys(schema.migrations(engine));
  refuseContracted(applied, known, location);
  if (isFromBefore(applied, schema)) requireUpgradable(applied, schema, location);
  return known.filter((name) => !applied.includes(name));
}

/** Returns the migrations that a database has run and only newer versions know. */
export async function newerMigrations<Tables>(
  { engine, db }: Opened<Tables>,
  schema: Schema,
): Promise<string[]> {
  return newerOf(await appliedMigrations(engine, db, schema), schema, engine);
}

function newerOf(applied: readonly string[], schema: Schema, engine: Engine): string[] {
  if (isFromBefore(applied, schema)) return [];
  const known = schema.migrations(engine);
  return applied.filter((name) => !(name in known));
}

/**
 * Runs the pending migrations. Processes that start at the same time wait for each other.
 *
 * @throws OperatorError if a migration fails. The database then stays unchanged.
 */
export async function migrate<Tables>(
  { engine, db }: Opened<Tables>,
  schema: Schema,
  location: string,
): Promise<void> {
  const known = schema.migrations(engine);
  const applied = await appliedMigrations(engine, db, schema);
  if (isFromBefore(applied, schema)) await adopt(engine, db, schema);
  // This version ignores additions by newer versions.
  const newer = newerOf(applied, schema, engine);
  const skipped = Object.fromEntries(newer.map((name) => [name, { up: async () => {} }]));
  const provider = { getMigrations: async () => ({ ...hurried(engine, known), ...skipped }) };
  const migrator = new Migrator({ db, provider, ...schema.records });
  for (let attempt = 1; ; attempt += 1) {
    const { error } = await migrator.migrateToLatest();
    if (error === undefined) return;
    if (attempt === ATTEMPTS || !hasGivenWay(error)) {
      const reason = error instanceof Error ? error.message || error.name : String(error);
      throw new OperatorError(
        `The database ${displayLocation(location)} could not be brought up to date: ${reason}`,
        { cause: error },
      );
    }
    await sleep(PAUSE_MS);
  }
}

/**
 * Whether a migration removes something that older versions use. Its name must say so, because
 * older versions know only the name that the database records. All other migrations only add.
 */
function isContract(name: string): boolean {
  return /^\d{4}-contract-/.test(name);
}

function refuseContracted(
  applied: readonly string[],
  known: readonly string[],
  location: string,
): void {
  const contracted = applied.find((name) => !known.includes(name) && isContract(name));
  if (contracted === undefined) return;
  throw new OperatorError(
    `The database ${displayLocation(location)} was written by a newer version of cardprice ` +
      `(it has the migration ${contracted}). Upgrade cardprice or choose another database.`,
  );
}

/** Whether a database has run the migrations that `first` replaced. */
function isFromBefore(applied: readonly string[], { first }: Schema): boolean {
  return applied.length > 0 && !applied.includes(first);
}

function requireUpgradable(
  applied: readonly string[],
  { beforeFirst }: Schema,
  location: string,
): void {
  if (applied.includes(beforeFirst)) return;
  throw new OperatorError(
    `The database ${displayLocation(location)} is too old for this version of cardprice: its last ` +
      `migration is ${applied.toSorted().at(-1)}. Open it once with a version that has the ` +
      `migration ${beforeFirst} (restore a backup with that version), or import into a new one.`,
  );
}

/** Records `first` in place of the migrations that it replaced. */
async function adopt<Tables>(engine: Engine, db: Kysely<Tables>, schema: Schema): Promise<void> {
  const records = sql.table(schema.records.migrationTableName);
  await db.transaction().execute(async (transaction) => {
    // Another process may already have done this.
    if (!isFromBefore(await appliedMigrations(engine, transaction, schema), schema)) return;
    await sql`delete from ${records} where name <> ${schema.first}`.execute(transaction);
    await sql`insert into ${records} (name, timestamp)
      values (${schema.first}, ${new Date().toISOString()})
      on conflict do nothing`.execute(transaction);
  });
}

async function appliedMigrations<Tables>(
  engine: Engine,
  db: Kysely<Tables>,
  { records: { migrationTableName } }: Schema,
): Promise<string[]> {
  if (!(await engine.hasTable(db, migrationTableName))) return [];
  const { rows } = await sql<{ name: string }>`
    select name from ${sql.table(migrationTableName)}`.execute(db);
  return rows.map(({ name }) => name);
}

/** Whether PostgreSQL aborted a statement after a lock timeout or a deadlock. */
function hasGivenWay(error: unknown): boolean {
  return isDeadlock(error) || isLockTimeout(error);
}

/** Limits how long each migration waits for a lock, because other statements queue behind it. */
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
