import assert from 'node:assert/strict';
import { once } from 'node:events';
import { it } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import fc from 'fast-check';
import type { Day, Millis } from '../../src/domain/day.ts';
import type { GameSlug } from '../../src/domain/games.ts';
import type { Cents } from '../../src/domain/money.ts';
import type { HistoryDay, Provenance } from '../../src/domain/price.ts';
import { LAST_DAY } from '../../src/history/codec.ts';
import { RECENT_KEPT, recentLimit, sealedId } from '../../src/history/spans.ts';
import { findHistorySince, historySince } from '../../src/store/catalogue/history-since.ts';
import type { Store } from '../../src/store/connect.ts';
import type { Engine } from '../../src/store/engine/engine.ts';
import {
  checkHistory,
  compactHistory,
  DamagedHistory,
  type ExportFilter,
  exportHistory,
  historiesReader,
  historyReader,
  newestHistoryDays,
  type PrintingDay,
  type PrintingHistory,
  type Recorded,
  recordHistory,
  removeSourceDays,
  takeReplacedDays,
} from '../../src/store/history/index.ts';
import { history } from '../history/arbitraries.ts';
import { V1_BLOCKS } from '../history/v1-blocks.ts';
import { forEachEngine } from '../support/engines.ts';

/** 2026-01-27, the first day of a span. */
const START = 20_480;
const FIRST = 0 as Day;
const NOTHING: Recorded = { added: 0, corrected: 0 };

const TCGCSV: Provenance = { source: 'tcgcsv', marketplace: 'tcgplayer', repeated: false };
const REPEATED: Provenance = { ...TCGCSV, repeated: true };
const SHOP: Provenance = { source: 'quotes', marketplace: 'shop', repeated: false };
const EBAY: Provenance = { source: 'pricecharting', marketplace: 'ebay', repeated: false };

