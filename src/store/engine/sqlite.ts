import { setTimeout as sleep } from 'node:timers/promises';
import Sqlite from 'better-sqlite3';
import { Kysely, SqliteDialect, sql } from 'kysely';
import { tellStatement } from '../../lib/channels.ts';
import { ACCOUNT_TABLE_STATEMENTS, MOVED_TABLES } from '../accounts/account-file.ts';
import { AttachedUsage } from '../accounts/attached-usage.ts';
import type { AccountDatabase } from '../accounts/schema.ts';
import type { Database } from '../catalogue/schema.ts';
import {
  type BulkTable,
  columnsOf,
  type Engine,
  type Opened,
  type Statement,
  selectSql,
  upsertSql,
} from './engine.ts';
import { BUSY_TIMEOUT_MS, isLocked, LockWaits } from './locks.ts';
import { MIGRATION_TABLES, type MigrationTables } from './migration-tables.ts';
import { OpenFiles } from './open-files.ts';
import { keepPrivate } from './private-file.ts';
import { TransactionalMigrations, WaitingDriver, type WatchedConnection } from './sqlite-driver.ts';

/** Opens, or makes, the file of the catalogue. */
export function openSqlite(file: string): Opened<Database> {
  const connection = connect(file);
  // Databases of before have tables of the usage file in this one, until they are migrated.
  if (!hasTable(connection, 'printings') || hasTable(connection, 'accounts')) {
    new AttachedUsage(connection, file);
  }
  return open(connection, MIGRATION_TABLES.catalogue, new OpenFiles(file));
}

/** Opens, or makes, the files of accounts and of usage that are beside the file of the catalogue. */
export function openSqliteAccounts(file: string): Opened<AccountDatabase> {
  const main = `${file}-accounts`;
  const connection = connect(main);
  // A key that was revoked stays so when the power fails.
  connection.pragma('synchronous = FULL');
  const usage = new AttachedUsage(connection, file);
  // What is deleted is overwritten, in both files: an address does not outlive its account.
  connection.pragma('secure_delete = on');
  if (!hasTable(connection, 'accounts')) {
    connection.prepare('attach database ? as catalogue').run(file);
  }
  return open(connection, MIGRATION_TABLES.accounts, new OpenFiles(main, usage));
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

function open<Tables>(
  connection: Sqlite.Database,
  tables: MigrationTables,
  files: OpenFiles,
): Opened<Tables> {
  connection.pragma(`busy_timeout = ${BUSY_TIMEOUT_MS}`);
  const watched = { connection, files, locks: new LockWaits() };
  const dialect = new SqliteDialect({ database: connection });
  dialect.createDriver = () => new WaitingDriver(watched, tables);
  dialect.createAdapter = () => new TransactionalMigrations();
  return { engine: sqliteEngine(watched), db: new Kysely<Tables>({ dialect }) };
}

function hasTable(connection: Sqlite.Database, name: string, schema = 'main'): boolean {
  const table = connection.prepare(
    `select 1 from ${schema}.sqlite_master where type = 'table' and name = ?`,
  );
  return table.get(name) !== undefined;
}

function sqliteEngine(watched: WatchedConnection): Engine {
  const { connection, locks } = watched;
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
    analyze: async () => {},
    limitLockWait: async () => {},
    eraseDeleted: () => eraseDeleted(connection),
    renameConstraint: async () => {},
    async keepSuperseded(db, table, key) {
      const [name, superseded] = [`supersede_${table}`, `superseded_${table}`];
      const isOld = key.map((column) => sql`${sql.id(column)} = old.${sql.id(column)}`);
      await sql`create trigger ${sql.id(name)} before update on ${sql.table(table)}
        when old.revision < new.revision begin
        insert or ignore into ${sql.table(superseded)}
          select * from ${sql.table(table)} where ${sql.join(isOld, sql` and `)};
      end`.execute(db);
    },
    snapshot: (_db, read) => readSnapshot(connection.name, read),
    limitStatements(milliseconds) {
      locks.limit = milliseconds;
    },
    startClock: async () => ({ now: () => Date.now(), stop() {} }),
    connections: () => undefined,
    prepare: (text) => prepare(watched, text),
    prepareCounter: (text) => prepare(watched, text),
    async lookup<Row extends object>(
      _transaction: Kysely<Database>,
      table: BulkTable<Row>,
      keys: readonly number[],
      column?: keyof Row & string,
    ) {
      const reader = statementOf(`${selectSql(table, column)} = ?`);
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

async function readSnapshot<Result>(
  file: string,
  read: (db: Kysely<Database>) => Promise<Result>,
): Promise<Result> {
  const connection = new Sqlite(file, { readonly: true, timeout: BUSY_TIMEOUT_MS });
  const db = new Kysely<Database>({ dialect: new SqliteDialect({ database: connection }) });
  try {
    // A transaction that only reads sees the file as it is at its first statement.
    return await db.transaction().execute(read);
  } finally {
    await db.destroy();
  }
}

function prepare<Row>(
  { connection, files, locks }: WatchedConnection,
  text: string,
): Statement<Row> {
  const order: number[] = [];
  const statement = connection.prepare(
    text.replace(/\$(\d+)/g, (_, position: string) => {
      order.push(Number(position) - 1);
      return '?';
    }),
  );
  // The statement runs before this returns, in the same tick of the event loop, so that it is
  // never inside of a transaction of another caller.
  const run: Statement<Row> = async (parameters) => {
    const values = order.map((at) => parameters[at]);
    files.check();
    try {
      return statement.all(values) as Row[];
    } catch (error) {
      if (!isLocked(error) && !files.mend(error)) throw error;
    }
    return locks.whenUnlocked(async () => statement.all(values) as Row[]);
  };
  return (parameters) => tellStatement(text, () => run(parameters));
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
