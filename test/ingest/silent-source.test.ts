/** What is served while the first source of a marketplace has no news of a printing. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { explainPrinting } from '../../src/domain/explain.ts';
import { observationsOf } from '../../src/store/catalogue/observations.ts';
import type { Store } from '../../src/store/connect.ts';
import { forEachEngine } from '../support/engines.ts';
import { Market } from '../support/market.ts';

async function explained(store: Store) {
  const rows = await store.db.selectFrom('printings').select('id').execute();
  const ids = rows.map(({ id }) => id);
  const observations = await observationsOf(store, store.db, ids);
  const [market] = explainPrinting(observations, [], { estimates: false });
  return [market?.explanation, ...(market?.leftOut.map(({ explanation }) => explanation) ?? [])];
}

forEachEngine((_label, open) => {
  /** TCGCSV's last day, and a first day of Scryfall. */
  async function openMarket(scryfall = 10) {
    const store = await open();
    const market = new Market(store);
    await market.lists('2026-01-20', { '1 Normal': 10 });
    await market.feeds('2026-01-20', { '1 Normal': scryfall });
    return { store, market };
  }

  test('a source that agreed with a silent one is served from the second day on', async () => {
    const { store, market } = await openMarket();
    const served = [];
    for (const [day, price] of [
      ['2026-01-21', 11],
      ['2026-01-22', 12],
      ['2026-01-23', 13],
    ] as const) {
      await market.feeds(day, { '1 Normal': price });
      served.push((await market.served())['1 Normal']);
    }
    assert.deepEqual(served, [10, 12, 13]);
    assert.deepEqual(await explained(store), [
      'tcgcsv has been silent about this printing for 3 days; scryfall agreed with it before, and ' +
        'has a newer price.',
      'Passed over: tcgcsv has been silent about this printing for 3 days.',
    ]);
  });

  test('the silent source is served again as soon as it has a price', async () => {
    const { market } = await openMarket();
    await market.feeds('2026-01-23', { '1 Normal': 13 });
    await market.lists('2026-01-23', { '1 Normal': 12.9 });
    assert.deepEqual(await market.served(), { '1 Normal': 12.9 });
    assert.deepEqual(await market.history('1', 'Normal'), [10, 12.9]);
  });

  test('a source that had another price waits until the silent one is too old', async () => {
    const { market } = await openMarket(12);
    await market.feeds('2026-01-23', { '1 Normal': 12 });
    assert.deepEqual(await market.served(), { '1 Normal': 10 });
    await market.feeds('2026-01-28', { '1 Normal': 12 });
    assert.deepEqual(await market.served(), { '1 Normal': 12 });
  });

  test('so does one that was never compared', async () => {
    const store = await open();
    const market = new Market(store);
    await market.lists('2026-01-20', { '1 Normal': 10 });
    await market.feeds('2026-01-24', { '1 Normal': 10 });
    assert.deepEqual(await market.served(), { '1 Normal': 10 });
  });

  test('one that no longer agrees is not preferred', async () => {
    const { market } = await openMarket();
    await market.lists('2026-01-21', { '1 Normal': 10 });
    await market.feeds('2026-01-21', { '1 Normal': 12 });
    await market.feeds('2026-01-23', { '1 Normal': 12 });
    assert.deepEqual(await market.served(), { '1 Normal': 10 });
  });

  test('a printing whose price is in quarantine is of the other source, its siblings are not', async () => {
    const store = await open();
    const market = new Market(store);
    await market.lists('2026-01-20', { '1 Normal': 10, '1 Foil': 30 });
    await market.feeds('2026-01-20', { '1 Normal': 10, '1 Foil': 30 });
    await market.lists('2026-01-22', { '1 Normal': 99, '1 Foil': 31 });
    await market.feeds('2026-01-22', { '1 Normal': 10.5, '1 Foil': 30 });
    assert.deepEqual(await market.served(), { '1 Foil': 31, '1 Normal': 10.5 });
  });

  test('a switch within a marketplace is no marketplace change', async () => {
    const { store, market } = await openMarket();
    await market.feeds('2026-01-23', { '1 Normal': 13 });
    assert.deepEqual(await market.served(), { '1 Normal': 13 });
    assert.deepEqual(await store.db.selectFrom('marketplace_changes').selectAll().execute(), []);
  });
});
