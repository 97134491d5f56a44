import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Waits } from '../../src/lib/waits.ts';

describe('waits', () => {
  it('are counted and added up by kind, except those under a millisecond', () => {
    const waits = new Waits();
    assert.deepEqual(waits.totalOf('lock'), { count: 0, milliseconds: 0 });
    waits.record('lock', 100, 130);
    waits.record('lock', 200, 205);
    waits.record('lock', 300, 300.5);
    waits.record('picture', 100, 101);
    assert.deepEqual(waits.totalOf('lock'), { count: 2, milliseconds: 35 });
    assert.deepEqual(waits.totalOf('picture'), { count: 1, milliseconds: 1 });
  });

  it('belong to a request as far as they overlap it', () => {
    const waits = new Waits();
    waits.record('lock', 100, 130);
    waits.record('lock', 120, 160);
    waits.record('connection', 10, 90);
    assert.deepEqual(waits.between(110, 150), { lock: 50 });
    assert.deepEqual(waits.between(50, 100), { connection: 40 });
    assert.deepEqual(waits.between(200, 300), {});
  });
});
