import assert from 'node:assert/strict';
import { it } from 'node:test';
import { countFacets } from '../../src/domain/facets.ts';
import type { Cents } from '../../src/domain/money.ts';

const SET = { rowId: 1, id: 's', game: 'mtg', code: 'S', name: 'Set', releaseDate: null } as const;

/** A result with a rarity of this number. */
function result(rarity: number, market: number | null = null) {
  return { set: SET, rarity: `R${rarity}`, printings: [], market: market as Cents | null };
}

it('A facet has the 100 values with the most results, equal ones in alphabetical order', () => {
  const results = Array.from({ length: 300 }, (_, index) => result(index % 130));
  const { rarity = [] } = countFacets(['rarity'], results);
  assert.equal(rarity.length, 100);
  assert.deepEqual(rarity.slice(0, 2), [
    { value: 'R0', count: 3 },
    { value: 'R1', count: 3 },
  ]);
  assert.deepEqual(rarity.at(-1), { value: 'R69', count: 2 });
});

it('Each price is in one range, and no price in none', () => {
  const edges = [0, 99, 100, 499, 500, 1_999, 2_000, 9_999, 10_000, 49_999, 50_000, 2 ** 31, null];
  const { price = [] } = countFacets(
    ['price'],
    edges.map((market) => result(1, market)),
  );
  assert.deepEqual(
    price.map(({ count }) => count),
    [2, 2, 2, 2, 2, 2],
  );
});
