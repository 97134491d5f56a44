import { readFileSync } from 'node:fs';
import { importFeed } from '../../src/ingest/drivers/feed.ts';
import { openMtgjson } from '../../src/sources/mtgjson/read.ts';
import type { Store } from '../../src/store/connect.ts';
import { FeedFolder, feedOptions } from './feeds.ts';
import { NOW, TreeCopy } from './tcgcsv.ts';

const FOLDER = 'test/fixtures/mtgjson';

/** The file of the tree with the products of Magic. */
export const MAGIC_PRODUCTS = '1/1900012/products';

/** MTGJSON's data for these products. */
export const SET_LIST = readFileSync(`${FOLDER}/SetList.json`, 'utf8');

/** Products of the tree, by their ids in MTGJSON's list. */
const PRODUCTS = [
  ['700001', 'Seventh Edition Booster Box'],
  ['700002', 'Seventh Edition Booster Pack'],
  ['700003', 'Seventh Edition Gift Box'],
] as const;

/**
 * The tree of the fixtures with products of Magic. The card in the gift box is one of its cards.
 */
export function treeWithProducts(): TreeCopy {
  return new TreeCopy().edit(MAGIC_PRODUCTS, (all) => {
    const [card] = all;
    for (const [id, name] of PRODUCTS) {
      all.push({ ...card, productId: Number(id), name, cleanName: name, extendedData: [] });
    }
    const number = { name: 'Number', displayName: 'Number', value: '229' };
    all.push({ ...card, productId: 1485, name: 'Web', cleanName: 'Web', extendedData: [number] });
  });
}

/** Imports the contents of products from a list of MTGJSON's sets. */
export async function importContents(store: Store, list = SET_LIST) {
  const products = new FeedFolder().write('SetList.json', list);
  const files = { identifiers: `${FOLDER}/AllIdentifiers.json`, products };
  const feed = await openMtgjson(`${FOLDER}/AllPricesToday.json`, feedOptions({ files }));
  return importFeed(store, feed, { clock: () => NOW });
}
