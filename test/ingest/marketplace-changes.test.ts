import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Catalog } from '../../src/catalog/catalog.ts';
import { listMarketplaceChanges } from '../../src/store/catalogue/marketplace-changes.ts';
import { forEachEngine } from '../support/engines.ts';
import { charizard, feedItem, importItems, OBSERVED } from '../support/feed-items.ts';
import { FIXTURE, importTree, NOW, TreeCopy } from '../support/tcgcsv.ts';

const DAY = 86_400_000;

forEachEngine((_label, openTestStore) => {
  async function open() {
    const store = await openTestStore();
    await importTree(store, FIXTURE);
    const figures = async () => {
      const catalog = new Catalog(store);
      await catalog.refresh();
      const [printing] = catalog.card('pokemon-bs-charizard-004')?.printings ?? [];
      assert.ok(printing);
      return [printing.prices.market, printing.prices.sources];
    };
    const guide = (daysLater: number, market = 120_000) => {
      const observedAt = OBSERVED + daysLater * DAY;
      return importItems(store, 'pricecharting', [
        feedItem(charizard(), { market: 'pricecharting', observedAt, prices: { market } }),
      ]);
    };
    return { store, figures, guide };
  }

  test('8 days without TCGCSV while another marketplace reports swap nothing', async () => {
    const { store, figures, guide } = await open();
    for (let day = 0; day <= 8; day += 1) await guide(day);
    assert.deepEqual(await figures(), [45_386, ['tcgplayer']]);
    assert.deepEqual(await listMarketplaceChanges(store.db, { limit: 10 }), []);
  });

  test('a change of the marketplace is listed, there and back, newest first', async () => {
    const { store, figures, guide } = await open();
    await guide(30);
    assert.deepEqual(await figures(), [45_386, ['tcgplayer']]);
    await guide(31);
    assert.deepEqual(await figures(), [120_000, ['pricecharting']]);
    await guide(32, 121_000);
    await importTree(store, new TreeCopy().observed('2026-03-05T20:05:12+0000').folder);
    assert.deepEqual(await figures(), [45_386, ['tcgplayer']]);
    const changes = await listMarketplaceChanges(store.db, { limit: 10 });
    const card = { card: 'pokemon-bs-charizard-004', name: 'Charizard', game: 'pokemon' };
    const rest = { ...card, set: 'Base Set', printing: 'Holofoil', changedAt: NOW };
    assert.deepEqual(changes, [
      { ...rest, from: 'pricecharting', to: 'tcgplayer', day: dayOf('2026-03-05') },
      { ...rest, from: 'tcgplayer', to: 'pricecharting', day: dayOf('2026-02-28') },
    ]);
    const page = { limit: 1, offset: 1 };
    assert.deepEqual(await listMarketplaceChanges(store.db, page), changes.slice(1));
    assert.deepEqual(await listMarketplaceChanges(store.db, { limit: 9, game: 'mtg' }), []);
    assert.deepEqual(await listMarketplaceChanges(store.db, { limit: 9, since: NOW + 1 }), []);
  });

  test('prices that were gone in between still count from their last marketplace', async () => {
    const { store, figures, guide } = await open();
    const tree = new TreeCopy().observed('2026-01-29T20:05:12+0000');
    tree.edit('3/604/prices', (prices) => {
      prices.splice(
        prices.findIndex(({ productId }) => productId === 42_382),
        1,
      );
    });
    await importTree(store, tree.folder);
    assert.deepEqual(await figures(), [null, []]);
    await guide(2, 45_000);
    const [change] = await listMarketplaceChanges(store.db, { limit: 10 });
    assert.deepEqual([change?.from, change?.to], ['tcgplayer', 'pricecharting']);
  });
});

function dayOf(date: string): number {
  return Date.parse(date) / DAY;
}
