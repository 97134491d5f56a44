import type { Kysely } from 'kysely';
import type { GameSlug } from '../../domain/games.ts';
import type { Store } from '../connect.ts';
import { queryInChunks } from '../engine/paging.ts';
import type {
  CardExternalIdRow,
  CardRow,
  Database,
  PrintingRow,
  SetExternalIdRow,
  SetRow,
} from './schema.ts';
import { CARD_EXTERNAL_IDS, CARDS, PRINTINGS, SET_EXTERNAL_IDS, SETS } from './tables.ts';

/** SQL of sets, cards, printings and their external ids. */

type Db = Kysely<Database>;

/** Inserts sets, and overwrites existing ones. */
export function upsertSets(
  { engine }: Store,
  transaction: Db,
  rows: readonly SetRow[],
): Promise<void> {
  return engine.upsert(transaction, SETS, rows);
}

/** Inserts external ids of sets. An existing id moves to the given set. */
export function upsertSetExternalIds(
  { engine }: Store,
  transaction: Db,
  rows: readonly SetExternalIdRow[],
): Promise<void> {
  return engine.upsert(transaction, SET_EXTERNAL_IDS, rows);
}

/** Inserts cards, and overwrites existing ones. */
export function upsertCards(
  { engine }: Store,
  transaction: Db,
  rows: readonly CardRow[],
): Promise<void> {
  return engine.upsert(transaction, CARDS, rows);
}

/** Inserts external ids of cards. An existing id moves to the given card. */
export function upsertCardExternalIds(
  { engine }: Store,
  transaction: Db,
  rows: readonly CardExternalIdRow[],
): Promise<void> {
  return engine.upsert(transaction, CARD_EXTERNAL_IDS, rows);
}

/** Inserts printings, and overwrites existing ones. */
export function upsertPrintings(
  { engine }: Store,
  transaction: Db,
  rows: readonly PrintingRow[],
): Promise<void> {
  return engine.upsert(transaction, PRINTINGS, rows);
}

export interface KnownSet extends SetRow {
  /** Its external ids, by id space. */
  readonly externalIds: ReadonlyMap<string, string>;
}

/** Returns all sets (a few thousand) with their external ids. */
export async function readSets(db: Db): Promise<KnownSet[]> {
  const sets = await db.selectFrom('sets').selectAll().execute();
  const ids = await db.selectFrom('set_external_ids').selectAll().execute();
  const bySet = Map.groupBy(ids, ({ set_id }) => set_id);
  return sets.map((set) => {
    const own = bySet.get(set.id) ?? [];
    return { ...set, externalIds: new Map(own.map((row) => [row.id_space, row.external_id])) };
  });
}

/** Returns the cards with these external ids in an id space, by external id. */
export async function findCardsByExternalId(
  db: Db,
  idSpace: string,
  externalIds: readonly string[],
): Promise<Map<string, CardRow>> {
  const rows = await queryInChunks(externalIds, (chunk) =>
    db
      .selectFrom('card_external_ids')
      .innerJoin('cards', 'cards.id', 'card_external_ids.card_id')
      .where('id_space', '=', idSpace)
      .where('external_id', 'in', chunk)
      .selectAll('cards')
      .select('external_id')
      .execute(),
  );
  return new Map(rows.map(({ external_id, ...card }) => [external_id, card]));
}

/** Returns the cards with these public ids, by public id. */
export async function findCardsById(
  db: Db,
  publicIds: readonly string[],
): Promise<Map<string, CardRow>> {
  const rows = await queryInChunks(publicIds, (chunk) =>
    db.selectFrom('cards').where('public_id', 'in', chunk).selectAll().execute(),
  );
  return new Map(rows.map((row) => [row.public_id, row]));
}

/** Returns the cards with these row ids, by row id. */
export async function cardsById(db: Db, rowIds: readonly number[]): Promise<Map<number, CardRow>> {
  const rows = await queryInChunks(rowIds, (chunk) =>
    db.selectFrom('cards').where('id', 'in', chunk).selectAll().execute(),
  );
  return new Map(rows.map((row) => [row.id, row]));
}

