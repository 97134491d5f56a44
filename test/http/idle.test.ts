import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { whenIdle } from '../../src/http/process.ts';
import { eventually } from '../support/cli.ts';

/** Keeps this process busy, a quarter of the time, until the test ends. */
function keepBusy(): void {
  const busy = setInterval(() => {
    const end = performance.now() + 10;
    while (performance.now() < end);
  }, 40);
  after(() => clearInterval(busy));
}

describe('work for an idle process', () => {
  it('is done once, when the process has had nothing to do for a second', async () => {
    let done = 0;
    whenIdle(() => done++);
    await eventually(() => done > 0);
    await sleep(1200);
    assert.equal(done, 1);
  });

  it('is not done once it is cancelled', async () => {
    let done = 0;
    clearInterval(whenIdle(() => done++));
    await sleep(1200);
    assert.equal(done, 0);
  });

  it('waits for a busy process, but not forever', async () => {
    keepBusy();
    let done = 0;
    whenIdle(() => done++, 2500);
    await sleep(1500);
    assert.equal(done, 0);
    await eventually(() => done > 0);
  });
});
