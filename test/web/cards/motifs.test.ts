import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { GAME_SLUGS } from '../../../src/domain/games.ts';
import { gameClass, glyphOf } from '../../../web/src/cards/glyphs.ts';
import { motifOf } from '../../../web/src/cards/motifs.ts';

/** What the data of a path may have: commands and numbers with a decimal at most. */
const PATH = /^M(?:[MLHVQTAaqtZlV]|-?\d+(?:\.\d)?|[ ,])+$/;

/** How many bytes a motif takes: fifty rows of a set have one each. */
const MOST_CHARACTERS = 6000;

describe('The motif of a card', () => {
  it('is valid path data for any game and id', () => {
    const game = fc.oneof(fc.constantFrom(...GAME_SLUGS), fc.string());
    fc.assert(
      fc.property(game, fc.string({ unit: 'binary' }), (slug, id) => {
        const { areas, lines, shapes } = motifOf(slug, id);
        for (const path of [areas, lines, shapes, glyphOf(slug)]) assert.match(path, PATH);
        assert.ok(areas.length + lines.length + shapes.length < MOST_CHARACTERS);
      }),
    );
  });

  it('is always the same for an id, and another one for the next card', () => {
    for (const game of [...GAME_SLUGS, 'other']) {
      const ids = Array.from({ length: 100 }, (_, i) => `${game}-set-card-${i}`);
      const drawn = ids.map((id) => JSON.stringify(motifOf(game, id)));
      assert.deepEqual(
        drawn,
        ids.map((id) => JSON.stringify(motifOf(game, id))),
      );
      assert.ok(new Set(drawn).size > 60, `${game}: ${new Set(drawn).size}`);
    }
  });

  it('differs between games', () => {
    const drawn = GAME_SLUGS.map((game) => motifOf(game, 'a').lines);
    assert.equal(new Set(drawn).size, GAME_SLUGS.length);
  });
});

describe('The colors of a game', () => {
  it('belong to the class of the game; unknown games share one class', () => {
    for (const slug of GAME_SLUGS) assert.equal(gameClass(slug), slug);
    for (const game of ['other', 'toString', '"><b>']) assert.equal(gameClass(game), 'other');
  });
});
