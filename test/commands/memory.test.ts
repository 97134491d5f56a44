import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { memoryBytes, memoryFinding, peakBytes } from '../../src/commands/memory.ts';

const MB = 1024 * 1024;

describe('The memory that a catalogue needs', () => {
  it('covers the peaks that were measured', () => {
    // docs/performance.md: starts without a saved index.
    for (const [cards, peak] of [
      [115_772, 333],
      [463_088, 705],
      [1_852_352, 2562],
    ] as const) {
      assert.ok(peakBytes(cards) >= peak * MB, `${cards} cards`);
      assert.ok(peakBytes(cards) < 1.25 * peak * MB, `${cards} cards`);
    }
  });

  it('is compared with the memory for all processes', () => {
    const cards = 115_772;
    for (const [workers, available, state] of [
      [1, peakBytes(cards), 'good'],
      [1, peakBytes(cards) - 1, 'warning'],
      [2, 2 * peakBytes(cards), 'good'],
      [2, 2 * peakBytes(cards) - 1, 'warning'],
    ] as const) {
      assert.equal(memoryFinding({ cards, workers, available }).state, state);
    }
  });

  it('is compared with that of the machine, or of a smaller container', () => {
    assert.ok(memoryBytes() > 64 * MB);
    assert.ok(memoryBytes() < 2 ** 50);
  });
});
