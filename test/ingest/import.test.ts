import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Catalog } from '../../src/catalog/catalog.ts';
import { defaultPrinting } from '../../src/domain/card.ts';
import { type Day, formatDay } from '../../src/domain/day.ts';
import { GAMES } from '../../src/domain/games.ts';
import { importSnapshot } from '../../src/ingest/drivers/snapshot.ts';
import type { Snapshot } from '../../src/sources/contract/snapshot.ts';
import { openFolder } from '../../src/sources/io/tree.ts';
import { openTcgcsv } from '../../src/sources/tcgcsv/read.ts';
import type { Database } from '../../src/store/catalogue/schema.ts';
import type { Store } from '../../src/store/connect.ts';
import { historyReader } from '../../src/store/history/index.ts';
import { forEachEngine } from '../support/engines.ts';
import { FIXTURE, FIXTURE_SETS, importTree, NOW, TreeCopy } from '../support/tcgcsv.ts';

const CHARIZARD = 'pokemon-bs-charizard-004';
const HADES = 'lorcana-tfc-hades-king-of-olympus-205';
const BASE_SET = '3/604';

async function open(store: Store): Promise<Catalog> {
  const catalog = new Catalog(store);
  await catalog.refresh();
  return catalog;
}

async function marketOf(store: Store, id: string): Promise<number | null | undefined> {
  const card = (await open(store)).card(id);
  return card && defaultPrinting(card)?.prices.market;
}

async function historyOf(store: Store, id: string): Promise<[string, number | null][]> {
  const card = (await open(store)).card(id);
  const printing = card && defaultPrinting(card);
  assert.ok(printing);
  const days = await historyReader(store)(printing.rowId, 0 as Day, 60_000 as Day);
  return days.map(({ day, market }) => [formatDay(day), market]);
}

const TABLES: readonly (keyof Database)[] = [
  'sets',
  'set_external_ids',
  'cards',
  'card_external_ids',
  'printings',
  'source_files',
  'history',
  'history_recent',
  'catalog_state',
];

/** Everything that an import writes, to compare. */
async function dump(store: Store): Promise<string> {
  const rows = TABLES.map((table) => store.db.selectFrom(table).selectAll().execute());
  const sorted = (await Promise.all(rows)).map((all) =>
    all.map((row) => JSON.stringify(row)).sort(),
  );
  return JSON.stringify(sorted);
}

function setMarket(productId: number, marketPrice: number | null) {
  return (prices: Record<string, unknown>[]) => {
    for (const price of prices) if (price.productId === productId) price.marketPrice = marketPrice;
  };
}

