import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { it } from 'node:test';
import { addDays, dayOf, MS_PER_DAY } from '../../src/domain/day.ts';
import { openStore } from '../../src/store/connect.ts';
import { cleanUp } from '../support/cleanup.ts';
import { eventually, run } from '../support/cli.ts';
import { createDatabase, forEachEngine } from '../support/engines.ts';
import { IS_LONG, rounds } from './support/length.ts';
import { keyFor, Reader, RisingPrices } from './support/rising-prices.ts';
import { Serving } from './support/serving.ts';
import { SharedClock } from './support/stepped.ts';

/** What may be more at the end than after the first imports: a pool has up to 8 connections. */
const MAX_MORE = { megabytes: 40, descriptors: 10 };
/** The write-ahead log is reset at four megabytes; a reader may delay that for a while. */
const MAX_WAL = 20_000_000;

/** The days between two imports: in the short form so many that old counts have to go. */
const DAYS = rounds(30, 1);
/** The days for which counts of requests are kept. */
const KEPT_DAYS = 60;
/** Connections that callers open and close each day. */
const CONNECTIONS = 20;

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

/** Asks by connections that end with their answer. */
async function connectAnew(url: string, key: string): Promise<void> {
  const ask = async () => {
    const headers = { 'x-api-key': key, connection: 'close' };
    const answer = await fetch(`${url}/v1/games`, { headers });
    await answer.arrayBuffer();
    assert.equal(answer.status, 200);
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, ask));
}

/** Returns the days with counts of requests. */
async function countedDays(database: string): Promise<number[]> {
  const { accounts, close } = await openStore(database);
  const rows = accounts.db.selectFrom('request_counts').select('day').distinct().orderBy('day');
  const days = (await rows.execute()).map(({ day }) => day);
  await close();
  return days;
}

forEachEngine((label) => {
  it('weeks of imports leave memory, descriptors, counts and the log of a database as they are', {
    skip: process.platform !== 'linux',
    timeout: IS_LONG ? 1_200_000 : 120_000,
  }, async () => {
    const { location, remove } = await createDatabase(label);
    cleanUp(remove);
    const prices = new RisingPrices();
    await prices.import(location);
    const clock = await SharedClock.of(location);
    const serving = await Serving.start(location, { env: clock.env });
    const key = await keyFor(location);
    const reader = await Reader.of(serving.url, key, location);
    const reading = reader.start();
    let first: Held | undefined;
    let last: Held | undefined;
    for (let time = 0; time < rounds(3, 80); time += 1) {
      const { code, err } = await prices.rise().import(location);
      assert.equal(code, 0, err);
      await eventually(() => reader.step === prices.step);
      await clock.step(DAYS * MS_PER_DAY);
      await connectAnew(serving.url, key);
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
    const oldest = addDays(dayOf(clock.now), -KEPT_DAYS);
    await eventually(async () => {
      // PostgreSQL's clock is read every few seconds, and old counts go with new ones.
      await connectAnew(serving.url, key);
      return (await countedDays(location)).every((day) => day >= oldest);
    });
  });
});
