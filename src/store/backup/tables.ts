import { type Kysely, sql } from 'kysely';
import { ACCOUNT_TABLES } from '../accounts/schema.ts';
import { CATALOGUE_TABLES } from '../catalogue/schema.ts';
import type { Store } from '../connect.ts';
import type { Opened } from '../engine/engine.ts';

/** A row of a table, in a form that both engines accept. */
type Row = Readonly<Record<string, unknown>>;

/** A database type in which only the names of tables matter. */
export type Tables = Record<string, Record<string, unknown>>;

/** A part of a database. Each of its tables comes after the tables that it refers to. */
export interface Part extends Opened<Tables> {
  readonly name: 'catalogue' | 'accounts';
  readonly tables: readonly string[];
}

/** The number of rows to read, and of values to write, at once. */
const ROWS_AT_ONCE = 2000;
const VALUES_AT_ONCE = 30_000;

/** Returns the two parts of a store: catalogue and accounts. */
export function partsOf({ engine, db, accounts }: Omit<Store, 'clock' | 'close'>): Part[] {
  const catalogue = { engine, db: db as unknown as Kysely<Tables> };
  const others = { engine: accounts.engine, db: accounts.db as unknown as Kysely<Tables> };
  return [
    { name: 'catalogue', ...catalogue, tables: CATALOGUE_TABLES },
    { name: 'accounts', ...others, tables: ACCOUNT_TABLES },
  ];
}

/** Returns the number of rows of each table of a part. */
export async function countRows({ db, tables }: Part): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const table of tables) {
    const { rows } = await sql<{ count: number }>`select count(*) as count
      from ${sql.table(table)}`.execute(db);
    counts[table] = Number(rows[0]?.count ?? 0);
  }
  return counts;
}

/** Deletes all rows of a part. */
export async function clear({ tables }: Part, transaction: Kysely<Tables>): Promise<void> {
  for (const table of tables.toReversed()) await transaction.deleteFrom(table).execute();
}

/**
 * Copies pages of rows into a table, without columns that the table lacks. After an upgrade was
 * taken back, tables have columns that this version does not know.
 */
export async function copyRows(
  pages: AsyncIterable<readonly Row[]>,
  { engine, db }: Opened<Tables>,
  table: string,
): Promise<void> {
  const known = new Set(await engine.columnsOf(db, table));
  for await (const rows of pages) {
    const unknown = Object.keys(rows[0] ?? {}).filter((column) => !known.has(column));
    await insertRows(db, table, unknown.length === 0 ? rows : rows.map(without(unknown)));
  }
}

function without(columns: readonly string[]): (row: Row) => Row {
  return (row) => {
    return Object.fromEntries(Object.entries(row).filter(([column]) => !columns.includes(column)));
  };
}

/** Inserts rows into a table in batches. */
export async function insertRows(
  transaction: Kysely<Tables>,
  table: string,
  rows: readonly Row[],
): Promise<void> {
  const columns = Object.keys(rows[0] ?? {}).length;
  const size = Math.max(1, Math.floor(VALUES_AT_ONCE / Math.max(1, columns)));
  for (let start = 0; start < rows.length; start += size) {
    const batch = rows.slice(start, start + size);
    await transaction
      .insertInto(table)
      .values([...batch])
      .execute();
  }
}

/** Reads a table of a SQLite database in pages. */
export async function* readFile(db: Kysely<Tables>, table: string): AsyncGenerator<Row[]> {
  let page: Row[] = [];
  for await (const row of db.selectFrom(table).selectAll().stream()) {
    page.push(row as Row);
    if (page.length < ROWS_AT_ONCE) continue;
    yield page;
    page = [];
  }
  if (page.length > 0) yield page;
}

/** Reads a table of a PostgreSQL server in pages, within the transaction of a connection. */
export async function* readServer(
  connection: Kysely<Tables>,
  table: string,
): AsyncGenerator<Row[]> {
  await sql`declare pages no scroll cursor for select * from ${sql.table(table)}`.execute(
    connection,
  );
  for (;;) {
    const { rows } = await sql<Row>`fetch ${sql.lit(ROWS_AT_ONCE)} from pages`.execute(connection);
    if (rows.length === 0) break;
    yield rows;
  }
  await sql`close pages`.execute(connection);
}
