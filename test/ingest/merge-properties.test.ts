import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { CONTRACT_GRADES as GRADES } from '../../src/domain/grade-names.ts';
import type { Cents } from '../../src/domain/money.ts';
import type { FetchedObservation } from '../../src/domain/observation.ts';
import { CONDITIONS, NO_PRICES } from '../../src/domain/price.ts';
import { KnownPrintings } from '../../src/ingest/pricing/printings.ts';
import { printingRow } from '../../src/store/catalogue/records.ts';

const NOW = Date.parse('2026-01-28T20:05:12Z');
const DAY = 86_400_000;

const cents = fc.integer({ min: 1, max: 1e9 }).map((amount) => amount as Cents);
const SERIES = [
  ...[['tcgcsv', 'tcgplayer'] as const, ['scryfall', 'tcgplayer'] as const],
  ...[['pricecharting', 'pricecharting'] as const, ['justtcg', 'justtcg'] as const],
  ['quotes', 'my-shop'] as const,
];

/** The last observations of some sources, each with a market price. */
const observations: fc.Arbitrary<FetchedObservation[]> = fc.uniqueArray(
  fc
    .record({
      series: fc.constantFrom(...SERIES),
      market: cents,
      conditions: fc.dictionary(fc.constantFrom(...CONDITIONS), cents),
      graded: fc.dictionary(fc.constantFrom(...GRADES), cents),
      daysAgo: fc.integer({ min: 0, max: 100 }),
    })
    .map(({ series: [source, marketplace], market, conditions, graded, daysAgo }) => ({
      source,
      marketplace,
      currency: 'USD' as const,
      externalId: null,
      fetchedAt: NOW,
      prices: { ...NO_PRICES, market },
      conditions,
      graded,
      observedAt: NOW - daysAgo * DAY,
    })),
  { minLength: 1, selector: ({ source }) => source },
);

const shuffled = observations.chain((all) => {
  return fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length }));
});

test('served prices do not depend on the order in which sources are imported', () => {
  fc.assert(
    fc.property(shuffled, ([all, other]) => {
      assert.deepEqual(importInOrder(all).row, importInOrder(other).row);
    }),
  );
});

test('merging again changes nothing', () => {
  fc.assert(
    fc.property(observations, (all) => {
      const { printings, printing } = importInOrder(all);
      const before = printings.marketplaceChanges().length;
      assert.equal(printings.merge(printing).isNew, false);
      assert.equal(printings.marketplaceChanges().length, before);
    }),
  );
});

test('every change of the marketplace is listed, each from the marketplace before', () => {
  fc.assert(
    fc.property(observations, (all) => {
      const { printings, row } = importInOrder(all);
      const [first] = all;
      let marketplace = first?.marketplace;
      for (const { from, to } of printings.marketplaceChanges()) {
        assert.equal(from, marketplace);
        assert.notEqual(from, to);
        marketplace = to;
      }
      assert.equal(row.marketplace, marketplace);
    }),
  );
});

/** Keeps observations one after the other, and merges after each, as imports do. */
function importInOrder(all: readonly FetchedObservation[]) {
  const nextIds = { set: 1, card: 1, printing: 1 };
  const printings = new KnownPrintings([], [], {
    nextIds,
    revision: 1,
    rates: [],
    foilCards: new Set(),
  });
  const printing = printings.findOrAdd(1, 'Normal');
  for (const observation of all) {
    printings.keep(printing, observation);
    printings.merge(printing);
  }
  return { printings, printing, row: printingRow(printing.stored) };
}
