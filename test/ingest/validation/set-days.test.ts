import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { addDays, type Day, dayOf } from '../../../src/domain/day.ts';
import { NO_PRICES } from '../../../src/domain/price.ts';
import type { ResolvedObservation } from '../../../src/ingest/observation.ts';
import { findShiftedDays } from '../../../src/ingest/validation/set-days.ts';
import { usd } from '../../support/replay.ts';
import { moment, resolved } from '../../support/resolved.ts';

const FIRST = dayOf(moment('2025-12-01'));
const CARDS = 20;

/** The price of a card on a day, in dollars. Each moves a little, on different days. */
function truePrice(card: number, day: number): number {
  const price = 1 + ((card * 37) % 90);
  return (card + day) % 4 === 0 ? price * 1.02 : price;
}

type PriceOf = (card: number, day: number) => number | null;

interface Past {
  readonly days?: number;
  /** What the set cost on the day before the first one, if that is known. */
  readonly before?: PriceOf;
}

/** The series of a set with so many earlier days, and one more day that is right. */
function setWith(priceOf: PriceOf, { days = 10, before }: Past = {}): ResolvedObservation[] {
  return Array.from({ length: CARDS }, (_, card) => {
    const was = before?.(card, -1) ?? null;
    const one = resolved({ card, is: truePrice(card, days), was, wasOn: '2025-11-30' });
    const earlierDays = Array.from({ length: days }, (_, day) => {
      const price = priceOf(card, day);
      return { ...NO_PRICES, day: addDays(FIRST, day), market: price === null ? null : usd(price) };
    });
    return { ...one, observation: { ...one.observation, earlierDays } };
  });
}

/** How many prices are held of each day, by the number of the day. */
function heldDays(
  batch: readonly ResolvedObservation[],
  approved: readonly number[] = [],
): Record<number, number> {
  const days = new Set(approved.map((day) => addDays(FIRST, day)));
  const held: Record<number, number> = {};
  for (const [, own] of findShiftedDays(batch, () => days)) {
    for (const [day, { rule }] of own) {
      assert.equal(rule, 'set-shift');
      held[day - FIRST] = (held[day - FIRST] ?? 0) + 1;
    }
  }
  return held;
}

/** The true prices, except on some days. */
function except(wrong: readonly number[], change: PriceOf): PriceOf {
  return (card, day) => (wrong.includes(day) ? change(card, day) : truePrice(card, day));
}

const times = (factor: number): PriceOf => {
  return (card, day) => truePrice(card, day) * factor;
};
const nextCard: PriceOf = (card, day) => truePrice((card + 1) % CARDS, day);

describe('earlier days of a set', () => {
  it('are right when each price moves on its own', () => {
    assert.deepEqual(heldDays(setWith(truePrice)), {});
    assert.deepEqual(heldDays(setWith(truePrice, { before: truePrice })), {});
  });

  it('are held when all prices are off by one factor, until they are back', () => {
    for (const factor of [4, 1.3, 1.15, 0.92, 0.5]) {
      const batch = setWith(except([4, 5], times(factor)));
      assert.deepEqual(heldDays(batch), { 4: CARDS, 5: CARDS }, `times ${factor}`);
    }
  });

  it('are held when rows are shifted by one', () => {
    assert.deepEqual(heldDays(setWith(except([3], nextCard))), { 3: CARDS });
  });

  it('are held when they are the first ones', () => {
    const wrong = except([0, 1], times(1.3));
    const both = { 0: CARDS, 1: CARDS };
    assert.deepEqual(heldDays(setWith(wrong)), both, 'by the days after them');
    assert.deepEqual(heldDays(setWith(wrong, { before: truePrice })), both, 'by the day before');
  });

  it('stay held to the end, however long it lasts', () => {
    const wrong = Array.from({ length: 85 }, (_, index) => index + 5);
    const held = heldDays(setWith(except(wrong, times(1.3)), { days: 90 }));
    assert.deepEqual(Object.keys(held).map(Number), wrong);
  });

  it('pass where a price is as before, on a day that is held', () => {
    const half = except(
      [4],
      (card, day) => truePrice(card, card < 5 ? day - 1 : day) * (card < 5 ? 1 : 2),
    );
    const same = setWith((card, day) => (card < 5 ? truePrice(card, 0) : half(card, day)));
    assert.deepEqual(heldDays(same), { 4: CARDS - 5 });
  });

  it('pass once the operator has approved them, and so do those that follow', () => {
    const batch = setWith(except([4, 5, 6, 7, 8, 9], times(1.3)));
    assert.deepEqual(heldDays(batch, [4]), {});
  });

  it('are not judged where there are too few', () => {
    assert.deepEqual(heldDays(setWith(except([3], times(4))).slice(0, 2)), {});
    assert.deepEqual(heldDays(setWith(times(4), { days: 2 })), {});
  });

  it('are judged alike in any order of cards and days', () => {
    const batch = setWith(except([4, 5], times(1.3)));
    const shuffled = fc.shuffledSubarray(batch, { minLength: batch.length });
    fc.assert(
      fc.property(shuffled, fc.nat(9), (cards, turn) => {
        const turned = cards.map((one) => {
          const { earlierDays = [] } = one.observation;
          const days = [...earlierDays.slice(turn), ...earlierDays.slice(0, turn)];
          return { ...one, observation: { ...one.observation, earlierDays: days } };
        });
        assert.deepEqual(heldDays(turned), { 4: CARDS, 5: CARDS });
      }),
      { numRuns: 30 },
    );
  });
});

it('a held day says how far the set is off, and the limit', () => {
  const batch = setWith(except([4], times(4)));
  const [first] = findShiftedDays(batch, () => new Set()).values();
  assert.equal(
    first?.get((FIRST + 4) as Day)?.detail,
    'Charizard (Holofoil) is quarantined on 2025-12-05: all of Base Set is at 4.00 times its earlier prices ' +
      '(median of 20); limit 1.05.',
  );
});
