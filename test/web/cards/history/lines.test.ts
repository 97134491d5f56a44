import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildChartDays, hasGaps, hasOnlyHigh } from '../../../../web/src/cards/history/days.ts';
import { alignMarket, levelAt, listComparisons } from '../../../../web/src/cards/history/lines.ts';

function observed(date: string, market: number) {
  return { date, market, low: null, high: null };
}

const DAYS = buildChartDays(
  [observed('2026-01-01', 5), observed('2026-01-03', 6)],
  'all',
  '2026-01-04',
);

test('other printings and the grades of the shown one can be compared, each in a color', () => {
  const printings = ['Normal', 'Foil', 'Etched'].map((name, index) => {
    return { name, prices: { market: index === 2 ? null : index + 1 } };
  });
  const listed = listComparisons({ printings }, 'Normal', [{ label: 'PSA 10', amount: 90 }]);
  assert.deepEqual(
    listed.map(({ label, amount, printing }) => [label, amount, printing]),
    [
      ['Foil', 2, 'Foil'],
      ['Etched', null, 'Etched'],
      ['PSA 10', 90, undefined],
    ],
  );
  assert.equal(new Set(listed.map(({ id }) => id)).size, 3);
  assert.equal(new Set(listed.map(({ color }) => color)).size, 3);
});

test('a compared history has its amounts on the days of the chart', () => {
  const history = [observed('2025-12-31', 1), observed('2026-01-01', 2), observed('2026-01-02', 3)];
  assert.deepEqual(alignMarket(DAYS, history), [2, 3, null, null]);
  assert.deepEqual(levelAt(DAYS, 7), [7, 7, 7, 7]);
});

test('highest listings may be all that is known', () => {
  const only = { date: '2026-01-03', market: null, low: null, high: 6 };
  assert.ok(hasOnlyHigh(buildChartDays([only], '7d', '2026-01-04')));
  assert.ok(!hasOnlyHigh(DAYS));
});

test('there are gaps between observed days only', () => {
  assert.ok(hasGaps(DAYS));
  assert.ok(!hasGaps(buildChartDays([observed('2026-01-03', 6)], '7d', '2026-01-04')));
});
