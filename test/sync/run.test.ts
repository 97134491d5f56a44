import assert from 'node:assert/strict';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { OperatorError } from '../../src/domain/errors.ts';
import { LockTaken } from '../../src/ingest/lock.ts';
import { WebError } from '../../src/sources/io/web.ts';
import { takeImportLock } from '../../src/store/catalogue/imports.ts';
import { readCheck, readChecks } from '../../src/store/catalogue/sync.ts';
import type { SyncContext, SyncResult, SyncSource } from '../../src/sync/source.ts';
import { forEachEngine } from '../support/engines.ts';
import { SyncBed } from '../support/syncing.ts';
import { file, status, Upstream } from '../support/upstream.ts';

const NOW = Date.parse('2027-01-28T21:30:00Z');
const HOUR = 3_600_000;

const NO_UPDATE: SyncResult = { kind: 'unchanged', version: null };
const COUNTS = {
  observedAt: NOW,
  pricesChanged: 1,
  quarantined: 0,
  unmatched: 0,
  broken: 0,
  parts: 9,
  firstBroken: null,
};

function sourceThat(name: string, sync: (context: SyncContext) => Promise<SyncResult>): SyncSource {
  return { name, sync };
}

function failing(error: Error): SyncSource {
  return sourceThat('failing', () => Promise.reject(error));
}