forEachEngine((_label, openStore) => {
  test('a first import brings every game, its cards, printings, prices and a day of history', async () => {
    const store = await openStore();
    const summary = await importTree(store, FIXTURE);
    const catalog = await open(store);
    assert.deepEqual(summary.broken, []);
    assert.deepEqual(summary.skipped, {});
    assert.equal(summary.cards, catalog.cardCount);
    assert.equal(summary.products, catalog.products.count);
    assert.equal(summary.prices, summary.historyAdded);
    assert.ok(catalog.games().every(({ cardCount, setCount }) => cardCount > 0 && setCount > 0));
    assert.deepEqual(await historyOf(store, CHARIZARD), [['2026-01-28', 45_386]]);
  });

  test('the same input twice changes nothing', async () => {
    const store = await openStore();
    await importTree(store, FIXTURE);
    const before = await dump(store);
    const again = await importTree(store, FIXTURE);
    assert.equal(await dump(store), before);
    assert.equal(again.sets, 0);
    assert.equal(again.setsUnchanged, FIXTURE_SETS);
  });

  test('a later snapshot updates prices, adds a day of history and keeps every id', async () => {
    const store = await openStore();
    const tree = new TreeCopy();
    await importTree(store, tree.folder);
    const ids = (await store.db.selectFrom('cards').select(['id', 'public_id']).execute()).sort(
      byId,
    );
    tree
      .observed('2026-01-29T20:05:12+0000')
      .edit(`${BASE_SET}/prices`, setMarket(42_382, 500))
      .edit(`${BASE_SET}/products`, (products) => {
        for (const product of products) product.name = `Renamed ${String(product.name)}`;
      });
    const summary = await importTree(store, tree.folder);
    const after = (await store.db.selectFrom('cards').select(['id', 'public_id']).execute()).sort(
      byId,
    );
    assert.deepEqual(after, ids);
    assert.equal(summary.cardsAdded, 0);
    assert.equal(summary.cardsChanged, 4);
    assert.equal((await open(store)).card(CHARIZARD)?.name, 'Renamed Charizard');
    assert.deepEqual(await historyOf(store, CHARIZARD), [
      ['2026-01-28', 45_386],
      ['2026-01-29', 50_000],
    ]);
  });

  test('an older snapshot adds its day to the history and leaves the served prices as they are', async () => {
    const store = await openStore();
    const tree = new TreeCopy();
    await importTree(store, tree.folder);
    tree.observed('2025-12-24T20:05:12+0000').edit(`${BASE_SET}/prices`, setMarket(42_382, 300));
    await importTree(store, tree.folder);
    assert.equal(await marketOf(store, CHARIZARD), 45_386);
    assert.deepEqual(await historyOf(store, CHARIZARD), [
      ['2025-12-24', 30_000],
      ['2026-01-28', 45_386],
    ]);
  });

  test('a price that its source no longer reports becomes unknown, not zero and not the old one', async () => {
    const store = await openStore();
    const tree = new TreeCopy();
    await importTree(store, tree.folder);
    tree.observed('2026-01-29T20:05:12+0000').edit(`${BASE_SET}/prices`, setMarket(42_382, null));
    await importTree(store, tree.folder);
    assert.equal(await marketOf(store, CHARIZARD), null);
  });

  test('an import that is interrupted leaves the old data whole, and the next one completes it', async () => {
    const store = await openStore();
    const tree = new TreeCopy();
    await importTree(store, tree.folder);
    tree.observed('2026-01-29T20:05:12+0000').edit('71/71900001/prices', (prices) => {
      for (const price of prices) price.marketPrice = Number(price.marketPrice) * 1.04;
    });
    const cut = cutAfter(await snapshotOf(tree.folder), FIXTURE_SETS - 3);
    const reader = await open(store);
    const hades = await marketOf(store, HADES);
    await assert.rejects(importSnapshot(store, cut, { clock: () => NOW }), /power cut/);
    assert.equal(await reader.refresh(), false, 'readers saw half of an import');
    assert.equal(await marketOf(store, HADES), hades);
    assert.equal(await marketOf(store, CHARIZARD), 45_386);

    const summary = await importTree(store, tree.folder);
    assert.equal(summary.setsUnchanged, FIXTURE_SETS - 3);
    assert.equal(summary.sets, 3);
    assert.equal(await reader.refresh(), true);
    assert.equal(await marketOf(store, HADES), 72_65);
  });

  test('an import that was interrupted after its last group is published by the next one', async () => {
    const store = await openStore();
    const cut = cutAfter(await snapshotOf(FIXTURE), FIXTURE_SETS);
    await assert.rejects(importSnapshot(store, cut, { clock: () => NOW }), /power cut/);
    const reader = await open(store);
    assert.equal(reader.ready, false);
    await importTree(store, FIXTURE);
    assert.equal(await reader.refresh(), true);
    assert.ok(reader.card(CHARIZARD));
  });
});

function byId(a: { id: number }, b: { id: number }): number {
  return a.id - b.id;
}

async function snapshotOf(folder: string): Promise<Snapshot> {
  const tree = await openFolder(folder);
  const observedAt = Date.parse('2026-01-29T20:05:12Z');
  return openTcgcsv(tree, { games: GAMES, observedAt });
}

/** A snapshot whose source fails after some groups. */
function cutAfter(snapshot: Snapshot, groups: number): Snapshot {
  return {
    ...snapshot,
    async *groups(known) {
      let left = groups;
      for await (const outcome of snapshot.groups(known)) {
        if (left === 0) break;
        left -= 1;
        yield outcome;
      }
      throw new Error('power cut');
    },
  };
}
