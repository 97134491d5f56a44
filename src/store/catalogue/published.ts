import { type Kysely, type RawBuilder, sql } from 'kysely';
import { type BulkTable, columnsOf } from '../engine/engine.ts';
import { isOneOf } from '../engine/id-lists.ts';
import { SEARCHED_FACTS, type StoredSearchedFacts, searchedFactsOf } from './facts.ts';
import {
  CARD_EXTERNAL_IDS,
  CARD_NAMES,
  CARDS,
  cardOf,
  externalIdOf,
  nameOf,
  PRINTINGS,
  printingOf,
  SETS,
  type StoredCard,
  type StoredExternalId,
  type StoredName,
  type StoredPrinting,
  type StoredSet,
  setOf,
} from './records.ts';
import type { Database } from './schema.ts';

/**
 * Reads sets, cards, printings and external ids as they were published, even while an import
 * overwrites them: the tables `superseded_…` keep the old rows until the import publishes. Read
 * everything, including the number of the publication, in one snapshot of the database.
 */

type Db = Kysely<Database>;

/** Rows in a range of row ids. */
export interface Slice {
  readonly above: number;
  readonly upTo: number;
  /** Only rows of publications after this one, up to and including `published`. */
  readonly since: number;
  readonly published: number;
}

/** Greater than any row id. */
const NO_END = 2 ** 31 - 1;

/** Returns the sets written by publications after `since`. */
export async function readSetsSince(
  db: Db,
  publications: Pick<Slice, 'since' | 'published'>,
): Promise<StoredSet[]> {
  const slice = { above: -1, upTo: NO_END, ...publications };
  return (await readPublished(db, SETS, 'id', slice)).map(setOf);
}

/** Returns cards, ordered by row id. */
export async function readCardSlice(db: Db, slice: Slice): Promise<StoredCard[]> {
  return (await readPublished(db, CARDS, 'id', slice)).map(cardOf);
}

/** Returns the external ids of the cards in a range of row ids. */
export async function readExternalIdSlice(db: Db, slice: Slice): Promise<StoredExternalId[]> {
  // External ids without a recorded publication count as part of the first one.
  const since = slice.since === 0 ? -1 : slice.since;
  const rows = await readPublished(db, CARD_EXTERNAL_IDS, 'card_id', { ...slice, since });
  return rows.map(externalIdOf);
}

/** Returns the names, in other languages, of the cards in a range of row ids. */
export async function readNameSlice(db: Db, slice: Slice): Promise<StoredName[]> {
  return (await readPublished(db, CARD_NAMES, 'card_id', slice)).map(nameOf);
}

/** Returns the part of the facts that the search keeps, for the cards in a range of row ids. */
export async function readSearchedFactsSlice(db: Db, slice: Slice): Promise<StoredSearchedFacts[]> {
  return (await readPublished(db, SEARCHED_FACTS, 'card_id', slice)).map(searchedFactsOf);
}

/** Returns printings, ordered by row id. */
export async function readPrintingSlice(db: Db, slice: Slice): Promise<StoredPrinting[]> {
  return (await readPublished(db, PRINTINGS, 'id', slice)).map(printingOf);
}

/** The cards and the publication to read. */
interface PublishedCards {
  /** The row ids of the cards. */
  readonly cards: readonly number[];
  /** The number of the publication. */
  readonly published: number;
}

/** Returns cards by their row ids, ordered by these. */
export async function readCards(db: Db, cards: PublishedCards): Promise<StoredCard[]> {
  return (await readPublishedOf(db, CARDS, 'id', cards)).map(cardOf);
}

/** Returns the external ids of cards. */
export async function readExternalIds(db: Db, cards: PublishedCards): Promise<StoredExternalId[]> {
  return (await readPublishedOf(db, CARD_EXTERNAL_IDS, 'card_id', cards)).map(externalIdOf);
}

/** Returns the printings of cards, ordered by the row ids of the cards. */
export async function readPrintings(db: Db, cards: PublishedCards): Promise<StoredPrinting[]> {
  return (await readPublishedOf(db, PRINTINGS, 'card_id', cards)).map(printingOf);
}

function readPublished<Row extends { revision: number }>(
  db: Db,
  table: BulkTable<Row>,
  rowId: 'id' | 'card_id',
  { above, upTo, since, published }: Slice,
): Promise<Row[]> {
  const inSlice = sql`${sql.ref(rowId)} > ${above} and ${sql.ref(rowId)} <= ${upTo}
    and revision > ${since}`;
  return readPublishedWhere(db, table, rowId, inSlice, published);
}

function readPublishedOf<Row extends { revision: number }>(
  db: Db,
  table: BulkTable<Row>,
  rowId: 'id' | 'card_id',
  { cards, published }: PublishedCards,
): Promise<Row[]> {
  return readPublishedWhere(db, table, rowId, isOneOf(rowId, cards), published);
}

async function readPublishedWhere<Row extends { revision: number }>(
  db: Db,
  table: BulkTable<Row>,
  rowId: string,
  isWanted: RawBuilder<unknown>,
  published: number,
): Promise<Row[]> {
  const columns = sql.join(columnsOf(table).map((column) => sql.ref(column)));
  const { rows } = await sql<Row>`
    select ${columns} from ${sql.table(table.name)}
    where ${isWanted} and revision <= ${published}
    union all
    select ${columns} from ${sql.table(`superseded_${table.name}`)} as superseded
    where ${isWanted} and exists (select 1 from ${sql.table(table.name)} as written
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
