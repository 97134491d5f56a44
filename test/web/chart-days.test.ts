import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { addDays, type Day, formatDay, parseDay } from '../../src/domain/day.ts';
import { PERIODS, type Period } from '../../src/domain/window.ts';
import {
  byYear,
  chartDays,
  dateAt,
  dayAfterKey,
  isolated,
  lastObserved,
  type ObservedDay,
} from '../../web/src/chart/days.ts';

function observed(date: string, market: number | null = 1): ObservedDay {
  return { date, market, low: market, high: market };
}

test('days without an observation are on the axis, with nothing on them', () => {
  const history = [observed('2026-01-24', 5), observed('2026-01-27', 6)];
  const days = chartDays(history, '7d', '2026-01-28');
  assert.equal(dateAt(days, 0), '2026-01-22');
  assert.equal(dateAt(days, 6), '2026-01-28');
  assert.deepEqual(days.market, [null, null, 5, null, null, 6, null]);
});

test('all days begin with the first that was observed and end with the newest of the game', () => {
  const days = chartDays([observed('2025-12-30'), observed('2026-01-01')], 'all', '2026-01-03');
  const dates = days.seconds.map((_, index) => dateAt(days, index));
  const expected = ['2025-12-30', '2025-12-31', '2026-01-01', '2026-01-02', '2026-01-03'];
  assert.deepEqual(dates, expected);
});

test('a single observed day is an axis of one day', () => {
  const days = chartDays([observed('2026-01-03')], 'all', '2026-01-03');
  assert.equal(days.seconds.length, 1);
  assert.deepEqual(isolated(days.market), [0]);
});

test('a day that is known but has no price of a kind is a gap in that line', () => {
  const item = { date: '2026-01-02', market: null, low: 2, high: 3 };
  const days = chartDays(
    [observed('2026-01-01'), item, observed('2026-01-03')],
    'all',
    '2026-01-03',
  );
  assert.deepEqual(days.market, [1, null, 1]);
  assert.deepEqual(days.low, [1, 2, 1]);
});

test('what is no day, or outside of the window, is left out', () => {
  const history = [observed('2025-02-30'), observed('1999-01-01'), observed('2026-01-28', 7)];
  const days = chartDays(history, '7d', '2026-01-28');
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

test('the axis has every day of the period once, in order, and each observation on its day', () => {
  fc.assert(
    fc.property(histories, periods, (history, period) => {
      const days = chartDays(history, period, formatDay(NEWEST));
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

test('a point is drawn exactly where a line would not show the amount', () => {
  assert.deepEqual(isolated([1, null, 2, 3, null, 4]), [0, 5]);
  fc.assert(
    fc.property(fc.array(fc.option(fc.nat())), (amounts) => {
      const points = new Set(isolated(amounts));
      amounts.forEach((amount, index) => {
        const inLine = [index - 1, index + 1].some((at) => (amounts[at] ?? null) !== null);
        assert.equal(points.has(index), amount !== null && !inLine);
      });
    }),
  );
});

test('keys lead from one observed day to the next', () => {
  const history = [observed('2026-01-22'), observed('2026-01-25'), observed('2026-01-26')];
  const days = chartDays(history, '7d', '2026-01-28');
  assert.equal(lastObserved(days), 4);
  assert.equal(dayAfterKey('ArrowLeft', days, 4), 3);
  assert.equal(dayAfterKey('ArrowLeft', days, 3), 0, 'across the gap');
  assert.equal(dayAfterKey('ArrowLeft', days, 0), 0, 'there is none before');
  assert.equal(dayAfterKey('ArrowRight', days, 4), 4);
  assert.equal(dayAfterKey('ArrowRight', days, 0), 3);
  assert.equal(dayAfterKey('Home', days, 4), 0);
  assert.equal(dayAfterKey('End', days, 0), 4);
  assert.equal(dayAfterKey('Tab', days, 0), undefined);
});

test('the table has each day once, newest first, by year', () => {
  const history = ['2024-12-31', '2025-01-01', '2025-06-01'].map((date) => observed(date));
  assert.deepEqual(
    byYear(history).map(({ year, days }) => [year, days.map(({ date }) => date)]),
    [
      ['2025', ['2025-06-01', '2025-01-01']],
      ['2024', ['2024-12-31']],
    ],
  );
  fc.assert(
    fc.property(histories, (all) => {
      const listed = byYear(all).flatMap(({ days }) => days);
      assert.deepEqual(listed, all.toReversed());
    }),
  );
});
