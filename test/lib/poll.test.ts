import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { poll } from '../../src/lib/poll.ts';

/** Counts the checks of a poll every second, with the random numbers given in turn. */
function polling({ mock }: TestContext, ...randoms: readonly number[]) {
  mock.timers.enable({ apis: ['setTimeout'] });
  const checks = { count: 0 };
  let drawn = 0;
  const check = async () => {
    checks.count += 1;
  };
  const random = () => randoms[drawn++ % randoms.length] ?? 0;
  const stop = poll(check, 1000, random);
  const pass = async (milliseconds: number) => {
    mock.timers.tick(milliseconds);
    await new Promise(setImmediate);
  };
  return { checks, stop, pass };
}

describe('A poll', () => {
  it('pauses for a second, a fifth more or less', async (context) => {
    const { checks, pass } = polling(context, 0, 1);
    await pass(799);
    assert.equal(checks.count, 0);
    await pass(1);
    assert.equal(checks.count, 1);
    await pass(1199);
    assert.equal(checks.count, 1);
    await pass(2);
    assert.equal(checks.count, 2);
  });

  it('ends when it is stopped', async (context) => {
    const { checks, stop, pass } = polling(context, 0.5);
    await pass(1000);
    stop();
    await pass(10_000);
    assert.equal(checks.count, 1);
  });
});
