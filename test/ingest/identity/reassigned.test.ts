/** What an import does if a product id comes back as another card. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { approveQuarantined } from '../../../src/ingest/decisions/approve.ts';
import { undoDecision } from '../../../src/ingest/decisions/undo.ts';
import type { Store } from '../../../src/store/connect.ts';
import {
  listQuarantined,
  quarantinePages,
  rejectMatching,
} from '../../../src/store/quarantine/quarantine.ts';
import { forEachEngine } from '../../support/engines.ts';
import { importTree, NOW, TreeCopy } from '../../support/tcgcsv.ts';

const DAYS = ['2026-01-29T20:00:00+0000', '2026-01-30T20:00:00+0000', '2026-01-31T20:00:00+0000'];

type Product = Record<string, unknown> & { extendedData: { name: string; value: string }[] };

/** Changes the name and number of a product. */
function describe(product: Product | undefined, name: string, number?: string): void {
  if (!product) throw new Error('no such product');
  product.name = name;
  const field = product.extendedData.find((one) => one.name === 'Number');
  if (field && number !== undefined) field.value = number;
}

function edit(tree: TreeCopy, group: string, change: (of: (id: number) => Product) => void): void {
  tree.edit(`${group}/products`, (results) => {
    change((id) => results.find(({ productId }) => productId === id) as Product);
  });
}

function reprice(tree: TreeCopy, group: string, prices: Record<number, number>): void {
  tree.edit(`${group}/prices`, (results) => {
    for (const row of results) {
      const price = prices[row.productId as number];
      if (price) Object.assign(row, { lowPrice: price, midPrice: price, marketPrice: price });
    }
  });
}

async function cards(store: Store, ...ids: string[]): Promise<Record<string, string>> {
  const rows = await store.db
    .selectFrom('card_external_ids')
    .innerJoin('cards', 'cards.id', 'card_external_ids.card_id')
    .leftJoin('printings', 'printings.card_id', 'cards.id')
    .where('external_id', 'in', ids)
    .orderBy('external_id')
    .select(['public_id', 'cards.name', 'cards.number', 'market'])
    .execute();
  return Object.fromEntries(
    rows.map(({ public_id, name, number, market }) => {
      return [public_id, `${name} ${number}: ${market}`];
    }),
  );
}

async function waiting(store: Store): Promise<string[]> {
  const entries = await listQuarantined(store.db, { isDecided: false });
  return entries.map(({ printing, rule, detail }) => `${printing} ${rule}: ${detail}`);
}

const CHARIZARD = { 'pokemon-bs-charizard-004': 'Charizard 004/102: 45386' };

