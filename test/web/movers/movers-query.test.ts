import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  DIRECTION_LABELS,
  moversApiPath,
  moversHref,
  parseMoversQuery,
  SORT_LABELS,
  WINDOW_LABELS,
} from '../../../web/src/movers/movers-query.ts';

function read(href: string) {
  const { pathname, searchParams } = new URL(href, 'http://localhost');
  const [, , game = ''] = pathname.split('/');
  return parseMoversQuery(game, Object.fromEntries(searchParams));
}

test('an address without a query is the last week, both ways, by relevance', () => {
  const all = { game: '', set: '', min: '', page: 1 };
  const defaults = { ...all, window: '7d', direction: 'both', sort: 'relevance' };
  assert.deepEqual(read('/movers'), defaults);
  assert.deepEqual(read('/movers?window=1y&direction=toString&sort=&min=-1'), defaults);
  assert.equal(moversHref({}), '/movers');
  assert.equal(moversHref({ game: 'mtg', window: '30d' }), '/movers/mtg?window=30d');
});

test('the link to a page of movers parses to that page', () => {
  const keys = <Name extends string>(labels: Readonly<Record<Name, string>>) => {
    return fc.constantFrom(...(Object.keys(labels) as Name[]));
  };
  const query = fc.record(
    {
      game: fc.constantFrom('', 'mtg'),
      set: fc.constantFrom('', 'mtg-lea'),
      window: keys(WINDOW_LABELS),
      direction: keys(DIRECTION_LABELS),
      sort: keys(SORT_LABELS),
      min: fc.constantFrom('', '0.50', '20'),
      page: fc.integer({ min: 1, max: 999_999 }),
    },
    { noNullPrototype: true },
  );
  fc.assert(fc.property(query, (one) => assert.deepEqual(read(moversHref(one)), one)));
});

test('the API call has only parameters that differ from the defaults', () => {
  const query = { ...read('/movers/mtg'), direction: 'up', page: 2 } as const;
  assert.equal(moversApiPath(query), '/v1/movers?game=mtg&direction=up&limit=30&offset=600');
});
