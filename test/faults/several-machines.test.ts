import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { MS_PER_DAY } from '../../src/domain/day.ts';
import { takeLock } from '../../src/ingest/lock.ts';
import { importLockHolder, takeImportLock } from '../../src/store/catalogue/imports.ts';
import { importFixtures, Service } from '../support/app.ts';
import { cleanUp } from '../support/cleanup.ts';
import { eventually, Program, run } from '../support/cli.ts';
import { createDatabase } from '../support/engines.ts';
import { FIXTURE } from '../support/tcgcsv.ts';
import { file, status, Upstream } from '../support/upstream.ts';
import { Serving } from './support/serving.ts';
import { SharedClock, SteppedClock } from './support/stepped.ts';

/** What clocks of machines are ahead, in milliseconds. */
const AHEAD = [0, 90_000, MS_PER_DAY, -MS_PER_DAY];

/** How long a lease lasts, in milliseconds. */
const LEASE_MS = 60_000;

async function environments() {
  return Promise.all(
    AHEAD.map(async (ahead) => {
      const clock = new SteppedClock();
      await clock.step(ahead);
      return clock.env;
    }),
  );
}

async function database() {
  const { location, remove } = await createDatabase('PostgreSQL');
  cleanUp(remove);
  await importFixtures(location);
  const service = await Service.open(location, {}, { now: Date.now() });
  cleanUp(() => service.close());
  return { location, service };
}

describe('Machines whose clocks are wrong, over one PostgreSQL,', () => {
  it('charge the same day and know the same keys', { timeout: 120_000 }, async () => {
    const { location, service } = await database();
    const { key, email } = await service.caller('free');
    const tomorrow = new Date(Date.now() + MS_PER_DAY).toISOString().slice(0, 10);
    const expiring = await service.keys.create(email, { expires: tomorrow });
    const resets = new Set<string | null>();
    const remaining: number[] = [];
    for (const env of await environments()) {
      const node = await Serving.start(location, { env });
      for (const sent of [key, expiring.key]) {
        const answer = await fetch(`${node.url}/v1/games`, { headers: { 'x-api-key': sent } });
        assert.equal(answer.status, 200);
        resets.add(answer.headers.get('x-ratelimit-reset'));
        remaining.push(Number(answer.headers.get('x-ratelimit-remaining')));
      }
      await node.stop();
    }
    assert.equal(resets.size, 1);
    assert.deepEqual(
      remaining,
      remaining.map((_, index) => 199 - index),
    );
  });

  it('do not take the lease of an import from each other', { timeout: 120_000 }, async () => {
    const { location, service } = await database();
    const lock = await takeLock(service.store, service.store.clock);
    for (const env of await environments()) {
      const { code, err } = await run(['--database', location, 'import', 'tcgcsv', FIXTURE], {
        env,
      });
      assert.equal(code, 1);
      assert.match(err, /Another import is running/);
    }
    await lock.free();
  });

  it('take the lease over from one that died, by the clock of the database', async () => {
    const { location, service } = await database();
    const clock = await SharedClock.of(location);
    const { db } = service.store;
    await takeImportLock(db, 'elsewhere:1', clock.now, clock.now + LEASE_MS);
    const args = ['--database', location, 'import', 'tcgcsv', FIXTURE];
    const refused = await run(args);
    assert.equal(refused.code, 1);
    assert.match(refused.err, /Another import is running \(process 1 on elsewhere since 20/);
    await clock.step(LEASE_MS + 1000);
    assert.equal((await run(args)).code, 0);
  });
});

/** Serves the fixture tree without the answers to its products, so that an import waits. */
async function endlessTree(): Promise<Upstream> {
  return (await Upstream.open()).otherwise((request, response) => {
    const { url = '' } = request;
    if (url.endsWith('/products')) return;
    const path = join(FIXTURE, url);
    const answer = existsSync(path) ? file(readFileSync(path)) : status(404);
    return answer(request, response);
  });
}

describe('Two processes that import into one database', () => {
  it('take turns, and the second says who the first is until that is killed', async () => {
    const { location, service } = await database();
    const args = ['--database', location, 'import', 'tcgcsv', FIXTURE];
    const { url } = await endlessTree();
    const first = new Program([...args.slice(0, -1), url, '--observed', '2026-01-30']);
    await eventually(async () => (await importLockHolder(service.store.db)) !== undefined);
    first.send('SIGSTOP');
    const refused = await run(args);
    assert.equal(refused.code, 1);
    assert.ok(refused.err.includes(`(process ${first.pid} on ${hostname()} since 20`), refused.err);
    first.send('SIGKILL');
    await first.ended();
    assert.equal((await run(args)).code, 0);
    assert.equal(await importLockHolder(service.store.db), undefined);
  });
});
