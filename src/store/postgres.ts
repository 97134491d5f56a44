import {
  CompiledQuery,
  Kysely,
  PostgresDialect,
  type PostgresPool,
  type PostgresPoolClient,
  sql,
} from 'kysely';
import pg from 'pg';
import { tellStatement } from '../lib/channels.ts';
import { waits } from '../lib/waits.ts';
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
import type { Database } from './schema.ts';
import { isUnavailable } from './unavailable.ts';
import { laterColumns, laterValues, usageTableStatements } from './usage-file.ts';

/** Moments and counters are the only values of the type bigint, and far below 2^53. */
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

/** Milliseconds to wait for a connection, be it a new one or one that others use. */
const CONNECT_MS = 10_000;

/** An idle connection is asked now and then, after these milliseconds, whether its server is there. */
const KEEP_ALIVE = { keepAlive: true, keepAliveInitialDelayMillis: 10_000 };

/**
 * Opens a server for a session that can write to nothing but temporary tables: the server refuses
 * everything else, also after a connection was lost and the temporary tables with it.
 */
export function openPostgresReadOnly(url: string): OpenServer {
  const pool = new pg.Pool({ ...KEEP_ALIVE, connectionString: url, max: 1, idleTimeoutMillis: 0 });
  pool.on('connect', (client) => {
    client.query('set default_transaction_read_only = on').catch(() => client.end());
  });
  return open(pool);
}

/** The catalogue and the accounts of a server, on the same connections. */
export interface OpenServer extends Opened<Database> {
  readonly accounts: Opened<AccountDatabase>;
}

export function openPostgres(url: string): OpenServer {
  const waiting = { connectionTimeoutMillis: CONNECT_MS, ...KEEP_ALIVE };
  return open(new pg.Pool({ ...waiting, connectionString: url, max: 8 }));
}

function open(pool: pg.Pool): OpenServer {
  // Without a listener, the end of an idle connection would end the process. The pool replaces it.
  pool.on('error', () => {});
  // So would the end of one that is in use, although the statement that it had fails by itself.
  pool.on('connect', (client) => client.on('error', () => {}));
  const limit: StatementLimit = {};
  const engine = postgresEngine(pool, limit);
  const dialect = () => new PostgresDialect({ pool: limited(pool, limit) });
  const db = new Kysely<Database>({ dialect: dialect() });
  const accounts = new Kysely<AccountDatabase>({ dialect: dialect() });
  return { engine, db, accounts: { engine, db: accounts } };
}

/** How long a statement may take, in milliseconds; without an end until it is set. */
interface StatementLimit {
  query_timeout?: number;
}

/** The same pool, whose statements keep the limit. */
function limited(pool: pg.Pool, limit: StatementLimit): PostgresPool {
  return {
    options: pool.options,
    async connect() {
      const from = performance.now();
      const client = await pool.connect();
      waits.record('connection', from);
      return limitedClient(client, limit);
    },
    end: () => pool.end(),
  };
}

/** A connection that is closed, and not used again, once a statement was lost on it. */
function limitedClient(client: pg.PoolClient, limit: StatementLimit): PostgresPoolClient {
  let isLost = false;
  const query = async (text: string, values: unknown[]) => {
    try {
      return await tellStatement(text, () => client.query({ text, values, ...limit }));
    } catch (error) {
      isLost ||= isUnavailable(error);
      throw error;
    }
  };
  const release = (destroy = false) => client.release(destroy || isLost);
  // Nothing reads by cursors, which are the other form of `query`.
  return { query, release } as unknown as PostgresPoolClient;
}

function postgresEngine(pool: pg.Pool, limit: StatementLimit): Engine {
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
    limitStatements(milliseconds) {
      limit.query_timeout = milliseconds;
      pool.options.connectionTimeoutMillis = milliseconds;
    },
    connections() {
      const { totalCount, idleCount, waitingCount } = pool;
      return { used: totalCount - idleCount, idle: idleCount, waiting: waitingCount };
    },
    prepare<Row>(text: string): Statement<Row> {
      prepared += 1;
      const name = `cardprice_${prepared}`;
      return async (parameters) => {
        const values = [...parameters];
        const query = () => pool.query({ name, text, values, ...limit });
        const { rows } = await tellStatement(text, query);
        return rows as Row[];
      };
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
