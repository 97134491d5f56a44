import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { NativePrices } from '../../src/domain/card.ts';
import type { Day } from '../../src/domain/day.ts';
import type { Cents } from '../../src/domain/money.ts';
import { NO_BASES } from '../../src/domain/price-changes.ts';
import {
  cardsById,
  externalIdsOfCards,
  printingsById,
  setsById,
  upsertCardExternalIds,
  upsertCards,
  upsertPrintings,
  upsertSetExternalIds,
  upsertSets,
} from '../../src/store/catalogue/catalogue.ts';
import { readSourceFiles, upsertSourceFiles } from '../../src/store/catalogue/imports.ts';
import {
  observationsOf,
  type StoredObservation,
  upsertObservations,
} from '../../src/store/catalogue/observations.ts';
import type { StoredCard, StoredPrinting, StoredSet } from '../../src/store/catalogue/records.ts';
import type { CardExternalIdRow } from '../../src/store/catalogue/schema.ts';
import type { BulkTable } from '../../src/store/engine/engine.ts';
import { RECENT_BLOCKS } from '../../src/store/history/blocks.ts';
import { forEachEngine, type TestStore } from '../support/engines.ts';

const SET: StoredSet = {
  rowId: 1,
  id: 'mtg-alpha',
  game: 'mtg',
  code: 'LEA',
  name: 'Alpha',
  releaseDate: null,
  revision: 4,
};
const CARD: StoredCard = {
  rowId: 2,
  id: 'mtg-lea-opt',
  setRowId: 1,
  name: 'Opt',
  number: '12a',
  rarity: null,
  image: null,
  revision: 4,
};
const NO_FIGURES = { market: null, low: null, mid: null, high: null };
const FIGURES = { market: 11 as Cents, low: 12 as Cents, mid: 13 as Cents, high: 14 as Cents };
const EUROS: NativePrices['prices'] = {
  ...FIGURES,
  sources: ['cardmarket'],
  conditions: { near_mint: 15 as Cents },
  graded: {},
  figuresAt: 2 ** 41,
  conditionsAt: 2 ** 40,
  gradedAt: null,
};
const PRINTING: StoredPrinting = {
  rowId: 3,
  cardRowId: 2,
  name: 'Foil',
  marketplace: 'tcgplayer',
  revision: 17,
  prices: {
    ...FIGURES,
    sources: ['tcgplayer'],
    conditions: { near_mint: 15 as Cents },
    graded: { psa_10: 16 as Cents },
    figuresAt: 2 ** 41,
    conditionsAt: 2 ** 40,
    gradedAt: 2 ** 39,
  },
  bases: {
    '1d': 18 as Cents,
    '7d': 19 as Cents,
    '30d': 20 as Cents,
    doubts: { '1d': 'unconfirmed' },
  },
  confidence: {
    level: 'confirmed',
    sources: 2,
    observations: 30,
    interval: { low: 11 as Cents, high: 14 as Cents },
  },
  origins: { figures: 'tcgplayer', conditions: 'my-shop', graded: ['ebay'] },
  dispute: { reported: 99 as Cents, since: 20_000 as Day, rule: 'price-jump' },
  native: [{ currency: 'EUR', prices: EUROS, isServed: true }],
  trade: { sales: { count: 3, days: 30, last: null } },
};
const UNPRICED: StoredPrinting = {
  ...PRINTING,
  marketplace: null,
  bases: NO_BASES,
  confidence: undefined,
  origins: undefined,
  dispute: undefined,
  native: undefined,
  trade: undefined,
  revision: 16,
  prices: {
    ...NO_FIGURES,
    conditions: {},
    graded: {},
    sources: [],
    figuresAt: null,
    conditionsAt: null,
    gradedAt: null,
  },
};
const OBSERVATION: StoredObservation = {
  printingRowId: 3,
  source: 'mtgjson',
  marketplace: 'cardmarket',
  currency: 'EUR',
  prices: { market: 11 as Cents, low: 12 as Cents, mid: 13 as Cents, high: 14 as Cents },
  conditions: { near_mint: 15 as Cents },
  graded: { psa_10: 16 as Cents },
  observedAt: 2 ** 40,
  fetchedAt: 2 ** 41,
  externalId: 'opt',
};

