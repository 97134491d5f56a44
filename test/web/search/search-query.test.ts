import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { GAME_SLUGS } from '../../../src/domain/games.ts';
import { SEARCH_SORTS } from '../../../src/search/index.ts';
import { ANY_PRICE, parseAmount } from '../../../web/src/cards/filters.ts';
import {
  countFilters,
  invalidFilters,
  parseSearchQuery,
  type SearchQuery,
  SORT_LABELS,
  searchApiPath,
  searchHref,
} from '../../../web/src/search/search-query.ts';

function read(address: string): SearchQuery {
  const { searchParams } = new URL(address, 'http://localhost');
  return parseSearchQuery(Object.fromEntries(searchParams), GAME_SLUGS);
}

const NOTHING = read('/');

test('an address without a query is an empty search', () => {
  const texts = { q: '', game: '', set: '', rarity: '' };
  assert.deepEqual(NOTHING, { ...texts, prices: ANY_PRICE, sort: 'relevance', page: 1 });
  assert.equal(searchHref({}), '/search');
});

test('only the invalid filters of an address are listed', () => {
  const told = (address: string) => {
    const { searchParams } = new URL(address, 'http://localhost');
    return invalidFilters(Object.fromEntries(searchParams), GAME_SLUGS);
  };
  assert.deepEqual(told('/search?q=elsa&game=chess&min_price=abc&max_price=-1'), [
    ['game', 'chess'],
    ['lowest price', 'abc'],
    ['highest price', '-1'],
  ]);
  assert.deepEqual(told('/search?q=elsa&game=lorcana&min_price=$1,000.50&max_price='), []);
});

test('an address has the parameters of the search without the defaults', () => {
  assert.equal(
    searchHref({ q: 'fire dragon', game: 'mtg', sort: 'name', page: 3 }),
    '/search?q=fire+dragon&game=mtg&sort=name&page=3',
  );
});

test('invalid parameters of an address have their default', () => {
  for (const page of ['0', '-1', '1.5', 'two', '1e3', '99999999999']) {
    assert.equal(read(`/search?q=a&page=${page}`).page, 1, page);
  }
  assert.equal(read('/?game=chess').game, '');
  assert.equal(read('/?sort=colour').sort, 'relevance');
  assert.equal(read('/?sort=toString').sort, 'relevance');
  assert.equal(read(`/search?q=${'x'.repeat(500)}`).q.length, 200);
});

test('the link to a search parses to that search', () => {
  const text = fc.string({ unit: 'grapheme', maxLength: 20 });
  const search = fc.record(
    {
      q: text,
      game: fc.constantFrom('', ...GAME_SLUGS),
      set: text,
      rarity: text,
      prices: fc.record(
        {
          min: fc.constantFrom('', '0', '0.25', '3'),
          max: fc.constantFrom('', '3', '10', '9999999.99'),
          isPriced: fc.boolean(),
        },
        { noNullPrototype: true },
      ),
      sort: fc.constantFrom(...SEARCH_SORTS),
      page: fc.integer({ min: 1, max: 999_999 }),
    },
    { noNullPrototype: true },
  );
  fc.assert(fc.property(search, (one) => assert.deepEqual(read(searchHref(one)), one)));
});

test('every sort order of the API can be selected', () => {
  assert.deepEqual(Object.keys(SORT_LABELS), [...SEARCH_SORTS]);
});

test('the API call has the typed text, the selected filters and the place of the page', () => {
  const prices = { min: '2', max: '10.50', isPriced: true };
  const search = { ...NOTHING, q: 'puffin', game: 'fab', rarity: 'Rare', prices, page: 3 };
  assert.equal(
    searchApiPath(search),
    '/v1/search?q=puffin&game=fab&rarity=Rare&min_price=2&max_price=10.50&priced=true' +
      '&limit=20&offset=1200',
  );
});

test('there is no API call without a text', () => {
  assert.equal(searchApiPath({ ...NOTHING, q: '  ', game: 'fab', set: 'fab-high-seas' }), null);
});

test('amounts are dollars as people write them, and nothing else', () => {
  assert.equal(parseAmount(' $1,200.50 '), '1200.50');
  assert.equal(parseAmount('7'), '7');
  for (const text of ['', '-1', '1e3', '1.234', 'ten', '12345678', '$']) {
    assert.equal(parseAmount(text), '', text);
  }
});

test('the lower of two amounts is the lowest price', () => {
  const { prices } = read('/search?q=a&min_price=50&max_price=5');
  assert.deepEqual(prices, { min: '5', max: '50', isPriced: false });
});

test('the filters of a search are counted, two amounts as one', () => {
  assert.equal(countFilters(NOTHING), 0);
  const prices = { min: '5', max: '50', isPriced: true };
  assert.equal(countFilters({ ...NOTHING, q: 'a', game: 'mtg', set: 'mtg-lea', prices }), 4);
});
