import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { sql } from 'kysely';
import { publish, readPublication, startWriting } from '../../src/store/catalogue/publications.ts';
import { Replica } from '../../src/store/catalogue/replica.ts';
import { openStore } from '../../src/store/connect.ts';
import { historyReader } from '../../src/store/history/index.ts';
import { observationsReader } from '../../src/store/reports/explain.ts';
import { importFixtures, Service } from '../support/app.ts';
import { run } from '../support/cli.ts';
import { CuttableProxy } from '../support/cuttable-proxy.ts';
import { createDatabase } from '../support/engines.ts';

const CHARIZARD = 'pokemon-bs-charizard-004';

/** A service with a replica: a database like its own, whose answers can be told apart. */
async function withReplica() {
  const own = await createDatabase('PostgreSQL');
  const other = await createDatabase('PostgreSQL');
  for (const { location } of [own, other]) await importFixtures(location);
  const replicaStore = await openStore(other.location);
  await sql`update observations set external_id = 'of the replica'`.execute(replicaStore.db);
  await sql`delete from history_recent`.execute(replicaStore.db);
  const { proxy, url } = await CuttableProxy.to(other.location);
  const store = await openStore(own.location);
  const served = { publication: await readPublication(replicaStore.db) };
  const failures: unknown[] = [];
  const replica = new Replica(url, {
    publication: () => served.publication,
    onFailure: (error) => failures.push(error),
  });
  const service = await Service.open(own.location, {
    history: replica.reader(historyReader, historyReader(store)),
    observations: replica.reader(observationsReader, observationsReader(store)),
  });
  after(async () => {
    await replica.close();
    await proxy.cut();
    await service.close();
    await store.close();
    await replicaStore.close();
    await own.remove();
    await other.remove();
  });
  const caller = await service.caller('business');
  let days = 0;
  /** Whether history is read of the replica, which has none. */
  const isOfReplica = async () => {
    // Of other days each time, because answers are kept.
    days += 1;
    const answer = await caller.get(`/v1/cards/${CHARIZARD}/prices?days=${days}`);
    assert.equal(answer.statusCode, 200, answer.body);
    return answer.json().data.history.length === 0;
  };
  return { caller, proxy, served, replicaStore, failures, isOfReplica };
}

describe('History and explain', () => {
  it('are read of a replica that has the publication', async () => {
    const { caller, isOfReplica, failures } = await withReplica();
    assert.equal(await isOfReplica(), true);
    const explained = await caller.get(`/v1/cards/${CHARIZARD}/explain`);
    assert.equal(explained.statusCode, 200, explained.body);
    assert.deepEqual(failures, []);
  });

  it('are read from the database while the replica is behind the served publication', async () => {
    const { isOfReplica, served, replicaStore, failures } = await withReplica();
    const { revision } = served.publication;
    served.publication = { revision: revision + 1, id: 'the next one', publishedAt: null };
    assert.equal(await isOfReplica(), false);
    await startWriting(replicaStore.db, revision + 1);
    await publish(replicaStore.db, revision + 1, 0);
    assert.equal(await isOfReplica(), false, 'another publication with the same number');
    served.publication = await readPublication(replicaStore.db);
    assert.equal(await isOfReplica(), true);
    assert.deepEqual(failures, []);
  });

  it('are read of the database while the replica is away or silent', async () => {
    const { isOfReplica, proxy, failures } = await withReplica();
    assert.equal(await isOfReplica(), true);
    proxy.freeze();
    assert.equal(await isOfReplica(), false);
    await proxy.cut();
    assert.equal(await isOfReplica(), false);
    // It is asked again only after a pause, so that not every answer waits for it.
    assert.equal(failures.length, 1);
  });
});

describe('A service over SQLite', () => {
  it('refuses a replica', async () => {
    const env = { CARDPRICE_DATABASE_REPLICA: 'postgres://reader:secret@127.0.0.1:1/cards' };
    const { location, remove } = await createDatabase('SQLite');
    const { code, err } = await run(['--database', location, 'serve', '--create', '--port', '0'], {
      env,
    });
    await remove();
    assert.equal(code, 1);
    assert.match(err, /CARDPRICE_DATABASE_REPLICA is for PostgreSQL only/);
    assert.ok(!err.includes('secret'));
  });
});
