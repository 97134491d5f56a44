import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Catalog } from '../../src/catalog/catalog.ts';
import { defaultPrinting } from '../../src/domain/card.ts';
import type { Store } from '../../src/store/connect.ts';
import { forEachEngine } from '../support/engines.ts';
import {
  FIXTURE,
  FIXTURE_CARDS,
  FIXTURE_PRODUCTS,
  importTree,
  TreeCopy,
} from '../support/tcgcsv.ts';

const PACK = 'pokemon-bs-base-set-booster-pack-revised-unlimited-edition';
const PACK_ID = 138_130;
const FILE = '3/604/products';

async function open(store: Store): Promise<Catalog> {
  const catalog = new Catalog(store);
  await catalog.refresh();
  return catalog;
}

/** Changes what the tree says of the booster pack, on the day after. */
function withPack(change: (pack: Record<string, unknown>) => void): TreeCopy {
  return new TreeCopy().observed('2026-01-29T20:05:12+0000').edit(FILE, (products) => {
    for (const product of products) if (product.productId === PACK_ID) change(product);
  });
}

const CARD_DATA = [{ name: 'Number', displayName: 'Number', value: '103/102' }];

forEachEngine((_label, openStore) => {
  test('an import brings products with prices, apart from cards', async () => {
    const store = await openStore();
    const summary = await importTree(store, FIXTURE);
    assert.deepEqual([summary.cards, summary.products], [FIXTURE_CARDS, FIXTURE_PRODUCTS]);
    const catalog = await open(store);
    assert.equal(catalog.cardCount, FIXTURE_CARDS);
    assert.equal(catalog.card(PACK), undefined);
    const id = { space: 'tcgplayer', id: String(PACK_ID) };
    assert.equal(catalog.cardByExternalId(id), undefined);
    const pack = catalog.products.product(PACK);
    assert.equal(pack, catalog.products.productByExternalId(id));
    assert.deepEqual(
      [pack?.type, pack?.upc, pack?.number, pack?.rarity],
      ['booster', null, null, null],
    );
    assert.equal(pack && defaultPrinting(pack)?.prices.market, 44_116);
    assert.equal(pack?.set.id, 'pokemon-base-set');
    for (const card of catalog.cards()) assert.equal(catalog.products.product(card.id), undefined);
    for (const product of catalog.products.cards())
      assert.equal(catalog.card(product.id), undefined);
  });

  test('a served catalogue takes over new prices and names of products', async () => {
    const store = await openStore();
    await importTree(store, FIXTURE);
    const catalog = await open(store);
    const copy = withPack((pack) => {
      pack.name = 'Base Set Booster Pack [Revised Unlimited]';
      pack.extendedData = [{ name: 'UPC', displayName: 'UPC', value: '0-820650-123456' }];
    });
    await importTree(store, copy.folder);
    await catalog.refresh();
    const pack = catalog.products.product(PACK);
    assert.equal(pack?.name, 'Base Set Booster Pack [Revised Unlimited]');
    assert.equal(pack?.upc, '820650123456');
    assert.deepEqual([...catalog.products.cards()].length, FIXTURE_PRODUCTS);
    assert.equal(catalog.cardCount, FIXTURE_CARDS);
  });

  test('a product that turns out to be a card becomes a new card', async () => {
    const store = await openStore();
    await importTree(store, FIXTURE);
    const catalog = await open(store);
    const copy = withPack((pack) => {
      pack.name = 'Missingno';
      pack.extendedData = CARD_DATA;
    });
    await importTree(store, copy.folder);
    await catalog.refresh();
    const card = catalog.cardByExternalId({ space: 'tcgplayer', id: String(PACK_ID) });
    assert.equal(card?.id, 'pokemon-bs-missingno-103');
    assert.equal(card && defaultPrinting(card)?.prices.market, 44_116);
    assert.equal(
      catalog.products.product(PACK)?.name,
      'Base Set Booster Pack [Revised Unlimited Edition]',
    );
    assert.equal(catalog.cardCount, FIXTURE_CARDS + 1);
  });

  test('a card whose number and rarity are missing stays a card', async () => {
    const store = await openStore();
    await importTree(store, FIXTURE);
    const copy = new TreeCopy().observed('2026-01-29T20:05:12+0000').edit(FILE, (products) => {
      for (const product of products) product.extendedData = [];
    });
    await importTree(store, copy.folder);
    const catalog = await open(store);
    assert.equal(catalog.cardCount, FIXTURE_CARDS);
    assert.equal(catalog.card('pokemon-bs-charizard-004')?.number, '004/102');
    assert.equal(catalog.products.count, FIXTURE_PRODUCTS);
  });

  test('sources that describe cards by name never find a product', async () => {
    const store = await openStore();
    await importTree(store, FIXTURE);
    const catalog = await open(store);
    const [first] = catalog.search.search({
      q: 'Base Set Booster Pack',
      sort: 'relevance',
      limit: 1,
      offset: 0,
    }).cards;
    assert.notEqual(first?.id, PACK);
  });
});
