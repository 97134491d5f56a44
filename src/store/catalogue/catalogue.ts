import type { Kysely } from 'kysely';
import { readSetName } from '../../domain/card-name.ts';
import type { GameSlug } from '../../domain/games.ts';
import { foldText } from '../../domain/text.ts';
import type { Store } from '../connect.ts';
import { queryInChunks } from '../engine/paging.ts';
import {
  CARD_EXTERNAL_IDS,
  CARD_NAMES,
  CARDS,
  cardOf,
  cardRow,
  externalIdOf,
  externalIdRow,
  nameOf,
  nameRow,
  PRINTINGS,
  printingOf,
  printingRow,
  SET_EXTERNAL_IDS,
  SETS,
  type SetExternalId,
  type StoredCard,
  type StoredExternalId,
  type StoredName,
  type StoredPrinting,
  type StoredSet,
  setExternalIdRow,
  setOf,
  setRow,
} from './records.ts';
import type { Database } from './schema.ts';

/** SQL of sets, cards, printings and their external ids. */

type Db = Kysely<Database>;

/** Inserts sets, and overwrites existing ones. */
export function upsertSets(
  { engine }: Store,
  transaction: Db,
  sets: readonly StoredSet[],
): Promise<void> {
  return engine.upsert(transaction, SETS, sets.map(setRow));
}

/** Inserts external ids of sets. An existing id moves to the given set. */
export function upsertSetExternalIds(
  { engine }: Store,
  transaction: Db,
  ids: readonly SetExternalId[],
): Promise<void> {
  return engine.upsert(transaction, SET_EXTERNAL_IDS, ids.map(setExternalIdRow));
}

/** Inserts cards, and overwrites existing ones. */
export function upsertCards(
  { engine }: Store,
  transaction: Db,
  cards: readonly StoredCard[],
): Promise<void> {
  return engine.upsert(transaction, CARDS, cards.map(cardRow));
}

/** Inserts external ids of cards. An existing id moves to the given card. */
export function upsertCardExternalIds(
  { engine }: Store,
  transaction: Db,
  ids: readonly StoredExternalId[],
): Promise<void> {
  return engine.upsert(transaction, CARD_EXTERNAL_IDS, ids.map(externalIdRow));
}

/** Inserts names of cards in other languages, and overwrites existing ones. */
export function upsertCardNames(
  { engine }: Store,
  transaction: Db,
  names: readonly StoredName[],
): Promise<void> {
  return engine.upsert(transaction, CARD_NAMES, names.map(nameRow));
}

/** Returns the names of cards in other languages, by row ids of the cards. */
export async function namesOfCards(db: Db, cards: readonly number[]): Promise<StoredName[]> {
  const rows = await queryInChunks(cards, (chunk) =>
    db.selectFrom('card_names').where('card_id', 'in', chunk).selectAll().execute(),
  );
  return rows.map(nameOf);
}

/** Inserts printings, and overwrites existing ones. */
export function upsertPrintings(
  { engine }: Store,
  transaction: Db,
  printings: readonly StoredPrinting[],
): Promise<void> {
  return engine.upsert(transaction, PRINTINGS, printings.map(printingRow));
}

export interface KnownSet extends StoredSet {
  /** Its external ids, by id space. */
  readonly externalIds: ReadonlyMap<string, string>;
}

/** Returns all sets (a few thousand) with their external ids. */
export async function readSets(db: Db): Promise<KnownSet[]> {
  const sets = await db.selectFrom('sets').selectAll().execute();
  const ids = await db.selectFrom('set_external_ids').selectAll().execute();
  const bySet = Map.groupBy(ids, ({ set_id }) => set_id);
  return sets.map((row) => {
    const own = bySet.get(row.id) ?? [];
    const externalIds = new Map(own.map((id) => [id.id_space, id.external_id]));
    return { ...setOf(row), externalIds };
  });
}

/**
 * Returns the sets that a text refers to, in the same way as the filters of the API: the set with
 * this setId, otherwise all sets with this code or name. Ignores case, accents and a code before
 * the name.
 */
