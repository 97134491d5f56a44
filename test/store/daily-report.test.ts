import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addDays, dayOf } from '../../src/domain/day.ts';
import { replaceFailedParts } from '../../src/store/catalogue/failed-parts.ts';
import { recordImportEnd, recordImportStart } from '../../src/store/catalogue/imports.ts';
import { insertMarketplaceChanges } from '../../src/store/catalogue/marketplace-changes.ts';
import type { Store } from '../../src/store/connect.ts';
import { readDailyReport } from '../../src/store/reports/daily-report.ts';
import { forEachEngine } from '../support/engines.ts';
import { Market } from '../support/market.ts';
import { moment } from '../support/resolved.ts';

const NOW = moment('2026-01-22');

function reportOf(store: Store, limit = 10) {
  return readDailyReport(store, { limit, now: NOW, health: [] });
}

/** Adds a set with one card, whose printing has these figures. */
async function addSet(
  { db }: Store,
  id: number,
  name: string,
  { market, figuresAt }: { market: number | null; figuresAt: number | null },
): Promise<void> {
  const revision = 1;
  const public_set_id = `mtg-${id}`;
  const set = { id, public_set_id, game: 'mtg', code: name.slice(0, 3), name, revision } as const;
  await db
    .insertInto('sets')
    .values({ ...set, release_date: `2020-01-0${id - 8}` })
    .execute();
  const facts = { name, number: null, rarity: null, image: null, revision };
  const card = { id: id * 10, public_id: `mtg-${id}`, set_id: id, ...facts };
  await db.insertInto('cards').values(card).execute();
  const figures = { market, low: null, mid: null, high: null, conditions: null, graded: null };
  const ages = { figures_at: figuresAt, conditions_at: null, graded_at: null };
  const times = { ...ages, marketplace: null, sources: '[]', revision };
  const printing = { id: id * 10, card_id: id * 10, name: 'Normal', ...figures, ...times };
  await db.insertInto('printings').values(printing).execute();
}

