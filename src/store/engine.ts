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
import { apartStatements } from './usage-file.ts';

/** Everything in which SQLite and PostgreSQL differ. No other file asks which one it is. */
export interface Engine {
  readonly name: 'sqlite' | 'postgres';
  readonly types: { readonly blob: 'blob' | 'bytea'; readonly bigint: 'integer' | 'bigint' };
  /** Makes a key column number its own rows. */
  readonly autoIncrement: ColumnDefinitionBuilderCallback;
  /** Keeps the rows of a table in the order of its primary key, where the engine can. */
  clustered<Table extends string, Column extends string>(
    table: CreateTableBuilder<Table, Column>,
  ): CreateTableBuilder<Table, Column>;
  /** Leaves room for a new version of each row, in a table whose rows are rewritten every day. */
  rewritable<Table extends string, Column extends string>(
    table: CreateTableBuilder<Table, Column>,
  ): CreateTableBuilder<Table, Column>;
  /** Where there are files: moves what is in the table `usage` to the one that it has of its own. */
  setUsageApart(db: Kysely<unknown>): Promise<void>;
  /** Where there are no files: makes the other tables that requests write to. */
  createApart(db: Kysely<unknown>): Promise<void>;
  /** A statement for the hot path, parsed once. Parameters are `$1`, `$2` … */
  prepare<Row>(text: string): Statement<Row>;
  /** The rows of a table whose key, one column of numbers, is among `keys`, in any order. */
  lookup<Row>(
    transaction: Kysely<Database>,
    table: BulkTable,
    keys: readonly number[],
  ): Promise<Row[]>;
  /** Writes many rows in one go, inside of `transaction`. A row that exists is overwritten. */
  upsert(transaction: Kysely<Database>, table: BulkTable, rows: readonly BulkRow[]): Promise<void>;
}

export type Value = string | number | Uint8Array | null;
export type Statement<Row> = (parameters: readonly Value[]) => Promise<Row[]>;
export type BulkRow = readonly Value[];

/** A table as bulk writes see it. */
export interface BulkTable {
  readonly name: string;
  /** Columns in the order of a row's values, with their PostgreSQL types. */
  readonly columns: Readonly<Record<string, 'int4' | 'int8' | 'text' | 'bytea'>>;
  /** The columns by which a row is recognised. */
  readonly key: readonly string[];
}

export interface OpenEngine {
  readonly engine: Engine;
  readonly db: Kysely<Database>;
}

/** A PostgreSQL bigint holds our moments and counters, all far below 2^53. */
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

/** A table that is there before the first transaction. */
const WRITE_NOTHING = `delete from main.${DEFAULT_MIGRATION_LOCK_TABLE} where false`;

export function openSqlite(file: string): OpenEngine {
  const connection = new Sqlite(file);
  connection.pragma('busy_timeout = 10000');
  connection.pragma('journal_mode = WAL');
  connection.pragma('synchronous = NORMAL');
  connection.pragma('foreign_keys = ON');
  attachApart(connection, file);
  const dialect = new SqliteDialect({ database: connection });
  dialect.createDriver = () => new ImmediateDriver(connection);
  dialect.createAdapter = () => new WholeMigrations();
  return { engine: sqliteEngine(connection), db: new Kysely<Database>({ dialect }) };
}

/**
 * What requests write is in a file of its own (docs/adr/0010). One file has one writer at a time:
 * in the same one, every request would wait for whatever an import is writing.
 */
function attachApart(connection: Sqlite.Database, file: string): void {
  connection.prepare('attach database ? as apart').run(`${file}-usage`);
  connection.pragma('apart.journal_mode = WAL');
  connection.pragma('apart.synchronous = NORMAL');
  for (const statement of apartStatements('apart.', 'without rowid')) connection.exec(statement);
}

/**
 * Takes the write lock when a transaction starts. One that reads first and asks for the lock
 * later fails at once, whatever the timeout, when another process has written in between.
 */
class ImmediateDriver extends SqliteDriver {
  readonly #connection: Sqlite.Database;

