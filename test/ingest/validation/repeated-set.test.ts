import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatDay } from '../../../src/domain/day.ts';
import { listQuarantined, rejectMatching } from '../../../src/store/quarantine/quarantine.ts';
import { forEachEngine } from '../../support/engines.ts';
import { type Board, type Date as DateText, Market } from '../../support/market.ts';
import { moment } from '../../support/resolved.ts';

/** A set of so many cards, whose prices move a little from day to day. */
function board(day: number, cards = 20): Board {
  return Object.fromEntries(
    Array.from({ length: cards }, (_, card) => {
      return [`${card + 1} Foil`, 10 + card + (card === day % cards ? 0.25 : 0)];
    }),
  );
}

const observedOn = (day: DateText) => moment(`${day}T20:05:12Z`);

forEachEngine((_label, open) => {
  /** The days of a printing: the date, the market price in cents, and whether it was repeated. */
  const daysOf = async (market: Market, card = '1') => {
    return (await market.days(card, 'Foil')).map(({ day, market: cents, provenance }) => {
      return [formatDay(day), cents, provenance?.repeated];
    });
  };

  test('a set that its source repeats to the cent is as old as it was', async () => {
    const store = await open();
    const market = new Market(store);
    await market.lists('2026-01-20', board(0));
    await market.lists('2026-01-21', board(0));
    const { figures_at } = await market.printing('1', 'Foil');
    assert.equal(figures_at, observedOn('2026-01-20'));
    const rows = await store.db.selectFrom('observations').select('observed_at').execute();
    assert.deepEqual([...new Set(rows.map((row) => row.observed_at))], [observedOn('2026-01-20')]);
    const figures = await store.db.selectFrom('source_figures').select('observed_at').execute();
    assert.deepEqual(figures, [{ observed_at: observedOn('2026-01-20') }]);
    assert.deepEqual(await daysOf(market), [
      ['2026-01-20', 1025, false],
      ['2026-01-21', 1025, true],
    ]);
  });

  test('the next day on which any of its prices moves is a day as any other', async () => {
    const market = new Market(await open());
    await market.lists('2026-01-20', board(0));
    await market.lists('2026-01-21', board(0));
    await market.lists('2026-01-22', board(0));
    await market.lists('2026-01-23', board(1));
    assert.equal((await market.printing('1', 'Foil')).figures_at, observedOn('2026-01-23'));
    assert.deepEqual(await daysOf(market), [
      ['2026-01-20', 1025, false],
      ['2026-01-21', 1025, true],
      ['2026-01-22', 1025, true],
      ['2026-01-23', 1000, false],
    ]);
  });

  test('a set of fewer than twenty prices may stand still', async () => {
    const market = new Market(await open());
    await market.lists('2026-01-20', board(0, 19));
    await market.lists('2026-01-21', board(0, 19));
    assert.equal((await market.printing('1', 'Foil')).figures_at, observedOn('2026-01-21'));
    assert.deepEqual((await daysOf(market)).at(-1), ['2026-01-21', 1025, false]);
  });

  test('the prices that somebody sets may stand still', async () => {
    const market = new Market(await open());
    const quotes = { source: 'quotes', marketplace: 'my-shop' };
    await market.lists('2026-01-19', without(board(0)));
    await market.feeds('2026-01-20', board(0), quotes);
    await market.feeds('2026-01-21', board(0), quotes);
    assert.equal((await market.printing('1', 'Foil')).figures_at, observedOn('2026-01-21'));
    assert.deepEqual((await daysOf(market)).at(-1), ['2026-01-21', 1025, false]);
  });

  test('the same day imported twice is not a repetition', async () => {
    const market = new Market(await open());
    await market.lists('2026-01-20', board(0));
    await market.lists('2026-01-20', board(0));
    assert.deepEqual(await daysOf(market), [['2026-01-20', 1025, false]]);
  });

  test('a price in quarantine does not come nearer to being believed by a repeated day', async () => {
    const store = await open();
    const market = new Market(store);
    const jumped = (day: number, price: number) => ({ ...board(day), '20 Foil': price });
    await market.lists('2026-01-19', board(0));
    await market.lists('2026-01-20', jumped(1, 90));
    await market.lists('2026-01-21', jumped(2, 115));
    await market.lists('2026-01-22', jumped(3, 100));
    await market.lists('2026-01-23', jumped(3, 100));
    await market.lists('2026-01-24', jumped(3, 100));
    const [entry] = await listQuarantined(store.db, {});
    assert.equal(entry?.observation?.days, 3);
    assert.equal(entry?.observedAt, observedOn('2026-01-22'));
    assert.deepEqual(await daysOf(market, '20'), [['2026-01-19', 2900, false]]);
    await market.lists('2026-01-25', jumped(4, 104));
    const [later] = await listQuarantined(store.db, {});
    assert.equal(later?.observation?.days, 4);
  });

  test('a set is found repeated although the operator has rejected a price of it before', async () => {
    const store = await open();
    const market = new Market(store);
    await market.lists('2026-01-19', board(0));
    await market.lists('2026-01-20', { ...board(1), '20 Foil': 900 });
    const [entry] = await listQuarantined(store.db, {});
    await rejectMatching(store.db, { ids: [entry?.id ?? 0] }, observedOn('2026-01-20'));
    await market.lists('2026-01-21', board(2));
    await market.lists('2026-01-22', board(2));
    assert.equal((await market.printing('20', 'Foil')).figures_at, observedOn('2026-01-21'));
    assert.deepEqual((await daysOf(market, '20')).at(-1), ['2026-01-22', 2900, true]);
  });

  test('a listing in quarantine stays out of the history of a repeated day', async () => {
    const market = new Market(await open());
    const withLow = (day: number, low: number) => {
      return { ...board(day), '20 Foil': { market: 29, low, mid: 30 } };
    };
    await market.lists('2026-01-19', withLow(0, 25));
    await market.lists('2026-01-20', withLow(1, 0.02));
    await market.lists('2026-01-21', withLow(1, 0.02));
    assert.equal((await market.printing('20', 'Foil')).low, null);
    const lows = (await market.days('20', 'Foil')).map(({ low }) => low);
    assert.deepEqual(lows, [2500, null, null]);
    assert.deepEqual((await daysOf(market, '20')).at(-1), ['2026-01-21', 2900, true]);
  });
});

function without(prices: Board): Board {
  return Object.fromEntries(Object.keys(prices).map((name) => [name, null]));
}
