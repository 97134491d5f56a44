import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { conflictingPrices } from '../../../src/ingest/validation/rules/conflicting-prices.ts';
import { type Reported, resolved } from '../../support/resolved.ts';

/** How many of the prices that a feed has for one printing are caught. */
function caught(...reported: readonly Reported[]): number {
  return [...conflictingPrices(reported.map(resolved))].length;
}

const MORNING = '2026-01-28T06:00:00Z';
const EVENING = '2026-01-28T18:00:00Z';

describe('two prices of a source for one printing', () => {
  it('conflict if they are of one moment', () => {
    assert.equal(caught({ is: 10 }, { is: 400 }), 2);
    assert.equal(caught({ is: 10, on: MORNING }, { is: 400, on: EVENING }), 0);
  });

  it('conflict at different moments if they are of two of its cards', () => {
    const [morning, evening] = [
      { is: 10, on: MORNING },
      { is: 400, on: EVENING },
    ];
    assert.equal(caught({ ...morning, id: '1' }, { ...evening, id: '2' }), 2);
    assert.equal(caught({ ...morning, id: '1' }, { ...evening, id: '1' }), 0);
    assert.equal(caught({ ...morning, id: '1' }, evening), 0);
    assert.equal(caught(morning, { ...evening, id: '1' }), 0);
  });

  it('conflict from half as much again and a dollar on', () => {
    for (const [one, other, count] of [
      [10, 14.99, 0],
      [10, 15.01, 2],
      [15.01, 10, 2],
      [1, 1.99, 0],
      [1, 2, 2],
      [0.1, 1.09, 0],
    ] as const) {
      assert.equal(caught({ is: one }, { is: other }), count, `${one} and ${other}`);
    }
  });

  it('do not conflict if they are of two printings, sources or marketplaces', () => {
    for (const other of [{ printing: 'Normal' }, { card: 2 }, { source: 'mtgjson' }]) {
      assert.equal(caught({ is: 10 }, { is: 400, ...other }), 0, JSON.stringify(other));
    }
    assert.equal(caught({ is: 10 }, { is: 400, marketplace: 'cardmarket' }), 0);
  });
});
