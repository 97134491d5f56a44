import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { addDays, dayOf } from '../../../src/domain/day.ts';
import type { Cents } from '../../../src/domain/money.ts';
import { type DayPrices, NO_PRICES } from '../../../src/domain/price.ts';
import type { ValidationRule } from '../../../src/domain/quarantined.ts';
import type { QuarantinedBefore } from '../../../src/ingest/observation.ts';
import { confirmedDays } from '../../../src/ingest/validation/past.ts';
import { moment, resolved } from '../../support/resolved.ts';

const cents = fc.integer({ min: 1, max: 1_000_000 }).map((amount) => amount as Cents);
const TODAY = dayOf(moment('2026-01-28'));

interface Waited {
  readonly rule?: ValidationRule;
  readonly isRejected?: boolean;
}

/** Returns which of the days in quarantine are confirmed by today's market price, in cents. */
function confirmed(
  was: number,
  held: readonly number[],
  is: number,
  waited: Waited = {},
): number[] {
  const today = resolved({ was: was / 100, wasOn: '2026-01-01', is: is / 100 });
  const earlierDays = held.map((market, at): DayPrices => {
    return { ...NO_PRICES, day: addDays(TODAY, at - held.length), market: market as Cents };
  });
  const { rule = 'price-jump', isRejected = false } = waited;
  const entry: QuarantinedBefore = {
    ...today.observation,
    rule,
    isRejected,
    detail: '',
    days: held.length,
    earlierDays,
  };
  return confirmedDays(entry, today.before, today).flatMap(({ market }) => market ?? []);
}

describe('days in quarantine', () => {
  it('are confirmed by the same price, and never once the old one is back', () => {
    fc.assert(
      fc.property(cents, cents, (was, is) => {
        fc.pre(was !== is);
        assert.deepEqual(confirmed(was, [is, is], is), [is, is]);
        assert.deepEqual(confirmed(was, [is, is], was), []);
      }),
    );
  });

  it('are confirmed on the way to the new price, and as near to it as half of the way', () => {
    assert.deepEqual(confirmed(1000, [2500, 3900, 6000, 9000], 4000), [2500, 3900, 6000]);
    assert.deepEqual(confirmed(4000, [400, 900, 2500, 9000], 1000), [900, 2500]);
  });

  it('never are anything but days that waited, in their order', () => {
    fc.assert(
      fc.property(cents, fc.array(cents), cents, (was, held, is) => {
        const some = confirmed(was, held, is);
        let at = -1;
        for (const market of some) {
          at = held.indexOf(market as Cents, at + 1);
          assert.notEqual(at, -1);
        }
      }),
    );
  });

  it('are the same at any scale', () => {
    const small = fc.integer({ min: 1, max: 1000 });
    fc.assert(
      fc.property(small, fc.array(small), small, (was, held, is) => {
        const hundredfold = confirmed(
          was * 64,
          held.map((one) => one * 64),
          is * 64,
        );
        assert.deepEqual(
          confirmed(was, held, is),
          hundredfold.map((one) => one / 64),
        );
      }),
    );
  });

  it('are not confirmed where the operator has rejected them, or a whole set was off', () => {
    assert.deepEqual(confirmed(1000, [3900], 4000), [3900]);
    assert.deepEqual(confirmed(1000, [3900], 4000, { isRejected: true }), []);
    assert.deepEqual(confirmed(1000, [3900], 4000, { rule: 'set-shift' }), []);
    assert.deepEqual(confirmed(1000, [3900], 4000, { rule: 'source-shift' }), []);
  });
});
