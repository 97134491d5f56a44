import type { Card } from '../../src/domain/card.ts';
import { type ExternalId, Resolver } from '../../src/resolve/index.ts';
import { SearchIndex } from '../../src/search/index.ts';
import { tcgplayerId } from './rows.ts';

/** Builds the resolver over the cards, with their ids at TCGplayer and Scryfall. */
export function buildResolver(
  cards: readonly Card[],
  scryfallIds: ReadonlyMap<string, string>,
): Resolver {
  const search = new SearchIndex();
  for (const card of cards) search.add(card);
  search.commit();
  const byRowId = new Map(cards.map((card) => [card.rowId, card]));
  const rowIds = new Map<string, number[]>();
  const add = (id: string, { rowId }: Card) => {
    rowIds.set(id, [...(rowIds.get(id) ?? []), rowId]);
  };
  for (const card of cards) {
    const product = tcgplayerId(card);
    const scryfall = scryfallIds.get(product);
    add(`tcgplayer\n${product}`, card);
    if (scryfall !== undefined) add(`scryfall\n${scryfall}`, card);
  }
  return new Resolver({
    search,
    findByIds: async (ids: readonly ExternalId[]) => {
      const known = ids.map(({ space, id }) => `${space}\n${id}`);
      return new Map(known.map((key) => [key, rowIds.get(key) ?? []]));
    },
    cardByRowId: (rowId) => byRowId.get(rowId),
  });
}
