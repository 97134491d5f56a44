import Sqlite from 'better-sqlite3';
import {
  type ColumnDefinitionBuilderCallback,
  CompiledQuery,
  type CreateTableBuilder,
  type DatabaseConnection,
  Kysely,
  PostgresDialect,
  SqliteAdapter,
  SqliteDialect,
  SqliteDriver,
  sql,
} from 'kysely';
import { DEFAULT_MIGRATION_LOCK_TABLE } from 'kysely/migration';
import pg from 'pg';
import type { Database } from './schema.ts';
import { usageTableStatements } from './usage-file.ts';

/**
 * Everything in which SQLite and PostgreSQL differ, but for how a database is opened (`connect.ts`)
 * and copied (`copy.ts`). No other file asks which of them it is.
 */
export interface Engine {
  readonly name: 'sqlite' | 'postgres';
  readonly types: { readonly blob: 'blob' | 'bytea'; readonly bigint: 'integer' | 'bigint' };
  /** Makes an integer primary key number its own rows. */
  readonly autoIncrement: ColumnDefinitionBuilderCallback;
  /** Keeps the rows of a table in the order of its primary key, where the engine can. */
  clustered<Table extends string, Column extends string>(
    table: CreateTableBuilder<Table, Column>,
  ): CreateTableBuilder<Table, Column>;
  /** Leaves room for a new version of each row, in a table whose rows are rewritten every day. */
  rewritable<Table extends string, Column extends string>(
    table: CreateTableBuilder<Table, Column>,
  ): CreateTableBuilder<Table, Column>;
  /** SQLite: moves the table `usage` into the usage file. PostgreSQL: does nothing. */
  moveUsageToItsFile(db: Kysely<unknown>): Promise<void>;
  /** PostgreSQL: creates the tables that SQLite has in its usage file. SQLite: does nothing. */
  createUsageTables(db: Kysely<unknown>): Promise<void>;
  /** PostgreSQL: creates those that came later. SQLite, which does so when it opens: nothing. */
  createLaterUsageTables(db: Kysely<unknown>): Promise<void>;
  /** PostgreSQL: renames a constraint. SQLite, which never shows the names: does nothing. */
  renameConstraint(db: Kysely<unknown>, table: string, from: string, to: string): Promise<void>;
  /** Prepares a statement of a hot path. Its parameters are `$1`, `$2` and so on. */
  prepare<Row>(text: string): Statement<Row>;
  /** Returns, in any order, the rows of a table whose one key column is among `keys`. */
  lookup<Row extends object>(
    transaction: Kysely<Database>,
    table: BulkTable<Row>,
    keys: readonly number[],
  ): Promise<Row[]>;
  /** Inserts rows, and overwrites those that exist; fast for many rows at once. */
  upsert<Row extends object>(
    transaction: Kysely<Database>,
    table: BulkTable<Row>,
    rows: readonly Row[],
  ): Promise<void>;
}

export type Value = string | number | Uint8Array | null;
export type Statement<Row> = (parameters: readonly Value[]) => Promise<Row[]>;

/** A table for `lookup` and `upsert`, whose rows are objects with a property per column. */
export interface BulkTable<Row extends object> {
  readonly name: string;
  /** The PostgreSQL type of every column. */
  readonly columns: { readonly [Column in keyof Row]: ColumnType<NonNullable<Row[Column]>> };
  /** The columns of the primary key. */
  readonly key: readonly ColumnOf<Row>[];
}

type ColumnType<Content> = Content extends string
  ? 'text'
  : Content extends number
    ? 'int4' | 'int8'
    : 'bytea';

type ColumnOf<Row> = keyof Row & string;

export interface OpenEngine {
  readonly engine: Engine;
  readonly db: Kysely<Database>;
}

/** Moments and counters are the only values of the type bigint, and far below 2^53. */
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

/** A write that changes nothing, to a table that exists before the first transaction. */
const WRITE_NOTHING = `delete from main.${DEFAULT_MIGRATION_LOCK_TABLE} where false`;

