import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  cardAddress,
  cardCall,
  completionCall,
  explainCall,
  historyCall,
  own,
  setsAddress,
  setsCall,
} from '../../web/src/parts/card-paths.ts';
import { withQuery } from '../../web/src/query.ts';

test('a path has a query of those parameters that say something', () => {
  assert.equal(withQuery('/v1/sets', {}), '/v1/sets');
  assert.equal(withQuery('/v1/sets', { game: '', limit: undefined }), '/v1/sets');
  assert.equal(withQuery('/v1/sets', { game: 'fab', offset: 0 }), '/v1/sets?game=fab&offset=0');
});

test('the calls of a card are those of the API', () => {
  assert.equal(cardCall('mtg-lea-232'), '/v1/cards/mtg-lea-232');
  assert.equal(
    historyCall('mtg-lea-232', { period: '30d' }),
    '/v1/cards/mtg-lea-232/history?period=30d',
  );
  assert.equal(
    historyCall('a', { period: '1y', printing: 'Cold Foil' }),
    '/v1/cards/a/history?period=1y&printing=Cold+Foil',
  );
  assert.equal(explainCall('mtg-lea-232'), '/v1/cards/mtg-lea-232/explain');
  assert.equal(completionCall('char', '', 6), '/v1/autocomplete?q=char&limit=6');
  assert.equal(setsCall('fab', 200, 0), '/v1/sets?game=fab&limit=200');
  assert.equal(setsCall('fab', 200, 200), '/v1/sets?game=fab&limit=200&offset=200');
  assert.equal(own('/v1/games'), '/dashboard/v1/games');
});

test('the page of a card says the printing and the period that were chosen', () => {
  assert.equal(cardAddress('a'), '/cards/a');
  assert.equal(
    cardAddress('a', { printing: 'Foil', period: 'all' }),
    '/cards/a?printing=Foil&period=all',
  );
  assert.equal(setsAddress('mtg'), '/sets/mtg');
});

test('whatever a card is called, a terminal takes its call as one word', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (id, printing) => {
      const call = historyCall(id, { printing, period: '7d' });
      assert.match(call, /^[\w/.!~*()%?=&+-]+$/);
    }),
  );
});

test('an address says exactly what was put into it', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), (text) => {
      const url = new URL(withQuery('/', { q: text }), 'http://localhost');
      assert.equal(url.searchParams.get('q'), text);
      const path = cardAddress(text).slice('/cards/'.length);
      assert.equal(decodeURIComponent(path), text);
    }),
  );
});