  constructor(connection: Sqlite.Database) {
    super({ database: connection });
    this.#connection = connection;
  }

  /** Like `begin immediate`, which would also lock the file of the usage. */
  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin'));
    try {
      await connection.executeQuery(CompiledQuery.raw(WRITE_NOTHING));
    } catch (error) {
      await this.rollbackTransaction(connection);
      throw error;
    }
  }

  /** SQLite has rolled back by itself when the disk was full; doing it twice is an error. */
  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    if (this.#connection.inTransaction) await super.rollbackTransaction(connection);
  }
}

/**
 * Lets the migrations of one start be one transaction, which SQLite can do although Kysely takes
 * no advantage of it: a process that is killed on the way leaves the database as it was.
 */
class WholeMigrations extends SqliteAdapter {
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
    async setUsageApart(db) {
      await sql`insert or ignore into apart.usage select * from main.usage`.execute(db);
      await sql`drop table main.usage`.execute(db);
    },
    // They are made when the file is opened.
    createApart: async () => {},
    prepare<Row>(text: string): Statement<Row> {
      const order: number[] = [];
      const statement = connection.prepare(
        text.replace(/\$(\d+)/g, (_, position: string) => {
          order.push(Number(position) - 1);
          return '?';
        }),
      );
      // Runs before it returns: what starts in one turn of the event loop ends in it, so a
      // prepared statement never finds itself inside of another caller's transaction.
      return async (parameters) => statement.all(order.map((at) => parameters[at])) as Row[];
    },
    async lookup<Row>(_transaction: Kysely<Database>, table: BulkTable, keys: readonly number[]) {
      const reader = statementOf(`${selectSql(table)} = ?`);
      return keys.flatMap((key) => reader.all(key)) as Row[];
    },
    async upsert(_transaction, table, rows) {
      const values = Object.keys(table.columns).map(() => '?');
      const writer = statementOf(upsertSql(table, `values (${values.join(', ')})`));
      for (const row of rows) writer.run(row);
    },
  };
}

export function openPostgres(url: string): OpenEngine {
  const pool = new pg.Pool({ connectionString: url, max: 8 });
  // The pool replaces an idle connection that the server ended; unheard, the event would end us.
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
    // Rows are locked here, not files.
    setUsageApart: async () => {},
    async createApart(db) {
      for (const statement of apartStatements()) await sql.raw(statement).execute(db);
      // As on SQLite: a charge that comes after its account was deleted is no failure.
      await sql`alter table usage drop constraint usage_account_id_fkey`.execute(db);
    },
    prepare<Row>(text: string): Statement<Row> {
      prepared += 1;
      const name = `cardprice_${prepared}`;
      return async (parameters) => {
        const { rows } = await pool.query({ name, text, values: [...parameters] });
        return rows as Row[];
      };
    },
    async lookup<Row>(transaction: Kysely<Database>, table: BulkTable, keys: readonly number[]) {
      if (keys.length === 0) return [];
      const query = CompiledQuery.raw(`${selectSql(table)} = any($1)`, [[...keys]]);
      return (await transaction.executeQuery(query)).rows as Row[];
    },
    async upsert(transaction, table, rows) {
      if (rows.length === 0) return;
      const types = Object.values(table.columns);
      const arrays = types.map((type, index) => `$${index + 1}::${type}[]`);
      const text = upsertSql(table, `select * from unnest(${arrays.join(', ')})`);
      const columns = types.map((_, index) => rows.map((row) => row[index]));
      await transaction.executeQuery(CompiledQuery.raw(text, columns));
    },
  };
}

function selectSql(table: BulkTable): string {
  return `select ${Object.keys(table.columns).join(', ')} from ${table.name} where ${table.key[0]}`;
}

function upsertSql(table: BulkTable, source: string): string {
  const columns = Object.keys(table.columns);
  const updates = columns
    .filter((column) => !table.key.includes(column))
    .map((column) => `${column} = excluded.${column}`);
  return `insert into ${table.name} (${columns.join(', ')}) ${source}
    on conflict (${table.key.join(', ')}) do update set ${updates.join(', ')}`;
}
