import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { addDays, type Day, dayOf, startOfDay } from '../../src/domain/day.ts';
import type { Cents } from '../../src/domain/money.ts';
import { type DayPrices, hasPrice } from '../../src/domain/price.ts';
import { importBackfill } from '../../src/ingest/drivers/backfill.ts';
import { PointBuffer } from '../../src/ingest/drivers/series.ts';
import type { Backfill, BackfillListing } from '../../src/sources/contract/backfill.ts';
import { openStore, type Store } from '../../src/store/connect.ts';
import { historyReader } from '../../src/store/history/index.ts';
import { createDatabase } from '../support/engines.ts';
import { FIXTURE, importTree, NOW } from '../support/tcgcsv.ts';

/** The fixture serves prices of this day. */
const SERVED = dayOf(Date.parse('2026-01-28'));
const KEYS = ['42382', '42346'] as const;

const cents = fc.option(fc.integer({ min: 1, max: 1e9 }).map((amount) => amount as Cents));
const prices = fc.record({ market: cents, low: cents, mid: cents, high: cents });
const day = fc.integer({ min: -400, max: 40 }).map((offset) => addDays(SERVED, offset));
const listing: fc.Arbitrary<BackfillListing> = fc.record({
  externalId: fc.constantFrom(...KEYS),
  printing: fc.constant('Holofoil'),
  day,
  prices,
});

function past(listings: readonly BackfillListing[]): Backfill {
  return {
    source: 'tcgcsv-archive',
    idSpace: 'tcgcsv',
    marketplace: 'tcgplayer',
    figures: ['market', 'low', 'mid', 'high'],
    total: 1,
    async *parts() {
      const chunks = [{ listings, skipped: {}, broken: [] }];
      yield { outcome: { kind: 'read', name: 'all', part: { chunks } }, done: 1 };
    },
  };
}

test('in any order of imported days, the history has the last price of each, and the newest is served', async () => {
  const imports = fc.array(
    fc.record({
      listings: fc.array(listing, { maxLength: 40 }),
      pointsAtOnce: fc.integer({ min: 1, max: 50 }),
    }),
    { minLength: 1, maxLength: 3 },
  );
  await fc.assert(
    fc.asyncProperty(imports, async (all) => {
      await withFixture(async (store) => {
        for (const { listings, pointsAtOnce } of all) {
          const options = { clock: () => NOW, pointsAtOnce, limits: null };
          await importBackfill(store, past(listings), options);
        }
        const told = all.flatMap(({ listings }) => listings);
        for (const key of KEYS) await compare(store, key, told);
      });
    }),
    { numRuns: 15, endOnFailure: true },
  );
});

async function withFixture(work: (store: Store) => Promise<void>): Promise<void> {
  const { location, remove } = await createDatabase('SQLite');
  const store = await openStore(location);
  try {
    await importTree(store, FIXTURE);
    await work(store);
  } finally {
    await store.close();
    await remove();
  }
}

async function compare(store: Store, key: string, told: readonly BackfillListing[]): Promise<void> {
  const row = await store.db
    .selectFrom('printings')
    .innerJoin('card_external_ids', 'card_external_ids.card_id', 'printings.card_id')
    .where('card_external_ids.external_id', '=', key)
    .where('printings.name', '=', 'Holofoil')
    .selectAll('printings')
    .executeTakeFirstOrThrow();
  const own = told.filter(({ externalId }) => externalId === key);
  const last = new Map(own.map((one) => [one.day, { day: one.day, ...one.prices }]));
  const days = await historyReader(store)(row.id, 0 as Day, 60_000 as Day);
  // A day without any price is none; what was known of it before stays.
  const known = own.filter(
    ({ prices: { market, low, mid, high } }) => market ?? low ?? mid ?? high,
  );
  const model = new Map(known.map((one) => [one.day, { day: one.day, ...one.prices }]));
  const kept = days
    .filter((one) => one.day !== SERVED || model.has(SERVED))
    .map(({ provenance, ...prices }) => {
      assert.equal(provenance?.source, 'tcgcsv');
      return prices;
    });
  assert.deepEqual(
    kept,
    [...model.values()].sort((a, b) => a.day - b.day),
  );

  const newest = Math.max(SERVED, ...last.keys()) as Day;
  const served = last.get(newest);
  if (!served) return;
  const { market, low, mid, high } = row;
  assert.deepEqual({ day: newest, market, low, mid, high }, served);
  if (!hasPrice(served)) return assert.equal(row.figures_at, null);
  assert.equal(dayOf(row.figures_at ?? 0), newest);
  assert.ok(newest === SERVED || row.figures_at === startOfDay(newest));
}

test('points are returned by series in a given order, and each as it was added', () => {
  const point = fc.tuple(fc.nat({ max: 20 }), day, prices);
  const all = Array.from({ length: 21 }, (_, slot) => slot);
  const order = fc.shuffledSubarray(all, { minLength: all.length });
  fc.assert(
    fc.property(
      fc.array(point, { maxLength: 100 }),
      fc.array(point),
      order,
      (first, second, slots) => {
        const buffer = new PointBuffer(200);
        for (const points of [first, second]) {
          for (const [slot, at, quad] of points) buffer.add(slot, at, quad);
          const expected = Map.groupBy(points, ([slot]) => slot);
          const drained = new Map<number, DayPrices[]>(buffer.drain(slots));
          assert.deepEqual(
            [...drained.keys()],
            slots.filter((slot) => expected.has(slot)),
          );
          for (const [slot, own] of expected) {
            const days = own.map(([, at, quad]) => ({ day: at, ...quad }));
            assert.deepEqual(drained.get(slot), days);
          }
        }
      },
    ),
  );
});
