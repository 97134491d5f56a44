import type { Kysely } from 'kysely';
import type { Cents } from '../domain/money.ts';
import type { Store } from './connect.ts';
import type { BulkTable } from './engine.ts';
import type {
  CardExternalIdRow,
  CardRow,
  Database,
  PrintingRow,
  SetExternalIdRow,
  SetRow,
} from './schema.ts';

/** SQL of sets, cards and printings, for whoever writes them. */

export const SETS: BulkTable = {
  name: 'sets',
  columns: {
    id: 'int4',
    game: 'text',
    code: 'text',
    name: 'text',
    release_date: 'text',
    revision: 'int4',
  },
  key: ['id'],
};

export const SET_EXTERNAL_IDS: BulkTable = {
  name: 'set_keys',
  columns: { source: 'text', key: 'text', set_id: 'int4' },
  key: ['source', 'key'],
};

export const CARDS: BulkTable = {
  name: 'cards',
  columns: {
    id: 'int4',
    public_id: 'text',
    set_id: 'int4',
    name: 'text',
    number: 'text',
    rarity: 'text',
    image: 'text',
    revision: 'int4',
  },
  key: ['id'],
};

export const CARD_EXTERNAL_IDS: BulkTable = {
  name: 'card_keys',
  columns: { source: 'text', key: 'text', card_id: 'int4' },
  key: ['source', 'key'],
};

export const PRINTINGS: BulkTable = {
  name: 'printings',
  columns: {
    id: 'int4',
    card_id: 'int4',
    name: 'text',
    market: 'int4',
    low: 'int4',
    mid: 'int4',
    high: 'int4',
    conditions: 'text',
    graded: 'text',
    sources: 'text',
    observed_at: 'int8',
    figures_at: 'int8',
    revision: 'int4',
  },
  key: ['id'],
};

/** Inserts sets, or replaces those of the same row id. */
export async function upsertSets(
  { engine }: Store,
  transaction: Kysely<Database>,
  rows: readonly SetRow[],
): Promise<void> {
  const values = rows.map((row) => {
    return [row.id, row.game, row.code, row.name, row.release_date, row.revision];
  });
  await engine.upsert(transaction, SETS, values);
}

/** Inserts external ids of sets, or gives those that are known another set. */
export async function upsertSetExternalIds(
  { engine }: Store,
  transaction: Kysely<Database>,
  rows: readonly SetExternalIdRow[],
): Promise<void> {
  const values = rows.map(({ source, key, set_id }) => [source, key, set_id]);
  await engine.upsert(transaction, SET_EXTERNAL_IDS, values);
}

/** Inserts cards, or replaces those of the same row id. */
export async function upsertCards(
  { engine }: Store,
  transaction: Kysely<Database>,
  rows: readonly CardRow[],
): Promise<void> {
  const values = rows.map(({ id, public_id, set_id, name, number, rarity, image, revision }) => {
    return [id, public_id, set_id, name, number, rarity, image, revision];
  });
  await engine.upsert(transaction, CARDS, values);
}

/** Inserts external ids of cards, or gives those that are known another card. */
export async function upsertCardExternalIds(
  { engine }: Store,
  transaction: Kysely<Database>,
  rows: readonly CardExternalIdRow[],
): Promise<void> {
  const values = rows.map(({ source, key, card_id }) => [source, key, card_id]);
  await engine.upsert(transaction, CARD_EXTERNAL_IDS, values);
}

/** Inserts printings, or replaces those of the same row id. */
export async function upsertPrintings(
  { engine }: Store,
  transaction: Kysely<Database>,
  rows: readonly PrintingRow[],
): Promise<void> {
  const columns = Object.keys(PRINTINGS.columns) as (keyof PrintingRow)[];
  const values = rows.map((row) => columns.map((column) => row[column]));
  await engine.upsert(transaction, PRINTINGS, values);
}

/** More keys than this in one statement would pass the engines' bound on parameters. */
const KEYS_PER_QUERY = 5000;

export interface KnownSet extends SetRow {
  /** The sources that have a key for it, with the key. */
  readonly externalIds: ReadonlyMap<string, string>;
}

/** Every set with what the sources call it. There are a few thousand. */
export async function readSets(db: Kysely<Database>): Promise<KnownSet[]> {
  const rows = await db.selectFrom('sets').selectAll().execute();
  const keys = await db.selectFrom('set_keys').selectAll().execute();
  const bySet = new Map<number, Map<string, string>>();
  for (const { set_id, source, key } of keys) {
    bySet.set(set_id, (bySet.get(set_id) ?? new Map()).set(source, key));
  }
  return rows.map((row) => ({ ...row, externalIds: bySet.get(row.id) ?? new Map() }));
}

/** The cards that a source knows by these keys, by key. */
export async function findCardsByExternalId(
  db: Kysely<Database>,
  source: string,
  keys: readonly string[],
): Promise<Map<string, CardRow>> {
  const found = new Map<string, CardRow>();
  for (const some of chunks(keys)) {
    const rows = await db
      .selectFrom('card_keys')
      .innerJoin('cards', 'cards.id', 'card_keys.card_id')
      .where('card_keys.source', '=', source)
      .where('card_keys.key', 'in', some)
      .selectAll('cards')
      .select('card_keys.key')
      .execute();
    for (const { key, ...card } of rows) found.set(key, card);
  }
  return found;
}

/** The cards that have these public ids, by id. */
export async function findCardsById(
  db: Kysely<Database>,
  ids: readonly string[],
): Promise<Map<string, CardRow>> {
  const found = new Map<string, CardRow>();
  for (const some of chunks(ids)) {
    const rows = await db.selectFrom('cards').where('public_id', 'in', some).selectAll().execute();
    for (const row of rows) found.set(row.public_id, row);
  }
  return found;
}

