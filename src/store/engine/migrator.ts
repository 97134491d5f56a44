import { setTimeout as sleep } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import { type Migration, Migrator, type MigratorProps } from 'kysely/migration';
import { OperatorError } from '../../domain/errors.ts';
import { displayLocation } from '../../domain/location.ts';
import type { Engine, Opened } from './engine.ts';
import { isDeadlock } from './unavailable.ts';

/** How often a migration is tried that has to give way to others, and the pause, in ms. */
const ATTEMPTS = 30;
const PAUSE_MS = 2000;

/** The migrations of a database, and where it records those that it has run. */
export interface Schema {
  /** PostgreSQL has the catalogue and the accounts in one database: their records differ. */
  readonly records: Required<Pick<MigratorProps, 'migrationTableName' | 'migrationLockTableName'>>;
  /** By name, in their order. The first one creates the schema. */
  readonly migrations: (engine: Engine) => Record<string, Migration>;
  readonly first: string;
  /**
   * The last of the migrations that `first` replaced. A database that has run it has the schema that
   * `first` creates.
   */
  readonly beforeFirst: string;
}

/**
 * Returns the migrations that a database lacks, oldest first.
 *
 * @throws OperatorError for a schema that is too old, or that a newer version has contracted.
 */
export async function pendingMigrations<Tables>(
  { engine, db }: Opened<Tables>,
  schema: Schema,
  location: string,
): Promise<string[]> {
  const applied = await appliedMigrations(db, schema);
  const known = Object.keys(schema.migrations(engine));
  refuseContracted(applied, known, location);
  if (isFromBefore(applied, schema)) requireUpgradable(applied, schema, location);
  return known.filter((name) => !applied.includes(name));
}

/**
 * Runs the migrations that a database lacks. Processes that start at once wait for one another.
 *
 * @throws OperatorError when a migration fails, which leaves the database as it was.
 */
export async function migrate<Tables>(
  { engine, db }: Opened<Tables>,
  schema: Schema,
  location: string,
): Promise<void> {
  const known = schema.migrations(engine);
  const applied = await appliedMigrations(db, schema);
  const isOld = isFromBefore(applied, schema);
  if (isOld) await adopt(db, schema);
  // This version ignores what a newer one has added.
  const newer = isOld ? [] : applied.filter((name) => !(name in known));
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
 * Whether a migration removes something that older versions use: its name says so, where older
 * versions read it in the database. All other migrations only add.
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

/** Whether a database has run migrations from before the first one. */
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
      `migration ${beforeFirst}, or import into a new database.`,
  );
}

/** Records the first migration in place of those that it replaced. */
async function adopt<Tables>(db: Kysely<Tables>, schema: Schema): Promise<void> {
  const records = sql.table(schema.records.migrationTableName);
  await db.transaction().execute(async (transaction) => {
    // Another process may have done it in the meantime.
    if (!isFromBefore(await appliedMigrations(transaction, schema), schema)) return;
    await sql`delete from ${records} where name <> ${schema.first}`.execute(transaction);
    await sql`insert into ${records} (name, timestamp)
      values (${schema.first}, ${new Date().toISOString()})
      on conflict do nothing`.execute(transaction);
  });
}

async function appliedMigrations<Tables>(
  db: Kysely<Tables>,
  { records: { migrationTableName } }: Schema,
): Promise<string[]> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true });
  if (!tables.some(({ name }) => name === migrationTableName)) return [];
  const { rows } = await sql<{ name: string }>`
    select name from ${sql.table(migrationTableName)}`.execute(db);
  return rows.map(({ name }) => name);
}

/** Whether PostgreSQL ended a statement that waited too long for a lock, or in a deadlock. */
function hasGivenWay(error: unknown): boolean {
  return isDeadlock(error) || (error as { code?: unknown }).code === '55P03';
}

/** Bounds how long each migration waits for a lock: statements of others queue up behind it. */
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
