import assert from 'node:assert/strict';
import { it } from 'node:test';
import { formatDay, MS_PER_DAY } from '../../src/domain/day.ts';
import { closedBecause, settlementOf } from '../../src/domain/settlement.ts';
import { takeBackRejections } from '../../src/ingest/decisions/refresh-disputes.ts';
import type { Store } from '../../src/store/connect.ts';
import { quarantinedPrices } from '../../src/store/quarantine/prices.ts';
import { listQuarantined } from '../../src/store/quarantine/quarantine.ts';
import { forEachEngine } from '../support/engines.ts';
import { type Date as DateText, Market } from '../support/market.ts';
import { moment } from '../support/resolved.ts';

/** The date some days after 1 January. */
function dateOf(days: number): DateText {
  const at = moment('2026-01-01') + days * MS_PER_DAY;
  return new Date(at).toISOString().slice(0, 10) as DateText;
}

/** The decisions on all entries, by rule. */
async function decisions(store: Store): Promise<(readonly [string, string | null])[]> {
  const entries = await listQuarantined(store.db, {});
  return entries.map(({ rule, decision }) => [rule, decision] as const);
}

/** Why each entry was closed by itself; null for one that was not. */
async function reasons(store: Store): Promise<(string | null)[]> {
  const prices = await quarantinedPrices(store, await listQuarantined(store.db, {}));
  return prices.map(closedBecause);
}

/** Twelve times as much: only a second source would settle it. */
const JUMPED = { '1 Normal': 120 };

forEachEngine((_label, open) => {
  it('An entry closes on the 30th day, as it says, and its price stays unserved', async () => {
    const store = await open();
    const market = new Market(store);
    await market.lists(dateOf(0), { '1 Normal': 10 });
    for (let day = 1; day <= 30; day += 1) await market.lists(dateOf(day), JUMPED);
    const [price] = await quarantinedPrices(store, await listQuarantined(store.db, {}));
    assert.ok(price);
    const { by, closesOn } = settlementOf(price);
    assert.match(by, /^It is settled when another source reports a similar price, or /);
    assert.equal(closesOn && formatDay(closesOn), dateOf(31));
    assert.deepEqual(await decisions(store), [['price-jump', null]]);
    assert.deepEqual(await reasons(store), [null]);
    await market.lists(dateOf(31), JUMPED);
    assert.deepEqual(await decisions(store), [['price-jump', 'closed']]);
    assert.match((await reasons(store)).join(), /^Nothing settled it in 30 days\./);
    await market.lists(dateOf(32), JUMPED);
    assert.deepEqual(await decisions(store), [['price-jump', 'closed']], 'it is the same price');
    assert.deepEqual(await market.served(), { '1 Normal': 10 });
  });

  it('A closed entry ends with the evidence, and another price opens it again', async () => {
    const store = await open();
    const market = new Market(store);
    const calm = Object.fromEntries(
      Array.from({ length: 20 }, (_, index) => [`${index + 4} Normal`, 10]),
    );
    await market.lists(dateOf(0), { ...calm, '1 Normal': 10, '2 Normal': 10, '3 Normal': 10 });
    const jumped = { ...calm, ...JUMPED, '2 Normal': 130, '3 Normal': 150 };
    for (const day of [1, 31]) await market.lists(dateOf(day), jumped);
    assert.deepEqual(
      (await decisions(store)).map(([, decision]) => decision),
      ['closed', 'closed', 'closed'],
    );
    const ebay = { source: 'pricecharting', marketplace: 'ebay' };
    await market.feeds(dateOf(32), { '1 Normal': 121 }, ebay);
    await market.lists(dateOf(32), { ...jumped, '2 Normal': 500, '3 Normal': 10 });
    const served = await market.served();
    assert.deepEqual(
      [1, 2, 3].map((card) => served[`${card} Normal`]),
      [120, 10, 10],
    );
    assert.deepEqual(await market.waiting(), ['2 Normal: price-jump', '1 Normal: source-outlier']);
  });

  it('A past day closes after a week, once a later day is served', async () => {
    const store = await open();
    const market = new Market(store);
    await market.lists(dateOf(20), { '1 Normal': 15 });
    const days = { [dateOf(8)]: 15, [dateOf(9)]: 900, [dateOf(10)]: 15, [dateOf(11)]: 15 };
    await market.remembers(dateOf(20), ['1', 'Normal'], days);
    assert.deepEqual(await market.waiting(), ['1 Normal: price-jump']);
    await market.lists(dateOf(26), { '1 Normal': 15 });
    assert.equal((await market.waiting()).length, 1);
    await market.lists(dateOf(27), { '1 Normal': 15 });
    assert.deepEqual(await decisions(store), [['price-jump', 'closed']]);
    assert.deepEqual(await reasons(store), ['Its day has passed, and a later price is served.']);
    await market.remembers(dateOf(28), ['1', 'Normal'], days);
    assert.deepEqual(await market.waiting(), [], 'the same day is nothing new');
  });

  it('Prices that are gone from a set wait no longer than others', async () => {
    const store = await open();
    const market = new Market(store);
    const board = Object.fromEntries(
      Array.from({ length: 10 }, (_, index) => [`${index + 1} Normal`, 10]),
    );
    const gone = { ...Object.fromEntries(Object.keys(board).map((name) => [name, null])) };
    const left = { ...gone, '1 Normal': 10, '2 Normal': 10 };
    await market.lists(dateOf(0), board);
    for (const day of [1, 2, 31, 32]) await market.lists(dateOf(day), left);
    assert.deepEqual(await decisions(store), [['mass-delisting', 'closed']]);
  });

  it('An entry that closed can be undone, and waits another 30 days', async () => {
    const store = await open();
    const market = new Market(store);
    await market.lists(dateOf(0), { '1 Normal': 10 });
    for (const day of [1, 31]) await market.lists(dateOf(day), JUMPED);
    const [entry] = await listQuarantined(store.db, {});
    assert.ok(entry);
    const clock = () => moment(dateOf(31));
    assert.equal(await takeBackRejections(store, { ids: [entry.id] }, clock), 1);
    await market.lists(dateOf(60), JUMPED);
    assert.deepEqual(await decisions(store), [['price-jump', null]]);
    await market.lists(dateOf(61), JUMPED);
    assert.deepEqual(await decisions(store), [['price-jump', 'closed']]);
  });

  it('Of the entries that nobody decides on, none is left after 30 days', async () => {
    const store = await open();
    const market = new Market(store);
    const wrong = {
      '1 Normal': 120,
      '2 Normal': { market: 10, low: 9, mid: 12, high: 90_000 },
      '3 Normal': { market: 10, low: 40, mid: 41, high: 42 },
      '4 Normal': 4,
    };
    const right = Object.fromEntries(Object.keys(wrong).map((name) => [name, 10]));
    await market.lists(dateOf(0), right);
    await market.feeds(dateOf(1), { '1 Etched': 5, '4 Normal': 90 });
    for (let day = 1; day <= 31; day += 6) await market.lists(dateOf(day), wrong);
    const before = await decisions(store);
    assert.ok(before.length >= 4, `only ${before.length} entries`);
    await market.feeds(dateOf(31), { '1 Etched': 5, '4 Normal': 90 });
    assert.deepEqual(await market.waiting(), []);
  });
});
