import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { chartDays, type ObservedDay } from '../../web/src/chart/days.ts';
import { amountLabels, amountRange, dayLabels } from '../../web/src/chart/scale.ts';
import { readOut } from '../../web/src/chart/words.ts';

function daysOf(...amounts: readonly Partial<ObservedDay>[]) {
  const items = amounts.map((item, index) => {
    return { date: `2026-01-0${index + 1}`, market: null, low: null, high: null, ...item };
  });
  return chartDays(items, 'all', items.at(-1)?.date ?? null);
}

test('all amounts are within the range, and a little room', () => {
  const { from, to, isCut } = amountRange(daysOf({ market: 10, low: 8, high: 20 }, { low: 7 }));
  assert.ok(from > 6 && from < 7);
  assert.ok(to > 20 && to < 21);
  assert.equal(isCut, false);
});

test('a highest listing far above the market does not flatten the rest', () => {
  const { to, isCut } = amountRange(daysOf({ market: 10, low: 9, high: 9999 }));
  assert.ok(to < 32);
  assert.equal(isCut, true);
});

test('a price that never moves, or a cent, or ten million, has room around it', () => {
  for (const market of [0.01, 1, 10_000_000]) {
    const { from, to } = amountRange(daysOf({ market }, { market }));
    assert.ok(from >= 0 && from < market && to > market, String(market));
  }
});

test('whatever the amounts, the range is one that can be drawn', () => {
  const amount = fc.option(fc.double({ min: 0.01, max: 1e9, noNaN: true }));
  const item = fc.record({ market: amount, low: amount, high: amount });
  fc.assert(
    fc.property(fc.array(item, { minLength: 1, maxLength: 9 }), (items) => {
      const { from, to } = amountRange(daysOf(...items));
      assert.ok(Number.isFinite(from) && Number.isFinite(to) && from >= 0 && from < to);
      for (const { market, low } of items) {
        for (const shown of [market, low])
          assert.ok(shown === null || (shown >= from && shown <= to));
      }
    }),
  );
});

test('lines across are called by as many decimals as tell them apart', () => {
  assert.deepEqual(amountLabels([0, 0.5, 1]), ['$0.00', '$0.50', '$1.00']);
  assert.deepEqual(amountLabels([400, 450]), ['$400', '$450']);
  assert.deepEqual(amountLabels([9_500_000, 10_000_000]), ['$9.5M', '$10M']);
  assert.deepEqual(amountLabels([]), []);
});

test('days below are called as shortly as tells them apart, in UTC', () => {
  const at = (...days: string[]) =>
    dayLabels(days.map((day) => Date.parse(`${day}T00:00:00Z`) / 1000));
  assert.deepEqual(at('2025-01-01', '2026-01-01'), ['2025', '2026']);
  assert.deepEqual(at('2025-11-01', '2025-12-01', '2026-01-01'), ['Nov 2025', 'Dec', 'Jan 2026']);
  assert.deepEqual(at('2026-01-08', '2026-01-15'), ['Jan 8', 'Jan 15']);
});

test('the read-out of a day says all of it, or that nothing was observed', () => {
  const days = chartDays(
    [{ date: '2026-01-28', market: 453.86, low: 330.04, high: null }],
    '7d',
    '2026-01-28',
  );
  assert.deepEqual(readOut(days, 6), {
    day: 'Jan 28, 2026',
    amounts: 'market $453.86, low $330.04, high no price',
  });
  assert.deepEqual(readOut(days, 0), { day: 'Jan 22, 2026', amounts: 'nothing observed' });
});
