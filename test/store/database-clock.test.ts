import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DatabaseClock } from '../../src/store/engine/database-clock.ts';
import { forEachEngine } from '../support/engines.ts';

const THEN = Date.UTC(2026, 0, 29, 23, 59, 59);

describe('The clock of a database', () => {
  it('follows the monotonic clock of the process, not its system clock', async (t) => {
    t.mock.timers.enable({ apis: ['Date', 'setInterval'], now: 0 });
    const before = performance.now();
    const clock = await DatabaseClock.start(async () => THEN);
    t.mock.timers.setTime(86_400_000);
    const passed = clock.now() - THEN;
    assert.ok(passed >= -1 && passed <= performance.now() - before, String(passed));
    clock.stop();
  });

  it('is read again, and continues while reading fails', async (t) => {
    t.mock.timers.enable({ apis: ['setInterval'] });
    let read = async () => THEN;
    const clock = await DatabaseClock.start(() => read());
    read = async () => THEN + 90_000;
    t.mock.timers.tick(5000);
    await turn();
    assert.ok(clock.now() >= THEN + 89_999);
    read = async () => {
      throw new Error('lost');
    };
    t.mock.timers.tick(5000);
    await turn();
    assert.ok(clock.now() >= THEN + 89_999);
    clock.stop();
  });

  it('is read once at a time, and not again after it is stopped', async (t) => {
    t.mock.timers.enable({ apis: ['setInterval'] });
    let readings = 0;
    const clock = await DatabaseClock.start(async () => {
      readings += 1;
      return readings === 1 ? THEN : new Promise(() => {});
    });
    t.mock.timers.tick(20_000);
    assert.equal(readings, 2);
    clock.stop();
    t.mock.timers.tick(20_000);
    assert.equal(readings, 2);
  });
});

forEachEngine((_label, open) => {
  it('returns the time of the database', async () => {
    const store = await open();
    assert.ok(Math.abs(store.clock() - Date.now()) < 60_000);
  });
});

/** Lets callers that wait for a reading continue. */
function turn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
