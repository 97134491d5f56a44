import type { ColumnDefinitionBuilderCallback, CreateTableBuilder, Kysely } from 'kysely';
import type { Database } from '../catalogue/schema.ts';
import type { Clock } from './database-clock.ts';

/**
 * Everything in which SQLite (`sqlite.ts`) and PostgreSQL (`postgres.ts`) differ, but for how a
 * database is opened (`connect.ts`) and copied (`copy.ts`). No other file asks which of them it is.
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
  /** PostgreSQL: creates what these tables lack. SQLite: that is done when it opens. */
  updateUsageTables(db: Kysely<unknown>): Promise<void>;
  /** SQLite: copies the accounts from the file of the catalogue. PostgreSQL: does nothing. */
  moveAccountsToTheirFile(db: Kysely<unknown>): Promise<void>;
  /** SQLite: removes the accounts that were copied. PostgreSQL: does nothing. */
  dropMovedAccounts(db: Kysely<unknown>): Promise<void>;
  /**
   * PostgreSQL: gathers the statistics of tables by which it plans. It does so by itself once a
   * minute, and until then reads a table whole that an import has just filled. SQLite, whose plans
   * need none: does nothing.
   */
  analyze(db: Kysely<Database>, tables: readonly (keyof Database)[]): Promise<void>;
  /**
   * PostgreSQL: has the transaction wait a second at most for a lock, because whoever needs the same
   * lock waits behind it. SQLite: does nothing.
   */
  limitLockWait(db: Kysely<unknown>): Promise<void>;
  /**
   * SQLite: overwrites what was deleted from the files of accounts, which a checkpoint of their
   * write-ahead logs completes; returns whether nobody kept it from that. PostgreSQL: does nothing.
   */
  eraseDeleted(): Promise<boolean>;
  /** PostgreSQL: renames a constraint. SQLite, which never shows the names: does nothing. */
  renameConstraint(db: Kysely<unknown>, table: string, from: string, to: string): Promise<void>;
  /**
   * Makes the database put the row of an earlier publication into the table `superseded_…` before
   * it is overwritten, whoever does that. `key` has the columns of the primary key.
   */
  keepSuperseded(db: Kysely<unknown>, table: string, key: readonly string[]): Promise<void>;
  /**
   * Reads the database as it is at one moment, whatever is written meanwhile. Nobody waits for it:
   * it has a connection for itself.
   */
  snapshot<Result>(
    db: Kysely<Database>,
    read: (db: Kysely<Database>) => Promise<Result>,
  ): Promise<Result>;
  /**
   * PostgreSQL: from now on gives a statement up that takes longer than `milliseconds`, and its
   * connection with it, because the server may have gone without a word; and one that waits so long
   * for a connection. SQLite: gives up one that waits so long for a lock.
   */
  limitStatements(milliseconds: number): void;
  /** PostgreSQL: starts a clock that goes by the server's. SQLite: the clock of this machine. */
  startClock(): Promise<Clock>;
  /** PostgreSQL: the connections of this process, and the statements that wait for one. */
  connections(): Connections | undefined;
  /** Prepares a statement of a hot path. Its parameters are `$1`, `$2` and so on. */
  prepare<Row>(text: string): Statement<Row>;
  /**
   * Prepares a statement that writes counters of usage. PostgreSQL: its commit waits for no standby
   * and no disk, so that a server that fails right after it may forget it. SQLite: like `prepare`.
   */
  prepareCounter<Row>(text: string): Statement<Row>;
  /**
   * Returns, in any order, the rows of a table whose one key column, or another column with an index,
   * is among `keys`.
   */
  lookup<Row extends object>(
    transaction: Kysely<Database>,
    table: BulkTable<Row>,
    keys: readonly number[],
    column?: ColumnOf<Row>,
  ): Promise<Row[]>;
  /** Inserts rows, and overwrites those that exist; fast for many rows at once. */
  upsert<Row extends object>(
    transaction: Kysely<Database>,
    table: BulkTable<Row>,
    rows: readonly Row[],
  ): Promise<void>;
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
