/** Cards, indexes and queries for tests of the search. */

import type { Card, CardSet } from '../../src/domain/card.ts';
import { cardId } from '../../src/domain/ids.ts';
import type { Cents } from '../../src/domain/money.ts';
import { NO_PRICES } from '../../src/domain/price.ts';
import { SearchIndex, type SearchQuery } from '../../src/search/index.ts';

export interface CardDraft {
  readonly name: string;
  readonly number?: string | null;
  readonly set?: Partial<CardSet>;
  readonly rarity?: string;
  /** The market price in cents. */
  readonly price?: number;
  readonly rowId?: number;
}

const BASE: CardSet = {
  rowId: 1,
  id: 'pokemon-base-set',
  game: 'pokemon',
  code: 'BS',
  name: 'Base Set',
  releaseDate: '1999-01-09',
};

let lastRowId = 0;

/** Makes a card; fields that a test leaves out get default values. */
export function makeCard({ name, number = null, rarity, price, ...draft }: CardDraft): Card {
  const rowId = draft.rowId ?? ++lastRowId;
  const set = { ...BASE, ...draft.set };
  return {
    rowId,
    id: `${cardId(set.game, set.code, name, number)}-${rowId}`,
    set,
    name,
    number,
    rarity: rarity ?? null,
    image: null,
    printings: price === undefined ? [] : [{ rowId, name: 'Normal', prices: pricesOf(price) }],
  };
}

/** Returns prices with this market price in cents and no other amount. */
export function pricesOf(market: number): Card['printings'][number]['prices'] {
  return {
    ...NO_PRICES,
    market: market as Cents,
    conditions: {},
    graded: {},
    sources: ['tcgplayer'],
    figuresAt: null,
    conditionsAt: null,
    gradedAt: null,
  };
}

/** Returns an index with these cards committed. */
export function indexOf(cards: readonly Card[]): SearchIndex {
  const index = new SearchIndex();
  for (const card of cards) index.add(card);
  index.commit();
  return index;
}

/** Returns an index with a card of each name committed. */
export function indexOfNames(...names: string[]): SearchIndex {
  return indexOf(names.map((name) => makeCard({ name })));
}

/** Returns a query for the first page by relevance; `rest` overrides any field. */
export function query(q: string, rest: Partial<SearchQuery> = {}): SearchQuery {
  return { q, sort: 'relevance', limit: 20, offset: 0, ...rest };
}

/** Returns the names of the cards that a query finds, best first. */
export function namesFound(
  index: SearchIndex,
  q: string,
  rest: Partial<SearchQuery> = {},
): string[] {
  return index.search(query(q, rest)).cards.map((card) => card.name);
}

/** Returns the numbers of the cards that a query finds, best first. */
export function numbersFound(index: SearchIndex, q: string): (string | null)[] {
  return index.search(query(q)).cards.map((card) => card.number);
}
