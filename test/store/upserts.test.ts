import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Cents } from '../../src/domain/money.ts';
import {
  upsertCardExternalIds,
  upsertCards,
  upsertPrintings,
  upsertSetExternalIds,
  upsertSets,
} from '../../src/store/catalogue/catalogue.ts';
import { upsertSourceFiles } from '../../src/store/catalogue/imports.ts';
import {
  observationsOf,
  type StoredObservation,
  upsertObservations,
} from '../../src/store/catalogue/observations.ts';
import type {
  CardExternalIdRow,
  CardRow,
  PrintingRow,
  SetExternalIdRow,
  SetRow,
  SourceFileRow,
} from '../../src/store/catalogue/schema.ts';
import type { BulkTable } from '../../src/store/engine/engine.ts';
import { forEachEngine, type TestStore } from '../support/engines.ts';

const SET = { id: 1, game: 'mtg', code: 'LEA', name: 'Alpha', release_date: null } as const;
const CARD = { id: 2, public_id: 'mtg-lea-opt', set_id: 1, name: 'Opt', number: '12a' } as const;
const NO_FIGURES = { market: null, low: null, mid: null, high: null };
const PRINTING: PrintingRow = {
  ...{ id: 3, card_id: 2, name: 'Foil', market: 11, low: 12, mid: 13, high: 14 },
  ...{ conditions: '{"near_mint":15}', graded: '{"psa_10":16}', sources: '["tcgplayer"]' },
  ...{ figures_at: 2 ** 41, conditions_at: 2 ** 40, graded_at: 2 ** 39, revision: 17 },
  ...{ marketplace: 'tcgplayer', base_1d: 18, base_7d: 19, base_30d: 20 },
  change_doubts: '{"1d":"unconfirmed"}',
};
const OBSERVATION: StoredObservation = {
  ...{ printingRowId: 3, source: 'mtgjson', marketplace: 'cardmarket', currency: 'EUR' },
  prices: { market: 11 as Cents, low: 12 as Cents, mid: 13 as Cents, high: 14 as Cents },
  conditions: { near_mint: 15 as Cents },
  graded: { psa_10: 16 as Cents },
  ...{ observedAt: 2 ** 40, fetchedAt: 2 ** 41, externalId: 'opt' },
};

/** Two versions of the rows of each table: the first is inserted, the second overwrites it. */
const SETS: readonly SetRow[][] = [
  [{ ...SET, public_set_id: 'mtg-alpha', revision: 4 }],
  [
    {
      revision: 5,
      release_date: '1993-08-05',
      name: 'Limited Alpha',
      code: 'LA',
      game: 'mtg',
      public_set_id: 'mtg-alpha',
      id: 1,
    },
  ],
];
const SET_IDS: readonly SetExternalIdRow[][] = [
  [{ id_space: 'tcgcsv', external_id: '3', set_id: 1 }],
  [{ set_id: 1, external_id: '3', id_space: 'tcgcsv' }],
];
const CARDS: readonly CardRow[][] = [
  [{ ...CARD, rarity: null, image: null, revision: 4 }],
  [{ revision: 5, image: 'opt.jpg', rarity: 'Common', ...CARD }],
];
const CARD_IDS: readonly CardExternalIdRow[][] = [
  [{ id_space: 'tcgcsv', external_id: '77', card_id: 2, revision: 1 }],
  [{ revision: 2, card_id: 2, external_id: '77', id_space: 'tcgcsv' }],
];
const PRINTINGS: readonly PrintingRow[][] = [
  [{ ...PRINTING, ...NO_FIGURES, conditions: null, graded: null, marketplace: null }],
  [PRINTING],
];
const FILES: readonly SourceFileRow[][] = [
  [{ source: 'tcgcsv', path: 'a/b', digest: 'd1', etag: null, observed_at: 2 ** 40 }],
  [{ observed_at: 2 ** 41, etag: 'e', digest: 'd2', path: 'a/b', source: 'tcgcsv' }],
];

forEachEngine((_label, open) => {
  it('inserts and overwrites rows by column name', async () => {
    const store = await open();
    for (const version of [0, 1]) {
      await store.db.transaction().execute(async (transaction) => {
        await upsertSets(store, transaction, SETS[version] ?? []);
        await upsertSetExternalIds(store, transaction, SET_IDS[version] ?? []);
        await upsertCards(store, transaction, CARDS[version] ?? []);
        await upsertCardExternalIds(store, transaction, CARD_IDS[version] ?? []);
        await upsertPrintings(store, transaction, PRINTINGS[version] ?? []);
        await upsertSourceFiles(store, transaction, FILES[version] ?? []);
      });
      assert.deepEqual(await allRows(store), {
        sets: SETS[version],
        set_external_ids: SET_IDS[version],
        cards: CARDS[version],
        card_external_ids: CARD_IDS[version],
        printings: PRINTINGS[version],
        source_files: FILES[version],
      });
    }
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

async function allRows({ db }: TestStore): Promise<Record<string, unknown[]>> {
  const tables = ['sets', 'set_external_ids', 'cards', 'card_external_ids', 'printings'] as const;
  const rows: Record<string, unknown[]> = {};
  for (const table of [...tables, 'source_files'] as const) {
    rows[table] = await db.selectFrom(table).selectAll().execute();
  }
  return rows;
}