forEachEngine((_label, open) => {
  test('the report lists old sets and unpriced sets, and counts priced cards', async () => {
    const store = await open();
    await new Market(store).lists('2026-01-20', { '1 Normal': 10, '2 Normal': 20 });
    await addSet(store, 9, 'Mirage', { market: 500, figuresAt: moment('2026-01-10') });
    await addSet(store, 10, 'Visions', { market: null, figuresAt: null });
    await addSet(store, 11, 'Tempest', { market: null, figuresAt: null });
    const { coverage, oldSets, unpricedSets } = await reportOf(store, 1);
    assert.deepEqual(coverage, [{ game: 'mtg', sets: 4, cards: 5, priced: 3 }]);
    assert.deepEqual(oldSets, {
      count: 1,
      first: [
        {
          game: 'mtg',
          code: 'Mir',
          name: 'Mirage',
          releaseDate: '2020-01-01',
          cards: 1,
          priced: 1,
          figuresAt: moment('2026-01-10'),
        },
      ],
    });
    assert.deepEqual(
      [unpricedSets.count, unpricedSets.first.map(({ name }) => name)],
      [2, ['Tempest']],
    );
  });

  test('the report lists failed imports that were not repeated since', async () => {
    const store = await open();
    const record = async (source: string, summary?: object) => {
      const id = await recordImportStart(store.db, source, NOW);
      const end = { finishedAt: NOW, observedAt: null };
      if (summary) await recordImportEnd(store.db, id, { ...end, summary });
    };
    await record('tcgcsv');
    await record('tcgcsv', { broken: [] });
    await record('scryfall', { broken: [{ name: 'line 7', reason: 'no name' }], brokenCount: 400 });
    await record('mtgjson', { broken: [] });
    await record('mtgjson');
    const { failedImports, day, coverage } = await reportOf(store);
    assert.deepEqual(failedImports, [
      { source: 'mtgjson', startedAt: NOW, finishedAt: null, broken: 0, example: null },
      {
        source: 'scryfall',
        startedAt: NOW,
        finishedAt: NOW,
        broken: 400,
        example: 'line 7: no name',
      },
    ]);
    assert.deepEqual([day * 86_400_000, coverage], [NOW, []], 'without prices it is of today');
  });

  test('the report lists unreadable parts until an import has read them', async () => {
    const store = await open();
    const fault = (part: string, game: 'mtg' | 'pokemon' | null, badRows: number | null = null) => {
      return { part, game, badRows, examples: [{ name: part, reason: 'missing file' }] };
    };
    const update = (now: number, failed: ReturnType<typeof fault>[], readAgain: string[] = []) => {
      return replaceFailedParts(store, 'tcgcsv', { failed, readAgain, now });
    };
    await update(NOW, [fault('1/8', 'mtg', 2), fault('all.json', null)]);
    await update(NOW - 9, [fault('3/7', 'pokemon'), fault('3/9', 'pokemon')]);
    await update(NOW, [fault('3/7', 'pokemon')], ['3/9']);
    const partsOf = async (options: { limit: number; game?: 'mtg' }) => {
      const report = await readDailyReport(store, { ...options, now: NOW, health: [] });
      const { count, first } = report.failedParts;
      return [count, first.map(({ part, since }) => [part, since])];
    };
    assert.deepEqual(await partsOf({ limit: 2 }), [
      3,
      [
        ['3/7', NOW - 9],
        ['1/8', NOW],
      ],
    ]);
    assert.deepEqual(await partsOf({ limit: 9, game: 'mtg' }), [
      2,
      [
        ['1/8', NOW],
        ['all.json', NOW],
      ],
    ]);
  });

  test('the report lists printings whose marketplace changed on its day or later', async () => {
    const store = await open();
    await new Market(store).lists('2026-01-20', { '1 Normal': 10, '1 Foil': 20 });
    const printings = await store.db.selectFrom('printings').select('id').orderBy('id').execute();
    const day = dayOf(moment('2026-01-20'));
    const changes = printings.map(({ id: printing }, index) => {
      return { printing, from: 'tcgplayer', to: 'cardmarket', day: addDays(day, -index) };
    });
    await insertMarketplaceChanges(store.db, changes, NOW);
    const { marketplaceChanges } = await reportOf(store);
    assert.equal(marketplaceChanges.count, 1);
    assert.equal(marketplaceChanges.first[0]?.to, 'cardmarket');
    const earlier = { limit: 1, now: NOW, health: [], day: addDays(day, -1) };
    assert.equal((await readDailyReport(store, earlier)).marketplaceChanges.count, 2);
    const other = await readDailyReport(store, { ...earlier, game: 'pokemon' });
    assert.equal(other.marketplaceChanges.count, 0);
  });

  test('the report lists the largest moves and waiting entries, up to the limit', async () => {
    const store = await open();
    const market = new Market(store);
    const cards = Array.from({ length: 9 }, (_, index) => `${index + 1} Normal`);
    const board = (of: (index: number) => number) => {
      return Object.fromEntries(cards.map((card, index) => [card, of(index)]));
    };
    await market.lists(
      '2026-01-20',
      board(() => 100),
    );
    const second = board((index) => (index < 6 ? 100 : 100 + index));
    await market.lists('2026-01-21', { ...second, '1 Normal': 9000 });
    const { moves, quarantine } = await reportOf(store, 2);
    assert.deepEqual([moves.compared, moves.moved], [8, 3]);
    assert.deepEqual(
      moves.byMoney.map(({ name, from, to }) => [name, from, to]),
      [
        ['Card 9', 10_000, 10_800],
        ['Card 8', 10_000, 10_700],
      ],
    );
    assert.deepEqual([quarantine.observed, quarantine.waiting.count], [1, 1]);
    assert.equal(quarantine.bySet.first[0]?.name, 'Alpha');
  });
});
