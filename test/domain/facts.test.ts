import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { mergeFacts } from '../../src/domain/facts.ts';

describe('merging the facts that sources give of a card', () => {
  const tcgcsv = { source: 'tcgcsv', facts: { hp: '110', text: 'Fire Spin' } };
  const pokemontcg = { source: 'pokemontcg', facts: { hp: '120', artist: 'Mitsuhiro Arita' } };

  it('takes each fact from the source of the game before TCGCSV, in either order', () => {
    const merged = { hp: '120', artist: 'Mitsuhiro Arita', text: 'Fire Spin' };
    assert.deepEqual(mergeFacts([tcgcsv, pokemontcg]), merged);
    assert.deepEqual(mergeFacts([pokemontcg, tcgcsv]), merged);
  });

  it('takes the starter catalogue last', () => {
    const starter = { source: 'starter', facts: { hp: '1', level: '76' } };
    assert.deepEqual(mergeFacts([starter, tcgcsv]), { hp: '110', level: '76', text: 'Fire Spin' });
  });

  it('has no facts of a card without any', () => {
    assert.deepEqual(mergeFacts([]), {});
  });
});
