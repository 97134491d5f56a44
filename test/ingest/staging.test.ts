import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { dayOf } from '../../src/domain/day.ts';
import { type MatchedItem, Staging } from '../../src/ingest/drivers/staging.ts';

import { charizard, feedItem, OBSERVED } from '../support/feed-items.ts';

const price = fc.option(fc.integer({ min: 1, max: 1e9 }));
const past = fc.array(
  fc.record({ day: fc.integer({ min: 9000, max: 21_000 }), market: fc.nat() }),
  {
    minLength: 1,
  },
);

const matched: fc.Arbitrary<MatchedItem> = fc
  .record({ set: fc.nat(5), id: fc.nat(50), name: fc.string(), market: price, low: price, past })
  .map(({ set, id, name, market, low, past }) => ({
    card: { id, set, name, number: null },
    item: feedItem(
      charizard({ name }),
      { prices: { market, low }, past, printing: 'Foil' },
      { prices: { market: low }, conditions: { near_mint: 100 }, graded: { psa_10: 200 } },
    ),
  }));

test('staged items come back as they were, set by set, in the order of the feed', () => {
  fc.assert(
    fc.property(fc.array(matched), (items) => {
      const staging = new Staging();
      for (const item of items) staging.add(item);
      const staged = [...staging.batches(true)].flat();
      const bySet = [...Map.groupBy(items, ({ card }) => card.set).values()].flat();
      assert.deepEqual(plain(staged), plain(bySet));
      assert.deepEqual([...staging.batches(true)].flat(), staged, 'a second time');
      const withoutDays = [...staging.batches(false)]
        .flat()
        .flatMap(({ item }) => item.observations);
      assert.ok(withoutDays.every(({ earlierDays }) => earlierDays === undefined));
      staging.close();
    }),
  );
});

test('a batch has whole sets, however large they are', () => {
  const days = Array.from({ length: 99 }, (_, day) => ({ day: dayOf(OBSERVED) - day, market: 1 }));
  const staging = new Staging();
  for (let id = 0; id < 500; id += 1) {
    const card = { id, set: id % 3 === 0 ? 1 : id, name: `Card ${id}`, number: null };
    staging.add({ card, item: feedItem(charizard(), { past: days }) });
  }
  const batches = [...staging.batches(true)].map((items) => items.map(({ card }) => card.set));
  assert.ok(batches.length > 2);
  const seen = batches.flatMap((sets) => [...new Set(sets)]);
  assert.equal(new Set(seen).size, seen.length, 'no set is in two batches');
  staging.close();
});

/** What JSON has of items: an undefined printing is one that is missing. */
function plain(items: readonly MatchedItem[]): unknown {
  return JSON.parse(JSON.stringify(items));
}
