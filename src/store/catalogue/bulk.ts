import type { Kysely } from 'kysely';
import type { GameSlug } from '../../domain/games.ts';
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

/** How many ids are read at a time. */
const PAGE_IDS = 20_000;

/**
 * Returns the row ids of a game's cards in the order of their public ids. Sorts here, because
 * databases sort texts by their own rules, and over bytes, because a heap that is small enough to
 * write files next to a service has no room for a million texts.
 */
async function cardOrder(db: Kysely<Database>, game: GameSlug): Promise<Int32Array> {
  const rowIds: number[] = [];
  const ends: number[] = [];
  const texts: Buffer[] = [];
  for (let last = 0, end = 0; ; ) {
    const page = await cardIdsAfter(db, game, last);
    for (const { id, public_id } of page) {
      rowIds.push(id);
      end += Buffer.byteLength(public_id);
      ends.push(end);
    }
    texts.push(Buffer.from(page.map(({ public_id }) => public_id).join('')));
    if (page.length < PAGE_IDS) break;
    last = page.at(-1)?.id ?? 0;
  }
  const all = Buffer.concat(texts);
  const order = Uint32Array.from(rowIds.keys()).sort((a, b) => {
    return all.compare(all, ends[b - 1] ?? 0, ends[b], ends[a - 1] ?? 0, ends[a]);
  });
  return Int32Array.from(order, (at) => rowIds[at] ?? 0);
}

function cardIdsAfter(db: Kysely<Database>, game: GameSlug, last: number) {
  return db
    .selectFrom('cards')
    .innerJoin('sets', 'sets.id', 'cards.set_id')
    .where('sets.game', '=', game)
    .where('cards.id', '>', last)
    .select(['cards.id', 'cards.public_id'])
    .orderBy('cards.id')
    .limit(PAGE_IDS)
    .execute();
}
