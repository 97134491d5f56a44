import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { CardSet } from '../../src/domain/card.ts';
import { type Product, productTypeOf } from '../../src/domain/products.ts';
import { ProductIndex } from '../../src/search/index.ts';
import { makeCard } from './search-cards.ts';

const SKIES: Partial<CardSet> = { rowId: 7, name: 'SWSH07: Evolving Skies', code: 'SWSH07' };
const STARS: Partial<CardSet> = { rowId: 9, name: 'SWSH09: Brilliant Stars', code: 'SWSH09' };

function product(name: string, set: Partial<CardSet> = SKIES, price = 100): Product {
  const card = makeCard({ name, set, price });
  return { ...card, type: productTypeOf(name), upc: null, contents: null };
}

const PRODUCTS = [
  product('Evolving Skies Booster Box', SKIES, 90_000),
  product('Evolving Skies Booster Pack', SKIES, 3000),
  product('Evolving Skies Elite Trainer Box [Sylveon]', SKIES, 30_000),
  product('Evolving Skies Elite Trainer Box [Flareon]', SKIES, 20_000),
  product('Code Card - Evolving Skies Booster Pack', SKIES, 50),
  product('Evolving Skies Deck Protectors 65', SKIES, 400),
  product('Brilliant Stars Booster Box', STARS, 20_000),
  product('Poke Ball Tin', STARS, 2000),
];

function indexOf(products: readonly Product[] = PRODUCTS): ProductIndex {
  const index = new ProductIndex();
  for (const one of products) index.add(one);
  index.commit();
  return index;
}

describe('A search for products', () => {
  const index = indexOf();
  const names = (q: string) => index.find(q).found.map(({ product: { name } }) => name);

  for (const [q, first] of [
    ['evolving skies booster box', 'Evolving Skies Booster Box'],
    ['box booster skies evolving', 'Evolving Skies Booster Box'],
    ['evolving skies bb', 'Evolving Skies Booster Box'],
    ['evolvign skys booster pack', 'Evolving Skies Booster Pack'],
    ['evolv booster pack', 'Evolving Skies Booster Pack'],
    ['evolving skies etb flareon', 'Evolving Skies Elite Trainer Box [Flareon]'],
    ['evolving skies code card', 'Code Card - Evolving Skies Booster Pack'],
    ['swsh09 booster box', 'Brilliant Stars Booster Box'],
    ['pokeball tin', 'Poke Ball Tin'],
    ['evolving skies deck protectors', 'Evolving Skies Deck Protectors 65'],
  ] as const) {
    it(`finds “${first}” by “${q}”`, () => assert.equal(names(q)[0], first));
  }

  it('lists the products with all words, and none of another set', () => {
    assert.deepEqual(names('evolving skies booster').toSorted(), [
      'Code Card - Evolving Skies Booster Pack',
      'Evolving Skies Booster Box',
      'Evolving Skies Booster Pack',
    ]);
  });

  it('lists code cards and accessories after all others, unless the words name them', () => {
    assert.deepEqual(names('evolving skies').slice(-2).toSorted(), [
      'Code Card - Evolving Skies Booster Pack',
      'Evolving Skies Deck Protectors 65',
    ]);
    assert.equal(
      names('code card evolving skies booster')[0],
      names('evolving skies code card')[0],
    );
  });

  it('says whether a name is said as a whole, and whether all words were found', () => {
    const exactOf = (q: string) => index.find(q).found.filter(({ isExact }) => isExact).length;
    assert.equal(exactOf('evolving skies booster box'), 1);
    assert.equal(exactOf('booster box'), 0);
    assert.equal(exactOf('evolving skies elite trainer box'), 0);
    assert.equal(index.find('evolving skies booster box').isWhole, true);
    const most = index.find('brilliant stars booster box charizard');
    assert.equal(most.isWhole, false);
    assert.equal(most.found[0]?.product.name, 'Brilliant Stars Booster Box');
    assert.deepEqual(index.find('unheard words altogether').found, []);
  });

  it('lists every product for no words, and only those that pass', () => {
    assert.equal(index.find('').found.length, PRODUCTS.length);
    const { found } = index.find('booster box', ({ set }) => set.code === 'SWSH09');
    assert.deepEqual(
      found.map(({ product: { name } }) => name),
      ['Brilliant Stars Booster Box'],
    );
  });
});

describe('A change of products', () => {
  it('is found from its commit on', () => {
    const index = indexOf();
    const has = (q: string) => index.find(q).isWhole;
    const tin = product('Eevee Tin');
    index.add(tin);
    assert.equal(has('eevee tin'), false);
    index.commit();
    assert.equal(has('eevee tin'), true);
    index.add({ ...tin, name: 'Sylveon Tin' });
    index.commit();
    assert.deepEqual([has('eevee tin'), has('sylveon tin')], [false, true]);
    index.remove(tin);
    assert.equal(has('sylveon tin'), true);
    index.commit();
    assert.equal(has('sylveon tin'), false);
    assert.equal(index.find('').found.length, PRODUCTS.length);
  });
});
