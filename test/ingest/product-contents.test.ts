import assert from 'node:assert/strict';
import { it } from 'node:test';
import { Service } from '../support/app.ts';
import { cleanUp } from '../support/cleanup.ts';
import { createDatabase, forEachEngine } from '../support/engines.ts';
import {
  importContents,
  MAGIC_PRODUCTS,
  SET_LIST,
  treeWithProducts,
} from '../support/magic-products.ts';
import { importTree } from '../support/tcgcsv.ts';

const BOX = 'mtg-9ed-seventh-edition-booster-box';
const PACK = 'mtg-9ed-seventh-edition-booster-pack';
const GIFT = 'mtg-9ed-seventh-edition-gift-box';

forEachEngine((label) => {
  it('products say what is in them, until the source says something else', async () => {
    const { location, remove } = await createDatabase(label);
    cleanUp(remove);
    const service = await Service.open(location);
    cleanUp(() => service.close());
    const { store } = service;
    await importTree(store, treeWithProducts().folder);
    const importList = async (list = SET_LIST) => {
      const summary = await importContents(store, list);
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

    await importList();
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
      .edit(MAGIC_PRODUCTS, (all) => {
        const upc = [{ name: 'UPC', displayName: 'UPC', value: '653569123456' }];
        for (const one of all) if (one.productId === 700_001) one.extendedData = upc;
      });
    await importTree(store, changed.folder);
    await service.catalog.refresh();
    assert.equal(service.catalog.products.product(BOX)?.upc, '653569123456');
    assert.deepEqual(await contentsOf(BOX), box);

    const { revision } = service.catalog.publication;
    const again = await importList(SET_LIST.replace('"count": 36', '"count": 24'));
    assert.equal(again.skipped['contents of a product that is not known'], undefined);
    assert.equal(service.catalog.publication.revision, revision + 1);
    assert.deepEqual(await contentsOf(BOX), {
      ...box,
      items: [{ kind: 'product', count: 24, ...booster }],
    });
  });
});
