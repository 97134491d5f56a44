import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ArchiveFolder, importArchive } from '../support/archive.ts';
import { CHARIZARD, charizard } from '../support/charizard.ts';
import { forEachEngine } from '../support/engines.ts';
import { FIXTURE_SETS, importTree, TreeCopy, withTree } from '../support/tcgcsv.ts';

const BASE_SET = '3/604';

forEachEngine((_label, open) => {
  const openWithTree = () => withTree(open);

  test('a damaged history is named, and everything else is imported', async () => {
    const store = await openWithTree();
    const { id } = await charizard(store);
    const block = new Uint8Array([1, 2, 3]);
    await store.db
      .updateTable('history_recent')
      .set({ block })
      .where('printing_id', '=', id)
      .execute();
    const alakazam = { productId: 42_346, subTypeName: 'Holofoil' };
    const archive = new ArchiveFolder().day('2026-01-30', BASE_SET, [
      { ...CHARIZARD, market: 500 },
      { ...alakazam, market: 60 },
    ]);
    const summary = await importArchive(store, archive.folder);
    assert.equal(summary.historyAdded, 1);
    assert.match(summary.broken[0]?.reason ?? '', new RegExp(`history of printing ${id} from`));
    assert.equal((await charizard(store)).market, 50_000);
    assert.equal((await importArchive(store, archive.folder)).parts, 1);

    const tree = new TreeCopy().observed('2026-02-01T20:00:00+0000');
    const later = await importTree(store, tree.folder);
    assert.equal(later.broken.length, 1);
    assert.equal(later.sets, FIXTURE_SETS);
    assert.equal((await charizard(store)).market, 45_386);
  });

  test('a history that is damaged in many places stops the import with a clear error', async () => {
    const store = await openWithTree();
    await store.db
      .updateTable('history_recent')
      .set({ block: new Uint8Array(9) })
      .execute();
    const printings = await store.db
      .selectFrom('printings')
      .innerJoin('card_external_ids', 'card_external_ids.card_id', 'printings.card_id')
      .select(['card_external_ids.external_id', 'printings.name'])
      .execute();
    const listed = printings.map(({ external_id, name }) => {
      return { productId: Number(external_id), subTypeName: name, market: 1 };
    });
    const archive = new ArchiveFolder().day('2026-02-01', BASE_SET, listed);
    await assert.rejects(importArchive(store, archive.folder, { limits: null }), {
      name: 'OperatorError',
      message: /restore a backup\.$/,
    });
  });
});
