import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { RateLimiter } from '../../../src/accounts/quota/rate-limiter.ts';

/** Four at once, then one per 500 ms. */
const LIMIT = { requests: 4, seconds: 2 };

/**
 * Returns a function that sends requests of a caller at a moment, and returns the waiting times.
 */
function waits(limiter: RateLimiter) {
  return (caller: number, now: number, count: number): number[] => {
    return Array.from({ length: count }, () => limiter.wait(caller, LIMIT, now));
  };
}

describe('The rate limiter', () => {
  it('lets a burst through, then one request per interval', () => {
    const send = waits(new RateLimiter());
    for (const [now, expected] of [
      [100_000, [0, 0, 0, 0, 500, 500]],
      [100_499, [1]],
      [100_500, [0, 500]],
      [101_700, [0, 0, 300]],
      [200_000, [0, 0, 0, 0, 500]],
    ] as const) {
      assert.deepEqual(send(1, now, expected.length), expected, `at ${now}`);
    }
    assert.deepEqual(send(2, 200_000, 1), [0], 'another caller');
  });

  it('lets later requests wait for the ones that are only counted', () => {
    for (const [counted, expected] of [
      [1, [0, 0, 0, 500]],
      [3, [0, 500]],
      [4, [500]],
      [10, [3500]],
    ] as const) {
      const limiter = new RateLimiter();
      const send = waits(limiter);
      send(1, 1000, 4);
      limiter.count(1, LIMIT, counted, 100_000);
      assert.deepEqual(send(1, 100_000, expected.length), expected, `${counted} counted`);
    }
  });

  it('adds what is counted to what the caller sent before', () => {
    const limiter = new RateLimiter();
    const send = waits(limiter);
    send(1, 100_000, 2);
    limiter.count(1, LIMIT, 1, 100_000);
    assert.deepEqual(send(1, 100_000, 2), [0, 500]);
  });

  it('forgets all callers when the clock goes back by more than a second', () => {
    for (const [now, expected] of [
      [99_000, 1500],
      [98_999, 0],
    ] as const) {
      const send = waits(new RateLimiter());
      send(1, 50_000, 1);
      send(1, 100_000, 4);
      assert.deepEqual(send(1, now, 1), [expected], `at ${now}`);
    }
  });

  it('notices each time that the clock goes back', () => {
    const send = waits(new RateLimiter());
    send(1, 100_000, 4);
    send(1, 50_000, 4);
    assert.deepEqual(send(1, 49_500, 1), [1000]);
  });

  it('remembers 50,000 callers, and forgets the one that has been idle longest', () => {
    const limiter = new RateLimiter();
    const send = waits(limiter);
    send(1, 100_000, 3);
    send(2, 100_000, 4);
    for (let caller = 3; caller <= 50_000; caller += 1) send(caller, 100_000, 1);
    assert.deepEqual(send(1, 100_000, 1), [0]);
    assert.deepEqual(send(2, 100_000, 1), [500], 'all are remembered');
    send(50_001, 100_000, 1);
    assert.deepEqual(send(1, 100_000, 1), [500], 'it asked after the second');
    assert.deepEqual(send(2, 100_000, 1), [0], 'it was idle longest');
  });
});
