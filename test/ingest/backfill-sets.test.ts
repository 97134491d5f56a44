import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addDays, dayOf, formatDay } from '../../src/domain/day.ts';
import { NO_PRICES } from '../../src/domain/price.ts';
import { approveQuarantined } from '../../src/ingest/decisions/approve.ts';
import { importBackfill } from '../../src/ingest/drivers/backfill.ts';
import type { Backfill, BackfillListing } from '../../src/sources/contract/backfill.ts';
import type { Store } from '../../src/store/connect.ts';
import { listQuarantined } from '../../src/store/quarantine/quarantine.ts';
import { forEachEngine } from '../support/engines.ts';
import { type Board, Market } from '../support/market.ts';
import { usd } from '../support/replay.ts';
import { moment } from '../support/resolved.ts';

const CARDS = 12;
const FIRST = dayOf(moment('2026-01-10'));
const DAYS = 10;

/** The day on which all prices are wrong. */
const WRONG = 4;

function price(card: number, day: number): number {
  return 2 + card * 7 + ((card + day) % 3 === 0 ? 0.05 : 0);
}

const BOARD: Board = Object.fromEntries(
  Array.from({ length: CARDS }, (_, card) => [`${card + 1} Foil`, price(card + 1, DAYS)]),
);

/** An archive of all days, day by day, with one of them 1.3 times what it should be. */
function archive(): Backfill {
  const days = Array.from({ length: DAYS }, (_, day) => day);
  const listings = (day: number): BackfillListing[] => {
    return Array.from({ length: CARDS }, (_, index) => {
      const market = usd(price(index + 1, day) * (day === WRONG ? 1.3 : 1));
      const prices = { ...NO_PRICES, market };
      return { externalId: `${index + 1}`, printing: 'Foil', day: addDays(FIRST, day), prices };
    });
  };
  return {
    source: 'tcgcsv-archive',
    idSpace: 'tcgcsv',
    marketplace: 'tcgplayer',
    total: DAYS,
    figures: ['market', 'low', 'mid', 'high'],
    async *parts() {
      for (const day of days) {
        const chunks = [{ listings: listings(day), skipped: {}, broken: [] }];
        const name = formatDay(addDays(FIRST, day));
        yield { outcome: { name, kind: 'read', part: { chunks } }, done: day + 1 } as const;
      }
    },
  };
}

const clock = () => Date.parse('2026-01-29T00:00:00Z');

forEachEngine((_label, open) => {
  const openMarket = async (): Promise<{ store: Store; market: Market }> => {
    const store = await open();
    const market = new Market(store);
    await market.lists('2026-01-28', BOARD);
    return { store, market };
  };

  for (const pointsAtOnce of [5_000_000, 50, 7 * CARDS]) {
    test(`a day on which a whole set is off is held, ${pointsAtOnce} points at once`, async () => {
      const { store, market } = await openMarket();
      const { quarantined } = await importBackfill(store, archive(), { clock, pointsAtOnce });
      assert.deepEqual(quarantined, { 'set-shift': CARDS });
      const history = await market.history('3', 'Foil');
      assert.equal(history.length, DAYS, 'all other days, and the one of the snapshot');
      assert.ok(!history.includes(price(3, WRONG) * 1.3));
    });
  }

  test('a quarantined day that the operator approves is written, and counts as right', async () => {
    const { store, market } = await openMarket();
    await importBackfill(store, archive(), { clock });
    const held = await listQuarantined(store.db, { rule: 'set-shift' });
    await approveQuarantined(store, held, clock);
    const history = await market.history('3', 'Foil');
    assert.equal(history[WRONG], usd(price(3, WRONG) * 1.3) / 100);
    assert.equal(history.length, DAYS + 1);
    const { quarantined, historyAdded } = await importBackfill(store, archive(), { clock });
    assert.deepEqual([quarantined, historyAdded], [{}, 0]);
    assert.deepEqual(await market.served(), BOARD, 'the served prices stay');
  });

  test('a held day stays in quarantine once, however often it is imported', async () => {
    const { store } = await openMarket();
    await importBackfill(store, archive(), { clock });
    await importBackfill(store, archive(), { clock });
    assert.equal((await listQuarantined(store.db, {})).length, CARDS);
  });
});
