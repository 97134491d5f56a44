import assert from 'node:assert/strict';
import { test } from 'node:test';
import { approveQuarantined } from '../../../src/ingest/decisions/approve.ts';
import { readPublication } from '../../../src/store/catalogue/publications.ts';
import type { Store } from '../../../src/store/connect.ts';
import {
  countQuarantinedByRule,
  listQuarantined,
  rejectMatching,
} from '../../../src/store/quarantine/quarantine.ts';
import { forEachEngine } from '../../support/engines.ts';
import { type Board, type Date as Day, Market } from '../../support/market.ts';
import { moment } from '../../support/resolved.ts';

const LATER = moment('2026-03-01');

/** Ten cards that cost from 10 to 100 dollars. */
const TEN: Board = Object.fromEntries(
  Array.from({ length: 10 }, (_, index) => [`${index + 1} Foil`, (index + 1) * 10]),
);

/** Returns the ten cards without prices for the first so many. */
function without(count: number): Board {
  return Object.fromEntries(
    Object.entries(TEN).map(([name, price], index) => [name, index < count ? null : price]),
  );
}

async function reject(store: Store): Promise<void> {
  await rejectMatching(store.db, { isDecided: false }, LATER);
}

async function approve(store: Store) {
  return approveQuarantined(store, await listQuarantined(store.db, {}), () => LATER);
}

