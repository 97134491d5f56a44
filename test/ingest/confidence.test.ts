import assert from 'node:assert/strict';
import { it } from 'node:test';
import { Catalog } from '../../src/catalog/catalog.ts';
import { defaultPrinting } from '../../src/domain/card.ts';
import { confidenceLevel } from '../../src/domain/confidence-level.ts';
import { type Day, dayOf } from '../../src/domain/day.ts';
import { approveQuarantined } from '../../src/ingest/decisions/approve.ts';
import {
  rejectQuarantined,
  takeBackRejections,
} from '../../src/ingest/decisions/refresh-disputes.ts';
import { rollBackDays } from '../../src/ingest/decisions/rollback.ts';
import type { Store } from '../../src/store/connect.ts';
import { listQuarantined } from '../../src/store/quarantine/quarantine.ts';
import { forEachEngine } from '../support/engines.ts';
import { type Date as DateText, Market } from '../support/market.ts';
import { usd as cents } from '../support/replay.ts';
import { moment } from '../support/resolved.ts';

const CARD = 'mtg-lea-card-1-1';

function dayIn(date: string): Day {
  return dayOf(moment(date));
}

/** Reads what a serving process knows of the card, after it has read new publications. */
async function serve(store: Store) {
  const catalog = new Catalog(store);
  await catalog.refresh();
  return async (today: string, id = CARD) => {
    await catalog.refresh();
    const card = catalog.card(id);
    const printing = card && defaultPrinting(card);
    if (!printing) throw new Error(`There is no printing of ${id}.`);
    const { sources, observations, interval } = printing.confidence ?? {};
    const level = confidenceLevel(printing, dayIn(today));
    return { level, sources, observations, interval, dispute: printing.dispute };
  };
}

const LISTED = { market: 10, low: 8, mid: 11, high: 30 };

