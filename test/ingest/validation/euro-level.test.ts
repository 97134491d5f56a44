import assert from 'node:assert/strict';
import { it } from 'node:test';
import { type Day, dayOf } from '../../../src/domain/day.ts';
import type { Rate } from '../../../src/domain/rates.ts';
import { importFeed } from '../../../src/ingest/drivers/feed.ts';
import { forEachEngine } from '../../support/engines.ts';
import { charizard, feedItem, feedOf } from '../../support/feed-items.ts';
import { Market } from '../../support/market.ts';

const START = Date.parse('2026-01-01T12:00:00Z');
const DAY = 86_400_000;

/** A rate of the euro that falls each day, as the price in euros rises. */
const rates: readonly Rate[] = Array.from({ length: 40 }, (_, after) => {
  const day = (dayOf(START) + after) as Day;
  return { currency: 'EUR', day, dollarsPerUnit: 1.1 * 0.999 ** after, source: 'ecb' };
});

forEachEngine((_label, open) => {
  it('A price in euros that climbs a little each day is compared with its level in euros', async () => {
    const store = await open();
    await new Market(store).lists('2026-01-01', { '1 Normal': null });
    const report = async (after: number, euros: number) => {
      const observedAt = START + after * DAY;
      const card = charizard({ game: 'mtg', setName: 'Alpha', number: '1', name: 'Card 1' });
      const prices = { market: Math.round(euros * 100) };
      const fields = { printing: 'Normal', market: 'cardmarket', currency: 'EUR' } as const;
      const item = feedItem(card, { ...fields, observedAt, prices });
      const feed = feedOf('cardmarket', { observedAt, batches: [[item]] });
      const { quarantined } = await importFeed(store, feed, { clock: () => observedAt, rates });
      return quarantined;
    };
    for (let after = 0; after <= 18; after += 1) {
      assert.deepEqual(await report(after, 10 * 1.06 ** after), {}, `day ${after}`);
    }
    assert.deepEqual(await report(19, 10 * 1.06 ** 19), { 'price-jump': 1 });
    const [entry] = await store.db.selectFrom('quarantine').select('detail').execute();
    assert.match(entry?.detail ?? '', /its lowest price of the last 30 days €10\.00/);
  });
});
