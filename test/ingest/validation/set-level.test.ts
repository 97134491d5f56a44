import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { Cents } from '../../../src/domain/money.ts';
import {
  judgeSet,
  type Move,
  measureSet,
  medianOf,
  movesOf,
  type SetVerdict,
} from '../../../src/ingest/validation/set-level.ts';
import { type Reported, resolved } from '../../support/resolved.ts';

function judge(moves: readonly Move[], days = 1): SetVerdict | undefined {
  const level = measureSet(moves);
  return level && judgeSet(level, days);
}

function move(was: number, factor: number): Move {
  return { was: was as Cents, is: Math.max(1, Math.round(was * factor)) as Cents };
}

/** Prices from a dollar on: cheaper ones change by more than 5 % when they change by a cent. */
const price = fc.integer({ min: 100, max: 1_000_000 });
const still = price.map((was) => move(was, 1));
const lively = fc
  .tuple(price, fc.double({ min: 0.4, max: 2.5, noNaN: true }))
  .map(([was, factor]) => move(was, factor));

/** A day of a set as sets are: more prices stand still than move, and these each on its own. */
const trueDay: fc.Arbitrary<Move[]> = fc
  .tuple(fc.array(lively, { maxLength: 30 }), fc.array(still, { minLength: 5, maxLength: 10 }))
  .map(([moves, more]) => [...moves, ...moves.map(({ was }) => move(was, 1)), ...more]);

/** A factor by which a set is off by 15 % or more, either way. */
const wrongFactor = fc.oneof(
  fc.double({ min: 1.15, max: 100, noNaN: true }),
  fc.double({ min: 0.05, max: 1 / 1.15, noNaN: true }),
);

describe('a set of prices', () => {
  it('is right when more of its prices stand still than move, wherever these go', () => {
    fc.assert(
      fc.property(trueDay, fc.integer({ min: 1, max: 300 }), (moves, days) => {
        assert.equal(judge(moves, days), undefined);
      }),
    );
  });

  it('is caught when one factor of 15 % or more is on all of its prices', () => {
    fc.assert(
      fc.property(trueDay, wrongFactor, (moves, factor) => {
        const wrong = moves.map(({ was, is }) => ({ was, is: move(is, factor).is }));
        assert.equal(judge(wrong)?.reason, 'shift');
      }),
    );
  });

  it('is caught when its prices are euros read as dollars', () => {
    fc.assert(
      fc.property(trueDay, (moves) => {
        const wrong = moves.map(({ was, is }) => ({ was, is: move(is, 0.92).is }));
        assert.equal(judge(wrong)?.reason, 'shift');
      }),
    );
  });

  it('is judged alike in any order of its prices', () => {
    const shuffled = fc
      .array(fc.oneof(still, lively), { maxLength: 40 })
      .chain((all) =>
        fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length })),
      );
    fc.assert(fc.property(shuffled, ([one, other]) => assert.deepEqual(judge(one), judge(other))));
  });

  it('may go further in more days', () => {
    fc.assert(
      fc.property(fc.array(lively, { maxLength: 40 }), fc.nat(100), (moves, days) => {
        if (!judge(moves, days)) assert.equal(judge(moves, days + 1), undefined);
      }),
    );
  });

  it('may fall in its week of release, each price by its own factor', () => {
    const factors = [0.6, 0.66, 0.7, 0.74, 0.77, 0.8, 0.84, 0.88, 0.95, 1.1];
    assert.equal(
      judge(
        factors.map((factor) => move(5000, factor)),
        2,
      ),
      undefined,
    );
    assert.equal(
      judge(
        factors.map(() => move(5000, 0.77)),
        2,
      )?.reason,
      'shift',
    );
  });

  it('may not rise as far as it may fall', () => {
    const factors = [0.9, 1, 1.1, 1.16, 1.2, 1.24, 1.3, 1.36, 1.45];
    assert.equal(judge(factors.map((factor) => move(5000, factor)))?.reason, 'shift');
    assert.equal(judge(factors.map((factor) => move(5000, 1 / factor))), undefined);
  });

  it('is caught when each price goes its own way, as if it were another card’s', () => {
    const factors = [0.2, 0.5, 0.7, 0.95, 1, 1.04, 1.4, 2, 6];
    const verdict = judge(factors.map((factor) => move(5000, factor)));
    assert.equal(verdict?.reason, 'scatter');
    assert.equal(verdict.compared, factors.length);
  });

  it('of one or two prices is never judged, and of up to four only when they move alike', () => {
    const moves = (...factors: number[]) => factors.map((factor) => move(5000, factor));
    assert.equal(judge([]), undefined);
    assert.equal(judge(moves(1.3, 1.3)), undefined);
    assert.equal(judge(moves(1.3, 1.3, 1.3))?.reason, 'shift');
    assert.equal(judge(moves(1.2, 1.3, 1.4, 1.5)), undefined);
    assert.equal(judge(moves(1.2, 1.3, 1.4, 1.5, 1.6))?.reason, 'shift');
  });

  it('says how far it went and how far it could go', () => {
    const verdict = judge(Array.from({ length: 7 }, () => move(10_000, 1.3)));
    assert.equal(verdict?.median.toFixed(4), '1.3000');
    assert.equal(verdict?.bound.toFixed(4), '1.0500');
    assert.equal(verdict?.compared, 7);
  });
});

describe('the moves of a set', () => {
  const count = (...reported: readonly Reported[]) => {
    return movesOf(reported.map(resolved), 'market').length;
  };

  it('are those of prices that were known before, in the same currency', () => {
    assert.equal(count({ was: 10, is: 11 }, { was: 10, is: 9 }), 2);
    assert.equal(count({ is: 11 }, { was: 10, is: null }), 0);
    assert.equal(count({ was: { low: 10 }, is: 11 }, { was: 10, is: { low: 11 } }), 0);
    assert.equal(count({ was: 10, wasIn: 'EUR', is: 11 }), 0);
    assert.equal(count({ was: 10, is: 0 }, { was: 10, is: -1 }), 0);
  });
});

describe('the median', () => {
  it('has as many numbers above it as below it', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ noNaN: true, min: -9, max: 9 })), (numbers) => {
        const median = medianOf(numbers);
        if (median === undefined) return assert.deepEqual(numbers, []);
        const below = numbers.filter((one) => one < median).length;
        const above = numbers.filter((one) => one > median).length;
        assert.ok(below * 2 <= numbers.length && above * 2 <= numbers.length);
      }),
    );
  });
});
