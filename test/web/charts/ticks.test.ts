import assert from 'node:assert/strict';
import { describe, it, test } from 'node:test';
import fc from 'fast-check';
import {
  amountTicks,
  countTicks,
  dayTicks,
  formatAmountLabels,
  formatDayLabels,
} from '../../../web/src/charts/ticks.ts';

function at(day: string): number {
  return Date.parse(`${day}T00:00:00Z`) / 1000;
}

function daysOf(first: string, last: string, most: number): string[] {
  return dayTicks(at(first), at(last), most).map((second) => {
    return new Date(second * 1000).toISOString().slice(0, 10);
  });
}

test('amounts are round', () => {
  assert.deepEqual(amountTicks(697, 762, 6), [700, 720, 740, 760]);
  assert.deepEqual(amountTicks(33, 48.5, 6), [35, 40, 45]);
  assert.deepEqual(amountTicks(0, 1, 4), [0, 0.25, 0.5, 0.75, 1]);
  assert.deepEqual(amountTicks(0.1, 0.14, 8), [0.1, 0.11, 0.12, 0.13, 0.14]);
});

test('amounts of any range are whole cents within it, evenly spaced and not too many', () => {
  const amount = fc.double({ min: 0, max: 1e7, noNaN: true });
  const size = fc.double({ min: 0.03, max: 1e7, noNaN: true });
  fc.assert(
    fc.property(amount, size, fc.integer({ min: 1, max: 12 }), (from, span, most) => {
      const ticks = amountTicks(from, from + span, most);
      assert.ok(ticks.length <= most + 1);
      for (const tick of ticks) {
        assert.ok(tick >= from - 1e-6 && tick <= from + span + 1e-6);
        assert.equal(tick, Math.round(tick * 100) / 100);
      }
    }),
  );
});

test('days are counted back from the last one, months and years from their firsts', () => {
  assert.deepEqual(daysOf('2025-12-30', '2026-01-28', 4), [
    '2025-12-31',
    '2026-01-14',
    '2026-01-28',
  ]);
  assert.deepEqual(daysOf('2025-10-31', '2026-01-28', 4), [
    '2025-11-01',
    '2025-12-01',
    '2026-01-01',
  ]);
  assert.deepEqual(daysOf('2016-01-31', '2026-01-28', 6), [
    '2018-01-01',
    '2020-01-01',
    '2022-01-01',
    '2024-01-01',
    '2026-01-01',
  ]);
  assert.deepEqual(daysOf('2026-01-28', '2026-01-28', 3), ['2026-01-28']);
});

test('days of any period are within it, in order and not too many', () => {
  const day = fc.integer({ min: 0, max: 30_000 });
  fc.assert(
    fc.property(
      day,
      fc.integer({ min: 0, max: 5000 }),
      fc.integer({ min: 1, max: 12 }),
      (first, count, most) => {
        const [from, to] = [first * 86_400, (first + count) * 86_400];
        const ticks = dayTicks(from, to, most);
        assert.ok(ticks.length <= most);
        for (const [index, tick] of ticks.entries()) {
          assert.ok(tick >= from && tick <= to && tick % 86_400 === 0);
          assert.ok(index === 0 || tick > (ticks[index - 1] ?? 0));
        }
      },
    ),
  );
});

describe('the ticks of a count', () => {
  const axes: [max: number, ticks: number[]][] = [
    [0, [0, 1]],
    [1, [0, 1]],
    [3, [0, 1, 2, 3]],
    [7, [0, 2, 4, 6, 8]],
    [10, [0, 5, 10]],
    [137, [0, 50, 100, 150]],
    [9999, [0, 5000, 10000]],
  ];
  for (const [max, ticks] of axes) {
    it(`reach ${max} as ${ticks.join(', ')}`, () => assert.deepEqual(countTicks(max), ticks));
  }
});

test('labels of amounts have cents where some are not whole dollars', () => {
  assert.deepEqual(formatAmountLabels([0, 0.5, 1]), ['$0.00', '$0.50', '$1.00']);
  assert.deepEqual(formatAmountLabels([400, 450]), ['$400', '$450']);
  assert.deepEqual(formatAmountLabels([40, 42.5, 45]), ['$40.00', '$42.50', '$45.00']);
  assert.deepEqual(formatAmountLabels([9_500_000, 10_000_000]), ['$9.5M', '$10M']);
  assert.deepEqual(formatAmountLabels([99, 99.5, 100], null), ['99.00', '99.50', '100.00']);
  assert.deepEqual(formatAmountLabels([95, 100], null), ['95', '100']);
  assert.deepEqual(formatAmountLabels([]), []);
});

test('labels of days are as short as they can be and differ, in UTC', () => {
  const at = (...days: string[]) =>
    formatDayLabels(days.map((day) => Date.parse(`${day}T00:00:00Z`) / 1000));
  assert.deepEqual(at('2025-01-01', '2026-01-01'), ['2025', '2026']);
  assert.deepEqual(at('2025-11-01', '2025-12-01', '2026-01-01'), ['Nov 2025', 'Dec', 'Jan 2026']);
  assert.deepEqual(at('2026-01-08', '2026-01-15'), ['Jan 8', 'Jan 15']);
});
