import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ANY_PRICE } from '../../../web/src/cards/search-query.ts';
import {
  parseSetQuery,
  SET_SORT_LABELS,
  type SetQuery,
  type SetSort,
  setCardsApiPath,
  setQueryHref,
} from '../../../web/src/cards/set-query.ts';

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
