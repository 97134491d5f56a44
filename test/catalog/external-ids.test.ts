import assert from 'node:assert/strict';
import { it } from 'node:test';
import { ExternalIds } from '../../src/catalog/external-ids.ts';

it('External ids lead to their card and back, as they are written', () => {
  for (const id of ['7', '007', '0', '1234567890123', '-1', '1.0', 'a b', '']) {
    const ids = new ExternalIds();
    ids.add(5, { space: 'tcgplayer', id });
    assert.equal(ids.find({ space: 'tcgplayer', id }), 5);
    assert.equal(ids.find({ space: 'scryfall', id }), undefined);
    assert.equal(ids.find({ space: 'tcgplayer', id: `0${id}` }), undefined);
    assert.deepEqual(ids.of(5), [{ space: 'tcgplayer', id }]);
  }
});

it('An id belongs to the card that got it last', () => {
  const ids = new ExternalIds();
  const [seven, eight] = ['7', '8'].map((id) => ({ space: 'tcgplayer', id }));
  const uuid = { space: 'scryfall', id: 'f295b713' };
  assert.ok(seven && eight);
  for (const id of [seven, uuid, eight, seven]) ids.add(1, id);
  assert.deepEqual(ids.of(1), [seven, eight, uuid]);
  ids.add(2, seven);
  assert.equal(ids.find(seven), 2);
  assert.deepEqual(ids.of(1), [eight, uuid]);
  assert.deepEqual(ids.of(2), [seven]);
  assert.deepEqual(ids.of(99), []);
});
