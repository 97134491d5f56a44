import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { openStore } from '../../src/store/connect.ts';
import { createDatabase } from '../support/engines.ts';
import { FIXTURE_SETS, importTree, TreeCopy } from '../support/tcgcsv.ts';

/** Faults of one group of the tree, and the reason that is reported. */
const FAULTS: readonly (readonly [string, (tree: TreeCopy) => void, RegExp])[] = [
  ['bad JSON', (tree) => tree.write('3/604/prices', '{"results":['), /^prices: not valid JSON/],
  ['a missing file', (tree) => tree.remove('3/604/products'), /^products: missing file/],
  [
    'a list that is not the results',
    (tree) => tree.write('3/604/prices', '{"result":[]}'),
    /^prices: it has no list of results/,
  ],
  [
    'wrong types in many rows',
    (tree) => {
      tree.edit('3/604/prices', (rows) => {
        rows.push(...Array.from({ length: 5 }, () => ({ ...rows[0], lowPrice: '1' })));
      });
    },
    /^prices: 5 of \d+ rows are bad, more than 20 %; the first is .* lowPrice must be number/,
  ],
  [
    'text that is not UTF-8',
    (tree) => tree.write('3/604/products', Buffer.from('{"results":["Pok\xe9"]}', 'latin1')),
    /^products: not UTF-8 text/,
  ],
];

async function temporaryStore(context: { after(work: () => Promise<void>): void }) {
  const { location, remove } = await createDatabase('SQLite');
  const store = await openStore(location);
  context.after(async () => {
    await store.close();
    await remove();
  });
  return store;
}

describe('a group with', () => {
  for (const [fault, damage, reason] of FAULTS) {
    test(`${fault} is named and skipped whole, and the rest is imported`, async (context) => {
      const store = await temporaryStore(context);
      const tree = new TreeCopy();
      damage(tree);
      const summary = await importTree(store, tree.folder);
      assert.deepEqual(
        summary.broken.map(({ name }) => name),
        ['Pokemon TCG (English): Base Set'],
      );
      assert.match(summary.broken[0]?.reason ?? '', reason);
      assert.equal(summary.sets, FIXTURE_SETS - 1);
      const base = await store.db.selectFrom('sets').where('code', '=', 'BS').selectAll().execute();
      assert.deepEqual(base, []);
    });
  }

  test('a fault keeps its prices, and the next import completes it once it is repaired', async (context) => {
    const store = await temporaryStore(context);
    const tree = new TreeCopy();
    await importTree(store, tree.folder);
    const cards = () => store.db.selectFrom('cards').selectAll().execute();
    const before = await cards();
    tree.observed('2026-01-29T20:05:12+0000').write('3/604/prices', 'oops');
    assert.equal((await importTree(store, tree.folder)).broken.length, 1);
    assert.deepEqual(await cards(), before);
    tree.write('3/604/prices', '{"results":[]}');
    const fixed = await importTree(store, tree.folder);
    assert.equal(fixed.sets, 1);
    assert.deepEqual(fixed.broken, []);
  });
});

test('a game whose groups cannot be read is named, and the other games are imported', async (context) => {
  const store = await temporaryStore(context);
  const tree = new TreeCopy().write('1/groups', 'oops');
  const { broken, sets } = await importTree(store, tree.folder);
  assert.deepEqual(broken, [{ name: 'Magic: The Gathering', reason: 'groups: not valid JSON' }]);
  assert.equal(sets, FIXTURE_SETS - 2);
});

const UNUSABLE: readonly (readonly [string, string, RegExp])[] = [
  ['a missing folder', '/no/such/folder', /There is no folder/],
  ['a file where a folder is expected', 'package.json', /is a file; a folder is expected/],
  ['a folder of something else', 'src', /has no last-updated.txt/],
];

for (const [what, location, message] of UNUSABLE) {
  test(`${what} is refused with a clear message`, async (context) => {
    const store = await temporaryStore(context);
    await assert.rejects(importTree(store, location), { name: 'OperatorError', message });
  });
}

for (const [moment, message] of [
  ['yesterday', /holds no moment/],
  ['2031-01-01T00:00:00+0000', /is in the future/],
] as const) {
  test(`a tree that was last updated "${moment}" is refused`, async (context) => {
    const store = await temporaryStore(context);
    const tree = new TreeCopy().observed(moment);
    await assert.rejects(importTree(store, tree.folder), { name: 'OperatorError', message });
  });
}
