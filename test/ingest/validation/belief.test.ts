import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { Cents } from '../../../src/domain/money.ts';
import { isBelievable } from '../../../src/ingest/validation/belief.ts';

const cents = fc.integer({ min: 1, max: 1_000_000 }).map((amount) => amount as Cents);
const factor = fc.double({ min: 2, max: 9.99, noNaN: true });

describe('a jump that nobody else confirms', () => {
  it('is never believed from ten times on, whatever the source reports', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 10, max: 1e6, noNaN: true }),
        fc.array(cents),
        (far, amounts) => {
          assert.equal(isBelievable(far, amounts), false);
        },
      ),
    );
  });

  it('is never believed on the first three days', () => {
    fc.assert(
      fc.property(factor, fc.array(cents, { maxLength: 3 }), (times, amounts) => {
        assert.equal(isBelievable(times, amounts), false);
      }),
    );
  });

  it('is never believed while it stands still, unless it is at most two and a half times as much', () => {
    const days = fc.integer({ min: 4, max: 100 });
    fc.assert(
      fc.property(factor, cents, days, (times, amount, count) => {
        const amounts = Array.from({ length: count }, () => amount);
        assert.equal(isBelievable(times, amounts), times < 2.45);
      }),
    );
  });

  it('is believed from the fourth day on when it moves by a quarter', () => {
    const moving = cents.chain((amount) => {
      const high = (Math.ceil(amount * 1.25) + 1) as Cents;
      const others = fc.array(fc.constantFrom(amount, high), { minLength: 2, maxLength: 20 });
      return others.map((more) => [amount, high, ...more]);
    });
    fc.assert(
      fc.property(factor, moving, (times, amounts) => {
        assert.equal(isBelievable(times, amounts), true);
        assert.equal(isBelievable(times, amounts.toReversed()), true);
      }),
    );
  });

  it('stays believed on every day after', () => {
    fc.assert(
      fc.property(factor, fc.array(cents), cents, (times, amounts, more) => {
        if (isBelievable(times, amounts)) assert.ok(isBelievable(times, [...amounts, more]));
      }),
    );
  });
});
