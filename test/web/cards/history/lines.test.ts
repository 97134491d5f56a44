import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  buildChartDays,
  hasGaps,
  hasOnlyHigh,
  type ObservedDay,
} from '../../../../web/src/cards/history/days.ts';
import {
  alignMarket,
  type Chart,
  computeAmountRange,
  describeDay,
  holdMarket,
  listComparisons,
} from '../../../../web/src/cards/history/lines.ts';

function observed(date: string, market: number) {
  return { date, market, low: null, high: null };
}

const DAYS = buildChartDays(
  [observed('2026-01-01', 5), observed('2026-01-03', 6)],
  'all',
  '2026-01-04',
);

test('other printings and the prices of the shown one can be compared, each in a color', () => {
  const printings = ['Normal', 'Foil', 'Etched'].map((name, index) => {
    return { name, prices: { market: index === 2 ? null : index + 1 } };
  });
  const listed = listComparisons({ printings }, 'Normal', [
    { name: 'market', label: 'Market price', amount: 8 },
    { name: 'psa_10', label: 'PSA 10', amount: 90 },
    { name: 'near_mint', label: 'Near mint', amount: 9 },
  ]);
  assert.deepEqual(
    listed.map(({ label, amount, printing, grade, condition }) => {
      return [label, amount, printing, grade ?? condition];
    }),
    [
      ['Foil', 2, 'Foil', undefined],
      ['Etched', null, 'Etched', undefined],
      ['Market price', 8, 'Normal', undefined],
      ['PSA 10', 90, 'Normal', 'psa_10'],
      ['Near mint', 9, 'Normal', 'near_mint'],
    ],
  );
  assert.equal(new Set(listed.map(({ id }) => id)).size, 5);
  assert.equal(new Set(listed.map(({ color }) => color)).size, 5);
});

test('a compared history has its amounts on the days of the chart', () => {
  const history = [observed('2025-12-31', 1), observed('2026-01-01', 2), observed('2026-01-02', 3)];
  assert.deepEqual(alignMarket(DAYS, history), [2, 3, null, null]);
});

test('a price of a grade holds until the next one', () => {
  const history = [observed('2025-12-31', 1), observed('2026-01-03', 3)];
  assert.deepEqual(holdMarket(DAYS, history), [1, 1, 3, 3]);
  assert.deepEqual(holdMarket(DAYS, [observed('2026-01-02', 2)]), [null, 2, 2, 2]);
  assert.deepEqual(holdMarket(DAYS, []), [null, null, null, null]);
});

test('a history can have only highest listings', () => {
  const only = { date: '2026-01-03', market: null, low: null, high: 6 };
  assert.ok(hasOnlyHigh(buildChartDays([only], '7d', '2026-01-04')));
  assert.ok(!hasOnlyHigh(DAYS));
});

test('there are gaps between observed days only', () => {
  assert.ok(hasGaps(DAYS));
  assert.ok(!hasGaps(buildChartDays([observed('2026-01-03', 6)], '7d', '2026-01-04')));
});

function chartOf(...amounts: readonly Partial<ObservedDay>[]): Chart {
  const items = amounts.map((item, index) => {
    return { date: `2026-01-0${index + 1}`, market: null, low: null, high: null, ...item };
  });
  const days = buildChartDays(items, 'all', items.at(-1)?.date ?? null);
  return { days, events: [], isHighShown: false, compared: [] };
}

const FOIL = { id: 'foil', label: 'Foil', amount: 30, color: '--series-1' };

test('the range covers market and low, with a margin', () => {
  const { from, to, isTruncated } = computeAmountRange(
    chartOf({ market: 10, low: 8, high: 20 }, { low: 7, high: 999 }),
  );
  assert.ok(from > 6 && from < 7);
  assert.ok(to > 10 && to < 11);
  assert.equal(isTruncated, false);
});

test('the range covers the highest listings once they are shown, and compared lines', () => {
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

test('the description of a day has its known prices, or that nothing was observed', () => {
  const days = buildChartDays(
    [{ date: '2026-01-28', market: 453.86, low: 330.04, high: 999 }],
    '7d',
    '2026-01-28',
  );
  const chart = { days, events: [], isHighShown: false, compared: [] };
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

test('a chart of an index describes its value without a currency', () => {
  const chart: Chart = {
    days: DAYS,
    events: [],
    isHighShown: false,
    compared: [],
    currency: null,
  };
  assert.equal(describeDay(chart, 0).amounts, 'index 5.00');
});

test('a chart of a grade describes its last price, and the events of a day', () => {
  const event = { kind: 'source', date: '2026-01-03', text: '', index: 2 } as const;
  const copy = { label: 'PSA 10', held: [5, 5, 6, 6] };
  const chart: Chart = { days: DAYS, copy, events: [event], isHighShown: false, compared: [] };
  assert.equal(describeDay(chart, 1).amounts, 'nothing observed, PSA 10 $5.00');
  assert.equal(describeDay(chart, 2).amounts, 'PSA 10 $6.00, source changed');
});
