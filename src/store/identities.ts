import type { Kysely } from 'kysely';
import type { GameSlug } from '../domain/games.ts';
import type { CardExternalIdRow, CardRow, Database, SetRow } from './schema.ts';

/** SQL of what tells cards apart, for whoever looks up which of them a source means. */

export type KnownCard = Pick<CardRow, 'id' | 'public_id' | 'set_id' | 'name' | 'number' | 'rarity'>;

export type KnownExternalId = Pick<CardExternalIdRow, 'key' | 'card_id'>;

/** The cards of some games with what sources call them. */
export interface Identities {
  readonly sets: readonly SetRow[];
  readonly cards: readonly KnownCard[];
  /** By the name of the source whose keys they are. */
  readonly keys: ReadonlyMap<string, readonly KnownExternalId[]>;
}

/** Reads the cards of `games`, with the keys that `sources` have for them. */
export async function readIdentities(
  db: Kysely<Database>,
  games: readonly GameSlug[],
  sources: readonly string[],
): Promise<Identities> {
  if (games.length === 0) return { sets: [], cards: [], keys: new Map() };
  const sets = await db.selectFrom('sets').where('game', 'in', games).selectAll().execute();
  const cards = await db
    .selectFrom('cards')
    .innerJoin('sets', 'sets.id', 'cards.set_id')
    .where('sets.game', 'in', games)
    .select(['cards.id', 'public_id', 'set_id', 'cards.name', 'number', 'rarity'])
    .execute();
  const keys = new Map<string, readonly KnownExternalId[]>();
  for (const source of new Set(sources)) keys.set(source, await keysOf(db, source, games));
  return { sets, cards, keys };
}

function keysOf(
  db: Kysely<Database>,
  source: string,
  games: readonly GameSlug[],
): Promise<KnownExternalId[]> {
  return db
    .selectFrom('card_keys')
    .innerJoin('cards', 'cards.id', 'card_keys.card_id')
    .innerJoin('sets', 'sets.id', 'cards.set_id')
    .where('card_keys.source', '=', source)
    .where('sets.game', 'in', games)
    .select(['card_keys.key', 'card_keys.card_id'])
    .execute();
}
