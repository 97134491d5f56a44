import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Day, dayOf, formatDay } from '../../src/domain/day.ts';
import { importPast } from '../../src/ingest/past.ts';
import type { Past, PastListing } from '../../src/sources/source.ts';
import type { Store } from '../../src/store/connect.ts';
import { historyReader } from '../../src/store/history.ts';
import type { PrintingRow } from '../../src/store/schema.ts';
import { forEachEngine } from '../support/engines.ts';
import { FIXTURE, importTree, NOW } from '../support/tcgcsv.ts';

/** Served as of 2026-01-28T20:05:12Z: market 453.86, low 330.04, mid 499.50, high 1249.99. */
const CHARIZARD_ID = 'pokemon-bs-charizard-004';

async function charizard(store: Store): Promise<PrintingRow> {
  return store.db
    .selectFrom('printings')
    .innerJoin('cards', 'cards.id', 'printings.card_id')
    .where('cards.public_id', '=', CHARIZARD_ID)
    .selectAll('printings')
    .executeTakeFirstOrThrow();
}

async function daysOf(store: Store, { id }: PrintingRow): Promise<[string, number | null][]> {
  const days = await historyReader(store)(id, 0 as Day, 60_000 as Day);
  return days.map(({ day, market }) => [formatDay(day), market]);
}

/** Quotes of Charizard's market price only, from somebody else. */
function quotes(listings: readonly PastListing[]): Past {
  return {
    source: 'quotes',
    ids: null,
    priceSource: 'my-shop',
    figures: ['market'],
    total: 1,
    async *parts() {
      const chunks = [{ listings, skipped: {}, broken: [] }];
      yield { outcome: { kind: 'read', name: 'quotes', part: { chunks } }, done: 1 };
    },
  };
}

function quote(date: string, market: number | null, printingName?: string): PastListing {
  const day = dayOf(Date.parse(date));
  const prices = { market, low: null, mid: null, high: null } as PastListing['prices'];
  return { cardKey: CHARIZARD_ID, printing: printingName, day, prices };
}

const clock = () => NOW;

forEachEngine((_label, open) => {
  const openWithTree = async () => {
    const store = await open();
    await importTree(store, FIXTURE);
    return store;
  };

  test('figures that a source does not tell stay as they are known', async () => {
    const store = await openWithTree();
    await importPast(store, quotes([quote('2026-01-28', 100), quote('2026-01-29', 200)]), {
      clock,
    });
    const row = await charizard(store);
    const days = await historyReader(store)(row.id, 0 as Day, 60_000 as Day);
    assert.deepEqual(
      days.map(({ market, low, high }) => [market, low, high]),
      [
        [100, 33_004, 124_999],
        [200, null, null],
      ],
    );
    assert.deepEqual([row.market, row.low, row.sources], [200, null, '["my-shop"]']);
  });

  test('all sources of what is served are named', async () => {
    const store = await openWithTree();
    await importPast(store, quotes([quote('2026-01-28', 100)]), { clock });
    const { market, low, sources } = await charizard(store);
    assert.deepEqual([market, low, sources], [100, 33_004, '["my-shop","tcgplayer"]']);
  });

  test('of two prices for one day the later in the source counts', async () => {
    const store = await openWithTree();
    const twice = [quote('2026-01-30', 1), quote('2026-01-29', 2), quote('2026-01-30', 3)];
    await importPast(store, quotes(twice), { clock });
    const row = await charizard(store);
    assert.deepEqual((await daysOf(store, row)).slice(1), [
      ['2026-01-29', 2],
      ['2026-01-30', 3],
    ]);
    assert.equal(row.market, 3);
  });

  test('a printing that is not named is the default one; a card without any has none', async () => {
    const store = await openWithTree();
    const [bare] = await store.db
      .selectFrom('cards')
      .leftJoin('printings', 'printings.card_id', 'cards.id')
      .where('printings.id', 'is', null)
      .select('public_id')
      .execute();
    const listings = [
      quote('2025-01-01', 1),
      { ...quote('2025-01-01', 1), cardKey: bare?.public_id ?? '' },
    ];
    const summary = await importPast(store, quotes(listings), { clock });
    assert.deepEqual([summary.points, summary.withoutPrinting], [1, 1]);
    assert.deepEqual((await daysOf(store, await charizard(store)))[0], ['2025-01-01', 1]);
  });
});
