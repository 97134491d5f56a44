import type { Kysely } from 'kysely';
import type { Clock } from './database-clock.ts';

/**
 * All differences between SQLite (`sqlite.ts`) and PostgreSQL (`postgres.ts`), except for opening
 * and copying a database. No other code depends on the engine.
 */
export interface Engine {
  readonly name: 'sqlite' | 'postgres';
  /** The parts of statements that create tables. */
  readonly ddl: Ddl;
  /** Whether the tables that requests write to are in an attached file, which creates them. */
  readonly hasAttachedFile: boolean;
  /** Whether a table exists. Costs much less than a list of all tables with their columns. */
  hasTable<Tables>(db: Kysely<Tables>, table: string): Promise<boolean>;
  /** Returns the names of the columns of a table. */
  columnsOf<Tables>(db: Kysely<Tables>, table: string): Promise<string[]>;
  /**
   * PostgreSQL: collects the statistics for its query planner. The server also does so once a
   * minute. Until then it would scan a table that an import has just filled. SQLite: does nothing.
   */
  analyze<Tables>(db: Kysely<Tables>, tables: readonly (keyof Tables & string)[]): Promise<void>;
  /**
   * PostgreSQL: limits the transaction's waits for locks to one second each, because later
   * statements queue behind it. SQLite: does nothing.
   */
  limitLockWait<Tables>(db: Kysely<Tables>): Promise<void>;
  /**
   * SQLite: finishes overwriting deleted rows by a checkpoint of the write-ahead logs. Returns
   * false if readers prevented the checkpoint. PostgreSQL: does nothing.
   */
  eraseDeleted(): Promise<boolean>;
  /**
   * Creates the trigger that copies a row of an earlier publication to the table `superseded_…`
   * before an update overwrites it. `key` lists the columns of the primary key.
   */
  keepSuperseded<Tables>(db: Kysely<Tables>, table: string, key: readonly string[]): Promise<void>;
  /** Reads a snapshot of the database on a separate connection, so nobody waits for it. */
  snapshot<Tables, Result>(
    db: Kysely<Tables>,
    read: (db: Kysely<Tables>) => Promise<Result>,
  ): Promise<Result>;
  /**
   * PostgreSQL: limits each later statement, and each wait for a connection, to `milliseconds`. A
   * statement that takes longer also closes its connection, because the server may have vanished.
   * SQLite: limits each wait for a lock.
   */
  limitStatements(milliseconds: number): void;
  /** PostgreSQL: starts a clock that follows the server's. SQLite: uses this machine's clock. */
  startClock(): Promise<Clock>;
  /** PostgreSQL: counts the connections of this process and the statements that wait for one. */
  connections(): Connections | undefined;
  /** Prepares a statement for a hot path. Its parameters are `$1`, `$2` and so on. */
  prepare<Row>(text: string): Statement<Row>;
  /**
   * Prepares a statement that writes usage counters. PostgreSQL: its commit waits for neither disk
   * nor standby, so the write is lost if the server fails right afterwards. SQLite: like `prepare`.
   */
  prepareCounter<Row>(text: string): Statement<Row>;
  /**
   * The interval between the starts of statements that frequent requests share, in milliseconds.
   * PostgreSQL: 4, because a statement costs the server 50 µs, and each further row 2 to 5 µs.
   * SQLite: 0.
   */
  readonly interval: number;
  /**
   * Returns the rows whose key column is among `keys`, in any order. The key column is the primary
   * key, if that has one column, or the indexed column `column`.
   */
  lookup<Tables, Row extends object>(
    transaction: Kysely<Tables>,
    table: BulkTable<Row>,
    keys: readonly number[],
    column?: ColumnOf<Row>,
  ): Promise<Row[]>;
  /** Inserts rows, and overwrites existing ones. Fast for many rows at once. */
  upsert<Tables, Row extends object>(
    transaction: Kysely<Tables>,
    table: BulkTable<Row>,
    rows: readonly Row[],
  ): Promise<void>;
}

/** The parts of `create table` statements that differ between the engines. */
export interface Ddl {
  readonly blob: 'blob' | 'bytea';
  readonly bigint: 'integer' | 'bigint';
  /** The type of a primary key whose values the database assigns. */
  readonly rowId: string;
  /** Goes after the columns: stores rows in primary key order, if the engine can. */
  readonly clustered: string;
  /** Goes after the columns of tables rewritten daily: leaves room for new versions of rows. */
  readonly rewritable: string;
}

export interface Connections {
  readonly used: number;
  readonly idle: number;
  readonly waiting: number;
}

export type Value = string | number | Uint8Array | null;
export type Statement<Row> = (parameters: readonly Value[]) => Promise<Row[]>;

/** A table for `lookup` and `upsert`. Its rows are objects with one property per column. */
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

/** An open database with these tables. */
export interface Opened<Tables> {
  readonly engine: Engine;
  readonly db: Kysely<Tables>;
}

export function selectSql<Row extends object>(
  table: BulkTable<Row>,
  column: ColumnOf<Row> | undefined = table.key[0],
): string {
  return `select ${columnsOf(table).join(', ')} from ${table.name} where ${column}`;
}

export function upsertSql<Row extends object>(table: BulkTable<Row>, source: string): string {
  const columns = columnsOf(table);
  const updates = columns
    .filter((column) => !table.key.includes(column))
    .map((column) => `${column} = excluded.${column}`);
  return `insert into ${table.name} (${columns.join(', ')}) ${source}
    on conflict (${table.key.join(', ')}) do update set ${updates.join(', ')}`;
}

export function columnsOf<Row extends object>({ columns }: BulkTable<Row>): ColumnOf<Row>[] {
  return Object.keys(columns) as ColumnOf<Row>[];
}
