import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Day, dayOf } from '../../src/domain/day.ts';
import type { Cents } from '../../src/domain/money.ts';
import { importBackfill } from '../../src/ingest/drivers/backfill.ts';
import type { Backfill, BackfillListing } from '../../src/sources/contract/backfill.ts';
import type { PrintingRow } from '../../src/store/catalogue/schema.ts';
import type { Store } from '../../src/store/connect.ts';
import { historyReader } from '../../src/store/history/index.ts';
import { CHARIZARD_ID, charizard, daysOf } from '../support/charizard.ts';
import { forEachEngine } from '../support/engines.ts';
import { NOW, withTree } from '../support/tcgcsv.ts';

/** Market prices of an operator's own series. */
function seriesOf(listings: readonly BackfillListing[]): Backfill {
  return {
    source: 'quotes',
    idSpace: null,
    marketplace: 'my-shop',
    figures: ['market'],
    total: 1,
    async *parts() {
      const chunks = [{ listings, skipped: {}, broken: [] }];
      yield { outcome: { kind: 'read', name: 'quotes', part: { chunks } }, done: 1 };
    },
  };
}

function listing(date: string, market: number | null, printingName?: string): BackfillListing {
  const day = dayOf(Date.parse(date));
  const prices = { market, low: null, mid: null, high: null } as BackfillListing['prices'];
  return { externalId: CHARIZARD_ID, printing: printingName, day, prices };
}

async function cardWithoutPrintings(store: Store): Promise<{ id: number; public_id: string }> {
  return store.db
    .selectFrom('cards')
    .leftJoin('printings', 'printings.card_id', 'cards.id')
    .where('printings.id', 'is', null)
    .select(['public_id', 'cards.id'])
    .executeTakeFirstOrThrow();
}

function printingsOf(store: Store, card: number): Promise<PrintingRow[]> {
  const rows = store.db.selectFrom('printings').where('card_id', '=', card);
  return rows.selectAll().orderBy('id').execute();
}

const clock = () => NOW;

