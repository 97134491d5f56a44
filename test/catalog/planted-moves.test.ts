import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { plantedSets } from './planted-kinds.ts';
import { judgeSets } from './planted-moves.ts';

/** Others than those by which the limits were chosen, which are below 100. */
const SEEDS = [1001, 1002, 1003];
const PER_KIND = 60;

describe('The movers of made catalogues', () => {
  for (const seed of SEEDS) {
    it(`have none of 1,000 planted mistakes and nearly all true moves, seed ${seed}`, async () => {
      const { planted, listed, trueMoves, missed } = await judgeSets(plantedSets(seed, PER_KIND));
      const mistakes = [...planted].filter(([kind]) => !/^(true|ordinary|untouched)/.test(kind));
      const count = mistakes.reduce((sum, [, of]) => sum + of, 0);
      assert(count >= 1000, `only ${count} mistakes are planted`);
      assert.deepEqual(listed, []);
      assert(trueMoves >= 500, `only ${trueMoves} true moves are planted`);
      const kept = 1 - missed.length / trueMoves;
      assert(kept >= 0.95, `${(100 * kept).toFixed(1)} % of the true moves are kept`);
    });
  }
});
