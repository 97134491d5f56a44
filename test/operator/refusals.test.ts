import assert from 'node:assert/strict';
import { it } from 'node:test';
import { tooFast } from '../../src/operator/api.ts';
import { centsOf } from '../../src/operator/plans.ts';

it('A call that comes too early waits for whole seconds, rounded up', () => {
  for (const [wait, seconds] of [
    [1, 1],
    [1000, 1],
    [1001, 2],
    [60_000, 60],
  ] as const) {
    const { retryAfter, message } = tooFast(wait);
    assert.equal(retryAfter, seconds);
    assert.equal(message, `Too many requests. Please wait ${seconds} s.`);
  }
});

it('A price has at most two decimals', () => {
  for (const [dollars, cents] of [
    [0, 0],
    [0.29, 29],
    [1.15, 115],
    [14.99, 1499],
    [999_999.99, 99_999_999],
  ] as const) {
    assert.equal(centsOf(dollars), cents);
  }
  for (const dollars of [0.001, 1.155, 14.999]) {
    assert.throws(() => centsOf(dollars), { code: 'INVALID_BODY' });
  }
});
