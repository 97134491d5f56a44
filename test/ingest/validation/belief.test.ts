import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { Cents } from '../../../src/domain/money.ts';
import { NO_PRICES } from '../../../src/domain/price.ts';
import { daysAtLevel, isBelievable, isSameLevel } from '../../../src/ingest/validation/belief.ts';

const cents = fc.integer({ min: 1, max: 1_000_000 }).map((amount) => amount as Cents);
const factor = fc.double({ min: 2, max: 9.99, noNaN: true });

describe('a jump that no other source confirms', () => {
  it('is never believed from ten times on, even if the source repeats it', () => {
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

const DAY = 86_400_000;

/** An observation of a market price in cents, so many days and hours after the first. */
function observed(market: number, days: number, hours = 0) {
  const prices = { ...NO_PRICES, market: market as Cents };
  const observedAt = days * DAY + hours * 3_600_000;
  return { currency: 'USD', observedAt, prices, conditions: {}, graded: {} } as const;
}

describe('the days at a level', () => {
  const quarantined = {
    ...observed(1000, 10),
    rule: 'price-jump' as const,
    detail: '',
    days: 2,
    isRejected: false,
  } as const;

  for (const [what, now, days] of [
    ['count a later day', observed(1000, 11), 3],
    ['count a day once, however often it is reported', observed(1000, 10, 5), 2],
    ['do not count an earlier day', observed(1000, 9), 2],
    ['continue at half as much again', observed(1500, 11), 3],
    ['begin again beyond that', observed(1501, 11), 1],
  ] as const) {
    it(what, () => assert.equal(daysAtLevel(quarantined, now), days));
  }

  it('begin with the first one', () => assert.equal(daysAtLevel(undefined, observed(1, 1)), 1));

  it('are of one currency', () => {
    assert.equal(isSameLevel(observed(1, 1), { ...observed(1, 1), currency: 'EUR' }), false);
  });
});

describe('the limits of belief', () => {
  const cents = (...amounts: number[]) => amounts as Cents[];

  it('a jump of just less than ten times is believed on the fourth day, one of ten never', () => {
    const amounts = cents(1000, 1250, 1000, 1000);
    assert.equal(isBelievable(9.99, amounts), true);
    assert.equal(isBelievable(10, amounts), false);
    assert.equal(isBelievable(9.99, amounts.slice(1)), false);
  });

  it('a jump of 2.45 times is believed only if it moves by a quarter', () => {
    assert.equal(isBelievable(2.45, cents(1000, 1249, 1000, 1000)), false);
    assert.equal(isBelievable(2.45, cents(1000, 1250, 1000, 1000)), true);
    assert.equal(isBelievable(2.44, cents(1000, 1000, 1000, 1000)), true);
  });
});
