import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatAmount, formatPercent } from '../../../web/src/cards/price-change.ts';

test('a change has its sign in both of its numbers', () => {
  for (const [amount, percent, ...formatted] of [
    [12.1, 2.74, '+$12.10', '+2.7%'],
    [-1043.2, -8.71, '-$1,043.20', '-8.7%'],
    [0.01, 0.001, '+$0.01', '0%'],
  ] as const) {
    const change = { amount, percent };
    assert.deepEqual([formatAmount(change), formatPercent(change)], formatted);
  }
});
