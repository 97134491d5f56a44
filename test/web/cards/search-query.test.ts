import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { GAME_SLUGS } from '../../../src/domain/games.ts';
import { SEARCH_SORTS } from '../../../src/search/index.ts';
import {
  parseSearchQuery,
  type SearchQuery,
  SORT_LABELS,
  searchApiPath,
  searchHref,
  setFilter,
  setName,
} from '../../../web/src/cards/search-query.ts';

function read(address: string): SearchQuery {
  const { searchParams } = new URL(address, 'http://localhost');
  return parseSearchQuery(Object.fromEntries(searchParams), GAME_SLUGS);
}

const NOTHING = read('/');

test('an address without a query is an empty search', () => {
  const nothing = { q: '', game: '', set: '', rarity: '', sort: 'relevance', page: 1 };
  assert.deepEqual(NOTHING, nothing);
  assert.equal(searchHref({}), '/search');
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

const SETS = [
  { setId: 'fab-high-seas', code: 'SEA', name: 'High Seas' },
  { setId: 'fab-trainer-gallery', code: 'SWSH12: TG', name: 'Trainer Gallery' },
];

test('the API call has the typed text and the selected filters', () => {
  const search = { ...NOTHING, q: 'puffin', game: 'fab', rarity: 'Rare', page: 3 };
  assert.equal(searchApiPath(search, SETS), '/v1/search?q=puffin&game=fab&rarity=Rare&offset=40');
});

test('there is no API call without a text or a set', () => {
  assert.equal(searchApiPath({ ...NOTHING, q: '  ', game: 'fab', rarity: 'Rare' }, SETS), null);
});

test('all cards of a set are found by its code', () => {
  const of = (set: string) => searchApiPath({ ...NOTHING, game: 'fab', set, sort: 'number' }, SETS);
  assert.equal(of('fab-high-seas'), '/v1/search?q=SEA&game=fab&set=fab-high-seas&sort=number');
  assert.equal(of('High Seas'), '/v1/search?q=SEA&game=fab&set=High+Seas&sort=number');
  assert.equal(of('SEA'), '/v1/search?q=SEA&game=fab&set=SEA&sort=number', 'a code typed by hand');
  assert.match(of('Trainer Gallery') ?? '', /\?q=SWSH12%3ATG&/, 'as one word');
});

test('a set that is chosen by its name is asked for by its setId, and shown by its name', () => {
  assert.equal(setFilter('High Seas', SETS), 'fab-high-seas');
  assert.equal(setName('fab-high-seas', SETS), 'High Seas');
  assert.equal(setFilter('SEA', SETS), 'SEA', 'a code stands for all its sets');
  assert.equal(setName('SEA', SETS), 'SEA');
});

test('a name that two sets have stands for both', () => {
  const twins = ['twin', 'twin--2'].map((id) => ({ setId: `fab-${id}`, code: 'X', name: 'Twin' }));
  assert.equal(setFilter('Twin', twins), 'Twin');
  assert.equal(setName('fab-twin--2', twins), 'Twin');
});
