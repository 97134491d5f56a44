import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { buildUsageBars, countErrors, usageByKey } from '../../../web/src/account/usage.ts';
import type { UsageDay } from '../../../web/src/api/responses.ts';

function day(date: string, ...requests: [endpoint: string, statusClass: number, count: number][]) {
  return {
    date,
    requests: requests.map(([endpoint, statusClass, count]) => ({ endpoint, statusClass, count })),
  } satisfies UsageDay;
}

const DAYS = [
  day('2026-01-26', ['GET /v1/search', 2, 5], ['GET /v1/cards/{id}', 2, 1]),
  day('2026-01-27'),
  day('2026-01-28', ['GET /v1/cards/{id}', 4, 2], ['GET /v1/search', 4, 1]),
];

describe('the bars of the usage chart', () => {
  it('are stacked by endpoint, the one with the most requests first', () => {
    const { series, bars, total } = buildUsageBars(DAYS, 'endpoint');
    assert.deepEqual(series, ['GET /v1/search', 'GET /v1/cards/{id}']);
    assert.deepEqual(bars, [
      { date: '2026-01-26', counts: [5, 1], total: 6 },
      { date: '2026-01-27', counts: [0, 0], total: 0 },
      { date: '2026-01-28', counts: [1, 2], total: 3 },
    ]);
    assert.equal(total, 9);
  });

  it('are stacked by status class, in the order of their numbers', () => {
    const { series, bars } = buildUsageBars(DAYS, 'status');
    assert.deepEqual(series, ['2xx answered', '4xx refused']);
    assert.deepEqual(
      bars.map(({ counts }) => counts),
      [
        [6, 0],
        [0, 0],
        [0, 3],
      ],
    );
  });

  it('have one series for the requests of all but the five most used endpoints', () => {
    const endpoints = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
    const requests = endpoints.map((name, i): [string, number, number] => [name, 2, 10 - i]);
    const many = day('2026-01-28', ...requests);
    const { series, bars } = buildUsageBars([many], 'endpoint');
    assert.deepEqual(series, ['a', 'b', 'c', 'd', 'e', 'everything else']);
    assert.deepEqual(bars[0]?.counts, [10, 9, 8, 7, 6, 5 + 4]);
  });

  it('have no series without requests', () => {
    const { series, total } = buildUsageBars([day('2026-01-28')], 'endpoint');
    assert.deepEqual([series, total], [[], 0]);
  });
});

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
