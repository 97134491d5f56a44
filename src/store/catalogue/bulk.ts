import type { Kysely } from 'kysely';
import type { GameSlug } from '../../domain/games.ts';
import { compareText } from '../../domain/text.ts';
import { readCards, readExternalIds, readPrintings } from './published.ts';
import type { StoredCard, StoredExternalId, StoredPrinting } from './records.ts';
import type { Database } from './schema.ts';

/** A published card with everything that belongs to it. */
export interface WholeCard {
  readonly card: StoredCard;
  readonly externalIds: readonly StoredExternalId[];
  /** In the order in which they were added. */
  readonly printings: readonly StoredPrinting[];
}

/** How many cards are read at a time. */
const PAGE_CARDS = 500;

/**
 * Yields the cards of a game as they were published, in the order of their ids, in pages. Only the
 * row ids of the game and one page are in memory. Read in one snapshot of the database.
 *
 * @param published The number of the publication.
 */
export async function* publishedCards(
  db: Kysely<Database>,
  game: GameSlug,
  published: number,
): AsyncGenerator<WholeCard[]> {
  const order = await cardOrder(db, game);
  for (let start = 0; start < order.length; start += PAGE_CARDS) {
    const wanted = { cards: [...order.subarray(start, start + PAGE_CARDS)], published };
    const cards = new Map((await readCards(db, wanted)).map((card) => [card.rowId, card]));
    const externalIds = Map.groupBy(await readExternalIds(db, wanted), (id) => id.cardRowId);
    const printings = Map.groupBy(await readPrintings(db, wanted), (one) => one.cardRowId);
    yield wanted.cards.flatMap((id) => {
      const card = cards.get(id);
      if (!card) return [];
      const own = printings.get(id)?.sort((a, b) => a.rowId - b.rowId) ?? [];
      return [{ card, externalIds: externalIds.get(id) ?? [], printings: own }];
    });
  }
}

/** Sorts here, because databases sort texts by their own rules. */
async function cardOrder(db: Kysely<Database>, game: GameSlug): Promise<Int32Array> {
  const cards = await db
    .selectFrom('cards')
    .innerJoin('sets', 'sets.id', 'cards.set_id')
    .where('sets.game', '=', game)
    .select(['cards.id', 'cards.public_id'])
    .execute();
  cards.sort((a, b) => compareText(a.public_id, b.public_id));
  return Int32Array.from(cards, ({ id }) => id);
}
