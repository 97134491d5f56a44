/** Splits statements about many rows, and reads of whole tables, into parts of limited size. */

/**
 * Ids in one statement. SQLite allows 32,766 parameters, PostgreSQL 65,535
 * (https://sqlite.org/limits.html, https://www.postgresql.org/docs/current/limits.html).
 */
const IDS_PER_STATEMENT = 5000;

/** Rows in one insert. Each row has up to 16 parameters. */
const ROWS_PER_STATEMENT = 1000;

/** Runs a query for a few thousand ids at a time, and returns all rows. */
export async function queryInChunks<Id, Row>(
  ids: readonly Id[],
  query: (chunk: readonly Id[]) => Promise<readonly Row[]>,
): Promise<Row[]> {
  const found: Row[] = [];
  for (const chunk of chunksOf(ids, IDS_PER_STATEMENT)) {
    for (const row of await query(chunk)) found.push(row);
  }
  return found;
}

/** Runs a statement that writes rows, for a thousand rows at a time. */
export async function writeInChunks<Row>(
  rows: readonly Row[],
  write: (chunk: readonly Row[]) => Promise<unknown>,
): Promise<void> {
  for (const chunk of chunksOf(rows, ROWS_PER_STATEMENT)) await write(chunk);
}

function* chunksOf<Item>(items: readonly Item[], size: number): Generator<readonly Item[]> {
  for (let start = 0; start < items.length; start += size) yield items.slice(start, start + size);
}

/**
 * Reads a table page by page in the order of a key that is never negative, such as a row id. Each
 * page starts after the last key of the previous page (keyset pagination, see
 * https://use-the-index-luke.com/no-offset). No page is empty.
 *
 * @param read Returns the first rows with a key greater than the given one, in key order.
 */
export async function* readPages<Row>(
  read: (above: number) => Promise<Row[]>,
  keyOf: (row: Row) => number,
): AsyncGenerator<Row[]> {
  let page = await read(-1);
  for (let last = page.at(-1); last !== undefined; last = page.at(-1)) {
    yield page;
    page = await read(keyOf(last));
  }
}
