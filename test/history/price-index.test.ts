import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { Day } from '../../src/domain/day.ts';
import type { Cents } from '../../src/domain/money.ts';
import {
  HELD_DAYS,
  indexChanges,
  PriceIndex,
  toHundredths,
} from '../../src/history/price-index.ts';

const FIRST = 20_000;
const LENGTH = 60;
const WINDOW = { from: FIRST as Day, to: (FIRST + LENGTH - 1) as Day };

type Prices = readonly (readonly [offset: number, market: number | null, marketplace?: string])[];

/** Returns the index of printings, each given by its prices, rounded like the answer. */
function indexOf(...printings: readonly Prices[]): number[] {
  const index = new PriceIndex(WINDOW);
  for (const prices of printings) {
    index.add(
      prices.map(([offset, market, marketplace]) => ({
        day: (FIRST + offset) as Day,
        market: market as Cents | null,
        provenance: marketplace ? { source: 'a', marketplace, repeated: false } : null,
      })),
    );
  }
  return index.series().values.map(toHundredths);
}

const cents = fc.integer({ min: 1, max: 1_000_000 });

/** Days of a printing in the window, in ascending order. */
const offsets = fc
  .uniqueArray(fc.integer({ min: 0, max: LENGTH - 1 }), { maxLength: LENGTH })
  .map((days) => days.toSorted((a, b) => a - b));

/** A printing whose price never changes, on any days. */
const unchanged = fc.tuple(offsets, cents).map(([days, market]): Prices => {
  return days.map((day) => [day, market]);
});

/** The middle of the window. */
const MIDDLE = LENGTH / 2;

/** A printing with a constant price that doubles in the middle, unless it is gone by then. */
const doubled = fc
  .tuple(fc.integer({ min: 0, max: LENGTH - 1 }), fc.boolean(), cents)
  .map(([first, isGone, market]): Prices => {
    const last = isGone ? LENGTH - HELD_DAYS - 2 : LENGTH - 1;
    const days = Array.from({ length: Math.max(0, last + 1 - first) }, (_, at) => first + at);
    return days.map((day) => [day, day < MIDDLE ? market : market * 2]);
  });

describe('The index of printings', () => {
  it('starts at 100 and follows the sum of the prices', () => {
    const index = indexOf(
      [
        [57, 1000],
        [58, 1500],
        [59, 1200],
      ],
      [
        [57, 1000],
        [58, 500],
        [59, 1000],
      ],
    );
    assert.deepEqual(index, [100, 100, 110]);
  });

  it('is flat while no price changes, whatever printings come and go', () => {
    fc.assert(
      fc.property(fc.array(unchanged, { maxLength: 12 }), (printings) => {
        assert.ok(indexOf(...printings).every((value) => value === 100));
      }),
    );
  });

  it('doubles when all prices double, whatever printings come and go', () => {
    const lasting: Prices = Array.from({ length: LENGTH }, (_, day) => {
      return [day, day < MIDDLE ? 700 : 1400];
    });
    fc.assert(
      fc.property(fc.array(doubled, { maxLength: 12 }), (printings) => {
        const index = indexOf(lasting, ...printings);
        assert.deepEqual(new Set(index.slice(0, MIDDLE)), new Set([100]));
        assert.deepEqual(new Set(index.slice(MIDDLE)), new Set([200]));
      }),
    );
  });

  it('does not depend on the unit of the prices', () => {
    const prices = fc.array(fc.array(fc.tuple(fc.nat(LENGTH - 1), cents), { maxLength: 20 }), {
      maxLength: 6,
    });
    fc.assert(
      fc.property(prices, (printings) => {
        const sorted = printings.map((days) => {
          return [...new Map(days)].toSorted(([a], [b]) => a - b);
        });
        const larger = sorted.map((days) =>
          days.map(([day, market]) => [day, market * 8] as const),
        );
        assert.deepEqual(indexOf(...larger), indexOf(...sorted));
      }),
    );
  });

  it('begins on the first day with a price', () => {
    const index = new PriceIndex(WINDOW);
    index.add([{ day: (FIRST + 50) as Day, market: 5 as Cents, provenance: null }]);
    assert.deepEqual(index.series(), { first: FIRST + 50, values: Array(10).fill(100) });
  });

  it('carries its value over days without prices', () => {
    assert.deepEqual(
      indexOf([
        [54, 100],
        [55, 150],
        [59, 300],
      ]),
      [100, 150, 150, 150, 150, 300],
    );
  });

  it('does not lose what happened while a part of the printings had no price', () => {
    const index = indexOf(
      [
        [57, 100],
        [59, 300],
      ],
      [
        [57, 100],
        [58, 100],
        [59, 100],
      ],
    );
    assert.deepEqual(index, [100, 100, 200]);
  });

  it('counts a printing without a newest price as unchanged', () => {
    assert.deepEqual(
      indexOf(
        [[58, 900]],
        [
          [58, 100],
          [59, 200],
        ],
      ),
      [100, 110],
    );
  });

  it('does not compare prices that are further apart than a price stands', () => {
    assert.equal(
      indexOf([
        [59 - HELD_DAYS, 100],
        [59, 300],
      ]).at(-1),
      300,
    );
    assert.equal(
      indexOf([
        [58 - HELD_DAYS, 100],
        [59, 300],
      ]).at(-1),
      100,
    );
  });

  it('begins again after more days without any price than a price stands', () => {
    assert.deepEqual(
      indexOf([
        [0, 100],
        [1, 200],
        [58, 900],
        [59, 990],
      ]),
      [100, 110],
    );
    assert.equal(
      indexOf([
        [0, 100],
        [1, 200],
      ]).length,
      LENGTH,
    );
  });

  it('does not compare prices of two marketplaces', () => {
    const prices: Prices = [
      [56, 100, 'tcgplayer'],
      [57, 110, 'tcgplayer'],
      [58, 700, 'ebay'],
    ];
    assert.deepEqual(indexOf([...prices, [59, 1400, 'ebay']]), [100, 110, 110, 220]);
  });

  it('leaves out days without a market price', () => {
    assert.deepEqual(
      indexOf([
        [57, 100],
        [58, null],
        [59, 120],
      ]),
      [100, 100, 120],
    );
    assert.deepEqual(indexOf([[57, null]]), []);
  });
});

describe('The changes of an index', () => {
  it('are in percent up to the last value, and null where it begins later', () => {
    const values = [...Array(23).fill(50), 80, 100, 100, 100, 100, 100, 100, 99];
    assert.deepEqual(indexChanges(values, null), {
      '1d': -1,
      '7d': 23.75,
      '30d': 98,
      '90d': null,
      '1y': null,
    });
  });

  it('start on the first day for the whole period, unless the index begins later', () => {
    const week = [50, 80, 100, 100, 100, 100, 99];
    const [whole, partly] = [indexChanges(week, 7), indexChanges(week, 30)];
    assert.deepEqual([whole['1d'], whole['7d'], whole['30d']], [-1, 98, null]);
    assert.deepEqual([partly['1d'], partly['7d'], partly['30d']], [-1, null, null]);
    assert.equal(indexChanges(week.slice(1), 7)['7d'], null);
  });

  it('are null without a value', () => {
    assert.deepEqual(new Set(Object.values(indexChanges([], 7))), new Set([null]));
  });
});