forEachEngine((_label, open) => {
  it('a second sync at once is refused with the name of the lock holder', async () => {
    const store = await open();
    await takeImportLock(store.db, 'elsewhere:1', NOW, NOW + HOUR, 'sync');
    const bed = new SyncBed(store, NOW);
    const source = sourceThat('any', () => assert.fail('it must not be synced'));
    await assert.rejects(bed.only(source), (error: unknown) => {
      assert.ok(error instanceof LockTaken);
      assert.match(error.message, /^Another sync is running \(process 1 on elsewhere since /);
      return true;
    });
    bed.now += 2 * HOUR;
    assert.equal((await bed.only(sourceThat('any', async () => NO_UPDATE))).outcome, 'unchanged');
  });

  it('a sync frees its lock when it ends, also by an error', async () => {
    const bed = new SyncBed(await open(), NOW);
    const others = { onStart: () => assert.fail('stop') };
    await assert.rejects(bed.only(failing(new Error()), others), /stop/);
    assert.equal(await takeImportLock(bed.store.db, 'other:1', NOW, NOW + 1, 'sync'), true);
  });

  it('a source that fails keeps no other from being synced', async () => {
    const bed = new SyncBed(await open(), NOW);
    const outcomes = await bed.sync([
      failing(new OperatorError('It is gone.')),
      sourceThat('broken', () => Promise.reject(new TypeError('x is undefined'))),
      sourceThat('fine', async () => NO_UPDATE),
    ]);
    assert.deepEqual(
      outcomes.map(({ source, outcome, error }) => [source, outcome, error]),
      [
        ['failing', 'failed', 'It is gone.'],
        ['broken', 'failed', 'unexpected error: x is undefined'],
        ['fine', 'unchanged', null],
      ],
    );
  });

  it('the error of a source is recorded, and kept until it succeeds', async () => {
    const bed = new SyncBed(await open(), NOW);
    await bed.only(failing(new OperatorError('It is gone.')));
    bed.now += HOUR;
    const [first] = await readChecks(bed.store.db);
    assert.equal(first?.error, 'It is gone.');
    assert.equal(first?.failedAt, NOW);
    assert.equal(first?.succeededAt, null);
    await bed.only(sourceThat('failing', async () => ({ ...NO_UPDATE, version: 'v2' })));
    const [second] = await readChecks(bed.store.db);
    assert.deepEqual(
      { ...second },
      {
        source: 'failing',
        askedAt: NOW + HOUR,
        succeededAt: NOW + HOUR,
        answeredAt: null,
        failedAt: NOW,
        error: null,
        retryAt: null,
        requests: 0,
        requestsDay: Math.floor(NOW / (24 * HOUR)),
        version: 'v2',
      },
    );
  });

  it('a sync waits for the import lock, up to a limit', async () => {
    const bed = new SyncBed(await open(), NOW);
    let tries = 0;
    const busy = {
      feed: () => Promise.reject(new Error()),
      backfill: () => Promise.reject(new Error()),
      rates: () => Promise.reject(new Error()),
      snapshot: async () => {
        tries += 1;
        if (tries === 1) throw new LockTaken('Another import is running (elsewhere:1).');
        return { observedAt: NOW, sets: 1, setsUnchanged: 0, pricesChanged: 0, ...NO_FAULT };
      },
    };
    const source = sourceThat('any', async (context) => {
      await context.importers.snapshot({} as Parameters<typeof context.importers.snapshot>[0]);
      return NO_UPDATE;
    });
    const failed = await bed.only(source, { importers: busy, lockTimeout: -1 });
    assert.equal(failed.error, 'Another import is running (elsewhere:1).');
    tries = 0;
    assert.equal((await bed.only(source, { importers: busy })).outcome, 'unchanged');
    assert.equal(tries, 2);
  });
});

const NO_FAULT = { quarantined: {}, broken: [], brokenCount: 0 };

forEachEngine((label, open) => {
  if (label === 'PostgreSQL') return;

  it('a source that has asked us to wait is not asked before, unless forced', async () => {
    const bed = new SyncBed(await open(), NOW);
    await bed.only(failing(new WebError('Too much.', { status: 429, retryAt: NOW + HOUR })));
    let asked = 0;
    const source = sourceThat('failing', async () => {
      asked += 1;
      return NO_UPDATE;
    });
    bed.now += HOUR / 2;
    const waiting = await bed.only(source);
    assert.equal(waiting.outcome, 'waiting');
    assert.equal(waiting.error, 'It asked us to wait until 2027-01-28T22:30:00Z.');
    assert.equal((await readCheck(bed.store.db, 'failing', NOW)).error, 'Too much.');
    assert.equal(asked, 0);
    assert.equal((await bed.only(source, { force: true })).outcome, 'unchanged');
    assert.equal((await bed.only(source)).outcome, 'unchanged');
    assert.equal(asked, 2);
  });

  it('no message contains an API key', async () => {
    const bed = new SyncBed(await open(), NOW);
    const source = failing(new OperatorError('The key KEY-1 of KEY-2 is no key.'));
    const { error } = await bed.only(source, { secrets: ['KEY-1', 'KEY-2'] });
    assert.equal(error, 'The key *** of *** is no key.');
    assert.doesNotMatch(JSON.stringify(await readChecks(bed.store.db)), /KEY-/);
  });

  it('a source gets at most the daily requests that it allows', async () => {
    const upstream = (await Upstream.open()).on('/x', file('x'));
    const bed = new SyncBed(await open(), NOW);
    const source = sourceThat('any', async (context) => {
      const client = context.openClient({ trustedOrigins: [upstream.url] }, 5);
      const question = { url: new URL(`${upstream.url}/x`), maxBytes: 9 };
      for (let count = 0; count < 3; count += 1) {
        await client.get(question, (body) => Array.fromAsync(body));
      }
      await client.close();
      return NO_UPDATE;
    });
    assert.equal((await bed.only(source)).requests, 3);
    const second = await bed.only(source);
    assert.equal(second.requests, 2);
    assert.match(
      String(second.error),
      /x is not requested: as many requests were made as it allows/,
    );
    assert.equal((await bed.only(source)).requests, 0);
    bed.now += 24 * HOUR;
    assert.equal((await bed.only(source)).outcome, 'unchanged');
    assert.equal(upstream.asked.length, 8);
    const { requests, requestsDay } = await readCheck(bed.store.db, 'any', bed.now);
    assert.equal(requests, 3, 'requests of the day before are not counted');
    assert.equal(requestsDay, Math.floor(bed.now / (24 * HOUR)));
    assert.equal((await bed.only(source)).requests, 2);
  });

  it('downloads are removed, also those of a killed sync', async () => {
    const bed = new SyncBed(await open(), NOW);
    const folder = join(bed.folder, 'downloads');
    const seen: string[][] = [];
    const source = sourceThat('any', async (context) => {
      const own = await context.folder();
      writeFileSync(join(own, 'cards.json.part'), 'x');
      seen.push(readdirSync(folder), readdirSync(own));
      throw new OperatorError('It is gone.');
    });
    await bed.sync([source, source]);
    assert.deepEqual(seen, [['any'], ['cards.json.part'], ['any'], ['cards.json.part']]);
    assert.ok(!existsSync(folder));
  });

  it('a source with some broken parts is imported, with mostly broken parts it has failed', async () => {
    const bed = new SyncBed(await open(), NOW);
    for (const [broken, outcome] of [
      [0, 'imported'],
      [4, 'incomplete'],
      [5, 'failed'],
    ] as const) {
      const counts = { ...COUNTS, broken, firstBroken: 'Base: it is not JSON' };
      const source = sourceThat(outcome, async () => ({ kind: 'imported', version: null, counts }));
      const { error, ...synced } = await bed.only(source);
      assert.equal(synced.outcome, outcome);
      const words = `${broken} of 9 could not be read; the first is Base: it is not JSON`;
      assert.equal(error, broken === 0 ? null : words);
      const check = await readCheck(bed.store.db, outcome, NOW);
      assert.equal(check.succeededAt === null, outcome === 'failed');
      assert.equal(check.answeredAt, null, 'nothing was asked over the web');
    }
  });

  it('a request that is answered with 404 is not retried', async () => {
    const upstream = (await Upstream.open()).otherwise(status(404));
    const bed = new SyncBed(await open(), NOW);
    const source = sourceThat('any', async (context) => {
      const client = context.openClient({ trustedOrigins: [upstream.url] });
      const question = { url: new URL(`${upstream.url}/x`), maxBytes: 9 };
      const { kind } = await client.get(question, (body) => Array.fromAsync(body));
      await client.close();
      throw new OperatorError(kind);
    });
    assert.deepEqual((await bed.only(source)).error, 'missing');
    assert.equal(upstream.asked.length, 1);
  });
});
