import { type Kysely, type RawBuilder, sql } from 'kysely';
import { type BulkTable, columnsOf } from '../engine/engine.ts';
import type { CardExternalIdRow, CardRow, Database, PrintingRow, SetRow } from './schema.ts';
import { CARD_EXTERNAL_IDS, CARDS, PRINTINGS, SETS } from './tables.ts';

/**
 * Reads sets, cards, printings and external ids as a publication has them, whatever an import has
 * overwritten since: what it overwrites is kept in the tables `superseded_…` until it publishes.
 * Everything is to be read in one snapshot of the database, the number of the publication too.
 */

type Db = Kysely<Database>;

/** Rows in a range of row ids. */
export interface Slice {
  readonly above: number;
  readonly upTo: number;
  /** Only rows of later publications than this one, up to and with `published`. */
  readonly since: number;
  readonly published: number;
}

/** More than any row id. */
const NO_END = 2 ** 31 - 1;

/** Returns the sets that were written by later publications than `since`. */
export function readSetsSince(
  db: Db,
  publications: Pick<Slice, 'since' | 'published'>,
): Promise<SetRow[]> {
  return readPublished(db, SETS, 'id', { above: -1, upTo: NO_END, ...publications });
}

/** Returns cards in the order of their row ids. */
export function readCardSlice(db: Db, slice: Slice): Promise<CardRow[]> {
  return readPublished(db, CARDS, 'id', slice);
}

/** Returns the external ids of the cards in a range of row ids. */
export function readExternalIdSlice(db: Db, slice: Slice): Promise<CardExternalIdRow[]> {
  // Those of which no publication was recorded have been there from the first.
  const since = slice.since === 0 ? -1 : slice.since;
  return readPublished(db, CARD_EXTERNAL_IDS, 'card_id', { ...slice, since });
}

/** Returns printings in the order of their row ids. */
export function readPrintingSlice(db: Db, slice: Slice): Promise<PrintingRow[]> {
  return readPublished(db, PRINTINGS, 'id', slice);
}

async function readPublished<Row extends { revision: number }>(
  db: Db,
  table: BulkTable<Row>,
  rowId: 'id' | 'card_id',
  { above, upTo, since, published }: Slice,
): Promise<Row[]> {
  const columns = sql.join(columnsOf(table).map((column) => sql.ref(column)));
  const inSlice = sql`${sql.ref(rowId)} > ${above} and ${sql.ref(rowId)} <= ${upTo}
    and revision > ${since}`;
  const { rows } = await sql<Row>`
    select ${columns} from ${sql.table(table.name)}
    where ${inSlice} and revision <= ${published}
    union all
    select ${columns} from ${sql.table(`superseded_${table.name}`)} as superseded
    where ${inSlice} and exists (select 1 from ${sql.table(table.name)} as written
      where ${sameKey(table)} and written.revision > ${published})
    order by ${sql.ref(rowId)}`.execute(db);
  return rows;
}

function sameKey<Row extends object>({ key }: BulkTable<Row>): RawBuilder<unknown> {
  const conditions = key.map((column) => {
    return sql`${sql.ref(`written.${column}`)} = ${sql.ref(`superseded.${column}`)}`;
  });
  return sql.join(conditions, sql` and `);
}