forEachEngine((_label, open) => {
  const openWithTree = () => withTree(open);

  test('all figures of a day are of the highest-ranked source, never mixed', async () => {
    const store = await openWithTree();
    await importBackfill(
      store,
      seriesOf([listing('2026-01-28', 100), listing('2026-01-29', 150)]),
      {
        clock,
      },
    );
    const row = await charizard(store);
    const days = await historyReader(store)(row.id, 0 as Day, 60_000 as Day);
    assert.deepEqual(
      days.map(({ market, low, high }) => [market, low, high]),
      [
        [100, null, null],
        [150, null, null],
      ],
    );
    assert.deepEqual([row.market, row.low, row.sources], [150, null, '["my-shop"]']);
  });

  test('a price that is too old for its source is not served, and its days stay', async () => {
    const store = await openWithTree();
    await importBackfill(store, seriesOf([listing('2026-01-25', 44_000)]), { clock });
    const row = await charizard(store);
    assert.deepEqual([row.market, row.sources], [45_386, '["tcgplayer"]']);
    assert.deepEqual(await daysOf(store, row), [
      ['2026-01-25', 44_000],
      ['2026-01-28', 45_386],
    ]);
  });

  test('a shop is not out of date because another one has newer prices of the game', async () => {
    const store = await openWithTree();
    const other = { ...listing('2026-01-29', 46_000), marketplace: 'other' };
    await importBackfill(store, seriesOf([other]), { clock });
    await importBackfill(store, seriesOf([listing('2026-01-28', 45_000)]), { clock });
    const { id } = await charizard(store);
    const reported = await store.db
      .selectFrom('observations')
      .where('printing_id', '=', id)
      .where('source', '=', 'quotes')
      .select(['marketplace', 'market'])
      .orderBy('marketplace')
      .execute();
    assert.deepEqual(reported, [
      { marketplace: 'my-shop', market: 45_000 },
      { marketplace: 'other', market: 46_000 },
    ]);
  });

  test('of two prices for one day the later in the file counts', async () => {
    const store = await openWithTree();
    const twice = [listing('2026-01-30', 10), listing('2026-01-29', 20), listing('2026-01-30', 30)];
    await importBackfill(store, seriesOf(twice), { clock });
    const row = await charizard(store);
    assert.deepEqual((await daysOf(store, row)).slice(1), [
      ['2026-01-29', 20],
      ['2026-01-30', 30],
    ]);
    assert.equal(row.market, 30);
  });

  test('an observation without a printing is of the default printing', async () => {
    const store = await openWithTree();
    const summary = await importBackfill(store, seriesOf([listing('2025-01-01', 44_000)]), {
      clock,
    });
    assert.equal(summary.points, 1);
    assert.deepEqual((await daysOf(store, await charizard(store)))[0], ['2025-01-01', 44_000]);
  });

  test('of a card without printings it is of the unspecified printing', async () => {
    const store = await openWithTree();
    const bare = await cardWithoutPrintings(store);
    const own = { ...listing('2026-01-28', 700), externalId: bare.public_id };
    await importBackfill(store, seriesOf([own]), { clock });
    const rows = await printingsOf(store, bare.id);
    assert.deepEqual(
      rows.map(({ name, market }) => [name, market]),
      [['Unspecified', 700]],
    );
  });

  test('it moves from the unspecified printing to one that is known later', async () => {
    const store = await openWithTree();
    const bare = await cardWithoutPrintings(store);
    const listed = (...args: Parameters<typeof listing>) => {
      return { ...listing(...args), externalId: bare.public_id };
    };
    await importBackfill(store, seriesOf([listed('2026-01-20', 700)]), { clock });
    await importBackfill(store, seriesOf([listed('2026-01-21', 710, 'Normal')]), { clock });
    const both = [listed('2026-01-24', 715), listed('2026-01-25', 720)];
    await importBackfill(store, seriesOf(both), { clock });
    const rows = await printingsOf(store, bare.id);
    assert.deepEqual(
      rows.map(({ name, market }) => [name, market]),
      [
        ['Unspecified', null],
        ['Normal', 720],
      ],
    );
    const days = await Promise.all(rows.map((row) => daysOf(store, row)));
    assert.deepEqual(days[0], [['2026-01-20', 700]], 'the new days are of the known printing only');
    assert.deepEqual(
      days[1]?.map(([day]) => day),
      ['2026-01-21', '2026-01-24', '2026-01-25'],
    );
  });

  test('conditions and grades of the newest day are served, each marketplace for itself', async () => {
    const store = await openWithTree();
    const graded = { psa_10: 900_000 as Cents };
    const nearMint = (cents: number) => ({ near_mint: cents as Cents });
    const listings = [
      { ...listing('2026-01-28', null), conditions: nearMint(2), graded: {} },
      { ...listing('2026-01-27', null), conditions: nearMint(1), graded: {} },
      { ...listing('2026-01-28', null), marketplace: 'my-slabs', conditions: {}, graded },
    ];
    await importBackfill(store, seriesOf(listings), { clock });
    const row = await charizard(store);
    assert.deepEqual(
      [row.market, row.conditions, row.graded, row.sources],
      [45_386, '{"near_mint":2}', '{"psa_10":900000}', '["my-shop","my-slabs","tcgplayer"]'],
    );
  });

  test('what a file cannot report stays as the same source has reported it of that day', async () => {
    const store = await openWithTree();
    const graded = { psa_10: 900_000 as Cents };
    await importBackfill(store, seriesOf([listing('2026-01-28', 44_000)]), { clock });
    const later = [{ ...listing('2026-01-28', null), graded }];
    await importBackfill(store, { ...seriesOf(later), figures: [] }, { clock });
    const { market, graded: served, sources } = await charizard(store);
    assert.deepEqual([market, served, sources], [44_000, '{"psa_10":900000}', '["my-shop"]']);
  });

  test('euros of past days are served by the rate of their day', async () => {
    const store = await openWithTree();
    const rates = [
      { currency: 'EUR', day: dayOf(Date.parse('2026-01-20')), dollarsPerUnit: 1.5 },
      { currency: 'EUR', day: dayOf(Date.parse('2026-01-29')), dollarsPerUnit: 1.2 },
    ] as const;
    const days = ['2026-01-19', '2026-01-21', '2026-03-10'];
    const listings = days.map((date) => ({ ...listing(date, 30_000), currency: 'EUR' as const }));
    await importBackfill(store, seriesOf(listings), { clock, rates });
    const row = await charizard(store);
    assert.deepEqual([row.market, row.sources], [36_000, '["my-shop"]']);
    assert.deepEqual(await daysOf(store, row), [
      ['2026-01-21', 45_000],
      ['2026-01-28', 45_386],
      ['2026-03-10', 36_000],
    ]);
  });
});
