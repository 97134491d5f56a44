import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { select } from '../../src/lib/select.ts';

function selected(numbers: readonly number[], count: number): number[] {
  const moved = Float64Array.from(numbers);
  select(moved, count);
  assert.deepEqual(moved.toSorted(), Float64Array.from(numbers).sort(), 'the numbers are the same');
  return [...moved.subarray(0, count).sort()];
}

describe('the smallest numbers', () => {
  it('come to the front, whatever the numbers are', () => {
    const some = fc.array(fc.oneof(fc.integer(), fc.integer({ min: 0, max: 5 })), { minLength: 1 });
    fc.assert(
      fc.property(some, fc.nat(), (numbers, seed) => {
        const count = 1 + (seed % numbers.length);
        const sorted = [...Float64Array.from(numbers).sort()];
        assert.deepEqual(selected(numbers, count), sorted.slice(0, count));
      }),
    );
  });

  for (const [order, at] of Object.entries({
    ascending: (i: number) => i,
    descending: (i: number) => -i,
    equal: () => 7,
    'rising and falling': (i: number) => Math.min(i, 1e5 - i),
  })) {
    it(`come to the front in time if all are ${order}`, { timeout: 5000 }, () => {
      const numbers = Array.from({ length: 1e5 }, (_, i) => at(i));
      const sorted = [...Float64Array.from(numbers).sort()];
      assert.deepEqual(selected(numbers, 2000), sorted.slice(0, 2000));
    });
  }
});
