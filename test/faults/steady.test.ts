import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { it } from 'node:test';
import { cleanUp } from '../support/cleanup.ts';
import { eventually, run } from '../support/cli.ts';
import { createDatabase, forEachEngine } from '../support/engines.ts';
import { IS_LONG, rounds } from './support/length.ts';
import { keyFor, Reader, RisingPrices } from './support/rising-prices.ts';
import { Serving } from './support/serving.ts';

/** What may be more at the end than after the first imports. */
const MAX_MORE = { megabytes: 40, descriptors: 3 };
/** The write-ahead log is reset at four megabytes; a reader may delay that for a while. */
const MAX_WAL = 20_000_000;

interface Held {
  readonly megabytes: number;
  readonly descriptors: number;
  /** Bytes of the write-ahead log; 0 on PostgreSQL. */
  readonly wal: number;
}

async function heldBy(serving: Serving, database: string): Promise<Held> {
  await serving.footprint();
  const status = readFileSync(`/proc/${serving.pid}/status`, 'utf8');
  return {
    megabytes: Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024),
    descriptors: readdirSync(`/proc/${serving.pid}/fd`).length,
    wal: statSync(`${database}-wal`, { throwIfNoEntry: false })?.size ?? 0,
  };
}

forEachEngine((label) => {
  it('imports in a row leave memory, descriptors and the write-ahead log of a service as they are', {
    skip: process.platform !== 'linux',
    timeout: IS_LONG ? 1_200_000 : 120_000,
  }, async () => {
    const { location, remove } = await createDatabase(label);
    cleanUp(remove);
    const prices = new RisingPrices();
    await prices.import(location);
    const serving = await Serving.start(location);
    const reader = await Reader.of(serving.url, await keyFor(location), location);
    const reading = reader.start();
    let first: Held | undefined;
    let last: Held | undefined;
    for (let time = 0; time < rounds(3, 80); time += 1) {
      const { code, err } = await prices.rise().import(location);
      assert.equal(code, 0, err);
      await eventually(() => reader.step === prices.step);
      last = await heldBy(serving, location);
      if (time === 1) first = last;
    }
    await reading.stop();
    assert.deepEqual(reader.wrong, []);
    assert.ok(first && last);
    console.log(`${label}: ${JSON.stringify({ first, last, answers: reader.answers })}`);
    assert.ok(last.megabytes < first.megabytes + MAX_MORE.megabytes);
    assert.ok(last.descriptors <= first.descriptors + MAX_MORE.descriptors);
    assert.ok(last.wal < MAX_WAL);
    assert.equal((await run(['--database', location, 'history', 'check'])).code, 0);
  });
});
