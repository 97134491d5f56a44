import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatChange } from '../../../web/src/cards/price-change.ts';

test('a change has its sign in both of its numbers', () => {
  assert.equal(formatChange({ amount: 12.1, percent: 2.74 }), '+$12.10 (+2.7%)');
  assert.equal(formatChange({ amount: -1043.2, percent: -8.71 }), '-$1,043.20 (-8.7%)');
  assert.equal(formatChange({ amount: 0.01, percent: 0.001 }), '+$0.01 (0%)');
  assert.equal(formatChange({ amount: 0, percent: 0 }), 'unchanged');
});