forEachEngine((label, open) => {
  it('reads the observed days of any window', async () => {
    const store = await open();
    const days = [0, 1, 2, 5, 400, 401].map((offset) => pricesOn(START + offset));
    assert.deepEqual(await record(store, 7, days), { added: 6, corrected: 0 });
    const read = historyReader(store);
    assert.deepEqual(await read(7, FIRST, LAST_DAY), days);
    assert.deepEqual(await read(7, (START + 2) as Day, (START + 400) as Day), days.slice(2, 5));
    assert.deepEqual(await read(7, (START + 6) as Day, (START + 399) as Day), []);
    assert.deepEqual(await read(8, FIRST, LAST_DAY), []);
  });

  it('reads windows of several printings at once as it reads each alone', async () => {
    const store = await open();
    await record(store, 7, daily(600));
    await record(store, 8, [pricesOn(START + 3), pricesOn(START + 590)]);
    const [read, readAll] = [historyReader(store), historiesReader(store)];
    for (const [first, last] of [
      [0, 599],
      [250, 300],
      [595, 599],
      [4, 500],
      [700, 800],
    ] as const) {
      const [from, to] = [(START + first) as Day, (START + last) as Day];
      const all = await readAll([7, 8, 9].map((printing) => ({ printing, from, to })));
      for (const printing of [7, 8, 9]) {
        assert.deepEqual(all.get(printing), await read(printing, from, to), `${printing} ${first}`);
      }
    }
    assert.deepEqual(await readAll([]), new Map());
  });

  it('keeps a history that grows by one day at a time', async () => {
    const store = await open();
    const days = daily(400);
    for (const prices of days) await record(store, 7, [prices]);
    assert.deepEqual(await historyReader(store)(7, FIRST, LAST_DAY), days);
    const check = await checkHistory(store);
    assert.deepEqual([check.points, check.damaged], [400, []]);
    assert.equal(check.blocks, 3, 'two spans and the recent block');
  });

  it('stores the same history in any order and any batches of days', async () => {
    const store = await open();
    const read = historyReader(store);
    let printing = 0;
    await fc.assert(
      fc.asyncProperty(
        history,
        fc.infiniteStream(fc.integer({ min: 1, max: 60 })),
        async (numbered, sizes) => {
          printing += 1;
          const days = numbered.map((one) => ({ ...one, provenance: provenance(one.provenance) }));
          const shuffled = days.toSorted((a, b) => ((a.day * 7919) % 101) - ((b.day * 7919) % 101));
          let added = 0;
          for (let at = 0; at < shuffled.length; ) {
            const size: number = sizes.next().value;
            added += (await record(store, printing, shuffled.slice(at, at + size))).added;
            at += size;
          }
          assert.equal(added, days.length);
          assert.deepEqual(await read(printing, FIRST, LAST_DAY), days);
        },
      ),
      { numRuns: 20, endOnFailure: true },
    );
    assert.deepEqual((await checkHistory(store)).damaged, []);
  });

  it('merges a backfill of earlier years', async () => {
    const store = await open();
    const days = daily(600);
    await record(store, 7, days.slice(-1));
    assert.deepEqual(await record(store, 7, days.slice(0, -1)), { added: 599, corrected: 0 });
    assert.deepEqual(await historyReader(store)(7, FIRST, LAST_DAY), days);
  });

  it('writes nothing when the same days arrive again', async () => {
    const store = await open();
    const days = daily(300);
    await record(store, 7, days);
    const before = await rows(store);
    const written: number[] = [];
    const upsert: Engine['upsert'] = async (_transaction, _table, { length }) => {
      written.push(length);
    };
    const watched = { ...store, engine: { ...store.engine, upsert } };
    assert.deepEqual(await record(watched, 7, days), NOTHING);
    assert.deepEqual(await record(watched, 7, days.slice(10, 20)), NOTHING);
    assert.ok(written.every((count) => count === 0));
    assert.deepEqual(await rows(store), before);
  });

  it('serves a correction, and keeps the prices that it replaced', async () => {
    const store = await open();
    const days = daily(300);
    await record(store, 7, days);
    const [old, recent] = [pricesOn(START + 3, 1), pricesOn(START + 299, null)];
    assert.deepEqual(await record(store, 7, [old, recent], 111), { added: 0, corrected: 2 });
    assert.deepEqual(await record(store, 7, [old], 222), NOTHING);
    const again = pricesOn(START + 3, 2);
    assert.deepEqual(await record(store, 7, [again], 333), { added: 0, corrected: 1 });
    const served = days.with(3, again).with(299, recent);
    assert.deepEqual(await historyReader(store)(7, FIRST, LAST_DAY), served);
    assert.deepEqual(await corrections(store), [
      correction(111, days[3]),
      correction(333, old),
      correction(111, days[299]),
    ]);
  });

  it('keeps the first of several prices of a day replaced at one moment', async () => {
    const store = await open();
    for (const market of [1, 2, 3]) await record(store, 7, [pricesOn(START, market)], 111);
    const kept = await corrections(store);
    assert.deepEqual(kept, [correction(111, pricesOn(START, 1))]);
  });

  it('stores the source and marketplace of each day, and whether it was repeated', async () => {
    const store = await open();
    const days = daily(400).map((one, at) => {
      if (at % 40 === 39) return { ...one, provenance: REPEATED };
      return at > 300 && at < 310 ? { ...one, provenance: EBAY } : one;
    });
    for (let at = 0; at < 400; at += 50) await record(store, 7, days.slice(at, at + 50));
    assert.deepEqual(await historyReader(store)(7, FIRST, LAST_DAY), days);
    assert.deepEqual(await exported(store, {}), [{ printing: 7, days }]);
    const rows = await store.db.selectFrom('history_sources').selectAll().orderBy('id').execute();
    assert.deepEqual(
      rows.map(({ source, marketplace, repeated }) => [source, marketplace, repeated]),
      [
        ['tcgcsv', 'tcgplayer', 0],
        ['tcgcsv', 'tcgplayer', 1],
        ['pricecharting', 'ebay', 0],
      ],
    );
    assert.deepEqual((await checkHistory(store)).damaged, []);
  });

  it('keeps the source of each day when it downsamples', async () => {
    const store = await open();
    const sources = [TCGCSV, REPEATED, EBAY];
    const days = daily(600).map((one, at) => ({ ...one, provenance: sources[at % 3] ?? EBAY }));
    await record(store, 7, days);
    await compactHistory(store, { now: (START + 599) as Day, keepDailyFor: 100 });
    const kept = await historyReader(store)(7, FIRST, LAST_DAY);
    const byDay = new Map(days.map((one) => [one.day, one]));
    assert.ok(kept.length < 200);
    for (const one of kept) assert.deepEqual(one, byDay.get(one.day));
  });

  it('finds a source that another process added after the last read', async () => {
    const store = await open();
    const read = historyReader(store);
    await record(store, 7, daily(100));
    await read(7, FIRST, LAST_DAY);
    const other = await store.reopen();
    const next = { ...pricesOn(START + 100), provenance: EBAY };
    await record(other, 7, [next]);
    assert.deepEqual((await read(7, FIRST, LAST_DAY)).at(-1), next);
  });

  it('forgets the number of a source when its transaction fails', async () => {
    const store = await open();
    const failing = store.db.transaction().execute(async (transaction) => {
      const days = [{ printing: 7, prices: pricesOn(START), provenance: EBAY }];
      await recordHistory(store, transaction, days, 0);
      throw new Error('full');
    });
    await assert.rejects(failing, /full/);
    const days = [pricesOn(START), { ...pricesOn(START + 1), provenance: EBAY }];
    await record(store, 7, days);
    assert.deepEqual(await historyReader(store)(7, FIRST, LAST_DAY), days);
  });

  it('numbers a source once, even when two processes add it at the same time', async () => {
    const store = await open();
    const stores = [store, await store.reopen()];
    const work = stores.map((one, at) => () => record(one, at, [pricesOn(START)]));
    // On SQLite, the second writer waits for the first one. In one process it would wait forever.
    if (label === 'SQLite') for (const one of work) await one();
    else await Promise.all(work.map((one) => one()));
    const { length } = await store.db.selectFrom('history_sources').selectAll().execute();
    assert.equal(length, 1);
    assert.deepEqual(
      await exported(store, {}),
      [0, 1].map((printing) => ({ printing, days: [pricesOn(START)] })),
    );
  });

  it('keeps the source of prices that another source repeats, and updates `repeated`', async () => {
    const store = await open();
    const days = daily(300);
    await record(store, 7, days);
    const other = days.map((one) => ({ ...one, provenance: EBAY }));
    assert.deepEqual(await record(store, 7, other), NOTHING);
    assert.deepEqual(await historyReader(store)(7, FIRST, LAST_DAY), days);
    const repeated = { ...pricesOn(START + 3), provenance: REPEATED };
    assert.deepEqual(await record(store, 7, [repeated]), NOTHING);
    assert.deepEqual(await historyReader(store)(7, FIRST, LAST_DAY), days.with(3, repeated));
    assert.deepEqual(await corrections(store), [correction(0, days[3])]);
  });

  it('gives a removed day the newest prices from before a correction', async () => {
    const store = await open();
    const told = [TCGCSV, EBAY, SHOP].map((provenance, at) => {
      return { ...pricesOn(START), market: (100 + at) as Cents, provenance };
    });
    for (const [at, one] of told.entries()) await record(store, 7, [one], at + 1);
    const { source } = SHOP;
    const days = { source, from: START as Day, to: START as Day };
    const taken = await store.db.transaction().execute(async (transaction) => {
      const wanted = new Map([[7, []]]);
      const { printings } = await removeSourceDays(store, transaction, wanted, days, 9);
      const removed = new Map([...printings].map(([id, one]) => [id, one.days]));
      return takeReplacedDays(transaction, removed, days);
    });
    assert.deepEqual(
      taken.map(({ prices, provenance }) => [prices.market, provenance]),
      [[101, EBAY]],
    );
    const left = (await corrections(store)) as { market: number; withdrawn: number }[];
    assert.deepEqual(
      left.map(({ market, withdrawn }) => [market, withdrawn]),
      [
        [100, 0],
        [101, 1],
        [102, 1],
      ],
    );
  });

  it('reads version 1 blocks, whose days have no source until they arrive again', async () => {
    const store = await open();
    const [, , old] = V1_BLOCKS;
    const days = (old?.days ?? []).map((one) => ({ ...one, provenance: null }));
    const block = Buffer.from(old?.hex ?? '', 'hex');
    const row = { printing_id: 4711, first_day: 20_480, last_day: 20_480, block };
    await store.db.insertInto('history_recent').values(row).execute();
    const read = historyReader(store);
    assert.deepEqual(await read(4711, FIRST, LAST_DAY), days);
    assert.deepEqual((await checkHistory(store)).damaged, []);
    const next = pricesOn(20_481);
    await record(store, 4711, [next]);
    assert.deepEqual(await read(4711, FIRST, LAST_DAY), [...days, next]);
    const again = days.map((one) => ({ ...one, provenance: TCGCSV }));
    assert.deepEqual(await record(store, 4711, again), NOTHING);
    assert.deepEqual(await read(4711, FIRST, LAST_DAY), [...again, next]);
    assert.deepEqual(await corrections(store), []);
  });

  it('reports a block whose source is not in the table of sources', async () => {
    const store = await open();
    await record(store, 7, daily(10));
    await store.db.deleteFrom('history_sources').execute();
    const { damaged } = await checkHistory(store);
    assert.deepEqual(damaged, [
      { printing: 7, firstDay: START, reason: 'nothing is known of source 1 of its days' },
    ]);
    await assert.rejects(historyReader(store)(7, FIRST, LAST_DAY), DamagedHistory);
  });

  it('records many printings at once without mixing them up', async () => {
    const store = await open();
    const days: PrintingDay[] = [];
    for (let printing = 0; printing < 100; printing += 1) {
      for (const prices of daily(recentLimit(printing) + 1)) {
        const own = { ...prices, market: (printing + 1) as Cents };
        days.push({ printing, prices: own, provenance: TCGCSV });
      }
    }
    const { added } = await recordAll(store, days);
    assert.equal(added, days.length);
    const read = historyReader(store);
    for (const printing of [0, 31, 64, 99]) {
      const found = await read(printing, FIRST, LAST_DAY);
      assert.equal(found.length, recentLimit(printing) + 1);
      assert.ok(found.every(({ market }) => market === printing + 1));
    }
  });

  it('records while another thread writes', async () => {
    const store = await open();
    const worker = new Worker(new URL('../support/other-writer.ts', import.meta.url), {
      workerData: store.location,
    });
    await once(worker, 'message');
    const written = once(worker, 'exit');
    await store.db.transaction().execute(async (transaction) => {
      await transaction.selectFrom('history_recent').selectAll().execute();
      worker.postMessage('write');
      await Promise.race([written, setTimeout(100)]);
      const days = [{ printing: 7, prices: pricesOn(START), provenance: TCGCSV }];
      await recordHistory(store, transaction, days, 0);
    });
    assert.deepEqual(await written, [0]);
    assert.equal((await historyReader(store)(7, FIRST, LAST_DAY)).length, 1);
  });

  it('reports a damaged block, and serves everything except that block', async () => {
    const store = await open();
    const days = daily(300);
    await record(store, 7, days);
    await record(store, 8, days);
    const id = sealedId(7, START as Day);
    await damage(store, id);
    const read = historyReader(store);
    await assert.rejects(read(7, FIRST, LAST_DAY), (error) => {
      assert.ok(error instanceof DamagedHistory);
      assert.equal(error.printing, 7);
      assert.match(error.message, /^The history of printing 7 from 2026-01-27 on is damaged: its/);
      return true;
    });
    await assert.rejects(record(store, 7, [pricesOn(START, 5)]), DamagedHistory);
    assert.equal((await read(7, (START + 256) as Day, LAST_DAY)).length, 44);
    assert.deepEqual(await read(8, FIRST, LAST_DAY), days);
    const check = await checkHistory(store);
    assert.equal(check.points, 600 - 256);
    const reason = 'its checksum does not match';
    assert.deepEqual(check.damaged, [{ printing: 7, firstDay: START, reason }]);
  });

  it('finds blocks that are in the wrong row', async () => {
    const store = await open();
    for (const printing of [7, 8, 9]) await record(store, printing, daily(300));
    const { block } = await store.db
      .selectFrom('history_recent')
      .select('block')
      .where('printing_id', '=', 8)
      .executeTakeFirstOrThrow();
    await store.db
      .updateTable('history_recent')
      .set({ block })
      .where('printing_id', '=', 7)
      .execute();
    await store.db
      .updateTable('history_recent')
      .set({ last_day: START })
      .where('printing_id', '=', 8)
      .execute();
    await store.db.deleteFrom('history_recent').where('printing_id', '=', 9).execute();
    const { damaged } = await checkHistory(store);
    assert.deepEqual(damaged.map(({ printing, reason }) => `${printing}: ${reason}`).sort(), [
      '7: its checksum does not match',
      '8: its days differ from the days in its row',
      '9: its printing has no recent block',
      '9: its printing has no recent block',
    ]);
  });

  it('exports everything, or given printings and days', async () => {
    const store = await open();
    const days = daily(300);
    for (let printing = 1; printing <= 3; printing += 1) await record(store, printing, days);
    assert.deepEqual(
      await exported(store, {}),
      [1, 2, 3].map((printing) => ({ printing, days })),
    );
    const window = { from: (START + 250) as Day, to: (START + 260) as Day };
    assert.deepEqual(await exported(store, { printings: [3, 4, 1], ...window }), [
      { printing: 3, days: days.slice(250, 261) },
      { printing: 1, days: days.slice(250, 261) },
    ]);
    assert.deepEqual(await exported(store, { to: (START - 1) as Day }), []);
  });

  it('skips damaged printings in an export only with onDamage', async () => {
    const store = await open();
    for (const printing of [1, 2]) await record(store, printing, daily(300));
    await damage(store, sealedId(1, START as Day));
    await assert.rejects(exported(store, {}), DamagedHistory);
    const left: number[] = [];
    const found = await exported(store, { onDamage: ({ printing }) => left.push(printing) });
    assert.deepEqual([found.map(({ printing }) => printing), left], [[2], [1]]);
  });

  it('knows its first day, and finds it again in sealed and recent blocks', async () => {
    const store = await open();
    assert.equal(await historySince(store.db), null);
    await record(store, 7, daily(3));
    assert.equal(await historySince(store.db), START);
    await record(store, 8, daily(600).slice(1));
    await record(store, 8, [pricesOn(START - 300)]);
    assert.equal(await historySince(store.db), START - 300);
    for (const first of [START - 300, START, null]) {
      await findHistorySince(store.db);
      assert.equal(await historySince(store.db), first);
      const table = first === START ? 'history_recent' : 'history';
      await store.db.deleteFrom(table).execute();
    }
  });

  it('downsamples old days to weeks, and changes nothing the second time', async () => {
    const store = await open();
    const days = daily(600);
    await record(store, 7, days);
    const options = { now: (START + 599) as Day, keepDailyFor: 100 };
    const done = await compactHistory(store, options);
    const kept = await historyReader(store)(7, FIRST, LAST_DAY);
    assert.equal(kept.length, 600 - done.removed);
    assert.ok(done.bytesAfter < done.bytesBefore);
    assert.deepEqual(kept.slice(-100), days.slice(-100));
    // The last day of a span also stays, because its block does not have the following days.
    assert.ok(kept.length - 100 >= 71 && kept.length - 100 <= 74, `${kept.length}`);
    assert.deepEqual(await checkHistory(store), {
      blocks: done.blocks,
      points: kept.length,
      bytes: done.bytesAfter,
      damaged: [],
    });
    assert.equal((await compactHistory(store, options)).removed, 0);
  });

  it('keeps all days when it compacts without a limit', async () => {
    const store = await open();
    await record(store, 7, daily(600));
    const before = await rows(store);
    const progress: number[][] = [];
    const now = (START + 5000) as Day;
    const done = await compactHistory(store, { now }, (...of) => progress.push(of));
    assert.equal(done.removed, 0);
    assert.deepEqual(await rows(store), before);
    assert.deepEqual(progress.at(-1), [done.blocks, done.blocks]);
  });

  it('finds the newest day of each game', async () => {
    const store = await open();
    assert.deepEqual(await newestHistoryDays(store), new Map());
    await addPrinting(store, 1, 'mtg');
    await addPrinting(store, 2, 'mtg');
    await addPrinting(store, 3, 'lorcana');
    await addPrinting(store, 4, 'fab');
    await record(store, 1, daily(10));
    await record(store, 2, daily(5));
    await record(store, 3, daily(RECENT_KEPT));
    const newest = await newestHistoryDays(store);
    assert.deepEqual(Object.fromEntries(newest), { mtg: START + 9, lorcana: START + 31 });
  });
});

