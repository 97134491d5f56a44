import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { Catalog } from '../../src/catalog/catalog.ts';
import { defaultPrinting } from '../../src/domain/card.ts';
import { type Day, dayOf } from '../../src/domain/day.ts';
import type { Rates } from '../../src/domain/rates.ts';
import { rateOn } from '../../src/domain/rates.ts';
import { importRates } from '../../src/ingest/drivers/rates.ts';
import { readEcb } from '../../src/sources/ecb.ts';
import type { Store } from '../../src/store/connect.ts';
import { forEachEngine } from '../support/engines.ts';
import { charizard, feedItem, importItems, OBSERVED } from '../support/feed-items.ts';
import { NOW, withTree } from '../support/tcgcsv.ts';

const clock = () => NOW;
const CHARIZARD = 'pokemon-bs-charizard-004';
const EUROS = { market: 'cardmarket', currency: 'EUR', conditions: { near_mint: 40_000 } } as const;
const DAY = dayOf(OBSERVED);
const FIXTURE = readEcb('hist.xml', readFileSync('test/fixtures/ecb/eurofxref-hist-90d.xml'));

function published(...rates: readonly (readonly [day: Day, dollarsPerUnit: number])[]) {
  const all = rates.map(([day, dollarsPerUnit]) => {
    return { currency: 'EUR' as const, day, dollarsPerUnit, source: 'ecb' as const };
  });
  const newest = Math.max(...all.map(({ day }) => day));
  return { source: 'ecb', observedAt: newest * 86_400_000, rates: all };
}

async function nearMint(store: Store): Promise<number | undefined> {
  const catalog = new Catalog(store);
  await catalog.refresh();
  const card = catalog.card(CHARIZARD) ?? assert.fail();
  return defaultPrinting(card)?.prices.conditions.near_mint;
}

async function withEuros(store: Store, rates?: Rates): Promise<void> {
  await importItems(store, 'cardmarket', [feedItem(charizard(), EUROS)], rates && { rates });
}

forEachEngine((_label, open) => {
  test('published rates convert the prices that are known, and those that come later', async () => {
    const store = await withTree(open);
    await withEuros(store);
    assert.equal(await nearMint(store), undefined);
    const { rates, ratesChanged, pricesChanged } = await importRates(store, FIXTURE, { clock });
    assert.deepEqual([rates, ratesChanged, pricesChanged], [9, 9, 1]);
    assert.equal(await nearMint(store), 43_220, 'by 1.0805, the rate of the day');
    const later = { ...EUROS, conditions: { near_mint: 41_000 } };
    await importItems(store, 'cardmarket', [feedItem(charizard(), later)]);
    assert.equal(await nearMint(store), 44_301);
  });

  test('a price of a weekend has the rate of Friday', async () => {
    const store = await withTree(open);
    const observedAt = Date.parse('2026-01-25T10:00:00Z');
    await importRates(store, FIXTURE, { clock });
    await importItems(store, 'cardmarket', [feedItem(charizard(), { ...EUROS, observedAt })]);
    assert.equal(await nearMint(store), 43_200);
  });

  test('the same rates change nothing, and publish nothing', async () => {
    const store = await withTree(open);
    await importRates(store, FIXTURE, { clock });
    const catalog = new Catalog(store);
    await catalog.refresh();
    const { ratesChanged } = await importRates(store, FIXTURE, { clock });
    assert.equal(ratesChanged, 0);
    assert.equal(await catalog.refresh(), false);
  });

  test('a serving process gets new rates with the next publication, exactly', async () => {
    const store = await withTree(open);
    const catalog = new Catalog(store);
    await catalog.refresh();
    assert.deepEqual(catalog.rates, []);
    await importRates(store, FIXTURE, { clock });
    assert.equal(await catalog.refresh(), true);
    for (const { currency, day, dollarsPerUnit } of FIXTURE.rates) {
      assert.equal(rateOn(catalog.rates, currency, day)?.dollarsPerUnit, dollarsPerUnit);
    }
  });

  test('rates that the operator sets come first', async () => {
    const store = await withTree(open);
    const own: Rates = [{ currency: 'EUR', day: DAY, dollarsPerUnit: 1.1 }];
    await withEuros(store, own);
    await importRates(store, FIXTURE, { clock, rates: own });
    assert.equal(await nearMint(store), 44_000);
    await importRates(store, FIXTURE, { clock, rates: [] });
    assert.equal(await nearMint(store), 43_220, 'until the operator has none');
  });

  test('a corrected rate converts the prices again from its day on', async () => {
    const store = await withTree(open);
    await withEuros(store);
    await importRates(store, published([DAY, 1.1]), { clock });
    assert.equal(await nearMint(store), 44_000);
    const earlier = (DAY - 7) as Day;
    const { pricesChanged } = await importRates(store, published([earlier, 1.12]), { clock });
    assert.equal(pricesChanged, 0);
    await importRates(store, published([DAY, 1.2]), { clock });
    assert.equal(await nearMint(store), 48_000);
  });

  test('rates that jump, or are of a day to come, are refused as a whole', async () => {
    const store = await withTree(open);
    await importRates(store, published([DAY, 1.08]), { clock });
    const jump = published([DAY, 1.08], [(DAY - 1) as Day, 0.108]);
    const message = /The rate of EUR goes from \$0\.10800 on 2026-01-27 to \$1\.0800 on 2026-01-28/;
    await assert.rejects(importRates(store, jump, { clock }), message);
    const future = published([(dayOf(NOW) + 3) as Day, 1.08]);
    await assert.rejects(importRates(store, future, { clock }), /which is in the future/);
    assert.equal((await store.db.selectFrom('exchange_rates').selectAll().execute()).length, 1);
  });
});
