import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Catalog } from '../../src/catalog/catalog.ts';
import { packConfidence } from '../../src/domain/confidence.ts';
import { dayOf } from '../../src/domain/day.ts';
import { GAMES } from '../../src/domain/games.ts';
import { importBackfill } from '../../src/ingest/drivers/backfill.ts';
import type { Backfill } from '../../src/sources/contract/backfill.ts';
import { findDays, openArchive } from '../../src/sources/tcgcsv-archive/read.ts';
import { Unpacker } from '../../src/sources/tcgcsv-archive/unpack.ts';
import type { PrintingRow } from '../../src/store/catalogue/schema.ts';
import type { Store } from '../../src/store/connect.ts';
import { newestHistoryDays } from '../../src/store/history/index.ts';
import { ArchiveFolder, importArchive } from '../support/archive.ts';
import { CHARIZARD, CHARIZARD_ID, charizard, daysOf } from '../support/charizard.ts';
import { forEachEngine } from '../support/engines.ts';
import { importTree, NOW, TreeCopy, withTree } from '../support/tcgcsv.ts';

const BASE_SET = '3/604';

async function printing(store: Store, productId: number, name: string): Promise<PrintingRow> {
  return store.db
    .selectFrom('printings')
    .innerJoin('card_external_ids', 'card_external_ids.card_id', 'printings.card_id')
    .where('card_external_ids.external_id', '=', String(productId))
    .where('printings.name', '=', name)
    .selectAll('printings')
    .executeTakeFirstOrThrow();
}

/** Everything that readers may see. */
async function dump(store: Store): Promise<string> {
  const tables = ['printings', 'history', 'history_recent', 'history_corrections'] as const;
  const rows = tables.map((table) => store.db.selectFrom(table).selectAll().execute());
  const state = await store.db.selectFrom('catalog_state').selectAll().execute();
  const sorted = (await Promise.all(rows)).map((all) => {
    return all.map((row) => JSON.stringify(row)).sort();
  });
  return JSON.stringify([sorted, state]);
}

const clock = () => NOW;

