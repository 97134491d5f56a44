import { CompiledQuery, Kysely, PostgresDialect, type PostgresPool, sql } from 'kysely';
import pg from 'pg';
import type { AccountDatabase } from '../accounts/schema.ts';
import { laterColumns, laterValues, usageTableStatements } from '../accounts/usage-tables.ts';
import type { Database } from '../catalogue/schema.ts';
import { DatabaseClock } from './database-clock.ts';
import {
  type BulkTable,
  columnsOf,
  type Engine,
  type Opened,
  type Statement,
  selectSql,
  upsertSql,
} from './engine.ts';
import { ServerPool } from './postgres-pool.ts';

/** Moments and counters are the only values of the type bigint, and far below 2^53. */
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

/**
 * Opens a server for a session that can write to nothing but temporary tables: the server refuses
 * everything else, also after a connection was lost and the temporary tables with it.
 */
export function openPostgresReadOnly(url: string): OpenServer {
  const alone = { max: 1, idleTimeoutMillis: 0, connectionTimeoutMillis: 0 };
  const readOnly = ['set default_transaction_read_only = on'];
  return open(new ServerPool({ ...alone, connectionString: url }, readOnly));
}

/** The catalogue and the accounts of a server, on the same connections. */
export interface OpenServer extends Opened<Database> {
  readonly accounts: Opened<AccountDatabase>;
}

export function openPostgres(url: string): OpenServer {
  return open(new ServerPool({ connectionString: url }));
}

function open(pool: ServerPool): OpenServer {
  const engine = postgresEngine(pool);
  // Nothing reads by cursors, which are another form of `query`.
  const dialect = () => new PostgresDialect({ pool: pool as unknown as PostgresPool });
  const db = new Kysely<Database>({ dialect: dialect() });
  const accounts = new Kysely<AccountDatabase>({ dialect: dialect() });
  return { engine, db, accounts: { engine, db: accounts } };
}

function postgresEngine(pool: ServerPool): Engine {
  let prepared = 0;
  const named = (text: string) => {
    prepared += 1;
    return { name: `cardprice_${prepared}`, text };
  };
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
    async updateUsageTables(db) {
      for (const statement of usageTableStatements()) await sql.raw(statement).execute(db);
      for (const { table, name, definition } of laterColumns()) {
        await sql
          .raw(`alter table ${table} add column if not exists ${name} ${definition}`)
          .execute(db);
      }
      for (const statement of laterValues()) await sql.raw(statement).execute(db);
    },
    // All tables are in one database.
    moveAccountsToTheirFile: async () => {},
    dropMovedAccounts: async () => {},
    async analyze(db, tables) {
      await sql`analyze ${sql.join(tables.map((table) => sql.table(table)))}`.execute(db);
    },
    async limitLockWait(db) {
      await sql`set local lock_timeout = '1s'`.execute(db);
    },
    eraseDeleted: async () => true,
    async renameConstraint(db, table, from, to) {
      await db.schema.alterTable(table).renameConstraint(from, to).execute();
    },
    async keepSuperseded(db, table) {
      const [name, superseded] = [`supersede_${table}`, `superseded_${table}`];
      await sql`create function ${sql.id(name)}() returns trigger language plpgsql as $$ begin
        insert into ${sql.table(superseded)} values (old.*) on conflict do nothing;
        return new;
      end $$`.execute(db);
      await sql`create trigger ${sql.id(name)} before update on ${sql.table(table)}
        for each row when (old.revision < new.revision)
        execute function ${sql.id(name)}()`.execute(db);
    },
    snapshot(db, read) {
      const transaction = db.transaction().setIsolationLevel('repeatable read');
      return transaction.setAccessMode('read only').execute(read);
    },
    limitStatements: (milliseconds) => pool.limitStatements(milliseconds),
    startClock: () => DatabaseClock.start(() => pool.readClock()),
    connections: () => pool.connections,
    prepare<Row>(text: string): Statement<Row> {
      const statement = named(text);
      return (parameters) => pool.query<Row>(statement, [...parameters]);
    },
    prepareCounter<Row>(text: string): Statement<Row> {
      const statement = named(text);
      return (parameters) => pool.queryAtEase<Row>(statement, [...parameters]);
    },
    async lookup<Row extends object>(
      transaction: Kysely<Database>,
      table: BulkTable<Row>,
      keys: readonly number[],
      column?: keyof Row & string,
    ) {
      if (keys.length === 0) return [];
      const query = CompiledQuery.raw(`${selectSql(table, column)} = any($1)`, [[...keys]]);
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