export async function findSets(db: Db, text: string, game?: GameSlug): Promise<StoredSet[]> {
  const all = (await db.selectFrom('sets').selectAll().execute()).map(setOf);
  const sets = game === undefined ? all : all.filter((set) => set.game === game);
  const byId = sets.filter(({ id }) => id === text.trim().toLowerCase());
  const wanted = foldText(text);
  return byId.length > 0 ? byId : sets.filter((set) => labelsOf(set).includes(wanted));
}

function labelsOf({ code, name }: StoredSet): string[] {
  return [code, name, readSetName(name).name].map(foldText);
}

/** Returns the cards with these external ids in an id space, by external id. */
export async function findCardsByExternalId(
  db: Db,
  idSpace: string,
  externalIds: readonly string[],
): Promise<Map<string, StoredCard>> {
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
  return new Map(rows.map((row) => [row.external_id, cardOf(row)]));
}

/** Returns the cards with these public ids, by public id. */
export async function findCardsById(
  db: Db,
  publicIds: readonly string[],
): Promise<Map<string, StoredCard>> {
  const rows = await queryInChunks(publicIds, (chunk) =>
    db.selectFrom('cards').where('public_id', 'in', chunk).selectAll().execute(),
  );
  return new Map(rows.map((row) => [row.public_id, cardOf(row)]));
}

/** Returns which of these public ids some card has. */
export async function findTakenIds(db: Db, publicIds: readonly string[]): Promise<Set<string>> {
  const rows = await queryInChunks(publicIds, (chunk) =>
    db.selectFrom('cards').where('public_id', 'in', chunk).select('public_id').execute(),
  );
  return new Set(rows.map(({ public_id }) => public_id));
}

/** Returns the cards with these row ids, by row id. */
export async function cardsById(
  db: Db,
  rowIds: readonly number[],
): Promise<Map<number, StoredCard>> {
  const rows = await queryInChunks(rowIds, (chunk) =>
    db.selectFrom('cards').where('id', 'in', chunk).selectAll().execute(),
  );
  return new Map(rows.map((row) => [row.id, cardOf(row)]));
}

/** Returns the sets with these row ids, by row id. */
export async function setsById(db: Db, rowIds: readonly number[]): Promise<Map<number, StoredSet>> {
  const rows = await queryInChunks(rowIds, (chunk) =>
    db.selectFrom('sets').where('id', 'in', chunk).selectAll().execute(),
  );
  return new Map(rows.map((row) => [row.id, setOf(row)]));
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
export async function externalIdsOfCards(
  db: Db,
  cards: readonly number[],
): Promise<StoredExternalId[]> {
  const rows = await queryInChunks(cards, (chunk) =>
    db.selectFrom('card_external_ids').where('card_id', 'in', chunk).selectAll().execute(),
  );
  return rows.map(externalIdOf);
}

/** Returns the cards, not the products, of some sets that have no external id in an id space. */
export async function cardsWithoutExternalId(
  db: Db,
  idSpace: string,
  sets: readonly number[],
): Promise<StoredCard[]> {
  const rows = await queryInChunks(sets, (chunk) =>
    db
      .selectFrom('cards')
      .leftJoin('card_external_ids', (join) =>
        join
          .onRef('card_external_ids.card_id', '=', 'cards.id')
          .on('card_external_ids.id_space', '=', idSpace),
      )
      .where('cards.set_id', 'in', chunk)
      .where('card_external_ids.external_id', 'is', null)
      .where('cards.product_type', 'is', null)
      .selectAll('cards')
      .execute(),
  );
  return rows.map(cardOf);
}

/** Returns the cards and products of some sets. */
export async function cardsOfSets(db: Db, sets: readonly number[]): Promise<StoredCard[]> {
  const rows = await queryInChunks(sets, (chunk) =>
    db.selectFrom('cards').where('set_id', 'in', chunk).selectAll().execute(),
  );
  return rows.map(cardOf);
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
export async function printingsOf(
  { engine }: Store,
  transaction: Db,
  cards: readonly number[],
): Promise<StoredPrinting[]> {
  return (await engine.lookup(transaction, PRINTINGS, cards, 'card_id')).map(printingOf);
}

/** Returns the printings with these row ids. */
export async function printingsById(db: Db, rowIds: readonly number[]): Promise<StoredPrinting[]> {
  const rows = await queryInChunks(rowIds, (chunk) =>
    db.selectFrom('printings').where('id', 'in', chunk).selectAll().execute(),
  );
  return rows.map(printingOf);
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
