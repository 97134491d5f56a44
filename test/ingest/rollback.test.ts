import assert from 'node:assert/strict';
import { it } from 'node:test';
import fc from 'fast-check';
import { addDays, type Day, dayOf, formatDay } from '../../src/domain/day.ts';
import type { Cents } from '../../src/domain/money.ts';
import { NO_PRICES } from '../../src/domain/price.ts';
import { decodeBlock, encodeBlock } from '../../src/history/codec.ts';
import { rollBackDays, type WrongDays } from '../../src/ingest/decisions/rollback.ts';
import { importBackfill } from '../../src/ingest/drivers/backfill.ts';
import { isImported } from '../../src/ingest/drivers/snapshot.ts';
import type { Backfill } from '../../src/sources/contract/backfill.ts';
import { forgetFilesIn } from '../../src/store/catalogue/imports.ts';
import type { Store } from '../../src/store/connect.ts';
import { historyReader } from '../../src/store/history/index.ts';
import { forEachEngine } from '../support/engines.ts';
import { type Board, type Date as IsoDate, Market } from '../support/market.ts';
import { moment } from '../support/resolved.ts';
import { FIXTURE, importTree } from '../support/tcgcsv.ts';

const NOW = moment('2026-03-01');
const TUESDAY = '2026-01-20';

function dayIn(date: string): Day {
  return dayOf(moment(date));
}

function rollBack(store: Store, wrong: Partial<WrongDays> = {}, isDryRun = false) {
  const days = { source: 'tcgcsv', since: dayIn(TUESDAY), ...wrong };
  return rollBackDays(store, days, { clock: () => NOW, isDryRun });
}

/**
 * All that is served, recorded and quarantined. Only the days of moments are in it: of a day that
 * came back from the history the time of day is not known.
 */
async function contents({ db, ...store }: Store) {
  const printings = await db.selectFrom('printings').selectAll().orderBy('id').execute();
  const observations = await db
    .selectFrom('observations')
    .selectAll()
    .orderBy('printing_id')
    .orderBy('source')
    .orderBy('marketplace')
    .execute();
  const read = historyReader({ db, ...store });
  const history = printings.map(({ id }) => read(id, 0 as Day, 60_000 as Day));
  const corrections = db
    .selectFrom('history_corrections')
    .where('withdrawn', '=', 0)
    .selectAll()
    .orderBy('printing_id');
  const quarantined = db.selectFrom('quarantine').select(['rule', 'detail']).orderBy('id');
  return {
    printings: printings.map(({ revision, figures_at, ...row }) => {
      return { ...row, of: figures_at && dayOf(figures_at) };
    }),
    observations: observations.map(({ observed_at, fetched_at, ...row }) => {
      return { ...row, on: dayOf(observed_at) };
    }),
    history: await Promise.all(history),
    corrections: await corrections.orderBy('day').orderBy('replaced_at').execute(),
    quarantined: await quarantined.execute(),
  };
}

/** Has the recent block of the first printing forget where the prices of some days come from. */
async function forgetSources({ db }: Store, dates: readonly string[]): Promise<void> {
  const row = await db.selectFrom('history_recent').selectAll().executeTakeFirstOrThrow();
  const days = decodeBlock(row.block, row.printing_id, (number) => number);
  const forgotten = days.map((one) => {
    return dates.includes(formatDay(one.day)) ? { ...one, provenance: 0 } : one;
  });
  const block = encodeBlock(forgotten, row.printing_id);
  await db.updateTable('history_recent').set({ block }).execute();
}

const dollars = fc.integer({ min: 1, max: 1_000_000 });

/** Prices of three printings. */
function boardOf(price: fc.Arbitrary<number | null>): fc.Arbitrary<Board> {
  const printings = { '1 Foil': price, '1 Normal': price, '2 Normal': price };
  return fc.record(printings, { noNullPrototype: true });
}

const priced = boardOf(dollars);
const anyBoard = boardOf(fc.option(dollars, { freq: 4 }));

