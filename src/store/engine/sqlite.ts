import { setTimeout as sleep } from 'node:timers/promises';
import Sqlite from 'better-sqlite3';
import { Kysely, SqliteDialect, sql } from 'kysely';
import { tellStatement } from '../../lib/channels.ts';
import { AttachedFile, type Attachment, OpenFiles } from './attached-file.ts';
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
import type { Schema } from './migrator.ts';
import {
  keepingStatements,
  TransactionalMigrations,
  WaitingDriver,
  type WatchedConnection,
} from './sqlite-driver.ts';
import { keepPrivate } from './sqlite-file.ts';

export interface SqliteOptions {
  /** The schema of the file. */
  readonly schema: Schema;
  /**
   * A file to attach. If present, commits to the main file survive a power failure (a revoked key
   * stays revoked), and deleted rows are overwritten in both files.
   */
  readonly attachment?: Attachment;
}

/** Opens or creates a SQLite file. Does not create tables. */
export function openSqlite<Tables>(
  file: string,
  { schema, attachment }: SqliteOptions,
): Opened<Tables> {
  const connection = connect(file);
  if (attachment) connection.pragma('synchronous = FULL');
  const attached = attachment && new AttachedFile(connection, attachment);
  // Without a schema name, the pragma applies to both files.
  if (attachment) connection.pragma('secure_delete = on');
  connection.pragma(`busy_timeout = ${BUSY_TIMEOUT_MS}`);
  const files = new OpenFiles(file, attached);
  const watched = { connection, files, locks: new LockWaits() };
  const dialect = new SqliteDialect({ database: connection });
  dialect.createDriver = () => new WaitingDriver(watched, schema.records);
  dialect.createAdapter = () => new TransactionalMigrations();
  return { engine: sqliteEngine(watched), db: new Kysely<Tables>({ dialect }) };
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
    ddl: {
      blob: 'blob',
      bigint: 'integer',
      rowId: 'integer primary key autoincrement',
      clustered: 'without rowid',
      rewritable: '',
    },
    hasAttachedFile: true,
    async hasTable(db, table) {
      const { rows } = await sql`select 1 from sqlite_master
        where type = 'table' and name = ${table}`.execute(db);
      return rows.length > 0;
    },
    async columnsOf(db, table) {
      const { rows } = await sql<{
        name: string;
      }>`select name from pragma_table_info(${table})`.execute(db);
      return rows.map(({ name }) => name);
    },
    analyze: async () => {},
    limitLockWait: async () => {},
    eraseDeleted: () => eraseDeleted(connection),
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
    interval: 0,
    async lookup<Tables, Row extends object>(
      _transaction: Kysely<Tables>,
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

const SNAPSHOT_CACHE_KIB = 2048;

async function readSnapshot<Tables, Result>(
  file: string,
  read: (db: Kysely<Tables>) => Promise<Result>,
): Promise<Result> {
  const connection = new Sqlite(file, { readonly: true, timeout: BUSY_TIMEOUT_MS });
  // Everything is read only once, so a larger cache would only waste memory.
  connection.pragma(`cache_size = -${SNAPSHOT_CACHE_KIB}`);
  const database = keepingStatements(connection);
  const db = new Kysely<Tables>({ dialect: new SqliteDialect({ database }) });
  try {
    // A transaction that only reads sees the file as of its first statement.
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
  // The statement runs synchronously, before this returns, so it never lands inside another
  // caller's transaction.
  const run: Statement<Row> = async (parameters) => {
    const values = order.map((at) => parameters[at]);
    files.check();
    try {
      return statement.all(values) as Row[];
    } catch (error) {
      if (!isLocked(error) && !files.recover(error)) throw error;
    }
    return locks.whenUnlocked(async () => statement.all(values) as Row[]);
  };
  return (parameters) => tellStatement(text, () => run(parameters));
}

/** How often to try a checkpoint while others read the files, and the pause between tries in ms. */
const CHECKPOINTS = 40;
const CHECKPOINT_PAUSE_MS = 25;

async function eraseDeleted(connection: Sqlite.Database): Promise<boolean> {
  for (let tries = 0; tries < CHECKPOINTS; tries += 1) {
    // Truncating the logs ensures that they keep no earlier version of a page.
    const states = connection.pragma('wal_checkpoint(TRUNCATE)') as { busy: number }[];
    if (states.every(({ busy }) => busy === 0)) return true;
    await sleep(CHECKPOINT_PAUSE_MS);
  }
  return false;
}