forEachEngine((_label, open) => {
  const openWithTree = () => withTree(open);

  test('older days go into the history and leave the served prices as they are', async () => {
    const store = await openWithTree();
    const before = await charizard(store);
    const archive = new ArchiveFolder()
      .day('2025-12-24', BASE_SET, [{ ...CHARIZARD, market: 300 }])
      .day('2026-01-27', BASE_SET, [{ ...CHARIZARD, market: 450 }]);
    const summary = await importArchive(store, archive.folder);
    const { revision } = await charizard(store);
    assert.deepEqual(await charizard(store), {
      ...before,
      revision,
      base_1d: 45_000,
      base_30d: 30_000,
      change_doubts: '{"30d":"unconfirmed"}',
      confidence: packConfidence({ level: 'thin', sources: 1, observations: 2, interval: null }),
      interval_low: 45_000,
      interval_high: 45_386,
    });
    assert.deepEqual(await daysOf(store, before), [
      ['2025-12-24', 30_000],
      ['2026-01-27', 45_000],
      ['2026-01-28', 45_386],
    ]);
    assert.equal(summary.historyAdded, 2);
    assert.equal(summary.pricesChanged, 0);
  });

  test('a newer day is served once the import is complete', async () => {
    const store = await openWithTree();
    const catalog = new Catalog(store);
    await catalog.refresh();
    const archive = new ArchiveFolder()
      .day('2026-01-29', BASE_SET, [{ ...CHARIZARD, market: 500 }])
      .day('2026-01-30', BASE_SET, [{ ...CHARIZARD, market: 501, low: 400 }]);
    await importArchive(store, archive.folder, { pointsAtOnce: 1 });
    await catalog.refresh();
    const [served] = catalog.card(CHARIZARD_ID)?.printings ?? [];
    const { market, low, mid, figuresAt, sources } = served?.prices ?? assert.fail();
    assert.deepEqual([market, low, mid, sources], [50_100, 40_000, null, ['tcgplayer']]);
    assert.equal(figuresAt, Date.parse('2026-01-30T00:00:00Z'));
    assert.equal(catalog.asOf('pokemon'), dayOf(Date.parse('2026-01-30')));
  });

  test('the served day is corrected in the history and in the served price', async () => {
    const store = await openWithTree();
    const { figures_at } = await charizard(store);
    const corrected = { ...CHARIZARD, market: 450 };
    const archive = new ArchiveFolder().day('2026-01-28', BASE_SET, [corrected]);
    const { historyCorrected } = await importArchive(store, archive.folder);
    const after = await charizard(store);
    assert.deepEqual([after.market, after.figures_at], [45_000, figures_at]);
    assert.deepEqual(await daysOf(store, after), [['2026-01-28', 45_000]]);
    assert.equal(historyCorrected, 1);
  });

  test('a price that is unknown on a newer day is served as unknown', async () => {
    const store = await openWithTree();
    const archive = new ArchiveFolder().day('2026-01-30', BASE_SET, [CHARIZARD]);
    await importArchive(store, archive.folder);
    const { market, sources } = await charizard(store);
    assert.deepEqual([market, sources], [null, '[]']);
  });

  test('a printing that the newest import did not list has a history and no served price', async () => {
    const store = await openWithTree();
    const gone = { productId: 91_005_516, subTypeName: 'Foil' };
    const archive = new ArchiveFolder().day('2025-12-24', '1/1900012', [{ ...gone, market: 7 }]);
    const { printingsAdded } = await importArchive(store, archive.folder);
    const row = await printing(store, gone.productId, gone.subTypeName);
    assert.deepEqual([row.market, row.figures_at, row.sources], [null, null, '[]']);
    assert.deepEqual(await daysOf(store, row), [['2025-12-24', 700]]);
    assert.equal(printingsAdded, 1);
  });

  test('a game without any price serves the newest day of its history', async () => {
    const store = await openWithTree();
    const { external_id } = await store.db
      .selectFrom('card_external_ids')
      .innerJoin('cards', 'cards.id', 'card_external_ids.card_id')
      .innerJoin('sets', 'sets.id', 'cards.set_id')
      .where('sets.game', '=', 'fab')
      .select('card_external_ids.external_id')
      .executeTakeFirstOrThrow();
    const listed = { productId: Number(external_id), subTypeName: 'Cold Foil' };
    const archive = new ArchiveFolder()
      .day('2025-12-23', '62/1', [{ ...listed, market: 1 }])
      .day('2025-12-24', '62/1', [{ ...listed, market: 1.5 }]);
    await importArchive(store, archive.folder);
    const row = await printing(store, listed.productId, listed.subTypeName);
    assert.deepEqual([row.market, row.figures_at], [150, Date.parse('2025-12-24')]);
  });

  test('unknown products are counted, and nothing is written for them', async () => {
    const store = await openWithTree();
    const before = await dump(store);
    const unknown = { productId: 999_999_999, subTypeName: 'Normal', market: 5 };
    const archive = new ArchiveFolder().day('2026-01-27', BASE_SET, [unknown]);
    const { unmatched, points } = await importArchive(store, archive.folder);
    assert.deepEqual([unmatched, points], [1, 0]);
    assert.equal(await dump(store), before);
  });

  test('the same archive twice changes nothing, whether it is read again or not', async () => {
    const store = await openWithTree();
    const archive = new ArchiveFolder()
      .day('2025-12-24', BASE_SET, [{ ...CHARIZARD, market: 300 }])
      .day('2026-01-30', BASE_SET, [{ ...CHARIZARD, market: 500 }]);
    await importArchive(store, archive.folder);
    const before = await dump(store);
    const second = await importArchive(store, archive.folder);
    assert.deepEqual([second.parts, second.partsUnchanged], [0, 2]);
    const third = await importArchive(store, archive.folder, { again: true });
    assert.deepEqual([third.parts, third.points, third.historyAdded], [2, 2, 0]);
    assert.equal(await dump(store), before);
  });

  test('a day with a broken file is read again once the file is repaired', async () => {
    const store = await openWithTree();
    const archive = new ArchiveFolder()
      .day('2025-12-24', BASE_SET, [{ ...CHARIZARD, market: 300 }])
      .write('2025-12-24/3/605/prices', 'oops');
    const first = await importArchive(store, archive.folder);
    assert.equal(first.historyAdded, 1);
    assert.deepEqual(first.broken, [
      { name: '2025-12-24/3/605/prices', reason: 'prices: not valid JSON' },
    ]);
    assert.equal((await importArchive(store, archive.folder)).brokenCount, 1);
    archive.day('2025-12-24', '3/605', []);
    const { parts, brokenCount } = await importArchive(store, archive.folder);
    assert.deepEqual([parts, brokenCount], [1, 0]);
  });

  test('stopped half way it changes nothing that is served, and the next import does the rest', async () => {
    const store = await openWithTree();
    const catalog = new Catalog(store);
    await catalog.refresh();
    const archive = new ArchiveFolder()
      .day('2026-01-29', BASE_SET, [{ ...CHARIZARD, market: 500 }])
      .day('2026-01-30', BASE_SET, [{ ...CHARIZARD, market: 501 }])
      .day('2026-01-31', BASE_SET, [{ ...CHARIZARD, market: 502 }]);
    const unpacker = new Unpacker();
    const days = await findDays(archive.folder, unpacker);
    const past = cutAfter(openArchive({ days, now: NOW, again: false }), 2);
    await assert.rejects(importBackfill(store, past, { clock, pointsAtOnce: 1 }), /power cut/);
    assert.equal(await catalog.refresh(), false, 'readers saw half of an import');
    const { parts, partsUnchanged } = await importArchive(store, archive.folder);
    assert.deepEqual([parts, partsUnchanged], [2, 1]);
    assert.equal(await catalog.refresh(), true);
    assert.equal((await daysOf(store, await charizard(store))).length, 4);
  });

  test('nothing in the history is newer than the newest price that is served', async () => {
    const store = await openWithTree();
    const archive = new ArchiveFolder();
    for (const [index, { tcgplayerCategory }] of GAMES.entries()) {
      const cards = await store.db.selectFrom('card_external_ids').select('external_id').execute();
      const listed = cards.map(({ external_id }) => ({
        productId: Number(external_id),
        market: index + 1,
      }));
      archive
        .day(
          '2025-11-05',
          `${tcgplayerCategory}/1`,
          listed.map((one) => ({ ...one, subTypeName: 'Odd' })),
        )
        .day(
          `2026-02-0${index + 1}`,
          `${tcgplayerCategory}/1`,
          listed.slice(index * 5).map((one) => ({ ...one, subTypeName: 'Even' })),
        );
    }
    await importArchive(store, archive.folder, { pointsAtOnce: 50 });
    const catalog = new Catalog(store);
    await catalog.refresh();
    const newest = await newestHistoryDays(store);
    assert.equal(newest.size, GAMES.length);
    for (const [game, day] of newest) assert.equal(catalog.asOf(game), day);
  });

  test('a snapshot that is older than the served one of the same day does not replace it', async () => {
    const store = await openWithTree();
    const tree = new TreeCopy().observed('2026-01-28T08:00:00+0000');
    tree.edit(`${BASE_SET}/prices`, (prices) => {
      for (const price of prices) price.marketPrice = 1;
    });
    await importTree(store, tree.folder);
    const row = await charizard(store);
    assert.equal(row.market, 45_386);
    assert.deepEqual(await daysOf(store, row), [['2026-01-28', 45_386]]);
  });
});

/** A past whose source goes away after some parts. */
function cutAfter(past: Backfill, parts: number): Backfill {
  return {
    ...past,
    async *parts(known) {
      let left = parts;
      for await (const step of past.parts(known)) {
        if (left === 0) throw new Error('power cut');
        left -= 1;
        yield step;
      }
    },
  };
}