/** Boards of some days, in their order, by how many days after the first day they are. */
function boards(
  min: number,
  max: number,
  board: fc.Arbitrary<Board>,
): fc.Arbitrary<readonly [number, Board][]> {
  return fc
    .uniqueArray(fc.tuple(fc.integer({ min, max }), board), {
      selector: ([day]) => day,
      minLength: 1,
      maxLength: 5,
    })
    .map((days) => days.sort(([a], [b]) => a - b));
}

/** These tests roll back all prices, also those that validation would have quarantined. */
const TRUSTING = { limits: null };
const FIRST_DAY = dayIn('2026-01-10');
const SINCE = 10;

async function list(market: Market, days: readonly (readonly [number, Board])[]): Promise<void> {
  for (const [day, prices] of days) {
    await market.lists(formatDay(addDays(FIRST_DAY, day)) as IsoDate, prices);
  }
}

forEachEngine((label, open) => {
  it('forgets only the files that were read in the span', async () => {
    const { db } = await open();
    for (const [i, observed_at] of [9, 10, 19, 20].entries()) {
      const file = { source: 'tcgcsv', digest: '', etag: null, observed_at };
      await db
        .insertInto('source_files')
        .values({ ...file, path: `${i}` })
        .execute();
      await db
        .insertInto('source_files')
        .values({ ...file, source: 'shop', path: `${i}` })
        .execute();
      const run = { id: i + 1, source: 'tcgcsv', started_at: 1, observed_at };
      await db.insertInto('imports').values(run).execute();
    }
    assert.equal(await forgetFilesIn(db, { source: 'tcgcsv', from: 10, before: 20 }), 2);
    const files = db
      .selectFrom('source_files')
      .where('source', '=', 'tcgcsv')
      .select('observed_at');
    const kept = await files.orderBy('path').execute();
    assert.deepEqual(
      kept.map((row) => row.observed_at),
      [9, 20],
    );
    const imports = await db.selectFrom('imports').select('observed_at').orderBy('id').execute();
    assert.deepEqual(
      imports.map((row) => row.observed_at),
      [9, null, null, 20],
    );
    const shop = db.selectFrom('source_files').where('source', '=', 'shop').selectAll();
    assert.equal((await shop.execute()).length, 4);
  });

  it('leaves a store that never saw the wrong days, once the right ones are imported', async () => {
    const days = fc.record({
      // Of a printing without a price the history does not know when that was so.
      before: boards(0, SINCE - 1, priced),
      other: fc.tuple(fc.integer({ min: 0, max: SINCE - 1 }), anyBoard),
      // Where they lack a price, others are served, whose true days stay in the history.
      wrong: boards(SINCE, SINCE + 20, priced),
      right: boards(SINCE, SINCE + 25, anyBoard),
    });
    await fc.assert(
      fc.asyncProperty(days, async ({ before, other, wrong, right }) => {
        const [store, clean] = [await open(), await open()];
        for (const one of [store, clean]) {
          const market = new Market(one, TRUSTING);
          await list(market, before);
          await market.feeds(formatDay(addDays(FIRST_DAY, other[0])) as IsoDate, other[1]);
        }
        await list(new Market(store, TRUSTING), wrong);
        await rollBack(store, { since: addDays(FIRST_DAY, SINCE) });
        assert.deepEqual(await contents(store), await contents(clean));
        for (const one of [store, clean]) await list(new Market(one, TRUSTING), right);
        assert.deepEqual(await contents(store), await contents(clean));
      }),
      { numRuns: label === 'SQLite' ? 25 : 4, endOnFailure: true },
    );
  });

  it('takes the wrong days out of the history, and serves the day before them', async () => {
    const store = await open();
    const market = new Market(store, TRUSTING);
    await market.lists('2026-01-18', { '1 Foil': 10, '2 Foil': 20 });
    await market.lists('2026-01-19', { '1 Foil': 11, '2 Foil': 20 });
    await market.lists('2026-01-20', { '1 Foil': 22, '2 Foil': 20 });
    await market.lists('2026-01-21', { '1 Foil': 23, '2 Foil': 40 });
    const summary = await rollBack(store);
    assert.deepEqual(await market.served(), { '1 Foil': 11, '2 Foil': 20 });
    assert.deepEqual(await market.history('1', 'Foil'), [10, 11]);
    const { printings, days, putBack, removed, pricesChanged } = summary;
    assert.deepEqual([printings, days, putBack, removed, pricesChanged], [2, 4, 2, 0, 2]);
    const { figures_at } = await store.db
      .selectFrom('printings')
      .select('figures_at')
      .executeTakeFirstOrThrow();
    assert.equal(figures_at, moment('2026-01-19'));
  });

  it('publishes what it rolled back, once', async () => {
    const store = await open();
    const market = new Market(store, TRUSTING);
    await market.lists('2026-01-19', { '1 Foil': 11 });
    await market.lists('2026-01-20', { '1 Foil': 22 });
    const state = () => store.db.selectFrom('catalog_state').selectAll().executeTakeFirstOrThrow();
    const before = await state();
    await rollBack(store);
    const { revision, writing } = await state();
    assert.deepEqual([revision, writing], [before.revision + 1, before.revision + 1]);
  });

  it('gives a printing its price back that the source did not list on a wrong day', async () => {
    const store = await open();
    const market = new Market(store, TRUSTING);
    await market.lists('2026-01-19', { '1 Foil': 11, '2 Foil': 20 });
    await market.lists('2026-01-20', { '1 Foil': null });
    assert.deepEqual(await market.served(), {});
    await rollBack(store);
    assert.deepEqual(await market.served(), { '1 Foil': 11, '2 Foil': 20 });
  });

  it('leaves a printing without a price that the source has first reported on a wrong day', async () => {
    const store = await open();
    const market = new Market(store, TRUSTING);
    await market.lists('2026-01-19', { '1 Foil': 11 });
    await market.lists('2026-01-20', { '1 Foil': 11, '2 Foil': 30 });
    const { removed } = await rollBack(store);
    assert.equal(removed, 1);
    assert.deepEqual(await market.served(), { '1 Foil': 11 });
    assert.deepEqual(await market.history('2', 'Foil'), []);
  });

  it('serves what other sources report, and records it where the history has no day', async () => {
    const store = await open();
    const market = new Market(store, TRUSTING);
    await market.lists('2026-01-20', { '1 Foil': 11, '2 Foil': 20 });
    await market.feeds('2026-01-20', { '1 Foil': 12 });
    await rollBack(store);
    assert.deepEqual(await market.served(), { '1 Foil': 12 });
    assert.deepEqual(await market.history('1', 'Foil'), [12]);
  });

  it('brings back the days of other sources that the wrong ones had replaced', async () => {
    const store = await open();
    const market = new Market(store, TRUSTING);
    await market.lists('2026-01-10', { '1 Foil': null });
    await market.feeds('2026-01-20', { '1 Foil': 12 });
    await market.feeds('2026-01-21', { '1 Foil': 13 });
    const before = await contents(store);
    await market.remembers('2026-01-22', ['1', 'Foil'], { '2026-01-20': 14, '2026-01-21': 15 });
    assert.deepEqual(await market.history('1', 'Foil'), [14, 15]);
    await rollBack(store);
    assert.deepEqual(await market.history('1', 'Foil'), [12, 13]);
    assert.deepEqual(await market.served(), { '1 Foil': 13 });
    const after = await contents(store);
    assert.deepEqual([after.history, after.corrections], [before.history, []]);
  });

  it('rolls back only days up to the last wrong one', async () => {
    const store = await open();
    const market = new Market(store, TRUSTING);
    for (const [at, dollars] of [11, 22, 23, 12].entries()) {
      await market.lists(`2026-01-${19 + at}`, { '1 Foil': dollars });
    }
    const { putBack } = await rollBack(store, { until: dayIn('2026-01-21') });
    assert.equal(putBack, 0);
    assert.deepEqual(await market.history('1', 'Foil'), [11, 12]);
    assert.deepEqual(await market.served(), { '1 Foil': 12 });
  });

  it('rolls back only the sets and the game that are named', async () => {
    const store = await open();
    const market = new Market(store, TRUSTING);
    await market.lists('2026-01-19', { '1 Foil': 11 });
    await market.lists('2026-01-20', { '1 Foil': 22 });
    assert.equal((await rollBack(store, { sets: [99] })).printings, 0);
    assert.equal((await rollBack(store, { game: 'lorcana' })).printings, 0);
    assert.deepEqual(await market.served(), { '1 Foil': 22 });
    await rollBack(store, { sets: [1], game: 'mtg' });
    assert.deepEqual(await market.served(), { '1 Foil': 11 });
  });

  it('removes the quarantined prices of these days, and keeps the rest', async () => {
    const store = await open();
    const market = new Market(store);
    await market.lists('2026-01-18', { '1 Foil': 10, '2 Foil': 20 });
    await market.lists('2026-01-19', { '1 Foil': 900, '2 Foil': 20 });
    await market.lists('2026-01-20', { '1 Foil': 10, '2 Foil': 999 });
    assert.deepEqual(await market.waiting(), ['2 Foil: price-jump']);
    const { quarantined } = await rollBack(store);
    assert.equal(quarantined, 1);
    assert.deepEqual(await market.waiting(), []);
  });

  it('lets the same files be imported again, with the sync of that source', async () => {
    const store = await open();
    const first = await importTree(store, FIXTURE);
    assert.equal((await importTree(store, FIXTURE)).setsUnchanged, first.sets);
    const check = { source: 'tcgcsv', asked_at: 1, requests: 0, requests_day: 0, version: 'v1' };
    await store.db.insertInto('source_checks').values(check).execute();
    const before = await contents(store);
    const { observedAt, games } = first;
    assert.equal(await isImported(store, 'tcgcsv', observedAt, games), true);
    const { files } = await rollBack(store, { since: dayOf(observedAt) });
    assert.ok(files > 0);
    assert.equal(await isImported(store, 'tcgcsv', observedAt, games), false);
    const { version } = await store.db
      .selectFrom('source_checks')
      .select('version')
      .executeTakeFirstOrThrow();
    assert.equal(version, null);
    assert.equal((await importTree(store, FIXTURE)).sets, first.sets);
    assert.deepEqual(await contents(store), before);
  });

  it('leaves a printing alone whose history is damaged, and names it', async () => {
    const store = await open();
    const market = new Market(store, TRUSTING);
    await market.lists('2026-01-19', { '1 Foil': 11, '2 Foil': 20 });
    await market.lists('2026-01-20', { '1 Foil': 22, '2 Foil': 40 });
    const rows = store.db.selectFrom('history_recent').orderBy('printing_id').selectAll();
    const { block, printing_id } = await rows.executeTakeFirstOrThrow();
    const flipped = Buffer.from(block);
    flipped.writeUInt8(flipped.readUInt8(7) ^ 1, 7);
    await store.db
      .updateTable('history_recent')
      .set({ block: flipped })
      .where('printing_id', '=', printing_id)
      .execute();
    const { damaged, printings } = await rollBack(store);
    assert.deepEqual([damaged.map(({ printing }) => printing), printings], [[printing_id], 1]);
    assert.deepEqual(await market.served(), { '1 Foil': 22, '2 Foil': 20 });
  });

  it('puts prices in euros back to what they were, to the cent', async () => {
    const store = await open();
    await new Market(store, TRUSTING).lists('2026-01-01', { '1 Foil': null });
    const euros = async (prices: Record<string, number>) => {
      const listings = Object.entries(prices).map(([date, cents]) => ({
        externalId: '1',
        printing: 'Foil',
        day: dayIn(date),
        currency: 'EUR' as const,
        prices: { ...NO_PRICES, market: cents as Cents },
      }));
      const past: Backfill = {
        source: 'quotes',
        idSpace: 'tcgcsv',
        marketplace: 'my-shop',
        total: 1,
        figures: ['market'],
        async *parts() {
          const part = { chunks: [{ listings, skipped: {}, broken: [] }] };
          yield { outcome: { name: 'all', kind: 'read', part }, done: 1 };
        },
      };
      const rates = [
        { currency: 'EUR', day: dayIn('2026-01-01'), dollarsPerUnit: 1.0837 },
      ] as const;
      await importBackfill(store, past, { clock: () => NOW, limits: null, rates });
    };
    await euros({ '2026-01-19': 12_347 });
    const before = await contents(store);
    await euros({ '2026-01-20': 99_999 });
    await rollBack(store, { source: 'quotes' });
    assert.deepEqual(await contents(store), before);
  });

  it('changes nothing in a dry run, and reports the same', async () => {
    const store = await open();
    const market = new Market(store, TRUSTING);
    await market.lists('2026-01-19', { '1 Foil': 11, '2 Foil': 20 });
    await market.lists('2026-01-20', { '1 Foil': 22, '2 Foil': 999 });
    const before = await contents(store);
    const state = await store.db.selectFrom('catalog_state').selectAll().execute();
    const dry = await rollBack(store, {}, true);
    assert.deepEqual(await contents(store), before);
    assert.deepEqual(await store.db.selectFrom('catalog_state').selectAll().execute(), state);
    assert.deepEqual(await rollBack(store), dry);
  });

  it('changes nothing when it is repeated, or when the source has nothing of these days', async () => {
    const store = await open();
    const market = new Market(store, TRUSTING);
    await market.lists('2026-01-19', { '1 Foil': 11 });
    await market.lists('2026-01-20', { '1 Foil': 22 });
    const { days } = await rollBack(store);
    assert.equal(days, 1);
    const once = await contents(store);
    for (const wrong of [{}, { source: 'scryfall' }]) {
      const { printings, days, quarantined, files } = await rollBack(store, wrong);
      assert.deepEqual([printings, days, quarantined, files], [0, 0, 0, 0]);
      assert.deepEqual(await contents(store), once);
    }
  });

  it('leaves days alone whose source was not recorded, and goes back to them', async () => {
    const store = await open();
    const market = new Market(store, TRUSTING);
    for (const [at, dollars] of [10, 11, 22, 23].entries()) {
      await market.lists(`2026-01-${18 + at}`, { '1 Foil': dollars });
    }
    await forgetSources(store, ['2026-01-19', '2026-01-20']);
    const { unknownDays, days } = await rollBack(store);
    assert.deepEqual([unknownDays, days], [1, 1]);
    assert.deepEqual(await market.history('1', 'Foil'), [10, 11, 22]);
    assert.deepEqual(await market.served(), { '1 Foil': 11 });
  });

  it('goes back further than the newest blocks', async () => {
    const store = await open();
    const market = new Market(store, TRUSTING);
    await market.lists('2026-01-19', { '1 Foil': 11 });
    const days = Object.fromEntries(
      Array.from({ length: 400 }, (_, at) => [
        formatDay((dayIn('2026-01-18') - at) as Day),
        20 + (at % 5),
      ]),
    );
    await market.remembers('2026-01-19', ['1', 'Foil'], days);
    const since = (dayIn('2026-01-18') - 380) as Day;
    await rollBack(store, { since });
    assert.equal((await market.history('1', 'Foil')).length, 19);
    assert.deepEqual(await market.served(), { '1 Foil': 20 + (381 % 5) });
    await market.remembers('2026-01-19', ['1', 'Foil'], days);
    assert.equal((await market.history('1', 'Foil')).length, 400);
    await rollBack(store, { since: 0 as Day });
    assert.deepEqual(await market.history('1', 'Foil'), []);
    assert.deepEqual(await market.served(), {});
    const blocks = await store.db.selectFrom('history_recent').selectAll().execute();
    const sealed = await store.db.selectFrom('history').selectAll().execute();
    assert.deepEqual([blocks, sealed], [[], []]);
  });
});
