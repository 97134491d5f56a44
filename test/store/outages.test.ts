import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { OperatorError } from '../../src/domain/errors.ts';
import { openStore, type Store } from '../../src/store/connect.ts';
import { throughOutages } from '../../src/store/engine/outages.ts';
import { cleanUp } from '../support/cleanup.ts';
import { CuttableProxy } from '../support/cuttable-proxy.ts';
import { createMigratedDatabase } from '../support/engines.ts';

const OUTAGE_MS = 300;

/** A store whose PostgreSQL server can be lost. */
async function openBehindProxy(): Promise<{ store: Store; proxy: CuttableProxy }> {
  const { location, remove } = await createMigratedDatabase('PostgreSQL');
  cleanUp(remove);
  const { proxy, url } = await CuttableProxy.to(location);
  cleanUp(() => proxy.cut());
  const store = await openStore(url);
  cleanUp(() => store.close());
  return { store, proxy };
}

const ask = ({ db }: Store) => sql`select 1`.execute(db);

describe('Work that loses its database', () => {
  it('is repeated once the database is back', async () => {
    const { store, proxy } = await openBehindProxy();
    const outages: unknown[] = [];
    let tries = 0;
    const result = await throughOutages(
      store,
      async () => {
        tries += 1;
        if (tries === 1) await proxy.cut();
        if (tries === 1) sleep(OUTAGE_MS).then(() => proxy.restore());
        await ask(store);
        return 'done';
      },
      { onOutage: (error) => outages.push(error) },
    );
    assert.equal(result, 'done');
    assert.equal(tries, 2);
    assert.equal(outages.length, 1);
  });

  it('fails with its first error when the database stays lost', async () => {
    const { store, proxy } = await openBehindProxy();
    await proxy.cut();
    const started = performance.now();
    const lost = throughOutages(store, () => ask(store), { patienceMs: 1200 });
    await assert.rejects(lost, /ECONNREFUSED|ECONNRESET|Connection terminated/);
    assert.ok(performance.now() - started >= 1200);
  });

  it('fails after the sixth outage', async () => {
    const { store } = await openBehindProxy();
    let tries = 0;
    const failing = throughOutages(store, async () => {
      tries += 1;
      throw new Error('Connection terminated unexpectedly');
    });
    await assert.rejects(failing, /terminated/);
    assert.equal(tries, 6);
  });

  const OTHERS: readonly (readonly [string, Error])[] = [
    [
      'a source that cannot be reached',
      new OperatorError('The source is down.', {
        cause: Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' }),
      }),
    ],
    ['a full disk', Object.assign(new Error('disk full'), { code: 'SQLITE_FULL' })],
    ['a full disk of a server', Object.assign(new Error('disk full'), { code: '53100' })],
    ['a mistake in a statement', Object.assign(new Error('syntax'), { code: '42601' })],
  ];
  for (const [what, error] of OTHERS) {
    it(`is not repeated after ${what}`, async () => {
      const { store } = await openBehindProxy();
      let tries = 0;
      const failing = throughOutages(store, async () => {
        tries += 1;
        throw error;
      });
      await assert.rejects(failing, error);
      assert.equal(tries, 1);
    });
  }
});