/** Returns the sets with these row ids, by row id. */
export async function setsById(db: Db, rowIds: readonly number[]): Promise<Map<number, SetRow>> {
  const rows = await queryInChunks(rowIds, (chunk) =>
    db.selectFrom('sets').where('id', 'in', chunk).selectAll().execute(),
  );
  return new Map(rows.map((row) => [row.id, row]));
}

/** Returns the row ids of the cards with these external ids, by external id. */
export async function readExternalIds(
  db: Db,
  idSpace: string,
  externalIds: readonly string[],
): Promise<Map<string, number>> {
  const rows = await queryInChunks(externalIds, (chunk) =>
    db
      .selectFrom('card_external_ids')
      .where('id_space', '=', idSpace)
      .where('external_id', 'in', chunk)
      .select(['external_id', 'card_id'])
      .execute(),
  );
  return new Map(rows.map(({ external_id, card_id }) => [external_id, card_id]));
}

/** Returns all external ids of the cards with these row ids. */
export function externalIdsOfCards(db: Db, cards: readonly number[]): Promise<CardExternalIdRow[]> {
  return queryInChunks(cards, (chunk) =>
    db.selectFrom('card_external_ids').where('card_id', 'in', chunk).selectAll().execute(),
  );
}

/** Returns the cards of a set that have no external id in an id space. */
export function cardsWithoutExternalId(db: Db, idSpace: string, set: number): Promise<CardRow[]> {
  return db
    .selectFrom('cards')
    .leftJoin('card_external_ids', (join) =>
      join
        .onRef('card_external_ids.card_id', '=', 'cards.id')
        .on('card_external_ids.id_space', '=', idSpace),
    )
    .where('cards.set_id', '=', set)
    .where('card_external_ids.external_id', 'is', null)
    .selectAll('cards')
    .execute();
}

/** Returns the names of cards, by row id. */
export async function cardNames(db: Db, cards: readonly number[]): Promise<Map<number, string>> {
  const rows = await queryInChunks(cards, (chunk) =>
    db.selectFrom('cards').where('id', 'in', chunk).select(['id', 'name']).execute(),
  );
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** Returns the rarities and games of the cards with these row ids. */
export function readRarities(
  db: Db,
  cards: readonly number[],
): Promise<{ id: number; game: GameSlug; rarity: string | null }[]> {
  return queryInChunks(cards, (chunk) =>
    db
      .selectFrom('cards')
      .innerJoin('sets', 'sets.id', 'cards.set_id')
      .where('cards.id', 'in', chunk)
      .select(['cards.id', 'sets.game', 'cards.rarity'])
      .execute(),
  );
}

/** Returns the printings of the cards with these row ids. */
export function printingsOf(
  { engine }: Store,
  transaction: Db,
  cards: readonly number[],
): Promise<PrintingRow[]> {
  return engine.lookup(transaction, PRINTINGS, cards, 'card_id');
}

/** Returns the printings with these row ids. */
export function printingsById(db: Db, rowIds: readonly number[]): Promise<PrintingRow[]> {
  return queryInChunks(rowIds, (chunk) =>
    db.selectFrom('printings').where('id', 'in', chunk).selectAll().execute(),
  );
}

/** The first free row id of each table. */
export interface NextRowIds {
  set: number;
  card: number;
  printing: number;
}

/** Returns the first free row ids. Only the holder of the import lock inserts rows. */
export async function nextRowIds(db: Db): Promise<NextRowIds> {
  const next = async (table: 'sets' | 'cards' | 'printings') => {
    const row = await db
      .selectFrom(table)
      .select(({ fn }) => fn.max('id').as('last'))
      .executeTakeFirst();
    return (row?.last ?? 0) + 1;
  };
  return { set: await next('sets'), card: await next('cards'), printing: await next('printings') };
}