/** Two versions of the records of each table: the first is inserted, the second overwrites it. */
const SETS: readonly StoredSet[] = [
  SET,
  { ...SET, code: 'LA', name: 'Limited Alpha', releaseDate: '1993-08-05', revision: 5 },
];
const SET_IDS = [{ idSpace: 'tcgcsv', externalId: '3', setRowId: 1 }];
const CARDS: readonly StoredCard[] = [
  CARD,
  { ...CARD, rarity: 'Common', image: 'opt.jpg', revision: 5 },
];
const CARD_ID = { idSpace: 'tcgcsv', externalId: '77', cardRowId: 2 };
const CARD_IDS = [1, 2].map((revision) => ({ ...CARD_ID, revision }));
const PRINTINGS: readonly StoredPrinting[] = [UNPRICED, PRINTING];
const FILES = [
  { path: 'a/b', digest: 'd1', etag: null, observedAt: 2 ** 40 },
  { path: 'a/b', digest: 'd2', etag: 'e', observedAt: 2 ** 41 },
];

/** The rows of the second version. */
const ROWS = {
  sets: {
    id: 1,
    public_set_id: 'mtg-alpha',
    game: 'mtg',
    code: 'LA',
    name: 'Limited Alpha',
    release_date: '1993-08-05',
    revision: 5,
  },
  set_external_ids: { id_space: 'tcgcsv', external_id: '3', set_id: 1 },
  cards: {
    id: 2,
    public_id: 'mtg-lea-opt',
    set_id: 1,
    name: 'Opt',
    number: '12a',
    rarity: 'Common',
    image: 'opt.jpg',
    revision: 5,
    product_type: null,
    upc: null,
    contents: null,
  },
  card_external_ids: { id_space: 'tcgcsv', external_id: '77', card_id: 2, revision: 2 },
  printings: {
    id: 3,
    card_id: 2,
    name: 'Foil',
    market: 11,
    low: 12,
    mid: 13,
    high: 14,
    conditions: '{"near_mint":15}',
    graded: '{"psa_10":16}',
    sources: '["tcgplayer"]',
    figures_at: 2 ** 41,
    conditions_at: 2 ** 40,
    graded_at: 2 ** 39,
    revision: 17,
    marketplace: 'tcgplayer',
    base_1d: 18,
    base_7d: 19,
    base_30d: 20,
    change_doubts: '{"1d":"unconfirmed"}',
    confidence: 1 | (2 << 2) | (30 << 6),
    interval_low: 11,
    interval_high: 14,
    dispute: '{"reported":99,"since":20000,"rule":"price-jump"}',
    origins: '{"figures":"tcgplayer","conditions":"my-shop","graded":["ebay"]}',
    native: JSON.stringify([{ currency: 'EUR', prices: EUROS, isServed: true }]),
    trade: '{"sales":{"count":3,"days":30,"last":null}}',
  },
  source_files: {
    source: 'tcgcsv',
    path: 'a/b',
    digest: 'd2',
    etag: 'e',
    observed_at: 2 ** 41,
  },
};

