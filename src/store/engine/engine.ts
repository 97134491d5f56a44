import type { Kysely } from 'kysely';
import type { Clock } from './database-clock.ts';

/**
 * Everything in which SQLite (`sqlite.ts`) and PostgreSQL (`postgres.ts`) differ, except how a
 * database is opened and copied. No other file asks which of them it has.
 */
export interface Engine {
  readonly name: 'sqlite' | 'postgres';
  /** What the statements that create tables are written with. */
  readonly ddl: Ddl;
  /** Whether tables that requests write to are in an attached file, which creates them itself. */
  readonly hasAttachedFile: boolean;
  /**
   * PostgreSQL: gathers the statistics that its plans need. It does so by itself once a minute;
   * until then it scans a table that an import has just filled. SQLite: does nothing.
   */
  analyze<Tables>(db: Kysely<Tables>, tables: readonly (keyof Tables & string)[]): Promise<void>;
  /**
   * PostgreSQL: lets the transaction wait for a lock at most one second, because later statements
   * queue up behind it. SQLite: does nothing.
   */
  limitLockWait<Tables>(db: Kysely<Tables>): Promise<void>;
  /**
   * SQLite: completes the overwriting of deleted rows by a checkpoint of the write-ahead logs;
   * returns false when readers prevented it. PostgreSQL: does nothing.
   */
  eraseDeleted(): Promise<boolean>;
  /**
   * Creates the trigger that copies a row of an earlier publication into the table `superseded_…`
   * before an update overwrites it. `key` has the columns of the primary key.
   */
  keepSuperseded<Tables>(db: Kysely<Tables>, table: string, key: readonly string[]): Promise<void>;
  /** Reads the database as it is at one moment, on its own connection, so nobody waits for it. */
  snapshot<Tables, Result>(
    db: Kysely<Tables>,
    read: (db: Kysely<Tables>) => Promise<Result>,
  ): Promise<Result>;
  /**
   * PostgreSQL: from now on gives up a statement that takes longer than `milliseconds`, and its
   * connection, because the server may have vanished; also a wait of that length for a connection.
   * SQLite: gives up a wait of that length for a lock.
   */
  limitStatements(milliseconds: number): void;
  /** PostgreSQL: starts a clock that follows the server's. SQLite: the clock of this machine. */
  startClock(): Promise<Clock>;
  /** PostgreSQL: the connections of this process, and the statements that wait for one. */
  connections(): Connections | undefined;
  /** Prepares a statement of a hot path. Its parameters are `$1`, `$2` and so on. */
  prepare<Row>(text: string): Statement<Row>;
  /**
   * Prepares a statement that writes usage counters. PostgreSQL: its commit waits for neither
   * standby nor disk, so a server that fails right afterwards may lose it. SQLite: like `prepare`.
   */
  prepareCounter<Row>(text: string): Statement<Row>;
  /**
   * Returns, in any order, the rows of a table whose key column is among `keys`; instead of a
   * one-column primary key, `column` may name another column that has an index.
   */
  lookup<Tables, Row extends object>(
    transaction: Kysely<Tables>,
    table: BulkTable<Row>,
    keys: readonly number[],
    column?: ColumnOf<Row>,
  ): Promise<Row[]>;
  /** Inserts rows, and overwrites those that exist. Fast for many rows at once. */
  upsert<Tables, Row extends object>(
    transaction: Kysely<Tables>,
    table: BulkTable<Row>,
    rows: readonly Row[],
  ): Promise<void>;
}

/** Words of the statements that create tables, in which the engines differ. */
export interface Ddl {
  readonly blob: 'blob' | 'bytea';
  readonly bigint: 'integer' | 'bigint';
  /** The type of a primary key that numbers its own rows. */
  readonly rowId: string;
  /** After the columns: keeps rows in the order of the primary key, where the engine can. */
  readonly clustered: string;
  /** After the columns: leaves room for a new version of each row, for daily rewritten tables. */
  readonly rewritable: string;
}

export interface Connections {
  readonly used: number;
  readonly idle: number;
  readonly waiting: number;
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