forEachEngine((_label, open) => {
  it('A first price without anything to compare with is thin', async () => {
    const store = await open();
    const market = new Market(store);
    await market.lists('2026-01-01', { '1 Normal': 10 });
    const read = await serve(store);
    assert.deepEqual(await read('2026-01-01'), {
      level: 'thin',
      sources: 1,
      observations: 1,
      interval: null,
      dispute: undefined,
    });
  });

  it('A price with listings of several sellers around it is confirmed', async () => {
    const store = await open();
    const market = new Market(store);
    await market.lists('2026-01-01', {
      '1 Normal': LISTED,
      '2 Normal': { ...LISTED, low: 30 },
      '3 Normal': { ...LISTED, mid: 16 },
    });
    const read = await serve(store);
    const levels = ['1-1', '2-2', '3-3'].map(async (end) => {
      return (await read('2026-01-01', `mtg-lea-card-${end}`)).level;
    });
    assert.deepEqual(await Promise.all(levels), ['confirmed', 'thin', 'thin']);
  });

  it('The third day within 30 makes a price single-source, with the range of its week', async () => {
    const store = await open();
    const market = new Market(store);
    await market.lists('2026-01-01', { '1 Normal': 9 });
    await market.lists('2026-01-30', { '1 Normal': 10 });
    const read = await serve(store);
    assert.equal((await read('2026-01-30')).level, 'thin');
    await market.lists('2026-01-31', { '1 Normal': 10.5 });
    const now = await read('2026-01-31');
    assert.deepEqual([now.level, now.observations], ['thin', 2], '1 January is over 30 days ago');
    await market.lists('2026-02-01', { '1 Normal': 10.2 });
    assert.deepEqual(await read('2026-02-01'), {
      level: 'single-source',
      sources: 1,
      observations: 3,
      interval: { low: 1000, high: 1050 },
      dispute: undefined,
    });
  });

  it('Another marketplace confirms a price; a second source of the same one does not', async () => {
    const store = await open();
    const market = new Market(store);
    await market.lists('2026-01-01', { '1 Normal': 10 });
    const read = await serve(store);
    await market.feeds('2026-01-01', { '1 Normal': 10.1 });
    const mirrored = await read('2026-01-01');
    assert.deepEqual([mirrored.level, mirrored.sources], ['thin', 1]);
    const ebay = { source: 'pricecharting', marketplace: 'ebay' };
    await market.feeds('2026-01-01', { '1 Normal': 12 }, ebay);
    const confirmed = await read('2026-01-01');
    assert.deepEqual([confirmed.level, confirmed.sources], ['confirmed', 2]);
    assert.deepEqual(confirmed.interval, { low: 1000, high: 1200 });
  });

  it('A marketplace whose price is too old or too different confirms nothing', async () => {
    const store = await open();
    const market = new Market(store);
    const ebay = { source: 'pricecharting', marketplace: 'ebay' };
    await market.lists('2026-01-01', { '1 Normal': 10, '2 Normal': 10 });
    await market.feeds('2026-01-01', { '1 Normal': 11, '2 Normal': 16 }, ebay);
    const read = await serve(store);
    assert.equal((await read('2026-01-01')).level, 'confirmed');
    assert.equal((await read('2026-01-01', 'mtg-lea-card-2-2')).level, 'thin');
    await market.lists('2026-01-15', { '1 Normal': 10, '2 Normal': 10 });
    assert.equal((await read('2026-01-15')).level, 'confirmed');
    await market.lists('2026-01-16', { '1 Normal': 10, '2 Normal': 10 });
    assert.equal((await read('2026-01-16')).level, 'single-source');
  });

  it('A price is stale on the eighth day after its observation, whatever confirmed it', async () => {
    const store = await open();
    const market = new Market(store);
    await market.lists('2026-01-01', { '1 Normal': LISTED });
    const read = await serve(store);
    assert.equal((await read('2026-01-08')).level, 'confirmed');
    assert.equal((await read('2026-01-09')).level, 'stale');
  });

  it('A quarantined price shows as a dispute of the last believed one, and ends with it', async () => {
    const store = await open();
    const market = new Market(store);
    await market.lists('2026-01-01', { '1 Normal': 10 });
    const read = await serve(store);
    await market.lists('2026-01-02', { '1 Normal': 45 });
    await market.lists('2026-01-03', { '1 Normal': 46 });
    const disputed = await read('2026-01-03');
    assert.equal(disputed.level, 'disputed');
    const since = dayIn('2026-01-02');
    assert.deepEqual(disputed.dispute, { reported: 4600, since, rule: 'price-jump' });
    await market.lists('2026-01-04', { '1 Normal': 10 });
    const back = await read('2026-01-04');
    assert.deepEqual([back.level, back.dispute], ['thin', undefined]);
  });

  it('A quarantined listing disputes no market price', async () => {
    const store = await open();
    const market = new Market(store);
    await market.lists('2026-01-01', { '1 Normal': LISTED });
    await market.lists('2026-01-02', { '1 Normal': { ...LISTED, high: 50_000 } });
    assert.deepEqual(await market.waiting(), ['1 Normal: stray-listing']);
    const read = await serve(store);
    assert.equal((await read('2026-01-02')).dispute, undefined);
  });

  it('A set that moved as a whole is disputed by its own source alone', async () => {
    const store = await open();
    const market = new Market(store);
    const board = (factor: number) => {
      const names = Array.from({ length: 12 }, (_, index) => `${index + 1} Normal`);
      return Object.fromEntries(names.map((name, index) => [name, (10 + index) * factor]));
    };
    await market.lists('2026-01-01', board(1));
    await market.feeds('2026-01-01', board(1));
    const read = await serve(store);
    await market.feeds('2026-01-02', board(1.4));
    assert.match(String(await market.waiting()), /source-shift|set-shift/);
    assert.equal((await read('2026-01-02')).dispute, undefined);
    await market.lists('2026-01-02', board(1.3));
    const { level, dispute } = await read('2026-01-02');
    assert.deepEqual([level, dispute?.rule, dispute?.reported], ['disputed', 'set-shift', 1300]);
  });

  it('Another source disputes only what no other marketplace confirms', async () => {
    const store = await open();
    const market = new Market(store);
    const ebay = { source: 'pricecharting', marketplace: 'ebay' };
    await market.lists('2026-01-01', { '1 Normal': 10, '2 Normal': 10 });
    await market.feeds('2026-01-01', { '1 Normal': 11 }, ebay);
    await market.feeds('2026-01-01', { '1 Normal': 90, '2 Normal': 90 });
    const rule = 'source-outlier';
    assert.deepEqual(await market.waiting(), [`1 Normal: ${rule}`, `2 Normal: ${rule}`]);
    const read = await serve(store);
    assert.equal((await read('2026-01-01')).level, 'confirmed');
    const { dispute } = await read('2026-01-01', 'mtg-lea-card-2-2');
    assert.deepEqual(dispute, { reported: 9000, since: dayIn('2026-01-01'), rule });
  });

  it('Approving and rejecting end a dispute, and undoing a rejection brings it back', async () => {
    const store = await open();
    const market = new Market(store);
    await market.lists('2026-01-01', { '1 Normal': 10, '2 Normal': 10 });
    await market.lists('2026-01-02', { '1 Normal': 45, '2 Normal': 45 });
    const read = await serve(store);
    const clock = () => moment('2026-01-02');
    const [first, second] = await listQuarantined(store.db, {});
    assert.ok(first && second);
    await rejectQuarantined(store, { ids: [second.id] }, clock);
    assert.equal((await read('2026-01-02', 'mtg-lea-card-2-2')).level, 'thin');
    await takeBackRejections(store, { ids: [second.id] }, clock);
    assert.equal((await read('2026-01-02', 'mtg-lea-card-2-2')).level, 'disputed');
    assert.equal((await read('2026-01-02')).level, 'disputed');
    await approveQuarantined(store, [first], clock);
    assert.equal((await read('2026-01-02')).level, 'thin');
    assert.deepEqual(await market.served(), { '1 Normal': 45, '2 Normal': 10 });
  });

  it('Rolling back the days of a source ends the disputes that they began', async () => {
    const store = await open();
    const market = new Market(store);
    await market.lists('2026-01-01', { '1 Normal': 10 });
    await market.lists('2026-01-02', { '1 Normal': 45 });
    const clock = () => moment('2026-01-02');
    const read = await serve(store);
    assert.equal((await read('2026-01-02')).level, 'disputed');
    await rollBackDays(store, { source: 'tcgcsv', since: dayIn('2026-01-02') }, { clock });
    assert.equal((await read('2026-01-02')).level, 'thin');
  });

  it('Rows from before the confidence was recorded are judged by what they have', async () => {
    const store = await open();
    const market = new Market(store);
    const board = { '1 Normal': LISTED, '2 Normal': 10 };
    await market.lists('2026-01-01', { ...board, '3 Normal': 5 });
    await market.lists('2026-01-02', board);
    const none = { confidence: null, interval_low: null, interval_high: null };
    await store.db.updateTable('printings').set(none).execute();
    const read = await serve(store);
    const levels = ['1-1', '2-2'].map(async (end) => {
      return (await read('2026-01-02', `mtg-lea-card-${end}`)).level;
    });
    assert.deepEqual(await Promise.all(levels), ['confirmed', 'single-source']);
  });

  it('The value of a set and the movers use no disputed and no thin price', async () => {
    const store = await open();
    const market = new Market(store);
    const rising = (day: number) => ({ market: 10 + day, low: 8, mid: 11 + day, high: 40 });
    for (let day = 1; day <= 9; day += 1) {
      const date: DateText = `2026-01-0${day}`;
      await market.lists(date, {
        '1 Normal': rising(day),
        '2 Normal': day === 9 ? 65 : rising(day).market,
        ...(day === 2 && { '3 Normal': 10 }),
        ...(day === 9 && { '3 Normal': 11 }),
      });
    }
    const catalog = new Catalog(store);
    await catalog.refresh();
    const [counted] = catalog.sets();
    assert.equal(counted && catalog.value(counted.set), 1900);
    const filter = { window: '7d', sort: 'amount', direction: 'both', least: cents(1) } as const;
    const { movers, leftOut } = await catalog.movers.list(filter);
    assert.deepEqual(
      movers.map(({ card }) => card.name),
      ['Card 1'],
    );
    assert.deepEqual(
      leftOut.map(({ mover, doubt }) => [mover.card.name, doubt]),
      [
        ['Card 2', 'quarantined'],
        ['Card 3', 'few-observations'],
      ],
    );
    const confidence = { least: 'single-source', today: dayIn('2026-01-09') } as const;
    const sure = await catalog.movers.list({ ...filter, confidence });
    assert.deepEqual([sure.movers.length, sure.leftOut.length], [1, 0]);
  });
});
