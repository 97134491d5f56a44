/** A start from a snapshot over all real cards, which are not part of the repository. */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { Catalog } from '../../src/catalog/catalog.ts';
import { SnapshotFile } from '../../src/catalog/snapshot-file.ts';
import { openFolder } from '../../src/sources/io/tree.ts';
import { openStore } from '../../src/store/connect.ts';
import { createDatabase } from '../support/engines.ts';
import { assertSameCatalog } from '../support/same-catalog.ts';
import { importTree } from '../support/tcgcsv.ts';

const TREE = new URL('../../../shared/data/tcgcsv', import.meta.url).pathname;

test('A start from a snapshot is a start from the database, for all cards', async () => {
  const database = await createDatabase('SQLite');
  const folder = await mkdtemp(join(tmpdir(), 'cardprice-snapshot-'));
  const store = await openStore(database.location);
  after(async () => {
    await store.close();
    await database.remove();
    await rm(folder, { recursive: true, force: true });
  });
  await importTree(store, await openFolder(TREE));
  const dropped: string[] = [];
  const snapshot = new SnapshotFile({
    path: join(folder, 'snapshot'),
    program: 'test',
    onDrop: (reason) => dropped.push(reason),
  });
  const fresh = new Catalog(store);
  await fresh.refresh();
  const steps = fresh.search.save();
  let step = steps.next();
  while (!step.done) step = steps.next();
  await snapshot.write(fresh.publication.id, step.value);
  const started = new Catalog(store, { snapshot });
  await started.refresh();
  assert.deepEqual(dropped, []);
  assert.equal(started.search.version, 0);
  assertSameCatalog(started, fresh, { every: 97 });
});
