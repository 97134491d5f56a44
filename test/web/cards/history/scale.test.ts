import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { buildChartDays, type ObservedDay } from '../../../../web/src/cards/history/days.ts';
import type { Chart } from '../../../../web/src/cards/history/lines.ts';
import {
  computeAmountRange,
  describeDay,
  formatAmountLabels,
  formatDayLabels,
} from '../../../../web/src/cards/history/scale.ts';

function chartOf(...amounts: readonly Partial<ObservedDay>[]): Chart {
  const items = amounts.map((item, index) => {
    return { date: `2026-01-0${index + 1}`, market: null, low: null, high: null, ...item };
  });
  const days = buildChartDays(items, 'all', items.at(-1)?.date ?? null);
  return { days, isHighShown: false, compared: [] };
}

const FOIL = { id: 'foil', label: 'Foil', amount: 30, color: '--series-1' };

test('the range is that of market and low, with a margin', () => {
  const { from, to, isTruncated } = computeAmountRange(
    chartOf({ market: 10, low: 8, high: 20 }, { low: 7, high: 999 }),
  );
  assert.ok(from > 6 && from < 7);
  assert.ok(to > 10 && to < 11);
  assert.equal(isTruncated, false);
});

test('the range contains the highest listings once they are shown, and what is compared', () => {
  const chart = chartOf({ market: 10, low: 8, high: 20 }, { low: 7 });
  assert.ok(computeAmountRange({ ...chart, isHighShown: true }).to > 20);
  const compared = [{ ...FOIL, amounts: [30, null] }];
  assert.ok(computeAmountRange({ ...chart, compared }).to > 30);
});

test('the range is cut below a highest listing far above the market price', () => {
  const chart = chartOf({ market: 10, low: 9, high: 9999 });
  const { to, isTruncated } = computeAmountRange({ ...chart, isHighShown: true });
  assert.ok(to < 33);
  assert.equal(isTruncated, true);
});

test('a constant price of any amount has a margin around it', () => {
  for (const market of [0.01, 1, 10_000_000]) {
    const { from, to } = computeAmountRange(chartOf({ market }, { market }));
    assert.ok(from >= 0 && from < market && to > market, String(market));
  }
});

test('the range of any amounts is finite, not negative and not empty', () => {
  const amount = fc.option(fc.double({ min: 0.01, max: 1e9, noNaN: true }));
  const item = fc.record({ market: amount, low: amount, high: amount });
  fc.assert(
    fc.property(fc.array(item, { minLength: 1, maxLength: 9 }), (items) => {
      const { from, to } = computeAmountRange(chartOf(...items));
      assert.ok(Number.isFinite(from) && Number.isFinite(to) && from >= 0 && from < to);
      for (const { market, low } of items) {
        for (const shown of [market, low])
          assert.ok(shown === null || (shown >= from && shown <= to));
      }
    }),
  );
});

test('labels of amounts have cents where some are not whole dollars', () => {
  assert.deepEqual(formatAmountLabels([0, 0.5, 1]), ['$0.00', '$0.50', '$1.00']);
  assert.deepEqual(formatAmountLabels([400, 450]), ['$400', '$450']);
  assert.deepEqual(formatAmountLabels([40, 42.5, 45]), ['$40.00', '$42.50', '$45.00']);
  assert.deepEqual(formatAmountLabels([9_500_000, 10_000_000]), ['$9.5M', '$10M']);
  assert.deepEqual(formatAmountLabels([]), []);
});

test('labels of days are as short as they can be and differ, in UTC', () => {
  const at = (...days: string[]) =>
    formatDayLabels(days.map((day) => Date.parse(`${day}T00:00:00Z`) / 1000));
  assert.deepEqual(at('2025-01-01', '2026-01-01'), ['2025', '2026']);
  assert.deepEqual(at('2025-11-01', '2025-12-01', '2026-01-01'), ['Nov 2025', 'Dec', 'Jan 2026']);
  assert.deepEqual(at('2026-01-08', '2026-01-15'), ['Jan 8', 'Jan 15']);
});

test('the description of a day has its known prices, or that nothing was observed', () => {
  const days = buildChartDays(
    [{ date: '2026-01-28', market: 453.86, low: 330.04, high: 999 }],
    '7d',
    '2026-01-28',
  );
  const chart = { days, isHighShown: false, compared: [] };
  assert.deepEqual(describeDay(chart, 6), {
    day: 'Jan 28, 2026',
    amounts: 'market $453.86, low $330.04',
  });
  assert.equal(
    describeDay({ ...chart, isHighShown: true }, 6).amounts,
    'market $453.86, low $330.04, high $999.00',
  );
  assert.deepEqual(describeDay(chart, 0), { day: 'Jan 22, 2026', amounts: 'nothing observed' });
  const compared = [{ ...FOIL, amounts: [30, null, null, null, null, null, null] }];
  assert.equal(describeDay({ ...chart, compared }, 0).amounts, 'nothing observed, Foil $30.00');
});
