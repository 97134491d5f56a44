import assert from 'node:assert/strict';
import { it } from 'node:test';
import { sampleOf } from '../../../web/src/lists/sample.ts';

it('The sample has lines of the games that have cards, and only of these', () => {
  const sample = sampleOf([
    { id: 'mtg', cardCount: 3 },
    { id: 'pokemon', cardCount: 0 },
  ]);
  assert.match(sample, /^4x Lightning Bolt/);
  assert.doesNotMatch(sample, /Charizard/);
  assert.equal(sampleOf([]), '');
});
