import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { areSimilar } from '../../src/search/misread.ts';

/** What text recognition may read instead, in folded texts. */
const READ_AS: readonly (readonly [printed: string, read: string])[] = [
  ['o', '0'],
  ['l', '1'],
  ['l', 'i'],
  ['i', '1'],
  ['e', '3'],
  ['s', '5'],
  ['g', '6'],
  ['b', '8'],
  ['m', 'rn'],
  ['n', 'rl'],
  ['n', 'ri'],
  ['w', 'vv'],
];

describe('names that text recognition has read', () => {
  it('are similar to the printed ones, whatever look-alikes they have', () => {
    const word = fc.string({
      unit: fc.constantFrom(...'abegilmnoswz'),
      minLength: 4,
      maxLength: 9,
    });
    const replacement = fc.constantFrom(...READ_AS);
    fc.assert(
      fc.property(word, replacement, (printed, [letter, read]) => {
        assert.equal(areSimilar([printed.replace(letter, read)], [printed]), true);
      }),
    );
  });

  it('are similar although a missing letter makes a look-alike', () => {
    assert.equal(areSimilar(['serndib', 'efreet'], ['serendib', 'efreet']), true);
  });

  it('are not similar with more edits than a third of the letters', () => {
    assert.equal(areSimilar(['dark', 'magician'], ['dark', 'magican']), true);
    assert.equal(areSimilar(['dark', 'magician'], ['dusk', 'magician']), false);
  });
});