export function openSqlite(file: string): OpenEngine {
  const connection = new Sqlite(file);
  connection.pragma('busy_timeout = 10000');
  connection.pragma('journal_mode = WAL');
  connection.pragma('synchronous = NORMAL');
  connection.pragma('foreign_keys = ON');
  attachUsageFile(connection, file);
  const dialect = new SqliteDialect({ database: connection });
  dialect.createDriver = () => new ImmediateDriver(connection);
  dialect.createAdapter = () => new TransactionalMigrations();
  return { engine: sqliteEngine(connection), db: new Kysely<Database>({ dialect }) };
}

/**
 * Attaches the file of the tables that requests write to, and creates what is missing of it. One
 * SQLite file has one writer at a time: in the main file, every request would wait for an import
 * that is writing (docs/adr/0010).
 */
function attachUsageFile(connection: Sqlite.Database, file: string): void {
  connection.prepare('attach database ? as usage_file').run(`${file}-usage`);
  connection.pragma('usage_file.journal_mode = WAL');
  connection.pragma('usage_file.synchronous = NORMAL');
  for (const statement of usageTableStatements('usage_file.', 'without rowid')) {
    connection.exec(statement);
  }
}

/**
 * Takes the write lock when a transaction starts. A transaction that reads first and takes the lock
 * later fails at once, whatever the timeout, if another process has written in between.
 */
class ImmediateDriver extends SqliteDriver {
  readonly #connection: Sqlite.Database;

  constructor(connection: Sqlite.Database) {
    super({ database: connection });
    this.#connection = connection;
  }

  /** Does what `begin immediate` does, but without locking the usage file, too. */
  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin'));
    try {
      await connection.executeQuery(CompiledQuery.raw(WRITE_NOTHING));
    } catch (error) {
      await this.rollbackTransaction(connection);
      throw error;
    }
  }

  /** Skips a rollback that SQLite did by itself, as it does on a full disk: a second one fails. */
  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    if (this.#connection.inTransaction) await super.rollbackTransaction(connection);
  }
}

/**
 * Runs all pending migrations in one transaction, so that a process that is killed on the way
 * leaves the database as it was. SQLite can do that, but Kysely's adapter says that it cannot.
 */
class TransactionalMigrations extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

function sqliteEngine(connection: Sqlite.Database): Engine {
  const statements = new Map<string, Sqlite.Statement>();
  const statementOf = (text: string): Sqlite.Statement => {
    const statement = statements.get(text) ?? connection.prepare(text);
    statements.set(text, statement);
    return statement;
  };
  return {
    name: 'sqlite',
    types: { blob: 'blob', bigint: 'integer' },
    autoIncrement: (column) => column.primaryKey().autoIncrement(),
    clustered: (table) => table.modifyEnd(sql`without rowid`),
    rewritable: (table) => table,
    async moveUsageToItsFile(db) {
      await sql`insert or ignore into usage_file.usage select * from main.usage`.execute(db);
      await sql`drop table main.usage`.execute(db);
    },
    // They are created when the file is opened.
    createUsageTables: async () => {},
    createLaterUsageTables: async () => {},
    renameConstraint: async () => {},
    prepare<Row>(text: string): Statement<Row> {
      const order: number[] = [];
      const statement = connection.prepare(
        text.replace(/\$(\d+)/g, (_, position: string) => {
          order.push(Number(position) - 1);
          return '?';
        }),
      );
      // The statement runs before this returns, in the same tick of the event loop, so that it
      // is never inside of a transaction of another caller.
      return async (parameters) => statement.all(order.map((at) => parameters[at])) as Row[];
    },
    async lookup<Row extends object>(
      _transaction: Kysely<Database>,
      table: BulkTable<Row>,
      keys: readonly number[],
    ) {
      const reader = statementOf(`${selectSql(table)} = ?`);
      return keys.flatMap((key) => reader.all(key)) as Row[];
    },
    async upsert(_transaction, table, rows) {
      const columns = columnsOf(table);
      const places = columns.map(() => '?').join(', ');
      const writer = statementOf(upsertSql(table, `values (${places})`));
      for (const row of rows) writer.run(columns.map((column) => row[column]));
    },
  };
}

