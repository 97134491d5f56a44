import assert from 'node:assert/strict';
import { test } from 'node:test';
import { approveQuarantined } from '../../../src/ingest/decisions/approve.ts';
import { listQuarantined, rejectMatching } from '../../../src/store/quarantine/quarantine.ts';
import { forEachEngine } from '../../support/engines.ts';
import { type Date as DateText, Market } from '../../support/market.ts';
import { moment } from '../../support/resolved.ts';

const LATER = moment('2026-03-01');
const SHOP = { source: 'justtcg', marketplace: 'justtcg' };
const PRICES = { market: 10, low: 8, mid: 12, high: 20 };

/** A day of January. */
function january(day: number): DateText {
  return `2026-01-${String(day).padStart(2, '0')}`;
}

forEachEngine((_label, open) => {
  /** Lists a printing on days that follow each other, from the 20th on. */
  async function listed(...lows: number[]) {
    const store = await open();
    const market = new Market(store);
    for (const [index, low] of lows.entries()) {
      await market.lists(january(20 + index), { '1 Foil': { ...PRICES, low } });
    }
    return { store, market };
  }

  const lowsOf = async (market: Market) => (await market.days('1', 'Foil')).map(({ low }) => low);

  test('a wrong listing is not served, and everything else is', async () => {
    const { market } = await listed(8, 0.01);
    const { market: price, low, mid, high, figures_at } = await market.printing('1', 'Foil');
    assert.deepEqual([price, low, mid, high], [1000, null, 1200, 2000]);
    assert.equal(figures_at, moment('2026-01-21T20:05:12Z'));
    assert.deepEqual(await market.waiting(), ['1 Foil: price-jump']);
    assert.deepEqual(await lowsOf(market), [800, null]);
  });

  test('a listing that stays wrong is compared with the last right one, day after day', async () => {
    const { store, market } = await listed(8, 0.01, 0.01, 0.01, 0.01, 0.01, 0.01);
    assert.equal((await market.printing('1', 'Foil')).low, null);
    assert.deepEqual(await market.waiting(), ['1 Foil: price-jump']);
    const [entry] = await listQuarantined(store.db, {});
    const { amounts, was, days } = entry?.observation ?? assert.fail();
    assert.deepEqual([amounts, was, days], [['low'], { low: 800 }, 6]);
    assert.match(entry?.detail ?? '', /^Low of Card 1 \(Foil\) went from \$8\.00 to \$0\.01/);
    assert.deepEqual(await lowsOf(market), [800, null, null, null, null, null, null]);
  });

  test('a listing that is right again is served, and its entry is gone', async () => {
    const { market } = await listed(8, 0.01, 0.01, 7.5);
    assert.equal((await market.printing('1', 'Foil')).low, 750);
    assert.deepEqual(await market.waiting(), []);
    assert.deepEqual(await lowsOf(market), [800, null, null, 750]);
  });

  test('a true move of a listing is accepted, and its days go into the history', async () => {
    const { market } = await listed(8, 3.5, 3.2, 2.7, 2.6);
    assert.deepEqual(await market.waiting(), []);
    assert.equal((await market.printing('1', 'Foil')).low, 260);
    assert.deepEqual(await lowsOf(market), [800, 350, 320, 270, 260]);
  });

  test('an approved listing is served, and its days go into the history', async () => {
    const { store, market } = await listed(8, 0.01, 0.01);
    const rows = await listQuarantined(store.db, {});
    const done = await approveQuarantined(store, rows, () => LATER);
    assert.deepEqual(done, { accepted: 1, pricesChanged: 1, refused: 0, decidedAt: LATER });
    const { market: price, low, mid, high } = await market.printing('1', 'Foil');
    assert.deepEqual([price, low, mid, high], [1000, 1, 1200, 2000]);
    assert.deepEqual(await lowsOf(market), [800, 1, 1]);
    await market.lists('2026-01-23', { '1 Foil': { ...PRICES, low: 0.01 } });
    assert.deepEqual(await market.waiting(), []);
  });

  test('a rejected listing is not listed again, and never served', async () => {
    const { store, market } = await listed(8, 0.01);
    const [entry] = await listQuarantined(store.db, {});
    await rejectMatching(store.db, { ids: [entry?.id ?? 0] }, LATER);
    for (const day of [22, 23, 24, 25]) {
      await market.lists(january(day), { '1 Foil': { ...PRICES, low: 0.01 } });
    }
    assert.deepEqual(await market.waiting(), []);
    assert.equal((await market.printing('1', 'Foil')).low, null);
    await market.lists('2026-01-26', { '1 Foil': { ...PRICES, low: 8.2 } });
    assert.equal((await market.printing('1', 'Foil')).low, 820);
  });

  test('a jump of the market price later holds everything, and the listing waits with it', async () => {
    const { market } = await listed(8, 0.01);
    await market.lists('2026-01-22', { '1 Foil': { ...PRICES, market: 60, low: 0.01 } });
    const { market: price, low } = await market.printing('1', 'Foil');
    assert.deepEqual([price, low], [1000, null]);
    await market.lists('2026-01-23', { '1 Foil': { ...PRICES, low: 0.01 } });
    assert.equal((await market.printing('1', 'Foil')).low, null);
    assert.deepEqual(await market.waiting(), ['1 Foil: price-jump']);
  });

  test('a grade that jumps waits alone, until it has lasted', async () => {
    const store = await open();
    const market = new Market(store);
    await market.lists('2026-01-19', { '1 Foil': 10 });
    const report = async (day: number, psa_10: number) => {
      await market.feeds(january(day), { '1 Foil': { market: 10, psa_9: 30, psa_10 } }, SHOP);
      const { graded } = await market.printing('1', 'Foil');
      return JSON.parse(graded ?? '{}');
    };
    assert.deepEqual(await report(20, 50), { psa_9: 3000, psa_10: 5000 });
    for (const [day, price] of [
      [21, 200],
      [22, 200],
      [22, 190],
      [23, 210],
    ] as const) {
      assert.deepEqual(await report(day, price), { psa_9: 3000 });
    }
    const [entry] = await listQuarantined(store.db, {});
    const { trails, was } = entry?.observation ?? assert.fail();
    assert.deepEqual([trails, was], [{ psa_10: [20_000, 19_000, 21_000] }, { psa_10: 5000 }]);
  });

  test('a source of grades alone is believed as others are', async () => {
    const market = new Market(await open());
    await market.lists('2026-01-19', { '1 Foil': 10 });
    for (const [index, psa_10] of [90, ...Array.from({ length: 10 }, () => 200), 210].entries()) {
      assert.equal((await market.waiting()).length, index < 2 ? 0 : 1);
      await market.feeds(january(19 + index), { '1 Foil': { psa_10 } }, SHOP);
    }
    assert.deepEqual(await market.waiting(), []);
    assert.equal((await market.printing('1', 'Foil')).graded, JSON.stringify({ psa_10: 21_000 }));
  });

  test('a wrong listing that was missing for a day is not a first price', async () => {
    const { market } = await listed(8, 0.01);
    await market.lists('2026-01-22', { '1 Foil': { market: 10, mid: 12, high: 20 } });
    await market.lists('2026-01-23', { '1 Foil': { ...PRICES, low: 0.01 } });
    assert.equal((await market.printing('1', 'Foil')).low, null);
    await market.lists('2026-01-24', { '1 Foil': { ...PRICES, low: 8.1 } });
    assert.equal((await market.printing('1', 'Foil')).low, 810);
    assert.deepEqual(await market.waiting(), []);
  });

  test('a wrong listing is not a first price after a day on which nothing can be right', async () => {
    const { market } = await listed(8, 0.01, 0, 0.01);
    assert.equal((await market.printing('1', 'Foil')).low, null);
    assert.deepEqual(await market.waiting(), ['1 Foil: price-jump']);
  });

  test('a listing waits alone while another one comes and goes', async () => {
    const { market } = await listed(8, 0.01);
    await market.lists('2026-01-22', { '1 Foil': { ...PRICES, low: 0.01, high: 900 } });
    const both = await market.printing('1', 'Foil');
    assert.deepEqual([both.market, both.low, both.high], [1000, null, null]);
    await market.lists('2026-01-23', { '1 Foil': { ...PRICES, low: 0.01 } });
    const one = await market.printing('1', 'Foil');
    assert.deepEqual([one.market, one.low, one.high], [1000, null, 2000]);
  });

  test('a listing that stands still where it jumped is never served, and its entry closes', async () => {
    const store = await open();
    const market = new Market(store);
    await market.lists('2026-01-01', { '1 Foil': PRICES });
    for (let month = 2; month < 12; month += 1) {
      const day: DateText = `2026-${String(month).padStart(2, '0')}-01`;
      await market.lists(day, { '1 Foil': { ...PRICES, low: 2 } });
    }
    const entries = await listQuarantined(store.db, {});
    assert.deepEqual(
      entries.map(({ rule, decision }) => [rule, decision]),
      [['price-jump', 'closed']],
    );
    assert.equal((await market.printing('1', 'Foil')).low, null);
  });
});
