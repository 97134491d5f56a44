import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Catalog } from '../../src/catalog/catalog.ts';
import { defaultPrinting } from '../../src/domain/card.ts';
import { importBackfill } from '../../src/ingest/drivers/backfill.ts';
import { openQuotes } from '../../src/sources/quotes/read.ts';
import type { Store } from '../../src/store/connect.ts';
import { forEachEngine } from '../support/engines.ts';
import { FeedFolder } from '../support/feeds.ts';
import { NOW, withTree } from '../support/tcgcsv.ts';

const CHARIZARD = 'pokemon-bs-charizard-004';
const clock = () => NOW;

async function importQuotes(store: Store, rows: readonly string[]): Promise<void> {
  const header = 'card,date,market,buylist,sales,sales_days,last_sale,marketplace,currency';
  const file = new FeedFolder().write('quotes.csv', [header, ...rows].join('\n'));
  const options = { format: 'csv', renamed: new Map(), marketplace: 'my-shop', now: NOW } as const;
  const { broken } = await importBackfill(store, await openQuotes(file, options), { clock });
  assert.deepEqual(broken, []);
}

async function tradeOf(store: Store) {
  const catalog = new Catalog(store);
  await catalog.refresh();
  const card = catalog.card(CHARIZARD) ?? assert.fail();
  return defaultPrinting(card)?.trade;
}

forEachEngine((_label, open) => {
  test('buy prices and sales of own quotes are kept, served and replaced', async () => {
    const store = await withTree(open);
    await importQuotes(store, [
      `${CHARIZARD},2026-01-27,440,200,7,,,my-shop,`,
      `${CHARIZARD},2026-01-28,450,210,12,90,2026-01-26,my-shop,`,
    ]);
    const { buylist, sales } = (await tradeOf(store)) ?? {};
    const at = Date.parse('2026-01-28');
    assert.deepEqual(buylist, { amount: 21_000, currency: 'USD', marketplace: 'my-shop', at });
    assert.deepEqual(sales, { count: 12, days: 90, last: Date.parse('2026-01-26') / 86_400_000 });
    await importQuotes(store, [`${CHARIZARD},2026-01-28,450,,,,,my-shop,`]);
    assert.equal(await tradeOf(store), undefined);
  });

  test("a buy price above the dealer's own price is kept, but not served", async () => {
    const store = await withTree(open);
    await importQuotes(store, [`${CHARIZARD},2026-01-28,450,451,,,,my-shop,`]);
    assert.equal(await tradeOf(store), undefined);
    const rows = await store.db
      .selectFrom('observations')
      .where('marketplace', '=', 'my-shop')
      .select('trade')
      .execute();
    assert.deepEqual(rows, [{ trade: '{"buylist":45100}' }]);
  });
});
