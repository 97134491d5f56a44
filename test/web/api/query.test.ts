import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { withQuery } from '../../../web/src/api/query.ts';

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