forEachEngine((_label, open) => {
  async function openTree() {
    const store = await open();
    const tree = new TreeCopy();
    await importTree(store, tree.folder);
    return { store, tree };
  }

  /** Base Set's Charizard with the name and prices of a Lugia. */
  async function openReassigned() {
    const { store, tree } = await openTree();
    edit(tree, '3/604', (of) => describe(of(42_382), 'Lugia', '149/147'));
    reprice(tree, '3/604', { 42382: 120 });
    const { quarantined } = await importTree(store, tree.observed(DAYS[0] ?? '').folder);
    return { store, tree, quarantined };
  }

  test('a card keeps its name and its price if its id is given to another card', async () => {
    const { store, quarantined } = await openReassigned();
    assert.deepEqual(await cards(store, '42382'), CHARIZARD);
    assert.deepEqual(quarantined, { 'reassigned-id': 1 });
    assert.deepEqual(await waiting(store), [
      'Holofoil reassigned-id: tcgcsv’s id 42382 was Charizard (004/102, Holo Rare) and is now ' +
        'Lugia (149/147, Holo Rare), which is another card.',
    ]);
  });

  test('it keeps them on the following days, when only the prices change', async () => {
    const { store, tree } = await openReassigned();
    reprice(tree, '3/604', { 42382: 121 });
    await importTree(store, tree.observed(DAYS[1] ?? '').folder);
    assert.deepEqual(await cards(store, '42382'), CHARIZARD);
    assert.equal((await waiting(store)).length, 1);
  });

  test('the claim is over once the id means its card again', async () => {
    const { store, tree } = await openReassigned();
    edit(tree, '3/604', (of) => describe(of(42_382), 'Charizard', '004/102'));
    reprice(tree, '3/604', { 42382: 460 });
    await importTree(store, tree.observed(DAYS[1] ?? '').folder);
    assert.deepEqual(await waiting(store), []);
    assert.deepEqual(await cards(store, '42382'), {
      'pokemon-bs-charizard-004': 'Charizard 004/102: 46000',
    });
  });

  test('the other cards of the set get their new prices', async () => {
    const { store, tree } = await openTree();
    edit(tree, '3/604', (of) => describe(of(42_382), 'Lugia', '149/147'));
    reprice(tree, '3/604', { 42360: 160 });
    await importTree(store, tree.observed(DAYS[0] ?? '').folder);
    const { 'pokemon-bs-blastoise-002': blastoise } = await cards(store, '42360');
    assert.equal(blastoise, 'Blastoise 002/102: 16000');
  });

  test('two cards that have exchanged their ids keep their names and prices', async () => {
    const { store, tree } = await openTree();
    const before = await cards(store, '610396', '610511');
    edit(tree, '3/23821', (of) => {
      describe(of(610_396), 'Sylveon ex - 156/131', '156/131');
      describe(of(610_511), 'Sylveon ex - 041/131', '041/131');
    });
    const { quarantined } = await importTree(store, tree.observed(DAYS[0] ?? '').folder);
    assert.deepEqual(await cards(store, '610396', '610511'), before);
    assert.deepEqual(quarantined, { 'reassigned-id': 2 });
  });

  test('a claim without any price waits as well', async () => {
    const { store, tree } = await openTree();
    edit(tree, '3/604', (of) => describe(of(42_438), 'Lugia', '149/147'));
    tree.edit('3/604/prices', (results) => {
      results.splice(0, results.length, ...results.filter((row) => row.productId !== 42_438));
    });
    await importTree(store, tree.observed(DAYS[0] ?? '').folder);
    assert.deepEqual(await cards(store, '42438'), {
      'pokemon-bs-potion-094': 'Potion 094/102: 20',
    });
    assert.match((await waiting(store)).join(), /^Normal reassigned-id: [^,]+ Potion/);
    const [claim] = await listQuarantined(store.db, { isDecided: false });
    assert.equal(claim?.observation?.days, 1);
  });

  test('corrections of the spelling pass', async () => {
    const { store, tree } = await openTree();
    edit(tree, '3/604', (of) => {
      describe(of(42_382), 'Charizard (Unlimited)', '4/102');
      describe(of(42_360), 'Blastiose');
      describe(of(42_346), 'Alakazam - 001/102');
    });
    const { quarantined } = await importTree(store, tree.observed(DAYS[0] ?? '').folder);
    assert.deepEqual(quarantined, {});
    assert.deepEqual(Object.values(await cards(store, '42382', '42360')), [
      'Blastiose 002/102: 15676',
      'Charizard (Unlimited) 4/102: 45386',
    ]);
  });

  test('an approval makes the other card of it, with its prices, and can be undone', async () => {
    const { store } = await openReassigned();
    const entries = quarantinePages(store.db, { isDecided: false });
    const { accepted, decidedAt } = await approveQuarantined(store, entries, () => NOW);
    assert.equal(accepted, 1);
    assert.deepEqual(await cards(store, '42382'), {
      'pokemon-bs-charizard-004': 'Lugia 149/147: 12000',
    });
    await undoDecision(store, decidedAt, () => NOW + 1);
    assert.deepEqual(await cards(store, '42382'), CHARIZARD);
    assert.equal((await waiting(store)).length, 1);
  });

  test('the approval of one printing is one of the whole card', async () => {
    const { store, tree } = await openTree();
    edit(tree, '3/1373', (of) => describe(of(83_445), 'Bulbasaur', '44/102'));
    await importTree(store, tree.observed(DAYS[0] ?? '').folder);
    const [first] = await listQuarantined(store.db, { isDecided: false });
    assert.ok(first);
    const { accepted } = await approveQuarantined(store, [first], () => NOW);
    assert.equal(accepted, 2);
    assert.deepEqual(await waiting(store), []);
  });

  test('a rejected claim stays rejected at any price, and another one is listed', async () => {
    const { store, tree } = await openReassigned();
    await rejectMatching(store.db, {}, NOW);
    reprice(tree, '3/604', { 42382: 900 });
    await importTree(store, tree.observed(DAYS[1] ?? '').folder);
    assert.deepEqual(await waiting(store), []);
    edit(tree, '3/604', (of) => describe(of(42_382), 'Mewtwo', '150/151'));
    await importTree(store, tree.observed(DAYS[2] ?? '').folder);
    assert.match((await waiting(store)).join(), /is now Mewtwo/);
    assert.deepEqual(await cards(store, '42382'), CHARIZARD);
  });

  test('an import without validation follows its source', async () => {
    const { store, tree } = await openTree();
    edit(tree, '3/604', (of) => describe(of(42_382), 'Lugia', '149/147'));
    await importTree(store, tree.observed(DAYS[0] ?? '').folder, { limits: null });
    assert.deepEqual(Object.values(await cards(store, '42382')), ['Lugia 149/147: 45386']);
  });
});
