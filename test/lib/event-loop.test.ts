import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Batcher, Pace, Turns } from '../../src/lib/event-loop.ts';

describe('turns', () => {
  it('are given to one caller in each turn of the event loop, in their order', async () => {
    const turns = new Turns();
    const given: (readonly [caller: string, turn: number])[] = [];
    let turn = 0;
    const count = () => {
      turn++;
      if (given.length < 4) setImmediate(count);
    };
    setImmediate(count);
    const take = async (caller: string) => {
      await turns.next();
      given.push([caller, turn]);
    };
    const all = Promise.all([take('a'), take('b'), take('c')]).then(() => take('d'));
    // Turns that are never given would keep the test waiting until its time limit.
    await Promise.race([all, sleep(5000, undefined, { ref: false })]);
    assert.deepEqual(
      given.map(([caller]) => caller),
      ['a', 'b', 'c', 'd'],
    );
    assert.equal(new Set(given.map(([, at]) => at)).size, 4);
  });
});

const INTERVAL = 40;

/** Starts work for some requests that come one after the other; returns the waits in ms. */
async function waitsOf(pace: Pace, requests: number, apart = 0): Promise<number[]> {
  const waits: number[] = [];
  for (let request = 0; request < requests; request += 1) {
    const from = performance.now();
    pace.note();
    await new Promise<void>((resolve) => pace.start(resolve));
    waits.push(performance.now() - from);
    if (apart > 0) await sleep(apart);
  }
  return waits;
}

describe('a pace', () => {
  it('keeps frequent starts an interval apart', async () => {
    const pace = new Pace(INTERVAL);
    const waits = await waitsOf(pace, 7);
    assert.ok(
      waits.slice(4).some((wait) => wait > INTERVAL / 2),
      `${waits}`,
    );
  });

  it('starts sooner when enough requests wait', async () => {
    const pace = new Pace(10_000);
    await waitsOf(pace, 4);
    pace.note();
    const started = new Promise<void>((resolve) => pace.start(resolve));
    for (let more = 0; more < 8; more += 1) pace.note();
    await started;
  });

  it('does not start sooner when fewer requests wait', async () => {
    const pace = new Pace(10_000);
    await waitsOf(pace, 4);
    pace.note();
    let isStarted = false;
    pace.start(() => {
      isStarted = true;
    });
    for (let more = 0; more < 6; more += 1) pace.note();
    await sleep(1);
    assert.equal(isStarted, false);
    pace.note();
    await sleep(1);
    assert.equal(isStarted, true);
  });

  it('delays one start in several when each request waits for the one before', async () => {
    const waits = await waitsOf(new Pace(INTERVAL), 40);
    const delayed = waits.filter((wait) => wait > INTERVAL / 2);
    assert.ok(delayed.length <= 2, `${waits}`);
  });

  it('lets rare requests start at once', async () => {
    const waits = await waitsOf(new Pace(10), 7, 10);
    const sorted = waits.toSorted((a, b) => a - b);
    assert.ok((sorted[3] ?? 0) < 5, `${waits}`);
  });

  it('lets all requests start at once without an interval', async () => {
    const begun = performance.now();
    const waits = await waitsOf(new Pace(0), 20);
    assert.equal(waits.length, 20);
    assert.ok(performance.now() - begun < 1000);
  });
});

describe('a batcher', () => {
  it('joins frequent lookups into loads that begin after them', async () => {
    const loads: (readonly number[])[] = [];
    const batcher = new Batcher<number, number>(async (keys) => {
      loads.push(keys);
      return new Map(keys.map((key) => [key, key * 2]));
    }, INTERVAL);
    const found: Promise<number | undefined>[] = [];
    for (let key = 0; key < 12; key += 1) {
      found.push(batcher.get(key));
      await new Promise(setImmediate);
    }
    assert.deepEqual(
      await Promise.all(found),
      Array.from({ length: 12 }, (_, key) => key * 2),
    );
    assert.deepEqual(
      loads.flat(),
      Array.from({ length: 12 }, (_, key) => key),
    );
    assert.ok(loads.length < 12, `${loads.length} loads`);
  });
});
