import assert from 'node:assert/strict';
import { test } from 'node:test';
import { approveQuarantined } from '../../src/ingest/decisions/approve.ts';
import type { Store } from '../../src/store/connect.ts';
import { listQuarantined } from '../../src/store/quarantine/quarantine.ts';
import { forEachEngine } from '../support/engines.ts';
import { type Date as DateText, Market } from '../support/market.ts';

/** So many cards can be compared, with prices from $1 to $900 in no order. */
const CARDS = 120;

/** Market prices in dollars, by card and printing. */
type Board = Readonly<Record<string, number>>;

const TRUE_PRICES: Board = Object.fromEntries(
  Array.from({ length: CARDS }, (_, index) => [`${index + 1} Foil`, 1 + ((index * 271) % 900)]),
);

/** The board with other prices; each is made of a price and of the next one. */
function changed(board: Board, change: (price: number, next: number) => number): Board {
  const prices = Object.values(board);
  return Object.fromEntries(
    Object.keys(board).map((name, index) => {
      const [price = 0, next = 0] = [prices[index], prices[(index + 1) % prices.length]];
      return [name, Math.round(change(price, next) * 100) / 100];
    }),
  );
}

const MISTAKES: Readonly<Record<string, Board>> = {
  'every price four times': changed(TRUE_PRICES, (price) => price * 4),
  'every price half': changed(TRUE_PRICES, (price) => price / 2),
  'every price a seventh more': changed(TRUE_PRICES, (price) => price * 1.15),
  'euros for dollars': changed(TRUE_PRICES, (price) => price * 0.92),
  'rows shifted by one': changed(TRUE_PRICES, (_, next) => next),
};

async function scryfallPrices({ db }: Store): Promise<number[]> {
  const rows = db.selectFrom('observations').where('source', '=', 'scryfall');
  const all = await rows.select('market').orderBy('printing_id').execute();
  return all.map(({ market }) => (market ?? 0) / 100);
}

const waitingRules = async (store: Store) => {
  const rows = await listQuarantined(store.db, { isDecided: false });
  return Object.entries(Object.groupBy(rows, ({ rule }) => rule)).map(([rule, own]) => {
    return [rule, own?.length];
  });
};

forEachEngine((_label, open) => {
  const openMarket = async (...days: readonly DateText[]) => {
    const store = await open();
    const market = new Market(store);
    for (const day of days) await market.lists(day, TRUE_PRICES);
    return { store, market };
  };
  const truePrices = Object.values(TRUE_PRICES).map((price) => price ?? 0);

  for (const [mistake, board] of Object.entries(MISTAKES)) {
    test(`a feed is held whole when it has ${mistake}`, async () => {
      const { store, market } = await openMarket('2026-01-19');
      const first = await market.feeds('2026-01-19', board, {}, 7);
      const held = CARDS - (await scryfallPrices(store)).length;
      assert.equal(held, CARDS, 'on its first import');
      assert.equal(first.quarantined['source-shift'], CARDS);
      await market.feeds('2026-01-19', TRUE_PRICES);
      assert.deepEqual(await waitingRules(store), [], 'a true file lifts it');
      assert.deepEqual(await scryfallPrices(store), truePrices);
      const later = await market.feeds('2026-01-24', board, {}, 7);
      assert.equal(later.quarantined['source-shift'], CARDS, 'on a later import');
      assert.deepEqual(await scryfallPrices(store), truePrices, 'what was accepted stays');
      assert.equal(later.pricesChanged, 0);
    });
  }

  test('a feed whose prices moved a little is accepted', async () => {
    const { store, market } = await openMarket('2026-01-19');
    const board = changed(TRUE_PRICES, (price) => (price % 3 === 0 ? price * 1.04 : price));
    await market.feeds('2026-01-19', TRUE_PRICES);
    assert.deepEqual((await market.feeds('2026-01-20', board)).quarantined, {});
    assert.deepEqual(await scryfallPrices(store), Object.values(board));
  });

  test('prices that a held feed has as before pass', async () => {
    const { market } = await openMarket('2026-01-19');
    await market.feeds('2026-01-19', TRUE_PRICES);
    const board = changed(TRUE_PRICES, (price) => (price > 100 ? price * 2 : price));
    const moved = Object.values(TRUE_PRICES).filter((price) => price > 100).length;
    const { quarantined } = await market.feeds('2026-01-20', board);
    assert.deepEqual(quarantined, { 'source-shift': moved });
  });

  test('prices that a held feed no longer has stay', async () => {
    const { store, market } = await openMarket('2026-01-19');
    await market.feeds('2026-01-19', TRUE_PRICES);
    const board = { ...MISTAKES['every price half'], '1 Foil': null, '2 Foil': null };
    await market.feeds('2026-01-20', board);
    assert.deepEqual(await scryfallPrices(store), truePrices);
  });

  test('a feed without anybody to compare with is held for leaving its own past', async () => {
    const { market } = await openMarket('2026-01-01');
    await market.feeds('2026-01-19', TRUE_PRICES);
    const held = { 'source-shift': CARDS };
    const half = MISTAKES['every price half'] ?? {};
    assert.deepEqual((await market.feeds('2026-01-20', half)).quarantined, held);
    assert.deepEqual(
      (await market.feeds('2026-01-25', half)).quarantined,
      held,
      'days do not help',
    );
  });

  test('the finding says by how much, the bound, and how many were compared with what', async () => {
    const { store, market } = await openMarket('2026-01-19');
    await market.feeds('2026-01-19', MISTAKES['euros for dollars'] ?? {});
    const [first] = await listQuarantined(store.db, {});
    assert.equal(
      first?.detail,
      'Card 1 (Foil) is quarantined because the prices of scryfall are 0.92 times the prices of other sources ' +
        '(median of 120); 0.95 to 1.05 times is accepted.',
    );
  });

  test('the source keeps a level that the operator has approved', async () => {
    const { store, market } = await openMarket('2026-01-19');
    const board = MISTAKES['every price a seventh more'] ?? {};
    await market.feeds('2026-01-19', board);
    const held = await listQuarantined(store.db, { rule: 'source-shift' });
    await approveQuarantined(store, held, () => Date.parse('2026-01-19T21:00:00Z'));
    assert.deepEqual((await market.feeds('2026-01-20', board)).quarantined, {});
    assert.deepEqual(await waitingRules(store), []);
  });
});
