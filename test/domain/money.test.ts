import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { type Day, startOfDay } from '../../src/domain/day.ts';
import {
  type Cents,
  centsFromDollars,
  dollarsFromCents,
  dollarsOrNull,
  formatCents,
  MAX_CENTS,
} from '../../src/domain/money.ts';
import { hasPrice, isInRange, NO_PRICES, samePrices } from '../../src/domain/price.ts';
import { factorBetween, percentBetween } from '../../src/domain/price-changes.ts';
import { inDollars, type Rate, rateFor } from '../../src/domain/rates.ts';
import { staleLimit } from '../../src/domain/staleness.ts';

const cents = (amount: number) => amount as Cents;
const rate = (dollarsPerUnit: number, day = 100, currency: Rate['currency'] = 'EUR'): Rate => {
  return { currency, day: day as Day, dollarsPerUnit };
};

describe('Money', () => {
  test('survives the way from cents to dollars and back', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: MAX_CENTS }), (amount) => {
        assert.equal(centsFromDollars(dollarsFromCents(cents(amount))), amount);
      }),
    );
  });

  test('is rounded to the nearest cent, up to ten million dollars', () => {
    const cases = { '0': 0, '0.004': 0, '0.005': 1, '1.999': 200, '12.34': 1234 };
    for (const [dollars, expected] of Object.entries(cases)) {
      assert.equal(centsFromDollars(Number(dollars)), expected, dollars);
    }
    assert.equal(centsFromDollars(10_000_000), MAX_CENTS);
  });

  test('is not a price if it is negative, absurd or not a number', () => {
    for (const dollars of [-0.01, -0.001, 10_000_000.01, Infinity, -Infinity, NaN]) {
      assert.equal(centsFromDollars(dollars), undefined, String(dollars));
    }
  });

  test('that is unknown is null in dollars, and free is not unknown', () => {
    assert.deepEqual([cents(1250), cents(0), null, undefined].map(dollarsOrNull), [
      12.5,
      0,
      null,
      null,
    ]);
  });

  test('is written with its sign and two decimals', () => {
    assert.equal(formatCents(cents(1250)), '$12.50');
    assert.equal(formatCents(cents(5), 'USD'), '$0.05');
    assert.equal(formatCents(cents(300), 'EUR'), '€3.00');
  });
});

describe('The rate of a moment', () => {
  const [old, today, tomorrow] = [rate(1.1, 99), rate(1.2, 100), rate(1.3, 101)];
  const pounds = rate(1.5, 100, 'GBP' as Rate['currency']);
  const noon = startOfDay(100 as Day) + 43_200_000;

  test('is the newest one of its currency that is not later than its day, in any order', () => {
    for (const rates of [
      [old, today, tomorrow, pounds],
      [pounds, tomorrow, today, old],
    ]) {
      assert.equal(rateFor(rates, 'EUR', noon), today);
      assert.equal(rateFor(rates, 'EUR', startOfDay(100 as Day)), today);
      assert.equal(rateFor(rates, 'EUR', startOfDay(100 as Day) - 1), old);
    }
    assert.equal(rateFor([tomorrow], 'EUR', noon), undefined);
    assert.equal(rateFor([today], 'USD', noon), null);
  });

  test('converts into whole cents, and never into $0.00 or more than the highest price', () => {
    const cases: readonly [amount: number | null, by: Rate | null, expected: number | null][] = [
      [100, rate(1.085), 109],
      [100, rate(1.084), 108],
      [1, rate(0.5), 1],
      [1, rate(0.49), null],
      [0, rate(1.1), null],
      [MAX_CENTS, rate(1), MAX_CENTS],
      [MAX_CENTS, rate(1.1), null],
      [100, null, 100],
      [null, rate(1.1), null],
    ];
    for (const [amount, by, expected] of cases) {
      assert.equal(inDollars(amount as Cents | null, by), expected, `${amount} by ${by}`);
    }
  });
});

describe('Prices', () => {
  const FIGURES = ['market', 'low', 'mid', 'high'] as const;

  test('are there when one of the four figures is', () => {
    assert.equal(hasPrice(NO_PRICES), false);
    for (const name of FIGURES) assert.equal(hasPrice({ ...NO_PRICES, [name]: cents(1) }), true);
  });

  test('are the same when all four figures are', () => {
    const all = { market: cents(4), low: cents(1), mid: cents(3), high: cents(9) };
    assert.equal(samePrices(all, { ...all }), true);
    for (const name of FIGURES) {
      assert.equal(samePrices(all, { ...all, [name]: cents(7) }), false, name);
      assert.equal(samePrices(all, { ...all, [name]: null }), false, name);
    }
  });

  test('change by a percentage with one decimal, and by a factor in both directions', () => {
    assert.equal(percentBetween(cents(300), cents(400)), 33.3);
    assert.equal(percentBetween(cents(300), cents(100)), -66.7);
    assert.equal(percentBetween(cents(300), cents(300)), 0);
    assert.deepEqual([factorBetween(2, 6), factorBetween(6, 2), factorBetween(5, 5)], [3, 3, 1]);
  });

  test('are stale by the limit of their source, otherwise by the limit of all synced sources', () => {
    const config = { sync: ['tcgcsv'], staleAfter: { all: 3, bySource: { scryfall: 5 } } };
    assert.deepEqual(
      ['tcgcsv', 'scryfall', 'lorcast'].map((source) => staleLimit(config, source)),
      [3, 5, null],
    );
  });
});

describe('A range of prices', () => {
  const among = (min: number | undefined, max: number | undefined) => {
    const filter = { min: min as Cents | undefined, max: max as Cents | undefined };
    return [null, 99, 100, 150, 200, 201].filter((market) => {
      return isInRange({ ...filter, isPriced: undefined }, market as Cents | null);
    });
  };

  test('includes both of its ends, and no unknown price', () => {
    assert.deepEqual(among(100, 200), [100, 150, 200]);
    assert.deepEqual(among(100, undefined), [100, 150, 200, 201]);
    assert.deepEqual(among(undefined, 200), [99, 100, 150, 200]);
  });

  test('without ends includes everything', () => {
    assert.equal(among(undefined, undefined).length, 6);
  });
});
