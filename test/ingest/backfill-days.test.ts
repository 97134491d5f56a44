import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addDays, type Day, dayOf, formatDay } from '../../src/domain/day.ts';
import { NO_PRICES, type PriceFigures } from '../../src/domain/price.ts';
import { approveQuarantined } from '../../src/ingest/decisions/approve.ts';
import { importBackfill } from '../../src/ingest/drivers/backfill.ts';
import type { Backfill } from '../../src/sources/contract/backfill.ts';
import { historyReader } from '../../src/store/history/index.ts';
import { listQuarantined } from '../../src/store/quarantine/quarantine.ts';
import { forEachEngine } from '../support/engines.ts';
import { Market } from '../support/market.ts';
import { usd } from '../support/replay.ts';
import { moment } from '../support/resolved.ts';

const CARDS = 24;
const FIRST = dayOf(moment('2026-01-10'));
const clock = () => Date.parse('2026-01-29T00:00:00Z');

/** An archive of some days, with the figures of each card of a day. */
function archive(days: number, figuresOf: (card: number, day: number) => PriceFigures): Backfill {
  return {
    source: 'tcgcsv-archive',
    idSpace: 'tcgcsv',
    marketplace: 'tcgplayer',
    total: days,
    figures: ['market', 'low', 'mid', 'high'],
    async *parts() {
      for (let at = 0; at < days; at += 1) {
        const day = addDays(FIRST, at);
        const listings = Array.from({ length: CARDS }, (_, index) => {
          const prices = figuresOf(index + 1, at);
          return { externalId: `${index + 1}`, printing: 'Foil', day, prices };
        });
        const part = { chunks: [{ listings, skipped: {}, broken: [] }] };
        yield { outcome: { name: formatDay(day), kind: 'read', part }, done: at + 1 } as const;
      }
    },
  };
}

forEachEngine((_label, open) => {
  const openMarket = async () => {
    const store = await open();
    const board = Array.from({ length: CARDS }, (_, card) => [`${card + 1} Foil`, card + 3]);
    await new Market(store).lists('2026-01-28', Object.fromEntries(board));
    const { id } = await store.db
      .selectFrom('printings')
      .select('id')
      .orderBy('id')
      .executeTakeFirstOrThrow();
    return { store, history: () => historyReader(store)(id, 0 as Day, 60_000 as Day) };
  };

  test('days of an archive on which a set is repeated to the cent are marked', async () => {
    const { store, history } = await openMarket();
    const repeated = [2, 5];
    const since = (day: number) => day - repeated.filter((one) => one <= day).length;
    const prices = (card: number, day: number) => {
      return { ...NO_PRICES, market: usd(card + 2 + ((card + since(day)) % 2) / 50) };
    };
    await importBackfill(store, archive(7, prices), { clock });
    const days = await history();
    assert.deepEqual(
      days.map((one) => one.provenance?.repeated),
      [false, false, true, false, false, true, false, false],
    );
  });

  test('stray listings of an archived day are left out until the operator approves', async () => {
    const { store, history } = await openMarket();
    const prices = (card: number, day: number) => {
      const market = usd(card + 2 + ((card + day) % 2) / 50);
      const high = usd(card === 1 && day === 1 ? 204_301.3 : card + 9);
      return { market, low: usd(card + 1), mid: usd(card + 3), high };
    };
    const { quarantined } = await importBackfill(store, archive(3, prices), { clock });
    assert.deepEqual(quarantined, { 'stray-listing': 1 });
    const highs = async () => (await history()).map(({ high }) => high);
    assert.deepEqual(await highs(), [1000, null, 1000, null]);
    await approveQuarantined(store, await listQuarantined(store.db, {}), clock);
    assert.deepEqual(await highs(), [1000, 20_430_130, 1000, null]);
    await importBackfill(store, archive(3, prices), { clock });
    assert.deepEqual(await highs(), [1000, 20_430_130, 1000, null], 'and it stays approved');
  });
});
