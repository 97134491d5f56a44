import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  autocompleteApiPath,
  cardApiPath,
  cardHref,
  dashboardPath,
  explainApiPath,
  gameSetsApiPath,
  historyApiPath,
  raritiesApiPath,
  relatedApiPath,
  setApiPath,
  setHref,
  setsHref,
  viewOfCopy,
  withQuery,
} from '../../../web/src/api/links.ts';

test('a query leaves out empty and undefined parameters', () => {
  assert.equal(withQuery('/v1/sets', {}), '/v1/sets');
  assert.equal(withQuery('/v1/sets', { game: '', limit: undefined }), '/v1/sets');
  assert.equal(withQuery('/v1/sets', { game: 'fab', offset: 0 }), '/v1/sets?game=fab&offset=0');
});

test('a query decodes to its parameters', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), (text) => {
      const url = new URL(withQuery('/', { q: text }), 'http://localhost');
      assert.equal(url.searchParams.get('q'), text);
    }),
  );
});

test('the paths of API calls are those of the API', () => {
  assert.equal(cardApiPath('mtg-lea-232'), '/v1/cards/mtg-lea-232');
  assert.equal(
    historyApiPath('mtg-lea-232', { period: '30d' }),
    '/v1/cards/mtg-lea-232/history?period=30d',
  );
  assert.equal(
    historyApiPath('a', { period: '1y', printing: 'Cold Foil' }),
    '/v1/cards/a/history?period=1y&printing=Cold+Foil',
  );
  assert.equal(relatedApiPath('mtg-lea-232', 6), '/v1/cards/mtg-lea-232/related?limit=6');
  assert.equal(relatedApiPath('a', 50, 6), '/v1/cards/a/related?limit=50&offset=6');
  assert.equal(explainApiPath('mtg-lea-232'), '/v1/cards/mtg-lea-232/explain');
  assert.equal(autocompleteApiPath('char', '', 6), '/v1/autocomplete?q=char&limit=6');
  assert.equal(gameSetsApiPath('fab'), '/v1/games/fab/sets');
  assert.equal(setApiPath('fab-high-seas'), '/v1/sets/fab-high-seas');
  assert.equal(raritiesApiPath('fab'), '/v1/rarities?game=fab');
  assert.equal(dashboardPath('/v1/games'), '/dashboard/v1/games');
});

test('the link to a card has the selected printing, price and period', () => {
  assert.equal(cardHref('a'), '/cards/a');
  assert.equal(
    cardHref('a', { printing: 'Foil', period: 'all' }),
    '/cards/a?printing=Foil&period=all',
  );
  assert.equal(
    cardHref('a', { printing: 'Foil', grade: 'psa_10' }),
    '/cards/a?printing=Foil&grade=psa_10',
  );
  assert.equal(cardHref('a', { condition: 'near_mint' }), '/cards/a?condition=near_mint');
  assert.equal(setsHref('mtg'), '/sets/mtg');
  assert.equal(setHref('mtg', 'mtg-lea'), '/sets/mtg/mtg-lea');
});

test('the link from a search has the copy that was asked for, if only in words', () => {
  const hrefOf = (name: string, priceOf: object) => {
    const nothing = { printing: null, condition: null, grade: null };
    return cardHref('a', viewOfCopy({ name, priceOf: { ...nothing, ...priceOf } }));
  };
  const foil = { printing: 'Foil', condition: 'near_mint' };
  assert.equal(hrefOf('Near mint', foil), '/cards/a?printing=Foil&condition=near_mint');
  assert.equal(
    hrefOf('PSA 10', { printing: 'Foil', grade: 'psa_10', condition: 'near_mint' }),
    '/cards/a?printing=Foil&grade=psa_10',
  );
  assert.equal(
    hrefOf('1st edition PSA 10', { grade: 'psa_10' }),
    '/cards/a?printing=1st+edition+PSA+10',
  );
});

test('the path of an API call needs no quoting in a shell, for any id and printing', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (id, printing) => {
      const call = historyApiPath(id, { printing, period: '7d' });
      assert.match(call, /^[\w/.!~*()%?=&+-]+$/);
    }),
  );
});

test('the link to a card decodes to its id', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), (id) => {
      assert.equal(decodeURIComponent(cardHref(id).slice('/cards/'.length)), id);
    }),
  );
});
