import type { Card } from '../../src/domain/card.ts';
import { Resolver } from '../../src/resolve/index.ts';
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
  const byId = new Map<string, Card[]>();
  const add = (id: string, card: Card) => {
    byId.set(id, [...(byId.get(id) ?? []), card]);
  };
  for (const card of cards) {
    const product = tcgplayerId(card);
    const scryfall = scryfallIds.get(product);
    add(`tcgplayer\n${product}`, card);
    if (scryfall !== undefined) add(`scryfall\n${scryfall}`, card);
  }
  return new Resolver({
    search,
    cardsWithId: ({ space, id }) => byId.get(`${space}\n${id}`) ?? [],
  });
}
