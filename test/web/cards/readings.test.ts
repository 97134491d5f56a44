import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Understood } from '../../../src/search/index.ts';
import { readingsOf } from '../../../web/src/cards/readings.ts';

const NOTHING: Understood = {
  name: null,
  set: null,
  number: null,
  rarity: null,
  printing: null,
  treatment: null,
  year: null,
  language: null,
  game: null,
  condition: null,
  grade: null,
  ignored: [],
};

describe('The readings of a query', () => {
  it('are what was read besides the name, each removable', () => {
    const understood = { ...NOTHING, name: 'charizrd', set: 'base set', number: '4/102' };
    assert.deepEqual(readingsOf(understood, 'Charizrd Base Set 4/102'), [
      { label: 'set', words: 'base set', isRemovable: true },
      { label: 'number', words: '4/102', isRemovable: true },
    ]);
  });

  it('begin with the words that were left out', () => {
    const understood = { ...NOTHING, name: 'elsa', grade: 'psa 9', ignored: ['xyzzy', 'card'] };
    assert.deepEqual(readingsOf(understood, 'xyzzy elsa psa 9 card'), [
      { label: 'Not understood', words: 'xyzzy card', isRemovable: true },
      { label: 'grade', words: 'psa 9', isRemovable: true },
    ]);
  });

  it('show the words of an alias, which nobody typed, without removing them', () => {
    const understood = {
      ...NOTHING,
      name: 'umbreon vmax',
      set: 'evolving skies',
      ignored: ['215'],
    };
    assert.deepEqual(readingsOf({ ...understood, condition: 'nm' }, 'moonbreon NM'), [
      { label: 'name', words: 'umbreon vmax', isRemovable: false },
      { label: 'set', words: 'evolving skies', isRemovable: false },
      { label: 'condition', words: 'nm', isRemovable: true },
    ]);
  });
});
