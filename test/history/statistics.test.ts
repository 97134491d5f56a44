import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { type Day, PERIODS, type Period } from '../../src/domain/day.ts';
import { type Cents, MAX_CENTS } from '../../src/domain/money.ts';
import { type PeriodStatistics, statisticsOf } from '../../src/history/statistics.ts';

const NEWEST = 20_480 as Day;

/** A day so many days before the newest, with a price in cents. */
function ago(days: number, market: number | null) {
  return { day: (NEWEST - days) as Day, market: market as Cents | null };
}

describe('The statistics of market prices', () => {
  it('are of the days of each period, both ends included', () => {
    const days = [ago(365, 1), ago(364, 900), ago(89, 600), ago(29, 400), ago(6, 300), ago(0, 100)];
    const found = statisticsOf([...days, { day: (NEWEST + 1) as Day, market: 1 as Cents }], NEWEST);
    assert.deepEqual(found['7d'], {
      lowest: ago(0, 100),
      highest: ago(6, 300),
      mean: 200,
      standardDeviation: 100,
      slope: -33_33,
      days: 2,
    });
    const counts = Object.values(found).map((period) => period?.days);
    assert.deepEqual(counts, [2, 3, 4, 5, 6]);
    assert.deepEqual(found['1y']?.highest, ago(364, 900));
  });

  it('name the newest of several days with the lowest or highest price', () => {
    const { '7d': week } = statisticsOf([ago(3, 5), ago(2, 9), ago(1, 5), ago(0, 9)], NEWEST);
    assert.deepEqual([week?.lowest, week?.highest], [ago(1, 5), ago(0, 9)]);
  });

  it('round the mean to whole cents, and leave out days without a market price', () => {
    const { '7d': week } = statisticsOf([ago(2, 1), ago(1, null), ago(0, 2)], NEWEST);
    assert.deepEqual([week?.mean, week?.days], [2, 2]);
  });

  it('are null for a period without a market price', () => {
    const found = statisticsOf([ago(40, 5), ago(0, null)], NEWEST);
    assert.deepEqual([found['7d'], found['30d']], [null, null]);
    assert.equal(found['90d']?.mean, 5);
    assert.deepEqual(statisticsOf([], NEWEST)['1y'], null);
  });

  it('have a standard deviation and a slope, which one day lacks', () => {
    const { '7d': week } = statisticsOf([ago(4, 100), ago(2, 102), ago(0, 104)], NEWEST);
    // The prices differ by 2, 0 and 2 cents from the mean, and rise by a cent a day.
    assert.deepEqual([week?.standardDeviation, week?.slope], [2, 100]);
    const { '7d': single } = statisticsOf([ago(2, 100)], NEWEST);
    assert.deepEqual([single?.standardDeviation, single?.slope], [0, null]);
  });

  it('are null for periods longer than the plan, whose days `all` has', () => {
    const found = statisticsOf([ago(60, 100), ago(8, 200), ago(0, 300)], NEWEST, 30);
    assert.deepEqual([found['30d']?.days, found['90d'], found['1y']], [2, null, null]);
    assert.deepEqual(found.all, found['30d']);
    assert.deepEqual(Object.values(statisticsOf([ago(0, 1)], NEWEST, 0)), Array(5).fill(null));
  });

  it('are those of the definitions, to the last digit, for any prices', () => {
    const price = fc.oneof(
      fc.constant(null),
      fc.integer({ min: 0, max: 9 }),
      fc.integer({ min: 0, max: MAX_CENTS }),
      fc.constant(MAX_CENTS),
    );
    const age = fc.oneof(fc.integer({ min: 0, max: 400 }), fc.integer({ min: 0, max: NEWEST }));
    const history = fc
      .uniqueArray(fc.tuple(age, price), { selector: ([days]) => days, maxLength: 60 })
      .map((days) => days.sort(([a], [b]) => b - a).map(([days, market]) => ago(days, market)));
    fc.assert(
      fc.property(history, (days) => {
        const found = statisticsOf(days, NEWEST);
        for (const [period, length] of Object.entries(PERIODS)) {
          const own = days.filter(({ day }) => length === null || day > NEWEST - length);
          assertDefined(found[period as Period], own);
        }
      }),
      { numRuns: 500 },
    );
  });
});

/** Compares statistics with their definitions, in fractions. */
function assertDefined(found: PeriodStatistics | null, all: ReturnType<typeof ago>[]) {
  const days = all.flatMap(({ day, market }) => (market === null ? [] : [{ day, market }]));
  if (found === null) {
    assert.deepEqual(days, []);
    return;
  }
  const markets = days.map(({ market }) => market);
  const newestOf = (wanted: number) => days.findLast(({ market }) => market === wanted);
  assert.deepEqual(found.lowest, newestOf(Math.min(...markets)));
  assert.deepEqual(found.highest, newestOf(Math.max(...markets)));
  assert.equal(found.days, days.length);
  const n = BigInt(days.length);
  const sum = (of: (one: (typeof days)[number]) => bigint) => {
    return days.reduce((total, one) => total + of(one), 0n);
  };
  const prices = sum(({ market }) => BigInt(market));
  const times = sum(({ day }) => BigInt(day));
  assertNearest(found.mean, prices, n);
  // Each difference from a mean is a number of nths.
  const fromMean = (one: { market: number }) => n * BigInt(one.market) - prices;
  const fromMiddle = (one: { day: number }) => n * BigInt(one.day) - times;
  const squares = sum((one) => fromMean(one) ** 2n);
  const twice = 2n * BigInt(found.standardDeviation) * n;
  assert.ok(twice === 0n || (twice - n) ** 2n * n <= 4n * squares);
  assert.ok(4n * squares < (twice + n) ** 2n * n);
  const spread = sum((one) => fromMiddle(one) ** 2n);
  if (found.slope === null) assert.equal(spread, 0n);
  else assertNearest(found.slope, 100n * sum((one) => fromMean(one) * fromMiddle(one)), spread);
}

/** Asserts that no whole number is nearer to a quotient. */
function assertNearest(found: number, dividend: bigint, divisor: bigint) {
  const error = 2n * (BigInt(found) * divisor - dividend);
  assert.ok(-divisor <= error && error <= divisor, `${found} for ${dividend} / ${divisor}`);
}
