import { closeSync, fchmodSync, fstatSync, openSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import Sqlite from 'better-sqlite3';
import {
  CompiledQuery,
  type DatabaseConnection,
  Kysely,
  type QueryResult,
  SqliteAdapter,
  SqliteDialect,
  SqliteDriver,
  sql,
} from 'kysely';
import { OperatorError } from '../domain/errors.ts';
import { tellStatement } from '../lib/channels.ts';
import { ACCOUNT_TABLE_STATEMENTS, MOVED_TABLES } from './account-file.ts';
import type { AccountDatabase } from './account-schema.ts';
import {
  type BulkTable,
  columnsOf,
  type Engine,
  type Opened,
  type Statement,
  selectSql,
  upsertSql,
} from './engine.ts';
import { BUSY_TIMEOUT_MS, isLocked, whenUnlocked } from './locks.ts';
import { MIGRATION_TABLES, type MigrationTables } from './migration-tables.ts';
import type { Database } from './schema.ts';
import { type LaterColumn, laterColumns, laterValues, usageTableStatements } from './usage-file.ts';

/** Opens, or makes, the file of the catalogue. */
export function openSqlite(file: string): Opened<Database> {
  const connection = connect(file);
  // Databases of before have tables of the usage file in this one, until they are migrated.
  if (!hasTable(connection, 'printings') || hasTable(connection, 'accounts')) {
    attachUsageFile(connection, file);
  }
  return open(connection, MIGRATION_TABLES.catalogue);
}

/** Opens, or makes, the files of accounts and of usage that are beside the file of the catalogue. */
export function openSqliteAccounts(file: string): Opened<AccountDatabase> {
  const connection = connect(`${file}-accounts`);
  // A key that was revoked stays so when the power fails.
  connection.pragma('synchronous = FULL');
  attachUsageFile(connection, file);
  // What is deleted is overwritten, in both files: an address does not outlive its account.
  connection.pragma('secure_delete = on');
  connection.pragma('usage_file.secure_delete = on');
  if (!hasTable(connection, 'accounts')) {
    connection.prepare('attach database ? as catalogue').run(file);
  }
  return open(connection, MIGRATION_TABLES.accounts);
}

function connect(file: string): Sqlite.Database {
  keepPrivate(file);
  const connection = new Sqlite(file);
  connection.pragma('busy_timeout = 10000');
  connection.pragma('journal_mode = WAL');
  connection.pragma('synchronous = NORMAL');
  connection.pragma('foreign_keys = ON');
  return connection;
}

/**
 * Makes a missing file that only its owner may read, whatever the umask, and takes an existing one
 * from everybody but owner and group. SQLite gives the files beside it the same mode.
 */
function keepPrivate(file: string): void {
  const descriptor = openSync(file, 'a', 0o600);
  try {
    const { mode } = fstatSync(descriptor);
    if (mode & OTHERS) fchmodSync(descriptor, mode & ~OTHERS & 0o777);
  } finally {
    closeSync(descriptor);
  }
}

/** What a mode allows to everybody else. */
const OTHERS = 0o007;

function open<Tables>(connection: Sqlite.Database, tables: MigrationTables): Opened<Tables> {
  connection.pragma(`busy_timeout = ${BUSY_TIMEOUT_MS}`);
  const dialect = new SqliteDialect({ database: connection });
  dialect.createDriver = () => new WaitingDriver(connection, tables);
  dialect.createAdapter = () => new TransactionalMigrations();
  return { engine: sqliteEngine(connection), db: new Kysely<Tables>({ dialect }) };
}

function hasTable(connection: Sqlite.Database, name: string, schema = 'main'): boolean {
  const table = connection.prepare(
    `select 1 from ${schema}.sqlite_master where type = 'table' and name = ?`,
  );
  return table.get(name) !== undefined;
}

/**
 * Attaches the file of the tables that requests write to, and creates what is missing of it. One
 * SQLite file has one writer at a time: in the main file, every request would wait for an import
 * that is writing (docs/adr/0010).
 */
function attachUsageFile(connection: Sqlite.Database, file: string): void {
  keepPrivate(`${file}-usage`);
  connection.prepare('attach database ? as usage_file').run(`${file}-usage`);
  connection.pragma('usage_file.journal_mode = WAL');
  connection.pragma('usage_file.synchronous = NORMAL');
  for (const statement of usageTableStatements('usage_file.', 'without rowid')) {
    connection.exec(statement);
  }
  if (lackedColumns(connection).length === 0) return;
  // Of several processes that start at once, one adds them, and the others wait for it.
  connection
    .transaction(() => {
      for (const { table, name, definition } of lackedColumns(connection)) {
        connection.exec(`alter table usage_file.${table} add column ${name} ${definition}`);
      }
      for (const statement of laterValues('usage_file.')) connection.exec(statement);
    })
    .immediate();
}

function lackedColumns(connection: Sqlite.Database): LaterColumn[] {
  return laterColumns().filter(({ table, name }) => {
    const columns = connection.pragma(`usage_file.table_info(${table})`) as { name: string }[];
    return columns.every((column) => column.name !== name);
  });
}

/**
 * Waits for locks that other processes have without blocking this one, and takes the write lock
 * when a transaction starts. A transaction that reads first and takes the lock later fails at once,
 * whatever the timeout, if another process has written in between.
 */
class WaitingDriver extends SqliteDriver {
  readonly #connection: Sqlite.Database;
  /** A write that changes nothing, to a table that exists before the first transaction. */
  readonly #writeNothing: CompiledQuery;

  constructor(connection: Sqlite.Database, { migrationLockTableName }: MigrationTables) {
    super({ database: connection });
    this.#connection = connection;
    this.#writeNothing = CompiledQuery.raw(
      `delete from main.${migrationLockTableName} where false`,
    );
  }

  override async acquireConnection(): Promise<DatabaseConnection> {
    return new WaitingConnection(await super.acquireConnection(), this.#connection);
  }

  /** Does what `begin immediate` does, but without locking the usage file, too. */
  override beginTransaction(connection: DatabaseConnection): Promise<void> {
    return whenUnlocked(async () => {
      await connection.executeQuery(CompiledQuery.raw('begin'));
      try {
        await connection.executeQuery(this.#writeNothing);
      } catch (error) {
        await this.rollbackTransaction(connection);
        throw error;
      }
    });
  }

  /** Skips a rollback that SQLite did by itself, as it does on a full disk: a second one fails. */
  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    if (this.#connection.inTransaction) await super.rollbackTransaction(connection);
  }
}

/**
 * Runs a statement again when another process had a lock that it needs. Inside of a transaction it
 * does not, because the statements of others would get into the transaction meanwhile.
 */
class WaitingConnection implements DatabaseConnection {
  readonly #inner: DatabaseConnection;
  readonly #connection: Sqlite.Database;

  constructor(inner: DatabaseConnection, connection: Sqlite.Database) {
    this.#inner = inner;
    this.#connection = connection;
  }

  executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    return tellStatement(query.sql, () => {
      if (this.#connection.inTransaction) return this.#inner.executeQuery<Row>(query);
      return whenUnlocked(() => this.#inner.executeQuery<Row>(query));
    });
  }

  streamQuery<Row>(
    query: CompiledQuery,
    chunkSize?: number,
  ): AsyncIterableIterator<QueryResult<Row>> {
    return this.#inner.streamQuery(query, chunkSize ?? 1);
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
    // They are created, and get their later columns, when the file is opened.
    createUsageTables: async () => {},
    updateUsageTables: async () => {},
    async moveAccountsToTheirFile(db) {
      for (const statement of ACCOUNT_TABLE_STATEMENTS) await sql.raw(statement).execute(db);
      if (!hasTable(connection, 'accounts', 'catalogue')) return;
      for (const table of MOVED_TABLES) {
        const [from, to] = [sql.id('catalogue', table), sql.id('main', table)];
        await sql`insert into ${to} select * from ${from}`.execute(db);
      }
      // Ids are never used again, those of deleted accounts neither.
      await sql`delete from main.sqlite_sequence`.execute(db);
      await sql`insert into main.sqlite_sequence select * from catalogue.sqlite_sequence
        where name in ('accounts', 'api_keys')`.execute(db);
    },
    async dropMovedAccounts(db) {
      // Nothing of hashes and addresses stays in free pages.
      await sql`pragma secure_delete = on`.execute(db);
      for (const table of MOVED_TABLES.toReversed()) {
        await sql`drop table ${sql.id('main', table)}`.execute(db);
      }
    },
    eraseDeleted: () => eraseDeleted(connection),
    renameConstraint: async () => {},
    limitStatements() {},
    connections: () => undefined,
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
      const run: Statement<Row> = async (parameters) => {
        const values = order.map((at) => parameters[at]);
        try {
          return statement.all(values) as Row[];
        } catch (error) {
          if (!isLocked(error)) throw error;
        }
        return whenUnlocked(async () => statement.all(values) as Row[]);
      };
      return (parameters) => tellStatement(text, () => run(parameters));
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

/** How often a checkpoint is tried while others read the files, and the pause between, in ms. */
const CHECKPOINTS = 40;
const CHECKPOINT_PAUSE_MS = 25;

async function eraseDeleted(connection: Sqlite.Database): Promise<boolean> {
  for (let tries = 0; tries < CHECKPOINTS; tries += 1) {
    // The files are emptied, so that no earlier version of a page remains in them.
    const states = connection.pragma('wal_checkpoint(TRUNCATE)') as { busy: number }[];
    if (states.every(({ busy }) => busy === 0)) return true;
    await sleep(CHECKPOINT_PAUSE_MS);
  }
  return false;
}

/** Copies a database into a file that does not exist, as it is at one moment; hinders nobody. */
export async function copySqlite(file: string, copy: string): Promise<void> {
  keepPrivate(copy);
  const connection = new Sqlite(file);
  try {
    // All pages in one step: between two steps others could write, and it would begin anew.
    await connection.backup(copy, { progress: () => Number.MAX_SAFE_INTEGER });
  } finally {
    connection.close();
  }
}

/** What SQLite finds wrong with a file, in its words; undefined when nothing is. */
export function checkFile(file: string): string | undefined {
  const connection = new Sqlite(file, { fileMustExist: true });
  try {
    const result = String(connection.pragma('integrity_check(1)', { simple: true }));
    return result === 'ok' ? undefined : result;
  } finally {
    connection.close();
  }
}

/**
 * Writes everything of a file that is beside it into it, and removes what is beside it.
 *
 * @throws OperatorError when another process has it open.
 */
export function closeFile(file: string): void {
  const connection = new Sqlite(file);
  try {
    connection.pragma('busy_timeout = 1000');
    connection.pragma('journal_mode = DELETE');
  } catch (error) {
    if (!isLocked(error)) throw error;
    throw new OperatorError(`${file} is in use. Stop the service first.`, { cause: error });
  } finally {
    connection.close();
  }
}