function pricesOn(day: number, market: number | null = day % 50): HistoryDay {
  const low = day % 3 === 0 ? null : 40;
  const prices = { day, market, low, mid: 100, high: 100 + (day % 7) };
  return { ...prices, provenance: TCGCSV } as HistoryDay;
}

/** One of many provenances. */
function provenance(number: number): Provenance {
  return { source: `source ${number % 100}`, marketplace: 'tcgplayer', repeated: number % 2 === 1 };
}

/** The correction row of printing 7 for prices of the first source, replaced at a moment. */
function correction(replacedAt: Millis, replaced: HistoryDay | undefined) {
  const { provenance: _, ...prices } = replaced ?? assert.fail('no day was replaced');
  const about = { printing_id: 7, revision: 1, replaced_at: replacedAt };
  return { ...about, ...prices, source_id: 1, withdrawn: 0 };
}

function daily(count: number): HistoryDay[] {
  return Array.from({ length: count }, (_, index) => pricesOn(START + index));
}

function record(
  store: Store,
  printing: number,
  days: readonly HistoryDay[],
  at: Millis = 0,
): Promise<Recorded> {
  return recordAll(
    store,
    days.map(({ provenance, ...prices }) => {
      return { printing, prices, provenance: provenance ?? assert.fail('it has no source') };
    }),
    at,
  );
}

