import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  bandPath,
  findIsolated,
  linearScale,
  linePath,
  moveByKey,
  type Point,
} from '../../../web/src/charts/geometry.ts';

describe('a linear scale', () => {
  it('maps one range to another, in either direction', () => {
    const up = linearScale([10, 20], [100, 0]);
    assert.deepEqual([10, 15, 20, 25].map(up), [100, 50, 0, -50]);
  });

  it('places everything in the middle if the values have no range', () => {
    assert.equal(linearScale([5, 5], [0, 80])(5), 40);
  });
});

describe('the path of a line', () => {
  it('breaks where a point is missing', () => {
    const points: (Point | null)[] = [null, [0, 1], [2, 3.1276], null, null, [9, 9]];
    assert.equal(linePath(points), 'M0 1L2 3.1M9 9');
    assert.equal(linePath([]), '');
    assert.equal(linePath([null]), '');
  });
});

describe('the path of a band', () => {
  it('encloses the space between two lines, where both are known', () => {
    const lower: (Point | null)[] = [[0, 9], [1, 9], null, [3, 9], [4, 9]];
    const upper: (Point | null)[] = [[0, 1], [1, 2], [2, 3], [3, 4], null];
    assert.equal(bandPath(lower, upper), 'M0 1L1 2L1 9L0 9ZM3 4L3 9Z');
    assert.equal(bandPath([], []), '');
  });
});

describe('isolated items', () => {
  it('have no neighbor on either side', () => {
    assert.deepEqual(findIsolated([1, null, 2, 3, null, 4]), [0, 5]);
    fc.assert(
      fc.property(fc.array(fc.option(fc.nat())), (items) => {
        const isolated = new Set(findIsolated(items));
        items.forEach((item, index) => {
          const inLine = [index - 1, index + 1].some((at) => (items[at] ?? null) !== null);
          assert.equal(isolated.has(index), item !== null && !inLine);
        });
      }),
    );
  });
});

describe('the keyboard cursor', () => {
  const ITEMS = [true, false, false, true, true, false];
  const moves: readonly (readonly [key: string, from: number, to: number | undefined])[] = [
    ['ArrowLeft', 4, 3],
    ['ArrowLeft', 3, 0],
    ['ArrowDown', 3, 0],
    ['ArrowLeft', 0, 0],
    ['ArrowRight', 0, 3],
    ['ArrowUp', 0, 3],
    ['ArrowRight', 4, 4],
    ['Home', 4, 0],
    ['End', 0, 4],
    ['Tab', 0, undefined],
  ];
  for (const [key, from, to] of moves) {
    it(`moves from ${from} to ${to ?? 'nowhere'} with ${key}`, () => {
      assert.equal(moveByKey(key, ITEMS, from, Boolean), to);
    });
  }
});