forEachEngine((_label, open) => {
  test('a wrong price is quarantined and listed once, and cleared when it is gone', async () => {
    const market = new Market(await open());
    await market.lists('2026-01-20', { '1 Foil': 10 });
    const { quarantined } = await market.lists('2026-01-21', { '1 Foil': 99 });
    assert.deepEqual(quarantined, { 'price-jump': 1 });
    await market.lists('2026-01-22', { '1 Foil': 99 });
    assert.deepEqual(await market.served(), { '1 Foil': 10 });
    assert.deepEqual(await market.waiting(), ['1 Foil: price-jump']);
    await market.lists('2026-01-23', { '1 Foil': 11 });
    assert.deepEqual(await market.served(), { '1 Foil': 11 });
    assert.deepEqual(await market.waiting(), []);
    assert.deepEqual(await market.history('1', 'Foil'), [10, 11]);
  });

  test('a jump that another marketplace confirms a day later has its first day in the history', async () => {
    const market = new Market(await open());
    await market.lists('2026-01-20', { '1 Foil': 10 });
    await market.lists('2026-01-21', { '1 Foil': 61 });
    assert.deepEqual(await market.waiting(), ['1 Foil: price-jump']);
    const ebay = { source: 'pricecharting', marketplace: 'ebay' };
    await market.feeds('2026-01-22', { '1 Foil': 60 }, ebay);
    await market.lists('2026-01-22', { '1 Foil': 62 });
    assert.deepEqual(await market.waiting(), []);
    assert.deepEqual(await market.history('1', 'Foil'), [10, 61, 62]);
  });

  test('a record of a known day is compared with the day before it, not with what is known', async () => {
    const market = new Market(await open());
    await market.lists('2026-01-20', { '1 Foil': 10, '2 Foil': 10 });
    await market.lists('2026-01-21', { '1 Foil': 12, '2 Foil': 12 });
    await market.remembers('2026-01-23', ['1', 'Foil'], { '2026-01-21': 22 });
    await market.remembers('2026-01-23', ['2', 'Foil'], { '2026-01-21': 19 });
    assert.deepEqual(await market.waiting(), ['1 Foil: price-jump']);
    assert.deepEqual(await market.history('1', 'Foil'), [10, 12]);
    assert.deepEqual(await market.history('2', 'Foil'), [10, 19]);
  });

  test('a true jump is accepted without a decision, and its days enter the history', async () => {
    const market = new Market(await open());
    await market.lists('2026-01-10', { '1 Foil': 10 });
    await market.lists('2026-01-11', { '1 Foil': 26 });
    const prices = [25, 22, 26, 24, 25, 26, 27, 26, 25, 24];
    for (const [at, price] of prices.entries()) {
      await market.lists(`2026-01-${11 + at}` as Day, { '1 Foil': price });
    }
    assert.deepEqual(await market.served(), { '1 Foil': 10 });
    await market.lists('2026-01-21', { '1 Foil': 24.5 });
    assert.deepEqual(await market.served(), { '1 Foil': 24.5 });
    assert.deepEqual(await market.waiting(), []);
    assert.deepEqual(await market.history('1', 'Foil'), [10, ...prices, 24.5]);
  });

  test('the days of a mistake are not in the history once the price is back', async () => {
    const market = new Market(await open());
    await market.lists('2026-01-20', { '1 Foil': 10 });
    await market.lists('2026-01-21', { '1 Foil': 60 });
    await market.lists('2026-01-22', { '1 Foil': 10.5 });
    assert.deepEqual(await market.history('1', 'Foil'), [10, 10.5]);
  });

  test('a price that climbs in steps waits once it has left its level of the last week', async () => {
    const market = new Market(await open());
    for (const day of [10, 11, 12, 13]) {
      await market.lists(`2026-01-${day}` as Day, { '1 Foil': 10, '2 Foil': 10 });
    }
    const climb = [1.45, 1.45 ** 2, 1.45 ** 3, 1.45 ** 6];
    for (const [at, factor] of climb.entries()) {
      await market.lists(`2026-01-${14 + at}` as Day, { '1 Foil': 10 * factor, '2 Foil': 10 });
    }
    assert.deepEqual(await market.served(), { '1 Foil': 14.5, '2 Foil': 10 });
    const [waiting] = await market.waiting();
    assert.equal(waiting, '1 Foil: price-jump');
  });

  test('a part of a set that moved by one factor waits, and the others are served', async () => {
    const market = new Market(await open());
    const board = (day: number, factor: number) => {
      const cards = Array.from({ length: 30 }, (_, at) => {
        const price = 3.37 + at * 1.31 + ((at + day) % 4 === 0 ? 0.02 * at : 0);
        return [`${at + 1} Foil`, price * (at < 8 ? factor : 1)] as const;
      });
      return Object.fromEntries(cards);
    };
    await market.lists('2026-01-20', board(0, 1));
    const { quarantined } = await market.lists('2026-01-21', board(0, 1.2));
    assert.deepEqual(quarantined, { 'partial-shift': 8 });
    await market.lists('2026-01-22', board(1, 1.2));
    assert.equal((await market.waiting()).length, 8);
    await market.lists('2026-01-23', board(2, 1));
    assert.deepEqual(await market.waiting(), []);
  });

  test('two marketplaces with the same jump do not wait for each other', async () => {
    const market = new Market(await open());
    await market.lists('2026-01-20', { '1 Foil': 10 });
    const ebay = { source: 'pricecharting', marketplace: 'ebay' };
    await market.feeds('2026-01-20', { '1 Foil': 10 }, ebay);
    await market.lists('2026-01-21', { '1 Foil': 99 });
    const { quarantined } = await market.feeds('2026-01-21', { '1 Foil': 98 }, ebay);
    assert.deepEqual(quarantined, {});
    await market.lists('2026-01-22', { '1 Foil': 99 });
    assert.deepEqual(await market.served(), { '1 Foil': 99 });
  });

  test('a rejected price is never listed again, but another price is', async () => {
    const store = await open();
    const market = new Market(store);
    await market.lists('2026-01-20', { '1 Foil': 10 });
    await market.lists('2026-01-21', { '1 Foil': 99 });
    await reject(store);
    for (const day of ['22', '23', '24', '25']) {
      await market.lists(`2026-01-${day}`, { '1 Foil': 99 });
      assert.deepEqual(await market.waiting(), []);
    }
    assert.deepEqual(await market.served(), { '1 Foil': 10 });
    await market.lists('2026-01-26', { '1 Foil': 900 });
    assert.deepEqual(await market.waiting(), ['1 Foil: price-jump']);
  });

  test('an approved price is served at once, and so are prices near it later', async () => {
    const store = await open();
    const market = new Market(store);
    await market.lists('2026-01-20', { '1 Foil': 10 });
    await market.lists('2026-01-21', { '1 Foil': 99 });
    const before = await readPublication(store.db);
    assert.deepEqual(await approve(store), {
      accepted: 1,
      pricesChanged: 1,
      refused: 0,
      decidedAt: LATER,
    });
    assert.equal((await readPublication(store.db)).revision, before.revision + 1);
    assert.deepEqual(await market.served(), { '1 Foil': 99 });
    assert.deepEqual(await market.history('1', 'Foil'), [10, 99]);
    assert.deepEqual(await listQuarantined(store.db, {}), []);
    const { quarantined } = await market.lists('2026-01-22', { '1 Foil': 101 });
    assert.deepEqual(quarantined, {});
  });

  test('a rejected price can be approved later', async () => {
    const store = await open();
    const market = new Market(store);
    await market.lists('2026-01-20', { '1 Foil': 10 });
    await market.lists('2026-01-21', { '1 Foil': 99 });
    await reject(store);
    await approve(store);
    assert.deepEqual(await market.served(), { '1 Foil': 99 });
  });

  test('a price that is approved after a newer one only goes into the history', async () => {
    const store = await open();
    const market = new Market(store);
    await market.lists('2026-01-20', { '1 Foil': 10 });
    await market.lists('2026-01-21', { '1 Foil': 99 });
    await reject(store);
    await market.lists('2026-01-22', { '1 Foil': 12 });
    assert.deepEqual(await approve(store), {
      accepted: 1,
      pricesChanged: 0,
      refused: 0,
      decidedAt: LATER,
    });
    assert.deepEqual(await market.served(), { '1 Foil': 12 });
    assert.deepEqual(await market.history('1', 'Foil'), [10, 99, 12]);
  });

  test('an unknown printing is quarantined until it is approved, for good', async () => {
    const store = await open();
    const market = new Market(store);
    await market.lists('2026-01-20', { '1 Normal': 10 });
    const report = (date: `2026-${string}`, price: number) => {
      return market.feeds(date, { '1 Normal': 10, '1 Foil': price }, { stated: ['Normal'] });
    };
    const { quarantined, printingsAdded } = await report('2026-01-20', 30);
    assert.deepEqual([quarantined, printingsAdded], [{ 'unknown-printing': 1 }, 0]);
    assert.deepEqual(await market.served(), { '1 Normal': 10 });
    await approve(store);
    assert.deepEqual(await market.served(), { '1 Normal': 10, '1 Foil': 30 });
    await report('2026-01-21', 31);
    assert.deepEqual(await market.served(), { '1 Normal': 10, '1 Foil': 31 });
    assert.deepEqual(await market.waiting(), []);
  });

  test('a rejected printing is not listed again at any price', async () => {
    const store = await open();
    const market = new Market(store);
    await market.lists('2026-01-20', { '1 Normal': 10 });
    await market.feeds('2026-01-20', { '1 Foil': 30 });
    await reject(store);
    const { quarantined } = await market.feeds('2026-01-21', { '1 Foil': 300 });
    assert.deepEqual([quarantined, await market.waiting()], [{ 'unknown-printing': 1 }, []]);
  });

  test('a card with the id of another is quarantined, and its id named', async () => {
    const store = await open();
    const market = new Market(store);
    await market.lists('2026-01-20', { '1 Foil': 10, '2 Foil': 300 });
    const { quarantined } = await market.feeds('2026-01-20', { '1 Foil': 310 }, { tcgplayer: '2' });
    assert.deepEqual(quarantined, { 'shared-external-id': 1 });
    const [entry] = await listQuarantined(store.db, {});
    assert.equal(
      entry?.detail,
      'Card 1 1 claims the tcgplayer id 2, which belongs to another card.',
    );
    assert.deepEqual([entry?.game, entry?.setName, entry?.externalId], ['mtg', 'Alpha', 's1']);
  });

  test('two conflicting prices for one printing are both quarantined', async () => {
    const market = new Market(await open());
    await market.lists('2026-01-20', { '1 Foil': 10 });
    const { quarantined } = await market.feeds('2026-01-20', { '1 Foil': 10, '1b Foil': 400 });
    assert.deepEqual(quarantined, { 'conflicting-prices': 2 });
    assert.deepEqual(await market.waiting(), ['1 Foil: conflicting-prices']);
  });

  test('a few prices that are delisted are gone', async () => {
    const market = new Market(await open());
    await market.lists('2026-01-20', TEN);
    const { quarantined } = await market.lists('2026-01-21', without(3));
    assert.deepEqual(quarantined, {});
    assert.equal(Object.keys(await market.served()).length, 7);
  });

  test('a mass delisting keeps the prices, and is one entry in quarantine', async () => {
    const store = await open();
    const market = new Market(store);
    await market.lists('2026-01-20', TEN);
    const { quarantined } = await market.lists('2026-01-21', without(6));
    assert.deepEqual(quarantined, { 'mass-delisting': 6 });
    await market.lists('2026-01-22', without(6));
    assert.deepEqual(await market.served(), TEN);
    const [entry, ...more] = await listQuarantined(store.db, {});
    assert.deepEqual(more, []);
    assert.equal(
      entry?.detail,
      'tcgcsv no longer has a price for 6 of 10 printings of Alpha, which keep their last price.',
    );
    await market.lists('2026-01-23', TEN);
    await market.lists('2026-01-24', TEN);
    assert.deepEqual(await market.waiting(), []);
  });

  test('a mass delisting ends once only a few are gone, and these lose their price', async () => {
    const market = new Market(await open());
    await market.lists('2026-01-20', TEN);
    await market.lists('2026-01-21', without(6));
    await market.lists('2026-01-22', without(2));
    assert.deepEqual(await market.waiting(), []);
    assert.equal(Object.keys(await market.served()).length, 8);
  });

  test('a set without a single listing keeps its prices', async () => {
    const market = new Market(await open());
    await market.lists('2026-01-20', TEN);
    const { quarantined } = await market.lists('2026-01-21', {});
    assert.deepEqual(quarantined, { 'mass-delisting': 10 });
    assert.deepEqual(await market.served(), TEN);
  });

  test('the prices of a mass delisting go when it is approved', async () => {
    const store = await open();
    const market = new Market(store);
    await market.lists('2026-01-20', TEN);
    await market.lists('2026-01-21', without(9));
    await approve(store);
    assert.deepEqual(await market.served(), { '10 Foil': 100 });
    const { quarantined } = await market.lists('2026-01-22', without(9));
    assert.deepEqual([quarantined, await market.waiting()], [{}, []]);
  });

  test('the delistings of a feed are counted over all of its batches', async () => {
    const market = new Market(await open());
    await market.lists('2026-01-20', { ...TEN, '11 Foil': 1 });
    await market.feeds('2026-01-20', TEN);
    const many = await market.feeds('2026-01-21', without(6), {}, 2);
    assert.deepEqual(many.quarantined, { 'mass-delisting': 6 });
    const few = await market.feeds('2026-01-22', without(2), {}, 2);
    assert.deepEqual([few.quarantined, await market.waiting()], [{}, []]);
  });

  test('a set that is off as a whole stays in quarantine however long it lasts', async () => {
    const market = new Market(await open());
    await market.lists('2026-01-20', TEN);
    const off = Object.fromEntries(
      Object.entries(TEN).map(([name, price]) => [name, Number(price) * 1.08]),
    );
    for (let day = 1; day <= 65; day += 1) {
      const date = new Date(moment('2026-01-20') + day * 86_400_000).toISOString().slice(0, 10);
      const { quarantined } = await market.lists(date as Day, off);
      assert.deepEqual(quarantined, { 'set-shift': 10 }, date);
    }
    assert.deepEqual(await market.served(), TEN);
  });

  test('earlier days that stand alone are quarantined, and the others go into the history', async () => {
    const store = await open();
    const market = new Market(store);
    await market.lists('2026-01-20', { '1 Foil': 10 });
    const past = { '2026-01-15': 9, '2026-01-16': 950, '2026-01-17': 9.5, '2026-01-18': 9.8 };
    const { quarantined } = await market.remembers('2026-01-20', ['1', 'Foil'], past);
    assert.deepEqual(quarantined, { 'price-jump': 1 });
    assert.deepEqual(await market.history('1', 'Foil'), [9, 9.5, 9.8, 10]);
    const [entry] = await listQuarantined(store.db, {});
    assert.equal(entry?.detail, 'The market of Card 1 (Foil) was $950.00 only on 2026-01-16.');
    await market.remembers('2026-01-20', ['1', 'Foil'], past);
    assert.equal((await listQuarantined(store.db, {})).length, 1);
    await approve(store);
    assert.deepEqual(await market.history('1', 'Foil'), [9, 950, 9.5, 9.8, 10]);
    const again = await market.remembers('2026-01-20', ['1', 'Foil'], past);
    assert.deepEqual([again.quarantined, await market.waiting()], [{}, []]);
    assert.deepEqual(await market.served(), { '1 Foil': 10 });
  });

  test('when the newest earlier day is wrong, the day before it is served', async () => {
    const market = new Market(await open());
    await market.lists('2026-01-10', { '1 Foil': 10 });
    const past = { '2026-01-15': 9, '2026-01-16': 9.5, '2026-01-17': 950 };
    await market.remembers('2026-01-20', ['1', 'Foil'], past);
    assert.deepEqual(await market.served(), { '1 Foil': 9.5 });
    assert.deepEqual(await market.waiting(), ['1 Foil: price-jump']);
  });

  test('absurd prices cannot be approved', async () => {
    const store = await open();
    const market = new Market(store);
    await market.lists('2026-01-20', { '1 Foil': 10 });
    const { quarantined } = await market.feeds('2026-01-20', { '1 Foil': 0 });
    assert.deepEqual(quarantined, { 'absurd-price': 1 });
    assert.deepEqual(await approve(store), {
      accepted: 0,
      pricesChanged: 0,
      refused: 1,
      decidedAt: LATER,
    });
    assert.deepEqual(await market.waiting(), ['1 Foil: absurd-price']);
  });

  test('what waits in quarantine is counted by source and reason', async () => {
    const store = await open();
    const market = new Market(store);
    await market.lists('2026-01-20', { '1 Normal': 10, '2 Normal': 20 });
    await market.lists('2026-01-21', { '1 Normal': 99, '2 Normal': 199 });
    await market.feeds('2026-01-21', { '1 Foil': 30 });
    assert.deepEqual(await countQuarantinedByRule(store.db), [
      { source: 'scryfall', rule: 'unknown-printing', count: 1 },
      { source: 'tcgcsv', rule: 'price-jump', count: 2 },
    ]);
    await reject(store);
    assert.deepEqual(await countQuarantinedByRule(store.db), []);
  });
});
