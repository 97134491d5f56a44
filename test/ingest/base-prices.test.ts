import assert from 'node:assert/strict';
import { it } from 'node:test';
import { Catalog } from '../../src/catalog/catalog.ts';
import { parseDay } from '../../src/domain/day.ts';
import { rollBackDays } from '../../src/ingest/decisions/rollback.ts';
import type { Store } from '../../src/store/connect.ts';
import { forEachEngine } from '../support/engines.ts';
import { type Date as DateText, Market } from '../support/market.ts';
import { moment } from '../support/resolved.ts';

const CARD = 'mtg-lea-card-1-1';

/** The catalogue of a process that serves in the meantime. */
async function openCatalog(store: Store) {
  const catalog = new Catalog(store);
  await catalog.refresh();
  return async () => {
    await catalog.refresh();
    const {
      '1d': day,
      '7d': week,
      '30d': month,
      doubts,
    } = catalog.card(CARD)?.printings[0]?.bases ?? {
      '1d': null,
      '7d': null,
      '30d': null,
      doubts: {},
    };
    return { bases: [day, week, month], doubts };
  };
}

const none = { bases: [null, null, null], doubts: {} };

/** Each rises by a cent a day from 10 dollars on. */
async function listDays(market: Market, days: readonly number[]): Promise<void> {
  for (const day of days) {
    const date: DateText = `2026-${day < 32 ? '01' : '02'}-${String(((day - 1) % 31) + 1).padStart(2, '0')}`;
    await market.lists(date, { '1 Normal': 10 + day / 100 });
  }
}

forEachEngine((_label, open) => {
  it('The bases of a price are from 1, 7 and 30 days before its newest day', async () => {
    const store = await open();
    const market = new Market(store);
    await listDays(market, [1]);
    const read = await openCatalog(store);
    assert.deepEqual(await read(), none);
    await listDays(market, [2, 3, 4, 5, 6, 7, 8]);
    assert.deepEqual(await read(), { bases: [1007, 1001, null], doubts: {} });
    await listDays(market, [25, 30, 31]);
    assert.deepEqual(await read(), { bases: [1030, null, 1001], doubts: {} });
  });

  it('Days that a backfill adds later become bases with the next publication', async () => {
    const store = await open();
    const market = new Market(store);
    await listDays(market, [40]);
    const read = await openCatalog(store);
    assert.deepEqual(await read(), none);
    const days = { '2026-02-02': 9.8, '2026-01-10': 9.5 };
    await market.remembers('2026-02-09', ['1', 'Normal'], days);
    assert.deepEqual(await read(), { bases: [null, 980, 950], doubts: {} });
  });

  it('Days that are rolled back are no longer bases', async () => {
    const store = await open();
    const market = new Market(store);
    await listDays(market, [20, 28, 29, 30]);
    const read = await openCatalog(store);
    assert.deepEqual(await read(), { bases: [1029, 1020, null], doubts: {} });
    const [since, until] = [parseDay('2026-01-29'), parseDay('2026-01-29')];
    assert(since !== undefined && until !== undefined);
    const clock = () => moment('2026-01-31T00:00:00Z');
    await rollBackDays(store, { source: 'tcgcsv', since, until }, { clock });
    assert.deepEqual(await read(), { bases: [1028, 1020, null], doubts: {} });
  });

  it('A change of the marketplace is in doubt', async () => {
    const store = await open();
    const market = new Market(store, { limits: null });
    await listDays(market, [1, 2]);
    const read = await openCatalog(store);
    const day = { '1 Normal': 6 };
    const extras = { source: 'pricecharting', marketplace: 'pricecharting' };
    await market.feeds('2026-02-02', day, extras);
    assert.deepEqual(await read(), {
      bases: [null, null, 1002],
      doubts: { '30d': 'marketplace-changed' },
    });
  });

  it('Days on which a source only repeated itself are none', async () => {
    const store = await open();
    const market = new Market(store);
    const board = Object.fromEntries(
      Array.from({ length: 25 }, (_, index) => [`${index + 1} Normal`, 10 + index]),
    );
    await market.lists('2026-01-20', board);
    await market.lists('2026-01-21', board);
    const read = await openCatalog(store);
    assert.deepEqual(await read(), none);
    await market.lists('2026-01-22', { ...board, '1 Normal': 10.5 });
    assert.deepEqual(await read(), { bases: [1000, null, null], doubts: {} });
  });
});
