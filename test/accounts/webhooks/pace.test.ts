import assert from 'node:assert/strict';
import { it } from 'node:test';
import { Pace } from '../../../src/accounts/webhooks/pace.ts';

const BUSY = { hasAnswered: true, retryAfterMs: 0 };

it('A webhook is suspect after five failures in a row, and pauses longer after each further one', () => {
  const pace = new Pace();
  for (let failures = 1; failures < 5; failures += 1) {
    pace.fail(1, BUSY, 0);
    assert.deepEqual([pace.isSuspect(1), pace.isPaused(1, 0)], [false, false]);
  }
  for (const seconds of [1, 2, 4]) {
    pace.fail(1, BUSY, 0);
    assert.ok(pace.isSuspect(1));
    assert.deepEqual(
      [seconds * 1000 - 1, seconds * 1000].map((now) => pace.isPaused(1, now)),
      [true, false],
    );
  }
  assert.equal(pace.isSuspect(2), false);
  pace.clear(1);
  assert.deepEqual([pace.isSuspect(1), pace.isPaused(1, 0)], [false, false]);
});

it('A webhook that does not answer is suspect at once, and no pause takes more than five minutes', () => {
  const pace = new Pace();
  for (let failures = 0; failures < 30; failures += 1) {
    pace.fail(1, { hasAnswered: false, retryAfterMs: 0 }, 0);
    assert.ok(pace.isSuspect(1));
  }
  assert.deepEqual(
    [299_999, 300_000].map((now) => pace.isPaused(1, now)),
    [true, false],
  );
});

it('A webhook gets nothing for as long as Retry-After says, also if the clock is set back', () => {
  const pace = new Pace();
  pace.fail(1, { hasAnswered: true, retryAfterMs: 60_000 }, 1_000_000);
  assert.deepEqual(
    [1_059_999, 1_060_000, 0].map((now) => pace.isPaused(1, now)),
    [true, false, false],
  );
});
