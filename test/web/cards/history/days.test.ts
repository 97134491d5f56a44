import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  addDays,
  type Day,
  formatDay,
  PERIODS,
  type Period,
  parseDay,
} from '../../../../src/domain/day.ts';
import {
  buildChartDays,
  dateAt,
  findLastObserved,
  groupByYear,
  type ObservedDay,
  parsePeriod,
  periodsWithin,
} from '../../../../web/src/cards/history/days.ts';

function observed(date: string, market: number | null = 1): ObservedDay {
  return { date, market, low: market, high: market };
}

test('days without an observation are on the axis, without prices', () => {
  const history = [observed('2026-01-24', 5), observed('2026-01-27', 6)];
  const days = buildChartDays(history, '7d', '2026-01-28');
  assert.equal(dateAt(days, 0), '2026-01-22');
  assert.equal(dateAt(days, 6), '2026-01-28');
  assert.deepEqual(days.market, [null, null, 5, null, null, 6, null]);
});

test('the period of all days begins with the first observed one and ends with the newest of the game', () => {
  const days = buildChartDays(
    [observed('2025-12-30'), observed('2026-01-01')],
    'all',
    '2026-01-03',
  );
  const dates = days.seconds.map((_, index) => dateAt(days, index));
  const expected = ['2025-12-30', '2025-12-31', '2026-01-01', '2026-01-02', '2026-01-03'];
  assert.deepEqual(dates, expected);
});

test('a single observed day makes an axis of one day', () => {
  const days = buildChartDays([observed('2026-01-03')], 'all', '2026-01-03');
  assert.equal(days.seconds.length, 1);
  assert.equal(findLastObserved(days), 0);
});

test('an observed day without a price of some kind is a gap in that line', () => {
  const item = { date: '2026-01-02', market: null, low: 2, high: 3 };
  const days = buildChartDays(
    [observed('2026-01-01'), item, observed('2026-01-03')],
    'all',
    '2026-01-03',
  );
  assert.deepEqual(days.market, [1, null, 1]);
  assert.deepEqual(days.low, [1, 2, 1]);
});

test('observations with an invalid day or one outside of the period are left out', () => {
  const history = [observed('2025-02-30'), observed('1999-01-01'), observed('2026-01-28', 7)];
  const days = buildChartDays(history, '7d', '2026-01-28');
  assert.deepEqual(days.market, [null, null, null, null, null, null, 7]);
});

const NEWEST = parseDay('2026-01-28') as Day;
const histories = fc
  .uniqueArray(fc.integer({ min: 0, max: 1200 }), { maxLength: 60 })
  .map((ages) => {
    const sorted = ages.toSorted((a, b) => b - a);
    return sorted.map((age) => observed(formatDay(addDays(NEWEST, -age)), age + 1));
  });
const periods = fc.constantFrom(...(Object.keys(PERIODS) as Period[]));

test('the axis has every day of the period once and in order, with each observation on its day', () => {
  fc.assert(
    fc.property(histories, periods, (history, period) => {
      const days = buildChartDays(history, period, formatDay(NEWEST));
      const dates = days.seconds.map((_, index) => dateAt(days, index));
      assert.equal(dates.at(-1), formatDay(NEWEST));
      dates.forEach((date, index) => {
        assert.equal(date, formatDay(addDays(NEWEST, index + 1 - dates.length)));
      });
      assert.equal(dates.length, PERIODS[period] ?? dates.length);
      const inside = history.filter(({ date }) => dates.includes(date));
      assert.equal(days.observed.filter(Boolean).length, inside.length);
      for (const item of inside) assert.equal(days.market[dates.indexOf(item.date)], item.market);
      if (period === 'all') assert.equal(inside.length, history.length);
    }),
  );
});

test('the history by year has each day once, newest first', () => {
  const history = ['2024-12-31', '2025-01-01', '2025-06-01'].map((date) => observed(date));
  assert.deepEqual(
    groupByYear(history).map(({ year, days }) => [year, days.map(({ date }) => date)]),
    [
      ['2025', ['2025-06-01', '2025-01-01']],
      ['2024', ['2024-12-31']],
    ],
  );
  fc.assert(
    fc.property(histories, (all) => {
      const listed = groupByYear(all).flatMap(({ days }) => days);
      assert.deepEqual(listed, all.toReversed());
    }),
  );
});

const ALL = periodsWithin(null);

test('a missing or invalid period is 30 days', () => {
  assert.equal(parsePeriod('1y', ALL), '1y');
  for (const text of [undefined, '', '2y', 'toString']) assert.equal(parsePeriod(text, ALL), '30d');
});

test('no period is longer than the reader may see', () => {
  assert.deepEqual(ALL, ['7d', '30d', '90d', '1y', 'all']);
  assert.deepEqual(periodsWithin(365), ['7d', '30d', '90d', '1y']);
  assert.deepEqual(periodsWithin(30), ['7d', '30d']);
  assert.deepEqual(periodsWithin(6), []);
  assert.equal(parsePeriod('all', periodsWithin(100)), '90d');
  assert.equal(parsePeriod(undefined, periodsWithin(29)), '7d');
});
