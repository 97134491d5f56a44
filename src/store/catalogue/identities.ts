import type { Kysely } from 'kysely';
import type { GameSlug } from '../../domain/games.ts';
import { type StoredCard, type StoredExternalId, type StoredSet, setOf } from './records.ts';
import type { Database } from './schema.ts';

/** SQL of the data that matches a source's card with a card of the catalogue. */

type Db = Kysely<Database>;

export type KnownCard = Omit<StoredCard, 'image' | 'revision' | 'product'> & {
  readonly isProduct?: boolean;
};

export type KnownExternalId = Pick<StoredExternalId, 'externalId' | 'cardRowId'>;

/** The sets and cards of some games, with external ids. */
export interface Identities {
  readonly sets: readonly StoredSet[];
  readonly cards: readonly KnownCard[];
  /** By id space. */
  readonly externalIds: ReadonlyMap<string, readonly KnownExternalId[]>;
}

/** Reads the sets and cards of `games`, with their external ids in `idSpaces`. */
export async function readIdentities(
  db: Db,
  games: readonly GameSlug[],
  idSpaces: readonly string[],
): Promise<Identities> {
  if (games.length === 0) return { sets: [], cards: [], externalIds: new Map() };
  const sets = await db.selectFrom('sets').where('game', 'in', games).selectAll().execute();
  const cards = await db
    .selectFrom('cards')
    .innerJoin('sets', 'sets.id', 'cards.set_id')
    .where('sets.game', 'in', games)
    .select(['cards.id as rowId', 'public_id as id', 'set_id as setRowId'])
    .select(['cards.name', 'number', 'rarity', 'product_type'])
    .execute();
  const known = cards.map(({ product_type, ...card }) => {
    return { ...card, isProduct: product_type !== null };
  });
  const externalIds = new Map<string, readonly KnownExternalId[]>();
  for (const idSpace of new Set(idSpaces)) {
    externalIds.set(idSpace, await externalIdsIn(db, idSpace, games));
  }
  return { sets: sets.map(setOf), cards: known, externalIds };
}

function externalIdsIn(
  db: Db,
  idSpace: string,
  games: readonly GameSlug[],
): Promise<KnownExternalId[]> {
  return db
    .selectFrom('card_external_ids')
    .innerJoin('cards', 'cards.id', 'card_external_ids.card_id')
    .innerJoin('sets', 'sets.id', 'cards.set_id')
    .where('card_external_ids.id_space', '=', idSpace)
    .where('sets.game', 'in', games)
    .select(['external_id as externalId', 'card_id as cardRowId'])
    .execute();
}
