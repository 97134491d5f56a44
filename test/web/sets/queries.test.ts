import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ANY_PRICE } from '../../../web/src/cards/filters.ts';
import { findSets } from '../../../web/src/search/find-sets.ts';
import {
  formatPricedCount,
  groupSets,
  parseSetOrder,
  parseSetQuery,
  SET_SORT_LABELS,
  type SetQuery,
  type SetSort,
  setCardsApiPath,
  setQueryHref,
} from '../../../web/src/sets/queries.ts';

function read(address: string): SetQuery {
  const { searchParams } = new URL(address, 'http://localhost');
  return parseSetQuery(Object.fromEntries(searchParams));
}

test('an address without a query is the checklist by number', () => {
  const all = { sort: 'number', rarity: '', printing: '', prices: ANY_PRICE, page: 1 };
  assert.deepEqual(read('/sets/fab/fab-high-seas'), all);
  assert.deepEqual(read('/sets/fab/fab-high-seas?sort=toString&page=0&priced=maybe'), all);
});

test('the link to a checklist parses to that checklist', () => {
  const query = fc.record(
    {
      sort: fc.constantFrom(...(Object.keys(SET_SORT_LABELS) as SetSort[])),
      rarity: fc.string({ unit: 'grapheme', maxLength: 20 }),
      printing: fc.string({ unit: 'grapheme', maxLength: 20 }),
      prices: fc.record(
        {
          min: fc.constantFrom('', '0.25'),
          max: fc.constantFrom('', '10'),
          isPriced: fc.boolean(),
        },
        { noNullPrototype: true },
      ),
      page: fc.integer({ min: 1, max: 999_999 }),
    },
    { noNullPrototype: true },
  );
  fc.assert(
    fc.property(query, (one) => {
      assert.deepEqual(read(setQueryHref('fab', 'fab-high-seas', one)), one);
    }),
  );
});

test('the API call has the filters and the place of the page', () => {
  const query = { ...read('/'), sort: 'price_desc', rarity: 'Rare', page: 2 } as const;
  assert.equal(
    setCardsApiPath('fab-high-seas', query),
    '/v1/sets/fab-high-seas/cards?sort=price_desc&rarity=Rare&limit=60&offset=600',
  );
});

const SET = {
  setId: 'fab-high-seas',
  code: 'SEA',
  name: 'High Seas',
  game: 'fab',
  cardCount: 354,
  pricedCount: 354,
  value: null as number | null,
  releaseDate: null as string | null,
};

function named(...names: readonly string[]) {
  return names.map((name) => ({ ...SET, setId: name, code: `code of ${name}`, name }));
}

function namesOf(sets: readonly { readonly name: string }[]): string[] {
  return sets.map(({ name }) => name);
}

test('sets are found by a part of their name or code, without regard to case and accents', () => {
  const sets = [SET, { ...SET, code: 'BRZ', name: 'Pokémon Español' }];
  assert.deepEqual(findSets(sets, ''), sets);
  assert.deepEqual(findSets(sets, ' seas '), [sets[0]]);
  assert.deepEqual(findSets(sets, 'espanol'), [sets[1]]);
  assert.deepEqual(findSets(sets, 'brz'), [sets[1]]);
  assert.deepEqual(findSets(sets, 'x'), []);
  assert.deepEqual(findSets(sets, '🔥'), []);
});

test('an exact name comes before names that begin with the text', () => {
  const sets = named('Celebrations: Base Set', 'Base Set 2', 'Base Set');
  const found = ['Base Set', 'Base Set 2', 'Celebrations: Base Set'];
  assert.deepEqual(namesOf(findSets(sets, 'base set')), found);
});

test('the number of priced cards of a set is a word for none and all', () => {
  assert.equal(formatPricedCount({ ...SET, pricedCount: 0 } as never), 'none');
  assert.equal(formatPricedCount({ ...SET, pricedCount: 118 } as never), '118');
  assert.equal(formatPricedCount(SET as never), 'all');
});

test('sets are grouped by year as they come, and are one group in another order', () => {
  const [b, a, c] = named('B', 'A', 'C').map((set, i) => {
    return { ...set, value: [2, null, 9][i] ?? null, releaseDate: `${2024 - i}-05-01` };
  });
  assert.ok(a && b && c);
  const sets = [b, a, { ...c, releaseDate: null }] as never;
  const titles = (order: 'newest' | 'value') => {
    return groupSets(sets, order).map(({ title, sets: own }) => [title, ...namesOf(own)]);
  };
  assert.deepEqual(titles('newest'), [
    ['2024', 'B'],
    ['2023', 'A'],
    ['Release date unknown', 'C'],
  ]);
  assert.deepEqual(titles('value'), [['', 'B', 'A', 'C']]);
  assert.deepEqual(groupSets([], 'newest'), []);
  assert.equal(parseSetOrder('size'), 'newest');
  assert.equal(parseSetOrder('toString'), 'newest');
});