forEachEngine((_label, open) => {
  it('inserts and overwrites records, and reads them back', async () => {
    const store = await open();
    for (const version of [0, 1]) {
      const only = <One>(all: readonly One[]) => all.slice(version).slice(0, 1);
      await store.db.transaction().execute(async (transaction) => {
        await upsertSets(store, transaction, only(SETS));
        await upsertSetExternalIds(store, transaction, SET_IDS);
        await upsertCards(store, transaction, only(CARDS));
        await upsertCardExternalIds(store, transaction, only(CARD_IDS));
        await upsertPrintings(store, transaction, only(PRINTINGS));
        await upsertSourceFiles(store, transaction, 'tcgcsv', only(FILES));
      });
      assert.deepEqual([...(await setsById(store.db, [1])).values()], only(SETS));
      assert.deepEqual([...(await cardsById(store.db, [2])).values()], only(CARDS));
      assert.deepEqual(await externalIdsOfCards(store.db, [2]), only(CARD_IDS));
      assert.deepEqual(await printingsById(store.db, [3]), only(PRINTINGS));
      assert.deepEqual([...(await readSourceFiles(store.db, 'tcgcsv')).values()], only(FILES));
    }
    assert.deepEqual(await allRows(store), ROWS);
  });

  it('stores nothing for a printing without prices', async () => {
    const store = await open();
    await upsertSets(store, store.db, [SET]);
    await upsertCards(store, store.db, [CARD]);
    await upsertPrintings(store, store.db, [UNPRICED]);
    const { sources, id, card_id, name, revision, ...others } =
      (await allRows(store)).printings ?? {};
    assert.deepEqual([sources, id, card_id, name, revision], ['[]', 3, 2, 'Foil', 16]);
    assert.deepEqual(new Set(Object.values(others)), new Set([null]));
  });

  it('keeps one observation per printing, source and marketplace', async () => {
    const store = await open();
    const other = { ...OBSERVATION, marketplace: 'tcgplayer', currency: 'USD' } as const;
    const later = { ...other, prices: NO_FIGURES, conditions: {}, graded: {}, fetchedAt: null };
    for (const observations of [[OBSERVATION, other], [later], []]) {
      await store.db.transaction().execute((transaction) => {
        return upsertObservations(store, transaction, observations);
      });
    }
    const found = await observationsOf(store, store.db, [3, 4]);
    const byMarketplace = found.sort((a, b) => a.marketplace.localeCompare(b.marketplace));
    assert.deepEqual(byMarketplace, [OBSERVATION, later]);
  });

  it('Looks up the rows of no key, one key and several keys', async () => {
    const store = await open();
    const block = new Uint8Array([1, 2]);
    const rows = [3, 5, 8].map((id) => ({ printing_id: id, first_day: 1, last_day: 2, block }));
    await store.db
      .transaction()
      .execute((transaction) => store.engine.upsert(transaction, RECENT_BLOCKS, rows));
    const found = async (keys: readonly number[]) => {
      const all = await store.engine.lookup(store.db, RECENT_BLOCKS, keys);
      return all.map((row) => row.printing_id).toSorted((a, b) => a - b);
    };
    assert.deepEqual(await found([]), []);
    assert.deepEqual(await found([5]), [5]);
    assert.deepEqual(await found([8, 4, 3]), [3, 8]);
  });
});

it('does not compile for a table with missing columns or wrong types', () => {
  const incomplete: BulkTable<CardExternalIdRow> = {
    name: 'card_external_ids',
    // @ts-expect-error The column `external_id` is missing.
    columns: { id_space: 'text', card_id: 'int4' },
    key: ['id_space', 'external_id'],
  };
  const mistyped: BulkTable<CardExternalIdRow> = {
    name: 'card_external_ids',
    // @ts-expect-error The column `card_id` has numbers.
    columns: { id_space: 'text', external_id: 'text', card_id: 'text' },
    key: ['id_space', 'external_id'],
  };
  assert.equal(incomplete.name, mistyped.name);
});

/** Returns the only row of each table; undefined for an empty table. */
async function allRows({ db }: TestStore) {
  const tables = ['sets', 'set_external_ids', 'cards', 'card_external_ids', 'printings'] as const;
  const rows: Record<string, Record<string, unknown>> = {};
  for (const table of [...tables, 'source_files'] as const) {
    const [row, ...others] = await db.selectFrom(table).selectAll().execute();
    assert.deepEqual(others, []);
    if (row) rows[table] = { ...row };
  }
  return rows;
}
