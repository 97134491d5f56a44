import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Catalog } from '../../src/catalog/catalog.ts';
import { defaultPrinting } from '../../src/domain/card.ts';
import { type Day, dayOf, formatDay } from '../../src/domain/day.ts';
import type { Rates } from '../../src/domain/rates.ts';
import { importFeed } from '../../src/ingest/drivers/feed.ts';
import type { Unmatched } from '../../src/ingest/identity/match.ts';
import { applyRates } from '../../src/ingest/import.ts';
import type { Database } from '../../src/store/catalogue/schema.ts';
import type { Store } from '../../src/store/connect.ts';
import { historyReader } from '../../src/store/history/index.ts';
import { forEachEngine } from '../support/engines.ts';
import { charizard, feedItem, feedOf, importItems, OBSERVED } from '../support/feed-items.ts';
import { importTree, NOW, TreeCopy, withTree } from '../support/tcgcsv.ts';

/** Served by TCGCSV as of OBSERVED: market 453.86, low 330.04, mid 499.50, high 1249.99. */
const CHARIZARD = 'pokemon-bs-charizard-004';
const DAY = 86_400_000;
const EURO: Rates = [{ currency: 'EUR', day: dayOf(OBSERVED), dollarsPerUnit: 1.1 }];
const clock = () => NOW;

async function servedOf(store: Store, id = CHARIZARD) {
  const catalog = new Catalog(store);
  await catalog.refresh();
  const card = catalog.card(id) ?? assert.fail(`no ${id}`);
  return { card, prices: defaultPrinting(card)?.prices ?? assert.fail('no printing') };
}

async function historyOf(store: Store): Promise<[string, number | null][]> {
  const { card } = await servedOf(store);
  const days = await historyReader(store)(card.printings[0]?.rowId ?? 0, 0 as Day, 60_000 as Day);
  return days.map(({ day, market }) => [formatDay(day), market]);
}

const TABLES: readonly (keyof Database)[] = [
  'sets',
  'cards',
  'card_external_ids',
  'printings',
  'observations',
  'quarantine',
  'source_files',
  'history_recent',
  'history_corrections',
  'catalog_state',
];

async function dump(store: Store): Promise<string> {
  const rows = TABLES.map((table) => store.db.selectFrom(table).selectAll().execute());
  const sorted = (await Promise.all(rows)).map((all) => {
    return all.map((row) => JSON.stringify(row)).sort();
  });
  return JSON.stringify(sorted);
}

