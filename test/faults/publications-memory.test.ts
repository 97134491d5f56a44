import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { importSnapshot } from '../../src/ingest/drivers/snapshot.ts';
import { openStarter } from '../../src/sources/starter.ts';
import { publish, readPublication, startWriting } from '../../src/store/catalogue/publications.ts';
import { openStore, type Store } from '../../src/store/connect.ts';
import { cleanUp } from '../support/cleanup.ts';
import { eventually } from '../support/cli.ts';
import { createDatabase } from '../support/engines.ts';
import { Serving } from './support/serving.ts';

const STARTER = new URL('../../data/starter/', import.meta.url);

/** How many publications follow each other. */
const PUBLICATIONS = 6;
/** How much more memory a process may use during publications, and after being idle. */
const MOST_GROWTH = { during: 1.4, idle: 1.15 };
/** Longer than it takes to have nothing to do after the start. */
const LULL_MS = 6000;

/** Publishes another price of everything, as a sync does that every card has a new price in. */
async function publishAll({ db }: Store): Promise<number> {
  const revision = (await readPublication(db)).revision + 1;
  await db.transaction().execute(async (transaction) => {
    assert.ok(await startWriting(transaction, revision));
    const market = sql<number>`market + 1`;
    await transaction.updateTable('printings').set({ market, revision }).execute();
    await transaction.updateTable('cards').set({ revision }).execute();
  });
  assert.ok(await publish(db, revision, Date.now()));
  return revision;
}

/** The memory that a process has of the system, in megabytes. */
function residentOf({ pid }: Serving): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024);
}

it('publications of new prices of everything leave the memory of a process as it was', {
  skip: process.platform !== 'linux',
  timeout: 240_000,
}, async () => {
  const { location, remove } = await createDatabase('SQLite');
  cleanUp(remove);
  const store = await openStore(location);
  cleanUp(() => store.close());
  await importSnapshot(store, await openStarter(STARTER), { clock: Date.now });
  const serving = await Serving.start(location);
  await sleep(LULL_MS);
  const before = residentOf(serving);
  let most = before;
  for (let time = 0; time < PUBLICATIONS; time += 1) {
    const revision = await publishAll(store);
    await eventually(() => serving.log.some((line) => line.revision === revision));
    most = Math.max(most, residentOf(serving));
  }
  assert.ok(most < before * MOST_GROWTH.during, `${before} MB, then ${most} MB`);
  await eventually(() => residentOf(serving) < before * MOST_GROWTH.idle);
  console.log(JSON.stringify({ before, most, after: residentOf(serving) }));
});
