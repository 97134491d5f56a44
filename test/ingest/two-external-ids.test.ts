import assert from 'node:assert/strict';
import { test } from 'node:test';
import { approveQuarantined } from '../../src/ingest/decisions/approve.ts';
import { importFeed } from '../../src/ingest/drivers/feed.ts';
import type { FeedItem } from '../../src/sources/contract/feed.ts';
import type { Store } from '../../src/store/connect.ts';
import { listQuarantined } from '../../src/store/quarantine/quarantine.ts';
import { forEachEngine } from '../support/engines.ts';
import {
  charizard,
  feedItem,
  feedOf,
  OBSERVED,
  type ObservationFields,
} from '../support/feed-items.ts';
import { NOW, withTree } from '../support/tcgcsv.ts';

const DAY = 86_400_000;

/** What a source reports of our Charizard under one of its external ids. */
function reported(externalId: string, market: number, more: ObservationFields = {}): FeedItem {
  return feedItem(charizard({ externalId }), { prices: { market }, ...more });
}

forEachEngine((_label, open) => {
  const openWithTree = () => withTree(open);

  /** Imports batches as of some days later. */
  const importBatches = (store: Store, batches: readonly (readonly FeedItem[])[], days = 0) => {
    const later = batches.map((batch) => {
      return batch.map(({ card, observations }) => ({
        card,
        observations: observations.map((one) => ({
          ...one,
          observedAt: one.observedAt + days * DAY,
        })),
      }));
    });
    const now = NOW + days * DAY;
    const feed = feedOf('pokemontcg', { batches: later, observedAt: OBSERVED + days * DAY });
    return importFeed(store, feed, { clock: () => now });
  };

  const known = async (store: Store) => {
    const rows = store.db.selectFrom('observations').where('source', '=', 'pokemontcg');
    return (await rows.select('market').execute()).map(({ market }) => market);
  };

  const one = [reported('a', 45_000)];
  const other = [reported('b', 80_000)];

  test('different prices under two external ids of one card are quarantined, in one batch', async () => {
    const store = await openWithTree();
    const { quarantined } = await importBatches(store, [[...one, ...other]]);
    assert.deepEqual([quarantined, await known(store)], [{ 'conflicting-prices': 2 }, []]);
  });

  test('they are quarantined in different batches, with all later prices of the card', async () => {
    const store = await openWithTree();
    const third = [reported('c', 45_100)];
    const { quarantined } = await importBatches(store, [one, other, third]);
    assert.deepEqual([quarantined, await known(store)], [{ 'conflicting-prices': 3 }, []]);
    const [held, ...more] = await listQuarantined(store.db, {});
    assert.deepEqual(more, []);
    assert.match(
      held?.detail ?? '',
      /reports both \$450.00 and \$800.00 for Charizard \(Holofoil\)/,
    );
    const history = await store.db.selectFrom('printings').select('market').execute();
    assert.ok(history.every(({ market }) => market !== 80_000 && market !== 45_000));
  });

  test('they are found in different batches, and the last accepted price stays', async () => {
    const store = await openWithTree();
    await importBatches(store, [one]);
    await importBatches(store, [[reported('a', 46_000)], other], 1);
    assert.deepEqual(await known(store), [45_000]);
  });

  test('a third price in a later batch is quarantined as well', async () => {
    const store = await openWithTree();
    await importBatches(store, [[...one, ...other], [reported('c', 50_000)]]);
    assert.deepEqual(await known(store), []);
    assert.equal((await listQuarantined(store.db, { rule: 'conflicting-prices' })).length, 1);
  });

  test('they stay in quarantine, and the last accepted price stays, until they agree', async () => {
    const store = await openWithTree();
    await importBatches(store, [one]);
    await importBatches(store, [[...one, ...other]], 1);
    assert.deepEqual(await known(store), [45_000]);
    const [first] = await listQuarantined(store.db, {});
    await importBatches(store, [one, other], 2);
    assert.deepEqual(await known(store), [45_000], 'they are known, and judged together');
    const [again] = await listQuarantined(store.db, {});
    assert.deepEqual([again?.id, again?.quarantinedAt], [first?.id, first?.quarantinedAt]);
    await importBatches(store, [[reported('a', 46_000)], [reported('b', 47_000)]], 3);
    assert.deepEqual([await known(store), await listQuarantined(store.db, {})], [[47_000], []]);
  });

  test('they are quarantined when their moments differ', async () => {
    const store = await openWithTree();
    const later = reported('b', 80_000, { observedAt: OBSERVED + 1000 });
    assert.deepEqual((await importBatches(store, [[...one, later]])).quarantined, {
      'conflicting-prices': 2,
    });
    const apart = await openWithTree();
    assert.deepEqual((await importBatches(apart, [one, [later]])).quarantined, {
      'conflicting-prices': 2,
    });
  });

  test('different marketplaces, or about the same price, do not conflict', async () => {
    const store = await openWithTree();
    const alike = [reported('b', 46_000)];
    const market = [reported('c', 80_000, { market: 'cardmarket', currency: 'EUR' })];
    assert.deepEqual((await importBatches(store, [one, alike, market])).quarantined, {});
  });

  test('what the operator approves is not quarantined again', async () => {
    const store = await openWithTree();
    await importBatches(store, [one, other]);
    await approveQuarantined(store, await listQuarantined(store.db, {}), () => NOW);
    const { quarantined } = await importBatches(store, [one, other], 1);
    assert.deepEqual([quarantined, await known(store)], [{}, [80_000]]);
  });

  test('an id that two cards of one feed claim is remembered for neither', async () => {
    const store = await openWithTree();
    const cards = await store.db
      .selectFrom('cards')
      .innerJoin('sets', 'sets.id', 'cards.set_id')
      .where('game', '=', 'pokemon')
      .where('sets.code', '=', 'BS')
      .select(['cards.name', 'cards.number'])
      .orderBy('cards.id')
      .limit(3)
      .execute();
    const offers = cards.map((card, index) => {
      const cardmarket = index < 2 ? '77' : '78';
      return [
        feedItem(charizard({ ...card, externalId: `k${index}`, externalIds: { cardmarket } })),
      ];
    });
    const learned = async ({ db }: Store) => {
      const keys = db.selectFrom('card_external_ids').where('id_space', '=', 'cardmarket');
      return (await keys.select('external_id').execute()).map((row) => row.external_id);
    };
    assert.equal(offers.length, 3);
    assert.equal((await importBatches(store, [offers.flat()])).matched, 3);
    assert.deepEqual(await learned(store), ['78'], 'in one batch');
    const apart = await openWithTree();
    assert.equal((await importBatches(apart, offers)).matched, 3);
    assert.deepEqual(await learned(apart), ['78'], 'in different batches');
  });

  test('a printing gets the name that our card has for it, if only one can be meant', async () => {
    const store = await openWithTree();
    const batch = [reported('a', 45_000, { printing: 'Foil' })];
    const { quarantined, printingsAdded } = await importBatches(store, [batch]);
    assert.deepEqual([quarantined, printingsAdded, await known(store)], [{}, 0, [45_000]]);
    const card = charizard({ externalId: 'a', printings: ['Foil', 'Reverse Holofoil'] });
    const stated = [feedItem(card, { prices: { market: 45_000 }, printing: 'Foil' })];
    assert.deepEqual((await importBatches(store, [stated], 1)).quarantined, {});
    const reverse = [reported('a', 45_000, { printing: 'Reverse Holofoil' })];
    assert.deepEqual((await importBatches(store, [reverse])).quarantined, {
      'unknown-printing': 1,
    });
  });
});