forEachEngine((_label, open) => {
  const openWithTree = () => withTree(open);

  test('conditions and grades of other sources are served with the figures', async () => {
    const store = await openWithTree();
    const graded = { psa_10: 900_000, psa_9: 200_000, any_9: 150_000, cgc_10: 300_000 };
    await importItems(store, 'pricecharting', [
      feedItem(charizard(), { market: 'pricecharting', prices: { market: 45_000 }, graded }),
    ]);
    const conditions = { near_mint: 46_000, damaged: 12_000 };
    await importItems(store, 'justtcg', [
      feedItem(charizard(), { market: 'justtcg', observedAt: OBSERVED + DAY, conditions }),
    ]);
    const { prices } = await servedOf(store);
    assert.deepEqual([prices.market, prices.low], [45_386, 33_004]);
    assert.deepEqual(prices.conditions, conditions);
    assert.deepEqual(prices.graded, graded);
    assert.deepEqual(prices.sources, ['justtcg', 'pricecharting', 'tcgplayer']);
    const { figuresAt, conditionsAt, gradedAt } = prices;
    assert.deepEqual([figuresAt, conditionsAt, gradedAt], [OBSERVED, OBSERVED + DAY, OBSERVED]);
    const catalog = new Catalog(store);
    await catalog.refresh();
    assert.equal(catalog.asOf('pokemon'), dayOf(OBSERVED), 'the later day has no figures');
  });

  test('a price without a printing is of the holofoil where the rarity is a foil one', async () => {
    const store = await open();
    const tree = new TreeCopy().edit('3/604/prices', (prices) => {
      const holofoil = prices.find(({ productId }) => productId === 42_382);
      prices.push({ ...holofoil, subTypeName: 'Normal', marketPrice: 19.98 });
    });
    await importTree(store, tree.folder);
    await importItems(store, 'pricecharting', [
      feedItem(charizard(), { market: 'pricecharting', graded: { psa_10: 900_000 } }),
    ]);
    const { card, prices } = await servedOf(store);
    assert.deepEqual(
      card.printings.map(({ name, prices: { market, graded } }) => [name, market, graded.psa_10]),
      [
        ['Normal', 1998, undefined],
        ['Holofoil', 45_386, 900_000],
      ],
    );
    assert.equal(prices.market, 45_386, 'and it is the one that the card shows');
  });

  test('cards that are not found are counted, reported with a reason, and change nothing', async () => {
    const store = await openWithTree();
    const before = await dump(store);
    const reported: [string, Unmatched['reason']][] = [];
    const missing = charizard({ name: 'Missingno', number: '999/102', externalId: 'missing' });
    const { cards, matched, unmatched } = await importItems(
      store,
      'pricecharting',
      [feedItem(missing, 100)],
      { onUnmatched: ({ externalId }, { reason }) => reported.push([externalId, reason]) },
    );
    assert.deepEqual([cards, matched, unmatched], [1, 0, { 'unknown card': 1 }]);
    assert.deepEqual(reported, [['missing', 'unknown card']]);
    assert.equal(await dump(store), before);
  });

  test('facts that the catalogue lacks are filled in, others stay as they are', async () => {
    const store = await openWithTree();
    await store.db.updateTable('cards').set({ image: null, rarity: null }).execute();
    await store.db.updateTable('sets').set({ release_date: null }).execute();
    const facts = {
      image: 'https://a.example/zard.png',
      rarity: 'Rare',
      releaseDate: '1999-01-09',
    };
    await importItems(store, 'pokemontcg', [feedItem(charizard(facts))]);
    const other = { image: 'https://b.example', rarity: 'Common', releaseDate: '2000-01-01' };
    await importItems(store, 'pokemontcg', [feedItem(charizard(other))]);
    const { card } = await servedOf(store);
    assert.deepEqual([card.image, card.rarity], [facts.image, facts.rarity]);
    assert.equal(card.set.releaseDate, facts.releaseDate);
    const tree = new TreeCopy().observed('2026-01-29T20:05:12+0000');
    tree.edit('3/604/products', (products) => {
      const renamed = { name: 'Charizard (Renamed)', imageCount: 0 };
      Object.assign(products.find(({ productId }) => productId === 42_382) ?? {}, renamed);
    });
    await importTree(store, tree.folder);
    const later = await servedOf(store);
    assert.deepEqual([later.card.name, later.card.image], ['Charizard (Renamed)', facts.image]);
  });

  test('a source’s external id of a card is remembered, with the ids that it shares', async () => {
    const store = await openWithTree();
    const ids = { cardmarket: '273699', tcgplayer: '42382' };
    await importItems(store, 'pokemontcg', [feedItem(charizard({ externalIds: ids }), 45_000)]);
    const bare = { name: '', number: null, setName: null };
    const byKey = charizard(bare);
    const byId = charizard({ ...bare, externalId: 'other', externalIds: { cardmarket: '273699' } });
    for (const [source, reference] of [
      ['pokemontcg', byKey],
      ['cardmarket', byId],
    ] as const) {
      const { matched } = await importItems(store, source, [feedItem(reference)]);
      assert.equal(matched, 1, source);
    }
    const keys = await store.db
      .selectFrom('card_external_ids')
      .innerJoin('cards', 'cards.id', 'card_external_ids.card_id')
      .where('public_id', '=', CHARIZARD)
      .select(['id_space', 'external_id'])
      .execute();
    assert.deepEqual(keys.map((row) => `${row.id_space} ${row.external_id}`).sort(), [
      'cardmarket 273699',
      'cardmarket other',
      'pokemontcg zard',
      'tcgcsv 42382',
    ]);
  });

  test('the same file twice changes nothing, whether it is read again or not', async () => {
    const store = await openWithTree();
    const file = { path: 'guide.csv', digest: 'd1', etag: null };
    const past = [{ day: dayOf(OBSERVED) - 3, market: 44_000 }];
    const batches = [
      [feedItem(charizard(), { prices: { market: 45_000 }, graded: { psa_10: 900_000 }, past })],
    ];
    const feed = feedOf('pricecharting', { file, batches });
    const first = await importFeed(store, feed, { clock });
    assert.deepEqual([first.unchanged, first.cards, first.historyAdded], [false, 1, 2]);
    const before = await dump(store);
    const second = await importFeed(store, feed, { clock });
    assert.deepEqual([second.unchanged, second.cards], [true, 0]);
    const third = await importFeed(store, feed, { clock, again: true });
    assert.deepEqual([third.unchanged, third.cards, third.pricesChanged], [false, 1, 0]);
    assert.equal(await dump(store), before);
  });

  test('a feed that fails publishes nothing, and the next import does the rest', async () => {
    const store = await openWithTree();
    const catalog = new Catalog(store);
    await catalog.refresh();
    const file = { path: 'guide.csv', digest: 'd1', etag: null };
    const batch = [feedItem(charizard(), { graded: { psa_10: 900_000 } })];
    const cut = feedOf('pricecharting', { file, batches: [batch, new Error('cut off')] });
    await assert.rejects(importFeed(store, cut, { clock }), /cut off/);
    assert.equal(await catalog.refresh(), false);
    const whole = feedOf('pricecharting', { file, batches: [batch, []] });
    assert.equal((await importFeed(store, whole, { clock })).unchanged, false);
    assert.equal(await catalog.refresh(), true);
    const card = catalog.card(CHARIZARD);
    assert.equal(card && defaultPrinting(card)?.prices.graded.psa_10, 900_000);
  });

  test('rows of one printing are joined, one for each condition, even if their ids differ', async () => {
    for (const ids of [
      ['sku-1', 'sku-2'],
      ['zard', 'zard'],
    ]) {
      const store = await openWithTree();
      const rows = [{ near_mint: 46_000 }, { damaged: 12_000 }].map((conditions, at) => {
        const reference = charizard({ externalId: ids[at] ?? '' });
        const fields = { market: 'justtcg', observedAt: OBSERVED + at, conditions };
        return feedItem(reference, { ...fields, printing: 'Holofoil' });
      });
      const { overruled, skipped } = await importItems(store, 'justtcg', rows);
      assert.deepEqual([overruled, skipped], [[], {}]);
      const { prices } = await servedOf(store);
      assert.deepEqual(prices.conditions, { near_mint: 46_000, damaged: 12_000 });
      const observations = await store.db
        .selectFrom('observations')
        .where('source', '=', 'justtcg')
        .select('observed_at')
        .execute();
      assert.deepEqual(observations, [{ observed_at: OBSERVED + 1 }], 'one, as of the later row');
    }
  });

  test('rows of one printing that cannot be joined are counted and named', async () => {
    const store = await openWithTree();
    const rowOf = (externalId: string, near_mint: number) => {
      const fields = { market: 'justtcg', conditions: { near_mint, damaged: 12_000 } };
      return feedItem(charizard({ externalId }), { ...fields, printing: 'Holofoil' });
    };
    const rows = [rowOf('sku-1', 46_000), rowOf('sku-2', 46_050)];
    const { overruled, skipped, quarantined } = await importItems(store, 'justtcg', rows);
    assert.deepEqual(overruled, ['Charizard (Holofoil)']);
    assert.deepEqual(skipped, { 'price of a printing that a later row prices differently': 1 });
    assert.deepEqual(quarantined, {}, 'they are near enough for the later one to count');
    const { prices } = await servedOf(store);
    assert.equal(prices.conditions.near_mint, 46_050);
  });

  test('a price without a printing is of the default printing', async () => {
    const store = await openWithTree();
    const { printingsAdded } = await importItems(
      store,
      'quotes',
      [feedItem(charizard(), { market: 'shop', prices: { market: 44_000 } })],
      {},
    );
    assert.equal(printingsAdded, 0);
    const { card, prices } = await servedOf(store);
    assert.deepEqual([prices.market, prices.low, prices.sources], [44_000, null, ['shop']]);
    assert.deepEqual(
      card.printings.map(({ name }) => name),
      ['Holofoil'],
    );
  });

  test('euros are kept, and served once an import has an exchange rate', async () => {
    const store = await openWithTree();
    const nearMint = async (rates?: Rates) => {
      await importItems(store, 'pricecharting', [], rates && { rates });
      const { prices } = await servedOf(store);
      return [prices.conditions.near_mint, prices.sources];
    };
    const conditions = { near_mint: 40_000 };
    const euros = { market: 'cardmarket', currency: 'EUR', conditions } as const;
    const { withoutRate } = await importItems(store, 'cardmarket', [feedItem(charizard(), euros)]);
    assert.equal(withoutRate, 1);
    assert.deepEqual(await nearMint(), [undefined, ['tcgplayer']]);
    assert.deepEqual(await nearMint(EURO), [44_000, ['cardmarket', 'tcgplayer']]);
    assert.deepEqual(await nearMint(), [44_000, ['cardmarket', 'tcgplayer']], 'still the rate');
    assert.deepEqual(await nearMint([]), [undefined, ['tcgplayer']]);
  });

  test('prices that a changed rate changes are counted, with a file that is unchanged as well', async () => {
    const store = await openWithTree();
    const file = { path: 'guide.json', digest: 'd1', etag: null };
    const conditions = { near_mint: 40_000 };
    const euros = { market: 'cardmarket', currency: 'EUR', conditions } as const;
    const feed = feedOf('cardmarket', { file, batches: [[feedItem(charizard(), euros)]] });
    await importFeed(store, feed, { clock, rates: [] });
    const again = await importFeed(store, feed, { clock, rates: EURO });
    assert.deepEqual([again.unchanged, again.pricesChanged, again.withoutRate], [true, 1, 0]);
    const halved: Rates = [{ currency: 'EUR', day: dayOf(OBSERVED), dollarsPerUnit: 0.55 }];
    assert.equal(await applyRates(store, { clock, rates: halved }), 1, 'without any import');
    assert.equal((await servedOf(store)).prices.conditions.near_mint, 22_000);
    assert.equal(await applyRates(store, { clock, rates: halved }), 0);
  });

  test('a price of less than half a cent by conversion is not served, and not $0.00', async () => {
    const store = await openWithTree();
    const euros = { market: 'cardmarket', currency: 'EUR', conditions: { near_mint: 1 } } as const;
    const rates: Rates = [{ currency: 'EUR', day: dayOf(OBSERVED), dollarsPerUnit: 0.4 }];
    await importItems(store, 'cardmarket', [feedItem(charizard(), euros)], { rates });
    const { prices } = await servedOf(store);
    assert.deepEqual([prices.conditions, prices.sources], [{}, ['tcgplayer']]);
  });

  test('the history has the served price of each day', async () => {
    const store = await openWithTree();
    const scryfall = async (daysLater: number, market: number, past?: [number, number][]) => {
      const observedAt = OBSERVED + daysLater * DAY;
      const days = past?.map(([later, cents]) => ({ day: dayOf(OBSERVED) + later, market: cents }));
      await importItems(store, 'pokemontcg', [
        feedItem(charizard(), { observedAt, prices: { market }, ...(days && { past: days }) }),
      ]);
    };
    await scryfall(0, 45_000);
    await scryfall(1, 46_000, [
      [-2, 44_000],
      [0, 44_500],
    ]);
    assert.deepEqual(
      await historyOf(store),
      [
        ['2026-01-26', 44_000],
        ['2026-01-28', 45_386],
      ],
      'TCGplayer is served: another source only fills in days that are not known',
    );
    await scryfall(3, 46_500, [
      [-2, 44_100],
      [0, 44_600],
    ]);
    assert.deepEqual(
      await historyOf(store),
      [
        ['2026-01-26', 44_000],
        ['2026-01-28', 45_386],
        ['2026-01-31', 46_500],
      ],
      'TCGCSV is silent: the other source is served, and leaves its days alone',
    );
    await scryfall(8, 47_000);
    assert.deepEqual((await historyOf(store)).at(-1), ['2026-02-05', 47_000]);
    assert.equal((await servedOf(store)).prices.market, 47_000, 'TCGCSV is too old by then');
    const { folder } = new TreeCopy().observed('2026-02-06T20:00:00+0000');
    await importTree(store, folder);
    assert.deepEqual((await historyOf(store)).at(-1), ['2026-02-06', 45_386]);
  });

  test('a price that its source no longer lists is gone, unless another source has one', async () => {
    const store = await openWithTree();
    await importItems(store, 'pokemontcg', [feedItem(charizard(), 45_000)]);
    const tree = new TreeCopy().observed('2026-01-29T20:05:12+0000');
    tree.edit('3/604/prices', (prices) => {
      const at = prices.findIndex(({ productId }) => productId === 42_382);
      prices.splice(at, 1);
    });
    await importTree(store, tree.folder);
    const { prices } = await servedOf(store);
    assert.deepEqual([prices.market, prices.low, prices.figuresAt], [45_000, null, OBSERVED]);
    await importItems(store, 'pokemontcg', [
      feedItem(charizard(), { observedAt: OBSERVED + DAY, prices: { market: null } }),
    ]);
    const after = await servedOf(store);
    assert.deepEqual([after.prices.market, after.prices.sources], [null, []]);
  });
});