/** Copies a database into a file that does not exist, as it is at one moment; hinders nobody. */
export async function copySqlite(file: string, copy: string): Promise<void> {
  const connection = new Sqlite(file);
  try {
    // All pages in one step: between two steps others could write, and it would begin anew.
    await connection.backup(copy, { progress: () => Number.MAX_SAFE_INTEGER });
  } finally {
    connection.close();
  }
}

/**
 * Opens a server for a session that can write to nothing but temporary tables: the server refuses
 * everything else, also after a connection was lost and the temporary tables with it.
 */
export function openPostgresReadOnly(url: string): OpenEngine {
  const pool = new pg.Pool({ connectionString: url, max: 1, idleTimeoutMillis: 0 });
  pool.on('error', () => {});
  pool.on('connect', (client) => {
    client.query('set default_transaction_read_only = on').catch(() => client.end());
  });
  const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool }) });
  return { engine: postgresEngine(pool), db };
}

export function openPostgres(url: string): OpenEngine {
  const pool = new pg.Pool({ connectionString: url, max: 8 });
  // Without a listener, the end of an idle connection would end the process. The pool replaces it.
  pool.on('error', () => {});
  const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool }) });
  return { engine: postgresEngine(pool), db };
}

function postgresEngine(pool: pg.Pool): Engine {
  let prepared = 0;
  return {
    name: 'postgres',
    types: { blob: 'bytea', bigint: 'bigint' },
    autoIncrement: (column) => column.primaryKey().generatedByDefaultAsIdentity(),
    clustered: (table) => table,
    rewritable: (table) => table.modifyEnd(sql`with (fillfactor = 45)`),
    // PostgreSQL locks rows, not files.
    moveUsageToItsFile: async () => {},
    async createUsageTables(db) {
      for (const statement of usageTableStatements()) await sql.raw(statement).execute(db);
      // As on SQLite, a charge to an account that was deleted meanwhile does not fail.
      await sql`alter table usage drop constraint usage_account_id_fkey`.execute(db);
    },
    async createLaterUsageTables(db) {
      for (const statement of usageTableStatements()) await sql.raw(statement).execute(db);
    },
    async renameConstraint(db, table, from, to) {
      await db.schema.alterTable(table).renameConstraint(from, to).execute();
    },
    prepare<Row>(text: string): Statement<Row> {
      prepared += 1;
      const name = `cardprice_${prepared}`;
      return async (parameters) => {
        const { rows } = await pool.query({ name, text, values: [...parameters] });
        return rows as Row[];
      };
    },
    async lookup<Row extends object>(
      transaction: Kysely<Database>,
      table: BulkTable<Row>,
      keys: readonly number[],
    ) {
      if (keys.length === 0) return [];
      const query = CompiledQuery.raw(`${selectSql(table)} = any($1)`, [[...keys]]);
      return (await transaction.executeQuery(query)).rows as Row[];
    },
    async upsert(transaction, table, rows) {
      if (rows.length === 0) return;
      const columns = columnsOf(table);
      const arrays = columns.map((column, index) => `$${index + 1}::${table.columns[column]}[]`);
      const text = upsertSql(table, `select * from unnest(${arrays.join(', ')})`);
      const values = columns.map((column) => rows.map((row) => row[column]));
      await transaction.executeQuery(CompiledQuery.raw(text, values));
    },
  };
}

function selectSql<Row extends object>(table: BulkTable<Row>): string {
  return `select ${columnsOf(table).join(', ')} from ${table.name} where ${table.key[0]}`;
}

function upsertSql<Row extends object>(table: BulkTable<Row>, source: string): string {
  const columns = columnsOf(table);
  const updates = columns
    .filter((column) => !table.key.includes(column))
    .map((column) => `${column} = excluded.${column}`);
  return `insert into ${table.name} (${columns.join(', ')}) ${source}
    on conflict (${table.key.join(', ')}) do update set ${updates.join(', ')}`;
}

function columnsOf<Row extends object>({ columns }: BulkTable<Row>): ColumnOf<Row>[] {
  return Object.keys(columns) as ColumnOf<Row>[];
}
