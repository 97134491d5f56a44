import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { Cents } from '../../../src/domain/money.ts';
import { NO_PRICES } from '../../../src/domain/price.ts';
import {
  daysAtLevel,
  daysToBelieve,
  isBelievable,
  isSameLevel,
} from '../../../src/ingest/validation/belief.ts';

const near = fc.double({ min: 2, max: 2.99, noNaN: true });
const far = fc.double({ min: 3, max: 9.99, noNaN: true });
const days = fc.integer({ min: 1, max: 1000 });

describe('a jump without a witness', () => {
  it('is never believed from ten times on, whatever else speaks for it', () => {
    const beyond = fc.double({ min: 10, max: 1e6, noNaN: true });
    fc.assert(
      fc.property(beyond, days, fc.boolean(), (factor, count, isListed) => {
        assert.equal(isBelievable(factor, count, isListed), false);
        assert.equal(daysToBelieve(factor, isListed), undefined);
      }),
    );
  });

  it('is believed after eleven days, or after three weeks from three times on', () => {
    fc.assert(
      fc.property(near, far, days, (below, beyond, count) => {
        assert.equal(isBelievable(below, count), count >= 11);
        assert.equal(isBelievable(beyond, count), count >= 21);
      }),
    );
  });

  it('is believed sooner if its listings moved along on other days', () => {
    fc.assert(
      fc.property(near, far, days, (below, beyond, count) => {
        assert.equal(isBelievable(below, count, true), count >= 2);
        assert.equal(isBelievable(beyond, count, true), count >= 5);
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
