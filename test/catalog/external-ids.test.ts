import assert from 'node:assert/strict';
import { it } from 'node:test';
import { ExternalIds } from '../../src/catalog/external-ids.ts';

it('External ids lead to their card and back, as they are written', () => {
  const ids = new ExternalIds();
  for (const id of ['7', '007', '0', '1234567890123', '-1', '1.0', 'a b', '']) {
    ids.put(5, [{ space: 'tcgplayer', id }]);
    assert.equal(ids.find({ space: 'tcgplayer', id }), 5);
    assert.deepEqual(ids.of(5), [{ space: 'tcgplayer', id }]);
  }
  assert.equal(ids.find({ space: 'tcgplayer', id: '7' }), undefined, 'a card has lost what it had');
});

it('An id belongs to the card that got it last', () => {
  const ids = new ExternalIds();
  const seven = { space: 'tcgplayer', id: '7' };
  const uuid = { space: 'scryfall', id: 'f295b713' };
  ids.put(1, [seven]);
  ids.put(2, [seven, uuid, { space: 'tcgplayer', id: '8' }]);
  ids.put(1, []);
  assert.equal(ids.find(seven), 2);
  assert.deepEqual(ids.of(2), [seven, { space: 'tcgplayer', id: '8' }, uuid]);
  assert.deepEqual(ids.of(1), []);
  assert.deepEqual(ids.of(99), []);
});
