import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { importFixtures, Service } from '../support/app.ts';
import { createDatabase } from '../support/engines.ts';
import { bombard, type Failure } from './requests/bombard.ts';
import { makeMaterial } from './requests/material.ts';
import { Random } from './requests/random.ts';
import { type KnownRoute, listRoutes } from './requests/routes.ts';
import type { Footprint } from './support/companion.ts';
import { Serving } from './support/serving.ts';
import { SlowPictures } from './support/slow-pictures.ts';

const REQUESTS = Number(process.env.FAULT_REQUESTS ?? 20_000);
const SEED = Number(process.env.FAULT_SEED ?? 1);

/** Requests between two measurements of memory, each time with new accounts and sessions. */
const ROUND = 5000;

/** How long a request may take on a busy machine, in milliseconds, and the start of the process. */
const TIMEOUT_MS = 120_000 + REQUESTS * 10;

/** How long the process may compute for one request, in milliseconds. */
const MOST_BUSY_MS = 1000;

/** What caches may still take in after the first round, in bytes. */
const GROWTH = 24 * 1024 * 1024;

/** No limits that would refuse most requests, and no requests to other machines. */
const SETTINGS = {
  CARDPRICE_KEY_BURST: 'off',
  CARDPRICE_ADDRESS_BURST: 'off',
  CARDPRICE_PICTURES: 'off',
};

/** A real process over the fixtures. */
async function serveFixtures() {
  const { location, remove } = await createDatabase('SQLite');
  after(remove);
  await importFixtures(location);
  const service = await Service.open(location, {}, { now: Date.now() });
  after(() => service.close());
  const serving = await Serving.start(location, { env: SETTINGS });
  return { location, service, serving };
}

describe(`${REQUESTS} mutated requests (seed ${SEED})`, () => {
  it('get no answer 5xx, wait for nothing, and leave no error and no memory behind', {
    timeout: TIMEOUT_MS,
  }, async () => {
    const { location, service, serving } = await serveFixtures();
    const routes: readonly KnownRoute[] = await listRoutes(location);
    assert.ok(routes.length > 60, String(routes.length));
    const random = new Random(SEED);
    const footprints: Footprint[] = [];
    // What it took to start does not count.
    await serving.footprint();
    const failures: Failure[] = [];
    for (let sent = 0; sent < REQUESTS; ) {
      service.now = Date.now();
      const material = await makeMaterial(service);
      const report = await bombard(serving.port, { random, routes, material }, ROUND);
      sent += report.requests;
      failures.push(...report.failures);
      footprints.push(await serving.footprint());
      tell(sent, report, footprints.at(-1));
      assert.deepEqual(failures.slice(0, 20), []);
    }
    assert.deepEqual(serving.errors.slice(0, 20), []);
    assert.equal(serving.err, '');
    const [first, last] = [footprints[0], footprints.at(-1)];
    assert.ok(first && last && last.heap + last.buffers < first.heap + first.buffers + GROWTH);
    const busiest = Math.max(...footprints.map((footprint) => footprint.busiest));
    assert.ok(busiest < MOST_BUSY_MS, `${busiest} ms`);
    assert.ok(last.resources < first.resources + 10, JSON.stringify(footprints));
    assert.equal(await serving.stop(), 0);
  });
});

/**
 * How many requests ask for pictures, in rounds with other people, who may each ask for so many.
 */
const PICTURE_REQUESTS = 2000;
const PICTURE_ROUND = 500;

/** A picture may take 5 seconds, and an answer two more. */
const PICTURE_LIMIT_MS = 7000;

describe(`${PICTURE_REQUESTS} mutated requests for pictures (seed ${SEED})`, () => {
  it('wait no longer than a fetch may take, however badly the servers of sources answer', {
    timeout: TIMEOUT_MS,
  }, async () => {
    const { location, remove } = await createDatabase('SQLite');
    after(remove);
    await importFixtures(location);
    const slow = await SlowPictures.start();
    const pictures = slow.reader();
    const service = await Service.open(location, { dashboard: { pictures } }, { now: Date.now() });
    after(() => service.close());
    const { port } = new URL(await service.app.listen({ port: 0, host: '127.0.0.1' }));
    const all = await listRoutes(location);
    const routes = all.filter(({ path }) => path.startsWith('/dashboard/pictures/'));
    const statuses = new Set<number>();
    for (let sent = 0; sent < PICTURE_REQUESTS; ) {
      const material = await makeMaterial(service);
      const ids = material.ids.filter((id) => service.catalog.card(id)?.image);
      const random = new Random(SEED + sent);
      const sources = { random, routes, material: { ...material, ids } };
      const report = await bombard(Number(port), sources, PICTURE_ROUND, PICTURE_LIMIT_MS);
      sent += report.requests;
      for (const status of report.statuses.keys()) statuses.add(status);
      tell(sent, report, undefined);
      assert.deepEqual(report.failures.slice(0, 20), []);
    }
    assert.ok(slow.asked > 30, String(slow.asked));
    for (const status of [200, 404, 429]) assert.ok(statuses.has(status), `no ${status}`);
    const errors = service.log.filter((line) => JSON.parse(line).level >= 50);
    assert.deepEqual(errors.slice(0, 20), []);
  });
});

function tell(sent: number, report: unknown, footprint: Footprint | undefined): void {
  if (process.env.FAULT_REQUESTS) console.log(sent, report, footprint);
}
