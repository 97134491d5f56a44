import assert from 'node:assert/strict';
import { test } from 'node:test';
import { approveQuarantined } from '../../src/ingest/approve.ts';
import { importFeed } from '../../src/ingest/drivers/feed.ts';
import type { FeedItem } from '../../src/sources/contract/feed.ts';
import type { Store } from '../../src/store/connect.ts';
import { listQuarantined } from '../../src/store/quarantine.ts';
import { forEachEngine } from '../support/engines.ts';
import { charizard, feedOf, OBSERVED, offer, type ToldPrices } from '../support/offers.ts';
import { FIXTURE, importTree, NOW } from '../support/tcgcsv.ts';

const DAY = 86_400_000;

/** A source tells of our Charizard under one of its keys. */
function called(key: string, market: number, told: ToldPrices = {}): FeedItem {
  return offer(charizard({ externalId: key }), { prices: { market }, ...told });
}

forEachEngine((_label, open) => {
  const openWithTree = async () => {
    const store = await open();
    await importTree(store, FIXTURE);
    return store;
  };

  /** Imports batches as of some days later. */
  const tell = (store: Store, batches: readonly (readonly FeedItem[])[], days = 0) => {
    const later = batches.map((batch) => {
      return batch.map(({ card, observations }) => ({
        card,
        observations: observations.map((quote) => ({
          ...quote,
          observedAt: quote.observedAt + days * DAY,
        })),
      }));
    });
    const now = NOW + days * DAY;
    const feed = feedOf('pokemontcg', { batches: later, observedAt: OBSERVED + days * DAY });
    return importFeed(store, feed, { clock: () => now });
  };

  const known = async (store: Store) => {
    const rows = store.db.selectFrom('quotes').where('source', '=', 'pokemontcg');
    return (await rows.select('market').execute()).map(({ market }) => market);
  };

  const one = [called('a', 45_000)];
  const other = [called('b', 90_000)];

  test('two keys of one card with two prices are held back, in one batch', async () => {
    const store = await openWithTree();
    const { heldBack } = await tell(store, [[...one, ...other]]);
    assert.deepEqual([heldBack, await known(store)], [{ 'told-twice': 2 }, []]);
  });

  test('and in different batches, whatever comes after them', async () => {
    const store = await openWithTree();
    const third = [called('c', 45_100)];
    const { heldBack } = await tell(store, [one, other, third]);
    assert.deepEqual([heldBack, await known(store)], [{ 'told-twice': 3 }, [null]]);
    const [held, ...more] = await listQuarantined(store.db, {});
    assert.deepEqual(more, []);
    assert.match(held?.detail ?? '', /says both \$450.00 and \$900.00 of Charizard \(Holofoil\)/);
    const history = await store.db.selectFrom('printings').select('market').execute();
    assert.ok(history.every(({ market }) => market !== 90_000 && market !== 45_000));
  });

  test('a third one in a later batch does not win over two of an earlier one', async () => {
    const store = await openWithTree();
    await tell(store, [[...one, ...other], [called('c', 50_000)]]);
    assert.deepEqual(await known(store), []);
    assert.equal((await listQuarantined(store.db, { reason: 'told-twice' })).length, 1);
  });

  test('they stay held back, and the last good price stays, until they agree', async () => {
    const store = await openWithTree();
    await tell(store, [one]);
    await tell(store, [[...one, ...other]], 1);
    assert.deepEqual(await known(store), [45_000]);
    const [first] = await listQuarantined(store.db, {});
    await tell(store, [one, other], 2);
    assert.deepEqual(await known(store), [45_000], 'they are known, and judged together');
    const [again] = await listQuarantined(store.db, {});
    assert.deepEqual([again?.id, again?.held_at], [first?.id, first?.held_at]);
    await tell(store, [[called('a', 46_000)], [called('b', 47_000)]], 3);
    assert.deepEqual([await known(store), await listQuarantined(store.db, {})], [[47_000], []]);
  });

  test('they are held back when each has its own moment', async () => {
    const store = await openWithTree();
    const later = called('b', 90_000, { observedAt: OBSERVED + 1000 });
    assert.deepEqual((await tell(store, [[...one, later]])).heldBack, { 'told-twice': 2 });
    const apart = await openWithTree();
    assert.deepEqual((await tell(apart, [one, [later]])).heldBack, { 'told-twice': 2 });
  });

  test('different printings, markets, or about the same price are no contradiction', async () => {
    const store = await openWithTree();
    const alike = [called('b', 46_000)];
    const market = [called('c', 90_000, { market: 'cardmarket', currency: 'EUR' })];
    assert.deepEqual((await tell(store, [one, alike, market])).heldBack, {});
  });

  test('what the operator lets through is not held back again', async () => {
    const store = await openWithTree();
    await tell(store, [one, other]);
    await approveQuarantined(store, await listQuarantined(store.db, {}), () => NOW);
    const { heldBack } = await tell(store, [one, other], 1);
    assert.deepEqual([heldBack, await known(store)], [{}, [90_000]]);
  });

  test('an id that two cards of one feed claim is learned for neither', async () => {
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
      return [offer(charizard({ ...card, externalId: `k${index}`, externalIds: { cardmarket } }))];
    });
    const learned = async ({ db }: Store) => {
      const keys = db.selectFrom('card_keys').where('source', '=', 'cardmarket');
      return (await keys.select('key').execute()).map(({ key }) => key);
    };
    assert.equal(offers.length, 3);
    assert.equal((await tell(store, [offers.flat()])).matched, 3);
    assert.deepEqual(await learned(store), ['78'], 'in one batch');
    const apart = await openWithTree();
    assert.equal((await tell(apart, offers)).matched, 3);
    assert.deepEqual(await learned(apart), ['78'], 'in different batches');
  });

  test('a printing is called as our card has it, if only one can be meant', async () => {
    const store = await openWithTree();
    const told = [called('a', 45_000, { printing: 'Foil' })];
    const { heldBack, printingsAdded } = await tell(store, [told]);
    assert.deepEqual([heldBack, printingsAdded, await known(store)], [{}, 0, [45_000]]);
    const card = charizard({ externalId: 'a', printings: ['Foil', 'Reverse Holofoil'] });
    const stated = [offer(card, { prices: { market: 45_000 }, printing: 'Foil' })];
    assert.deepEqual((await tell(store, [stated], 1)).heldBack, {});
    const reverse = [called('a', 45_000, { printing: 'Reverse Holofoil' })];
    assert.deepEqual((await tell(store, [reverse])).heldBack, { 'unknown-printing': 1 });
  });
});
