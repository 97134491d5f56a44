import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Card } from '../../src/domain/card.ts';
import type { SearchIndex, SearchQuery } from '../../src/search/index.ts';
import { indexOf, makeCard, pricesOf, query } from './search-cards.ts';

/** Makes a card with a printing of each name. */
function printed(name: string, price: number, ...names: string[]): Card {
  const card = makeCard({ name, price });
  const printings = names.map((name, i) => {
    return { rowId: card.rowId * 10 + i, name, prices: pricesOf(price) };
  });
  return { ...card, printings };
}

function found(index: SearchIndex, q: string, rest: Partial<SearchQuery> = {}): string[] {
  const { printings } = index.searchPrintings(query(q, rest));
  return printings.map(({ card, printing }) => `${card.name} ${printing?.name}`);
}

const CARDS = [
  printed('Mew', 3, 'Normal', 'Foil', 'German Foil'),
  printed('Mew ex', 9, 'Holofoil'),
  // Without printings, it has one place.
  printed('Mewtwo', 1),
  printed('Mewtwo', 4, 'Normal', 'Reverse Holofoil'),
];
const ALL = [
  'Mew Normal',
  'Mew Foil',
  'Mew German Foil',
  'Mewtwo Normal',
  'Mewtwo Reverse Holofoil',
  'Mewtwo undefined',
  'Mew ex Holofoil',
];

describe('searchPrintings', () => {
  it('finds every printing of the matches, in all languages, with the true total', () => {
    const index = indexOf(CARDS);
    assert.deepEqual(found(index, 'mew'), ALL);
    assert.equal(index.searchPrintings(query('mew')).total, 7);
    assert.equal(index.searchPrintings(query('mewtwo')).total, 3);
  });

  it('shows each printing once, on pages of any length', () => {
    const index = indexOf(CARDS);
    for (const limit of [1, 2, 3, 5]) {
      const pages = Array.from({ length: 7 }, (_, page) => {
        return found(index, 'mew', { limit, offset: page * limit });
      });
      assert.deepEqual(pages.flat(), ALL, `${limit} on a page`);
    }
    assert.deepEqual(found(index, 'mew', { offset: 7 }), []);
  });

  it('keeps the pages of its first page when another printing is committed', () => {
    const index = indexOf(CARDS);
    const [mew] = CARDS;
    assert.ok(mew);
    assert.deepEqual(found(index, 'mew', { limit: 2 }), ALL.slice(0, 2));
    index.add({ ...printed('Mew', 3, 'Normal', 'Foil'), rowId: mew.rowId, id: 'a-newer-id' });
    index.commit();
    // One of the three is gone, and nothing takes its place.
    assert.deepEqual(found(index, 'mew', { limit: 2, offset: 2 }), ['Mewtwo Normal']);
    assert.deepEqual(found(index, 'mew', { limit: 2, offset: 4 }), ALL.slice(4, 6));
  });

  it('finds all cards by an empty text', () => {
    const index = indexOf([...CARDS, printed('Abra', 9, 'Normal')]);
    const all = found(index, '', { sort: 'name' });
    assert.deepEqual([all[0], all.slice(1).sort()], ['Abra Normal', ALL.toSorted()]);
    assert.deepEqual(found(index, '', { sort: 'name', game: 'mtg' }), []);
    assert.equal(index.searchPrintings(query('')).total, 8);
  });
});