/** The cards with these row ids, by row id. */
export async function cardsById(
  db: Kysely<Database>,
  ids: readonly number[],
): Promise<Map<number, CardRow>> {
  const found = new Map<number, CardRow>();
  for (const some of chunks(ids)) {
    const rows = await db.selectFrom('cards').where('id', 'in', some).selectAll().execute();
    for (const row of rows) found.set(row.id, row);
  }
  return found;
}

/** The sets with these row ids, by row id. */
export async function setsById(
  db: Kysely<Database>,
  ids: readonly number[],
): Promise<Map<number, SetRow>> {
  const found = new Map<number, SetRow>();
  for (const some of chunks(ids)) {
    const rows = await db.selectFrom('sets').where('id', 'in', some).selectAll().execute();
    for (const row of rows) found.set(row.id, row);
  }
  return found;
}

/** Which cards, by row id, a source means by these keys; those that it does not know are left out. */
export async function readExternalIds(
  db: Kysely<Database>,
  source: string,
  keys: readonly string[],
): Promise<Map<string, number>> {
  const found = new Map<string, number>();
  for (const some of chunks(keys)) {
    const rows = db.selectFrom('card_keys').where('source', '=', source).where('key', 'in', some);
    for (const { key, card_id } of await rows.selectAll().execute()) found.set(key, card_id);
  }
  return found;
}

/** What all sources call these cards. */
export async function externalIdsOfCards(
  db: Kysely<Database>,
  cards: readonly number[],
): Promise<CardExternalIdRow[]> {
  const found: CardExternalIdRow[] = [];
  for (const some of chunks(cards)) {
    const rows = db.selectFrom('card_keys').where('card_id', 'in', some).selectAll();
    found.push(...(await rows.execute()));
  }
  return found;
}

/** The cards of a set that a source has no key for. */
export function cardsUnknownTo(
  db: Kysely<Database>,
  source: string,
  set: number,
): Promise<CardRow[]> {
  return db
    .selectFrom('cards')
    .leftJoin('card_keys', (join) =>
      join.onRef('card_keys.card_id', '=', 'cards.id').on('card_keys.source', '=', source),
    )
    .where('cards.set_id', '=', set)
    .where('card_keys.key', 'is', null)
    .selectAll('cards')
    .execute();
}

/** The names of these cards, by row id. */
export async function cardNames(
  db: Kysely<Database>,
  cards: readonly number[],
): Promise<Map<number, string>> {
  const names = new Map<number, string>();
  for (const some of chunks(cards)) {
    const rows = await db
      .selectFrom('cards')
      .where('id', 'in', some)
      .select(['id', 'name'])
      .execute();
    for (const { id, name } of rows) names.set(id, name);
  }
  return names;
}

/** The printings of these cards. */
export async function printingsOf(
  db: Kysely<Database>,
  cards: readonly number[],
): Promise<PrintingRow[]> {
  const found: PrintingRow[] = [];
  for (const some of chunks(cards)) {
    found.push(
      ...(await db.selectFrom('printings').where('card_id', 'in', some).selectAll().execute()),
    );
  }
  return found;
}

/** The printings with these row ids. */
export async function printingsById(
  db: Kysely<Database>,
  ids: readonly number[],
): Promise<PrintingRow[]> {
  const found: PrintingRow[] = [];
  for (const some of chunks(ids)) {
    found.push(...(await db.selectFrom('printings').where('id', 'in', some).selectAll().execute()));
  }
  return found;
}

/** Rows of one table that a publication touched, within a range of row ids. */
export interface Slice {
  readonly above: number;
  readonly upTo: number;
  /** Only rows of later publications than this. */
  readonly since: number;
}

export function readSetsSince(db: Kysely<Database>, since: number): Promise<SetRow[]> {
  return db.selectFrom('sets').where('revision', '>', since).selectAll().execute();
}

export function readCardSlice(db: Kysely<Database>, slice: Slice): Promise<CardRow[]> {
  return db
    .selectFrom('cards')
    .where('id', '>', slice.above)
    .where('id', '<=', slice.upTo)
    .where('revision', '>', slice.since)
    .selectAll()
    .execute();
}

export function readPrintingSlice(db: Kysely<Database>, slice: Slice): Promise<PrintingRow[]> {
  return db
    .selectFrom('printings')
    .where('id', '>', slice.above)
    .where('id', '<=', slice.upTo)
    .where('revision', '>', slice.since)
    .selectAll()
    .execute();
}

export interface NextRowIds {
  set: number;
  card: number;
  printing: number;
}

/** The first row ids that are free. Only the holder of the import lock makes rows. */
export async function nextRowIds(db: Kysely<Database>): Promise<NextRowIds> {
  const next = async (table: 'sets' | 'cards' | 'printings') => {
    const row = await db
      .selectFrom(table)
      .select(({ fn }) => fn.max('id').as('last'))
      .executeTakeFirst();
    return (row?.last ?? 0) + 1;
  };
  return { set: await next('sets'), card: await next('cards'), printing: await next('printings') };
}

function* chunks<Item>(items: readonly Item[]): Generator<readonly Item[]> {
  for (let at = 0; at < items.length; at += KEYS_PER_QUERY) {
    yield items.slice(at, at + KEYS_PER_QUERY);
  }
}

/** One for all: most printings have none. */
const NO_AMOUNTS: Readonly<Record<string, Cents>> = {};

/** Cents by condition or grade, as a row has them: JSON, or null for none. */
export function amountsOf(json: string | null): Readonly<Record<string, Cents>> {
  return json === null ? NO_AMOUNTS : (JSON.parse(json) as Record<string, Cents>);
}
