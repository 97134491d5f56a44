import assert from 'node:assert/strict';
import { test } from 'node:test';
import { approveQuarantined } from '../../../src/ingest/decisions/approve.ts';
import { listQuarantined, quarantinePages } from '../../../src/store/quarantine/quarantine.ts';
import { forEachEngine } from '../../support/engines.ts';
import { type Board, Market } from '../../support/market.ts';
import { moment } from '../../support/resolved.ts';

const CARDS = 12;

/**
 * A set, times a factor. A third of it moves by some cents each day; the last card stands still.
 */
function board(day: number, factor = 1): Record<string, number> {
  const cards = Array.from({ length: CARDS }, (_, card): [string, number] => {
    const price = 4 + card * 3 + ((card + day) % 3 === 0 ? 0.1 : 0);
    return [`${card + 1} Foil`, Math.round(price * factor * 100) / 100];
  });
  return { ...Object.fromEntries(cards), '13 Foil': 50 };
}

forEachEngine((_label, open) => {
  const openShifted = async () => {
    const store = await open();
    const market = new Market(store);
    await market.lists('2026-01-20', board(0));
    const { quarantined } = await market.lists('2026-01-21', board(1, 1.3));
    return { store, market, quarantined };
  };

  test('a set that moved as a whole keeps its prices, except those that stood still', async () => {
    const { market, quarantined } = await openShifted();
    assert.deepEqual(quarantined, { 'set-shift': CARDS });
    await market.lists('2026-01-22', board(2, 1.3));
    assert.deepEqual(await market.served(), board(0));
    assert.equal((await market.printing('13', 'Foil')).figures_at, moment('2026-01-22T20:05:12Z'));
    assert.deepEqual(await market.history('1', 'Foil'), [4.1]);
  });

  test('a set that is back is served, without the days on which it was away', async () => {
    const { market } = await openShifted();
    await market.lists('2026-01-22', board(2));
    assert.deepEqual(await market.served(), board(2));
    assert.deepEqual(await market.waiting(), []);
    assert.deepEqual(await market.history('1', 'Foil'), [4.1, 4]);
  });

  test('a set that the operator approves is served, with all of its days', async () => {
    const { store, market } = await openShifted();
    await market.lists('2026-01-22', board(2, 1.3));
    const [entry] = await listQuarantined(store.db, {});
    const pages = quarantinePages(store.db, { sets: [entry?.setRowId ?? 0], rule: 'set-shift' });
    const decidedAt = moment('2026-01-22T22:00:00Z');
    const done = await approveQuarantined(store, pages, () => decidedAt);
    assert.deepEqual(done, { accepted: CARDS, pricesChanged: CARDS, refused: 0, decidedAt });
    assert.deepEqual(await market.served(), board(2, 1.3));
    assert.deepEqual(await market.history('1', 'Foil'), [4.1, 5.2, 5.2]);
    const { quarantined } = await market.lists('2026-01-23', board(3, 1.3));
    assert.deepEqual([quarantined, await market.waiting()], [{}, []]);
    assert.deepEqual(await market.served(), board(3, 1.3));
  });

  test('a set that two sources of a marketplace report alike waits, as both may be wrong', async () => {
    const store = await open();
    const market = new Market(store);
    const both = async (day: number, prices: Board) => {
      const first = await market.lists(`2026-01-${20 + day}`, prices);
      const second = await market.feeds(`2026-01-${20 + day}`, prices);
      return [first.quarantined, second.quarantined];
    };
    assert.deepEqual(await both(0, board(0)), [{}, {}]);
    const held = { 'set-shift': CARDS };
    assert.deepEqual(await both(1, board(1, 1.3)), [held, held]);
    assert.deepEqual(await both(2, board(2, 1.3)), [held, held]);
    assert.deepEqual(await market.served(), board(0));
    assert.deepEqual(await both(3, board(3)), [{}, {}]);
    assert.deepEqual(await market.waiting(), []);
  });
});
