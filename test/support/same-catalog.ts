import assert from 'node:assert/strict';
import type { Catalog } from '../../src/catalog/catalog.ts';
import type { Card, CardSet } from '../../src/domain/card.ts';
import { GAME_SLUGS } from '../../src/domain/games.ts';
import { SEARCH_SORTS, type SearchQuery } from '../../src/search/index.ts';

/** The searches to run on both catalogues: by default, name, set and number of every card. */
interface Questions {
  /** Searches only for every n-th card. */
  readonly every?: number;
}

/** Asserts that two catalogues have the same cards, prices, sets, counts and search results. */
export function assertSameCatalog(
  one: Catalog,
  other: Catalog,
  { every = 1 }: Questions = {},
): void {
  assert.deepEqual(one.publication, other.publication);
  assert.equal(one.cardCount, other.cardCount);
  assert.deepEqual(one.sets(), other.sets());
  assert.deepEqual(one.games(), other.games());
  assert.deepEqual(setsOf(one), setsOf(other));
  for (const slug of GAME_SLUGS) {
    assert.deepEqual(one.rarities(slug), other.rarities(slug));
    assert.equal(one.asOf(slug), other.asOf(slug));
  }
  for (const { set } of other.sets()) {
    assert.equal(one.pricedCount(set), other.pricedCount(set));
    assert.equal(one.value(set), other.value(set));
    assert.deepEqual(one.cardsOf(set).map(plainCard), other.cardsOf(set).map(plainCard));
  }
  for (const card of cardsOf(other)) {
    const ids = other.externalIds(card);
    assert.deepEqual(one.externalIds(card), ids);
    for (const id of ids) assert.equal(one.cardByExternalId(id)?.id, card.id);
  }
  for (const card of cardsOf(other)) {
    const same = one.card(card.id);
    assert.deepEqual(same && plainCard(same), plainCard(card));
  }
  for (const [i, card] of cardsOf(other).entries()) {
    if (i % every === 0) assertSameAnswers(one, other, card, i);
  }
}

/** Returns the sets that searches know. They are in no particular order. */
function setsOf({ search }: Catalog): CardSet[] {
  return [...search.sets].sort((a, b) => a.rowId - b.rowId);
}

/** Returns a card with everything that it builds on demand. */
export function plainCard(card: Card): Card {
  const { image, printings } = card;
  return { ...card, image, printings };
}

function cardsOf(catalog: Catalog): Card[] {
  const cards: Card[] = [];
  for (let rowId = 0; cards.length < catalog.cardCount; rowId++) {
    const card = catalog.cardByRowId(rowId);
    if (card) cards.push(card);
  }
  return cards;
}

/** Searches for texts that collectors type: the name, with other parts, misspelt, incomplete. */
function assertSameAnswers(one: Catalog, other: Catalog, card: Card, i: number): void {
  const { name, number, set, rarity } = card;
  const sort = SEARCH_SORTS[i % SEARCH_SORTS.length] ?? 'relevance';
  const half = name.slice(0, Math.ceil(name.length / 2));
  const misspelt = name.replace(/(\w)(\w)(?=\w)/u, '$2$1');
  const queries: Partial<SearchQuery>[] = [
    { q: name, sort, explain: true },
    { q: `${name} ${set.name} ${number ?? ''} ${rarity ?? ''}`, explain: true },
    { q: misspelt },
    { q: half, game: set.game, ...(rarity === null ? {} : { rarity }) },
    { q: `${set.code} ${number ?? ''}`, set: set.code, sort },
  ];
  for (const partial of queries) {
    const query = { q: '', sort: 'relevance', limit: 20, offset: 0, ...partial } as const;
    assert.deepEqual(idsOf(one, query), idsOf(other, query), query.q);
  }
  const completion = { q: half, limit: 10 };
  assert.deepEqual(one.search.autocomplete(completion), other.search.autocomplete(completion));
  // In no particular order.
  const ids = (cards: readonly Card[]) => cards.map(({ id }) => id).sort();
  assert.deepEqual(ids(one.search.lookup.named(name)), ids(other.search.lookup.named(name)));
}

function idsOf({ search }: Catalog, query: SearchQuery) {
  const { cards, ...rest } = search.search(query);
  return { ids: cards.map(({ id }) => id), ...rest };
}
