import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { Catalog } from '../../src/catalog/catalog.ts';
import { GAMES } from '../../src/domain/games.ts';
import { resolverOf } from '../../src/http/resources.ts';
import { openStore, type Store } from '../../src/store/connect.ts';
import { createDatabase, type TestDatabase } from '../support/engines.ts';
import { importTree } from '../support/tcgcsv.ts';
import { SEALED_QUERIES } from './sealed-queries.ts';

const TREE = '../shared/data/tcgcsv';

interface RawProduct {
  readonly productId: number;
  readonly name: string;
  readonly extendedData: readonly { readonly name: string; readonly value: string | null }[];
}

/** The raw products of the tree by id, read without any code of the importer. */
function rawProducts(): Map<string, RawProduct> {
  const all = new Map<string, RawProduct>();
  for (const { tcgplayerCategory } of GAMES) {
    const category = `${TREE}/tcgplayer/${tcgplayerCategory}`;
    for (const group of readdirSync(category)) {
      const file = `${category}/${group}/products`;
      if (!existsSync(file)) continue;
      const { results } = JSON.parse(readFileSync(file, 'utf8')) as { results: RawProduct[] };
      for (const product of results) all.set(String(product.productId), product);
    }
  }
  return all;
}

/** A card has a number, or a rarity other than that of code cards. */
function isCard({ extendedData }: RawProduct): boolean {
  return extendedData.some(({ name, value }) => {
    const text = value?.trim() ?? '';
    if (text === '' || /^(?:n\/a|none)$/i.test(text)) return false;
    return (
      (name === 'Number' && !isCodeCard(extendedData)) ||
      (name === 'Rarity' && text !== 'Code Card')
    );
  });
}

function isCodeCard(fields: RawProduct['extendedData']): boolean {
  return fields.some(({ name, value }) => name === 'Rarity' && value === 'Code Card');
}

describe('the products of the tree', { skip: !existsSync(TREE) }, () => {
  let database: TestDatabase;
  let store: Store;
  let catalog: Catalog;
  let raw: Map<string, RawProduct>;

  before(async () => {
    database = await createDatabase('SQLite');
    store = await openStore(database.location);
    await importTree(store, TREE);
    catalog = new Catalog(store);
    await catalog.refresh();
    raw = rawProducts();
  });

  after(async () => {
    await store.close();
    await database.remove();
  });

  const rawOf = (ids: readonly { readonly id: string }[]) => {
    return ids.map(({ id }) => raw.get(id) ?? assert.fail(id));
  };

  test('are not among the cards, and no card is among them', () => {
    let [cards, products] = [0, 0];
    for (const card of catalog.cards()) {
      for (const one of rawOf(catalog.externalIds(card))) assert.ok(isCard(one), one.name);
      assert.equal(catalog.products.product(card.id), undefined);
      cards += 1;
    }
    for (const product of catalog.products.cards()) {
      const ids = catalog.products.externalIds(product);
      for (const one of rawOf(ids)) assert.ok(!isCard(one), one.name);
      assert.equal(catalog.card(product.id), undefined);
      products += 1;
    }
    assert.equal(cards, catalog.cardCount);
    const listed = [...raw.values()].filter((one) => !isCard(one));
    assert.equal(products, listed.length);
    assert.ok(products > 3000);
  });

  test('are not in any search for cards', () => {
    for (const [q] of SEALED_QUERIES) {
      const page = { sort: 'relevance', limit: 20, offset: 0 } as const;
      for (const card of catalog.search.search({ q, ...page }).cards) {
        assert.equal(catalog.products.product(card.id), undefined, q);
      }
    }
  });

  test('are each found by their UPC', () => {
    let found = 0;
    for (const [id, { extendedData }] of raw) {
      const upc = extendedData.find(({ name }) => name === 'UPC')?.value;
      if (!upc) continue;
      const products = catalog.products.withUpc(upc);
      const product = catalog.products.productByExternalId({ space: 'tcgplayer', id });
      assert.ok(product && products.includes(product), upc);
      assert.ok(products.every((one) => one.upc === product.upc));
      found += 1;
    }
    assert.equal(found, 688);
  });

  test('are found by the words that people type, among the first five', () => {
    assert.ok(SEALED_QUERIES.length >= 300, String(SEALED_QUERIES.length));
    const names = new Set([...catalog.products.cards()].map(({ name }) => name));
    const missed = SEALED_QUERIES.filter(([typed, name]) => {
      assert.ok(names.has(name), `${name} is not in the tree`);
      const first = catalog.products.search.find(typed).found.slice(0, 5);
      return !first.some(({ product }) => product.name === name);
    });
    assert.deepEqual(missed, []);
  });

  test('are never resolved to a card, nor to another product', async () => {
    const items = SEALED_QUERIES.map(([text]) => ({ text }));
    const counted = SEALED_QUERIES.map(([text]) => ({ text: `2 ${text}` }));
    const resolver = resolverOf(catalog);
    const answers = await resolver.resolveAny([...items, ...counted]);
    let matched = 0;
    for (const [index, answer] of answers.entries()) {
      const [typed, name] = SEALED_QUERIES[index % SEALED_QUERIES.length] ?? assert.fail();
      if (answer.status !== 'matched') continue;
      assert.ok('product' in answer, `${typed} is a card`);
      assert.equal(answer.product.name, name, typed);
      matched += 1;
    }
    assert.ok(matched > SEALED_QUERIES.length, `${matched} of ${answers.length}`);
  });

  test('are never the answer for the name and number of a card', async () => {
    const cards = [...catalog.cards()].filter((_, index) => index % 40 === 0);
    const items = cards.map(({ name, number, set }) => ({
      text: `${name} ${number ?? ''} ${set.name}`,
    }));
    const answers = await resolverOf(catalog).resolveAny(items);
    const products = answers.flatMap((answer, index) => {
      return 'kind' in answer && answer.status === 'matched' ? [items[index]?.text] : [];
    });
    assert.deepEqual(products, []);
  });
});
