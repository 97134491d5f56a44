import assert from 'node:assert/strict';
import { test } from 'node:test';
import { filterSets, formatPricedCount } from '../../../web/src/cards/sets.ts';

const SET = {
  setId: 'fab-high-seas',
  code: 'SEA',
  name: 'High Seas',
  game: 'fab',
  cardCount: 354,
  pricedCount: 354,
  value: 812.5,
  releaseDate: null,
};

test('sets are found by a part of their name or code, without regard to case and accents', () => {
  const sets = [SET, { ...SET, code: 'BRZ', name: 'Pokémon Español' }];
  assert.deepEqual(filterSets(sets, ''), sets);
  assert.deepEqual(filterSets(sets, ' seas '), [sets[0]]);
  assert.deepEqual(filterSets(sets, 'espanol'), [sets[1]]);
  assert.deepEqual(filterSets(sets, 'brz'), [sets[1]]);
  assert.deepEqual(filterSets(sets, 'x'), []);
});

test('the number of priced cards of a set is a word for none and all', () => {
  assert.equal(formatPricedCount({ ...SET, pricedCount: 0 }), 'none');
  assert.equal(formatPricedCount({ ...SET, pricedCount: 118 }), '118');
  assert.equal(formatPricedCount({ ...SET, pricedCount: 354 }), 'all');
});
