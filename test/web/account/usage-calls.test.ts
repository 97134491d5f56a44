import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { countErrors, usageByKey } from '../../../web/src/account/usage-calls.ts';

const [SHOP, TAGS] = [
  { keyId: 7, keyName: 'shop' },
  { keyId: 9, keyName: 'tags' },
];

const COUNTS = [
  { ...SHOP, endpoint: 'GET /v1/search', code: null, count: 5 },
  { ...SHOP, endpoint: 'GET /v1/search', code: 'INVALID_PARAMETER', count: 2 },
  { ...SHOP, endpoint: 'GET /v1/games', code: null, count: 9 },
  { ...TAGS, endpoint: 'GET /v1/cards/{id}', code: 'INVALID_PARAMETER', count: 40 },
];

describe('the usage of keys', () => {
  it('is summed up by key and endpoint, the most used first', () => {
    const cards = { endpoint: 'GET /v1/cards/{id}', count: 40, errors: 40 };
    const games = { endpoint: 'GET /v1/games', count: 9, errors: 0 };
    const search = { endpoint: 'GET /v1/search', count: 7, errors: 2 };
    assert.deepEqual(usageByKey(COUNTS), [
      { ...TAGS, count: 40, endpoints: [cards] },
      { ...SHOP, count: 16, endpoints: [games, search] },
    ]);
  });

  it('has each error once, with the endpoints that answered it', () => {
    const endpoints = ['GET /v1/cards/{id}', 'GET /v1/search'];
    assert.deepEqual(countErrors(COUNTS), [{ code: 'INVALID_PARAMETER', count: 42, endpoints }]);
  });

  it('loses no request', () => {
    const count = fc.record({
      keyId: fc.integer({ min: 1, max: 3 }),
      keyName: fc.constant('a key'),
      endpoint: fc.constantFrom('GET /v1/search', 'GET /v1/sets', 'other'),
      code: fc.constantFrom(null, 'NOT_FOUND', 'INVALID_PARAMETER'),
      count: fc.integer({ min: 1, max: 1000 }),
    });
    fc.assert(
      fc.property(fc.array(count), (counts) => {
        const total = counts.reduce((sum, one) => sum + one.count, 0);
        const keys = usageByKey(counts);
        assert.equal(
          keys.reduce((sum, key) => sum + key.count, 0),
          total,
        );
        const errors = keys.flatMap(({ endpoints }) => endpoints).map((use) => use.errors);
        assert.equal(
          countErrors(counts).reduce((sum, error) => sum + error.count, 0),
          errors.reduce((sum, one) => sum + one, 0),
        );
      }),
    );
  });
});
