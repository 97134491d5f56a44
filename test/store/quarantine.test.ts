import assert from 'node:assert/strict';
import { test } from 'node:test';
import { selectEntries } from '../../src/commands/quarantine/selection.ts';
import type { Cents } from '../../src/domain/money.ts';
import { NO_PRICES } from '../../src/domain/price.ts';
import { tellingAmount } from '../../src/domain/quarantined.ts';
import { findSets } from '../../src/store/catalogue/catalogue.ts';
import type { NewQuarantineEntry } from '../../src/store/quarantine/entries.ts';
import { groupQuarantined } from '../../src/store/quarantine/groups.ts';
import { insertQuarantined } from '../../src/store/quarantine/quarantine.ts';
import { forEachEngine } from '../support/engines.ts';
import { Market } from '../support/market.ts';
import { moment } from '../support/resolved.ts';

const DAY = 86_400_000;
const TODAY = Date.parse('2026-01-28T20:05:12Z');

const OBSERVATION = {
  ...({ marketplace: 'tcgplayer', currency: 'USD', observedAt: TODAY, days: 1 } as const),
  ...{ prices: NO_PRICES, conditions: {}, graded: {} },
};

/** An entry whose market price was accepted as `was` cents and is reported as `market` cents. */
function entry(
  was: number,
  market: number,
  fields: Partial<NewQuarantineEntry> = {},
): NewQuarantineEntry {
  const prices = { ...NO_PRICES, market: market as Cents, low: 5 as Cents };
  const observation = {
    ...{ ...OBSERVATION, prices },
    ...{ amounts: ['market'], was: { market: was as Cents } },
  };
  return {
    ...{ source: 'tcgcsv', marketplace: 'tcgplayer', game: 'mtg', setRowId: null, cardRowId: null },
    ...{ printingRowId: null, printing: 'Foil', rule: 'price-jump', detail: 'It jumped.' },
    ...{ observation, delisted: [], externalId: null, observedAt: TODAY },
    ...{ quarantinedAt: TODAY, decidedAt: null, decision: null, ...fields },
  };
}

forEachEngine((_label, open) => {
  test('a price accepted later is not the previous price of an entry', async () => {
    const store = await open();
    const market = new Market(store);
    await market.lists('2026-01-28', { '1 Foil': 4 });
    const { id } = await store.db.selectFrom('printings').select('id').executeTakeFirstOrThrow();
    const observation = { ...OBSERVATION, prices: { ...NO_PRICES, market: 900 as Cents } };
    const fields = { printingRowId: id, observation };
    await insertQuarantined(store.db, [
      entry(0, 0, { ...fields, observedAt: moment('2026-01-29') }),
      entry(0, 0, { ...fields, observedAt: moment('2026-01-27') }),
    ]);
    const [group] = await groupQuarantined(store, 'rule', { isDecided: false });
    assert.deepEqual(
      group?.examples.map(({ price }) => price.amounts[0]?.was),
      [400, null],
    );
  });

  test('groups count their entries and show the largest changes', async () => {
    const store = await open();
    const { db } = store;
    const entries = [
      entry(100, 500),
      entry(100, 9000),
      entry(100, 25),
      entry(100, 300, { quarantinedAt: TODAY - DAY }),
      entry(100, 400, { rule: 'swapped-printings', source: 'scryfall' }),
      entry(1, 999, { decision: 'rejected', decidedAt: TODAY }),
    ];
    await insertQuarantined(db, entries);
    const [group, other] = await groupQuarantined(store, 'rule', { isDecided: false });
    assert.deepEqual([group?.name, group?.count, group?.lastId], ['price-jump', 4, 4]);
    assert.deepEqual([group?.oldest, group?.newest], [TODAY - DAY, TODAY]);
    assert.deepEqual(
      group?.examples.map(({ price }) => price.amounts),
      [
        [{ name: 'market', value: 9000, was: 100, ratio: 90 }],
        [{ name: 'market', value: 500, was: 100, ratio: 5 }],
        [{ name: 'market', value: 25, was: 100, ratio: 4 }],
      ],
    );
    assert.deepEqual(other?.sources, { scryfall: 1 });
    const days = await groupQuarantined(store, 'day', { isDecided: false });
    assert.deepEqual(
      days.map(({ name, count }) => [name, count]),
      [
        ['2026-01-28', 4],
        ['2026-01-27', 1],
      ],
    );
    const [bySet] = await groupQuarantined(store, 'set', {});
    assert.deepEqual([bySet?.name, bySet?.count], [null, 6]);
  });

  test('an entry is represented by its market price, unless that did not change', async () => {
    const store = await open();
    const figures = (market: number, high: number) => {
      const nine = 9 as Cents;
      return { market: market as Cents, low: nine, mid: nine, high: high as Cents };
    };
    const of = (market: number) => {
      const prices = figures(market, 9_999);
      return entry(0, 0, { observation: { ...OBSERVATION, prices, was: figures(10, 90) } });
    };
    await insertQuarantined(store.db, [of(13), of(10)]);
    const [group] = await groupQuarantined(store, 'rule', { isDecided: false });
    assert.deepEqual(
      group?.examples.map(({ price }) => tellingAmount(price)?.name),
      ['high', 'market'],
    );
  });

  test('thousands of entries are read page by page', async () => {
    const store = await open();
    const { db } = store;
    await insertQuarantined(
      db,
      Array.from({ length: 2500 }, (_, index) => entry(1, index + 2)),
    );
    const [group] = await groupQuarantined(store, 'source', {});
    assert.equal(group?.count, 2500);
    assert.equal(group?.examples[0]?.price.amounts[0]?.value, 2501);
  });

  test('a decision refuses an ambiguous name of a set', async () => {
    const store = await open();
    const sets = [
      { id: 1, game: 'yugioh', code: 'LOB', name: 'Legend of Blue Eyes White Dragon' },
      { id: 2, game: 'yugioh', code: 'LOB', name: 'Legend of Blue Eyes (25th Anniversary)' },
      { id: 3, game: 'mtg', code: 'LEA', name: 'Pokémon Alpha' },
    ] as const;
    for (const set of sets) {
      await store.db
        .insertInto('sets')
        .values({ ...set, public_set_id: `yugioh-lob-${set.id}`, release_date: null, revision: 1 })
        .execute();
    }
    const idsOf = async (...args: [string, 'mtg'?]) => {
      return (await findSets(store.db, ...args)).map(({ rowId }) => rowId);
    };
    assert.deepEqual(await idsOf('yugioh-lob-2'), [2]);
    assert.deepEqual(await idsOf('lob'), [1, 2]);
    assert.deepEqual(await idsOf('lob', 'mtg'), []);
    assert.deepEqual(await idsOf('pokemon alpha'), [3]);
    const select = (set: string) => selectEntries(store, [], { set }, { isDecided: false });
    await assert.rejects(select('LOB'), {
      message:
        /^"LOB" means 2 sets; name one of them: "Legend of Blue Eyes White Dragon" \(yugioh-lob-1\), /,
    });
    assert.deepEqual((await select('LEA')).filter.sets, [3]);
  });
});