function recordAll(store: Store, days: readonly PrintingDay[], at: Millis = 0): Promise<Recorded> {
  return store.db.transaction().execute((transaction) => {
    return recordHistory(store, transaction, days, at);
  });
}

/** Flips one bit in the middle of a sealed block. */
async function damage(store: Store, id: number): Promise<void> {
  const sealed = store.db.selectFrom('history').select('block').where('id', '=', id);
  const block = Buffer.from((await sealed.executeTakeFirstOrThrow()).block);
  block.writeUInt8(block.readUInt8(20) ^ 16, 20);
  await store.db.updateTable('history').set({ block }).where('id', '=', id).execute();
}

async function rows(store: Store): Promise<unknown[]> {
  return [
    await store.db.selectFrom('history').selectAll().orderBy('id').execute(),
    await store.db.selectFrom('history_recent').selectAll().execute(),
  ];
}

function corrections(store: Store): Promise<unknown[]> {
  return store.db
    .selectFrom('history_corrections')
    .selectAll()
    .orderBy('day')
    .orderBy('replaced_at')
    .execute();
}

async function exported(store: Store, filter: ExportFilter): Promise<PrintingHistory[]> {
  const found: PrintingHistory[] = [];
  for await (const printing of exportHistory(store, filter)) found.push(printing);
  return found;
}

/** Inserts a printing with its card and set. */
async function addPrinting(store: Store, id: number, game: GameSlug): Promise<void> {
  const code = `s${id}`;
  const set = { id, public_set_id: code, game, code, name: 'Set', release_date: null, revision: 1 };
  await store.db.insertInto('sets').values(set).execute();
  const card = { id, set_id: id, public_id: `${game}-${id}`, name: 'Card', revision: 1 };
  await store.db.insertInto('cards').values(card).execute();
  const printing = { id, card_id: id, name: 'Normal', sources: '[]', revision: 1 };
  await store.db.insertInto('printings').values(printing).execute();
}
