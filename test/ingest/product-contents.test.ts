import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { it } from 'node:test';
import { importFeed } from '../../src/ingest/drivers/feed.ts';
import { openMtgjson } from '../../src/sources/mtgjson/read.ts';
import { Service } from '../support/app.ts';
import { cleanUp } from '../support/cleanup.ts';
import { createDatabase, forEachEngine } from '../support/engines.ts';
import { FeedFolder, feedOptions } from '../support/feeds.ts';
import { importTree, TreeCopy } from '../support/tcgcsv.ts';

const NOW = Date.UTC(2026, 0, 29, 12);
const FOLDER = 'test/fixtures/mtgjson';
const FILE = '1/1900012/products';

const BOX = 'mtg-9ed-seventh-edition-booster-box';
const PACK = 'mtg-9ed-seventh-edition-booster-pack';
const GIFT = 'mtg-9ed-seventh-edition-gift-box';

/** Products of the tree, by the ids that MTGJSON's list has. */
const PRODUCTS = [
  ['700001', 'Seventh Edition Booster Box'],
  ['700002', 'Seventh Edition Booster Pack'],
  ['700003', 'Seventh Edition Gift Box'],
] as const;

/** The tree of the fixtures with products of Magic. The card of the gift box is a card of it. */
function treeWithProducts(): TreeCopy {
  return new TreeCopy().edit(FILE, (all) => {
    const [card] = all;
    for (const [id, name] of PRODUCTS) {
      all.push({ ...card, productId: Number(id), name, cleanName: name, extendedData: [] });
    }
    const number = { name: 'Number', displayName: 'Number', value: '229' };
    all.push({ ...card, productId: 1485, name: 'Web', cleanName: 'Web', extendedData: [number] });
  });
}

forEachEngine((label) => {
  it('products say what is in them, until the source says something else', async () => {
    const { location, remove } = await createDatabase(label);
    cleanUp(remove);
    const service = await Service.open(location);
    cleanUp(() => service.close());
    const { store } = service;
    await importTree(store, treeWithProducts().folder);
    const folder = new FeedFolder();
    const importContents = async (list: string) => {
      const products = folder.write('SetList.json', list);
      const files = { identifiers: `${FOLDER}/AllIdentifiers.json`, products };
      const feed = await openMtgjson(`${FOLDER}/AllPricesToday.json`, feedOptions({ files }));
      const summary = await importFeed(store, feed, { clock: () => NOW });
      await service.catalog.refresh();
      return summary;
    };
    const contentsOf = async (id: string) => {
      const answer = await (await service.caller()).get(`/v1/products/${id}`);
      assert.equal(answer.statusCode, 200, answer.body);
      return answer.json<{ data: { contents: unknown } }>().data.contents;
    };
    await service.catalog.refresh();
    assert.equal(await contentsOf(BOX), null);

    const list = readFileSync(`${FOLDER}/SetList.json`, 'utf8');
    await importContents(list);
    const booster = { name: 'Seventh Edition Booster Pack', setCode: '7ED', id: PACK };
    const box = { items: [{ kind: 'product', count: 36, ...booster }], choices: [] };
    assert.deepEqual(await contentsOf(BOX), box);
    const deck = (name: string) => ({ kind: 'deck', count: 1, name, setCode: '7ED', id: null });
    const other = (name: string) => ({ kind: 'other', name, setCode: null, id: null });
    const web = { name: 'Web', setCode: '3ED', number: '229', foil: true, id: 'mtg-9ed-web-229' };
    assert.deepEqual(await contentsOf(GIFT), {
      items: [
        { kind: 'product', count: 2, ...booster },
        deck('Decay'),
        { kind: 'card', count: 1, ...web },
        { count: 2, ...other('Spindown') },
        { count: 1, ...other('Dividers') },
      ],
      choices: [[[deck('Armada')], [deck('Bomber')]]],
    });

    const changed = treeWithProducts()
      .observed('2026-01-29T10:05:12+0000')
      .edit(FILE, (all) => {
        const upc = [{ name: 'UPC', displayName: 'UPC', value: '653569123456' }];
        for (const one of all) if (one.productId === 700_001) one.extendedData = upc;
      });
    await importTree(store, changed.folder);
    await service.catalog.refresh();
    assert.equal(service.catalog.products.product(BOX)?.upc, '653569123456');
    assert.deepEqual(await contentsOf(BOX), box);

    const { revision } = service.catalog.publication;
    const again = await importContents(list.replace('"count": 36', '"count": 24'));
    assert.equal(again.skipped['contents of a product that is not known'], undefined);
    assert.equal(service.catalog.publication.revision, revision + 1);
    assert.deepEqual(await contentsOf(BOX), {
      ...box,
      items: [{ kind: 'product', count: 24, ...booster }],
    });
  });
});
