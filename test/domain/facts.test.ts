import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { mergeFacts, readLegalities } from '../../src/domain/facts.ts';

describe('merging the facts that sources give of a card', () => {
  const tcgcsv = { hp: '110', level: '76', text: 'Fire Spin: discard 2 Energy.' };

  it('takes each fact from the source of the game before TCGCSV, in either order', () => {
    const pokemontcg = { hp: '120', artist: 'Mitsuhiro Arita' };
    const merged = { ...tcgcsv, hp: '120', artist: 'Mitsuhiro Arita' };
    assert.deepEqual(mergeFacts({ tcgcsv, pokemontcg }), merged);
    assert.deepEqual(mergeFacts({ pokemontcg, tcgcsv }), merged);
  });

  it('takes what the card says from one source, which may divide it in another way', () => {
    const pokemontcg = { attacks: [{ name: 'Fire Spin', text: 'Discard 2 Energy.' }] };
    assert.deepEqual(mergeFacts({ tcgcsv, pokemontcg }), { ...pokemontcg, hp: '110', level: '76' });
  });

  it('takes the starter catalogue last', () => {
    const starter = { hp: '1', artist: 'Mitsuhiro Arita' };
    assert.deepEqual(mergeFacts({ starter, tcgcsv }), { ...tcgcsv, artist: 'Mitsuhiro Arita' });
  });

  it('leaves out what a source calls the card', () => {
    const named = { id: 'base1-4', name: 'Charizard', rarity: 'Rare Holo' };
    assert.deepEqual(mergeFacts({ pokemontcg: { named, hp: '120' } }), { hp: '120' });
  });

  it('has no facts of a card without any', () => {
    assert.deepEqual(mergeFacts({}), {});
  });
});

describe('reading legalities', () => {
  it('keeps the formats in which a card is legal, restricted or banned', () => {
    const written = {
      standard: 'Legal',
      vintage: 'restricted',
      modern: 'not_legal',
      pauper: 'Banned',
    };
    const read = { standard: 'legal', vintage: 'restricted', pauper: 'banned' };
    assert.deepEqual(readLegalities(written), read);
  });

  it('gives no fact if a card is legal nowhere, or nobody says so', () => {
    assert.equal(readLegalities({ modern: 'not_legal' }), undefined);
    assert.equal(readLegalities(null), undefined);
  });
});
