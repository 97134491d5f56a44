import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { contrast } from '../../../src/domain/colors.ts';
import { rarityMark } from '../../../web/src/cards/rarity-mark.ts';
import { SET_COLORS, setClass } from '../../../web/src/cards/set-colors.ts';

describe('The colors of sets', () => {
  it('are legible under white words, and differ', () => {
    for (const color of SET_COLORS) assert.ok(contrast('#ffffff', color) >= 4.5, color);
    assert.equal(new Set(SET_COLORS).size, SET_COLORS.length);
  });

  it('belong to any set, and the same one always has the same', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (game, code) => {
        const [, index] = /^set-(\d+)$/.exec(setClass(game, code)) ?? [];
        assert.ok(Number(index) < SET_COLORS.length);
        assert.equal(setClass(game, code), `set-${index}`);
      }),
    );
    const codes = Array.from({ length: 100 }, (_, i) => setClass('pokemon', `SV${i}`));
    assert.ok(new Set(codes).size > SET_COLORS.length / 2);
  });
});

describe('The mark of a rarity', () => {
  it('rises with the rarity, in the words of every game', () => {
    const marked = {
      '●': ['Common', 'Common / Short Print', 'Basic'],
      '◆': ['Uncommon'],
      '★': ['Rare', 'Holo Rare', 'Rare Holo'],
      '★★': ['Secret Rare', 'Ultra Rare', 'Super Rare', 'Mythic', 'Legendary', 'Enchanted'],
      '▲': ['Promo'],
      '': ['', 'Token', 'Unconfirmed'],
    };
    for (const [mark, rarities] of Object.entries(marked)) {
      for (const rarity of rarities) assert.equal(rarityMark(rarity), mark, rarity);
    }
  });
});
