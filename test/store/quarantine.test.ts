import assert from 'node:assert/strict';
import { test } from 'node:test';
import { selectEntries } from '../../src/commands/quarantine/selection.ts';
import type { Cents } from '../../src/domain/money.ts';
import { NO_PRICES } from '../../src/domain/price.ts';
import { tellingAmount } from '../../src/domain/quarantined.ts';
import { findSets } from '../../src/store/catalogue/catalogue.ts';
import { listDecisions } from '../../src/store/quarantine/decisions.ts';
import type { NewQuarantineEntry } from '../../src/store/quarantine/entries.ts';
import {
  groupQuarantined,
  groupSentence,
  quarantineDigest,
} from '../../src/store/quarantine/groups.ts';
import {
  countMatching,
  listQuarantined,
  type QuarantineFilter,
} from '../../src/store/quarantine/list.ts';
import { quarantinedDays } from '../../src/store/quarantine/prices.ts';
import { insertQuarantined } from '../../src/store/quarantine/quarantine.ts';
import { forEachEngine } from '../support/engines.ts';
import { quarantineEntry } from '../support/entries.ts';
import { Market } from '../support/market.ts';
import { moment } from '../support/resolved.ts';

const DAY = 86_400_000;
const TODAY = Date.parse('2026-01-28T20:05:12Z');

const OBSERVATION = {
  marketplace: 'tcgplayer',
  currency: 'USD' as const,
  observedAt: TODAY,
  days: 1,
  prices: NO_PRICES,
  conditions: {},
  graded: {},
};

/** An entry whose market price was accepted as `was` cents and is reported as `market` cents. */
function entry(
  was: number,
  market: number,
  fields: Partial<NewQuarantineEntry> = {},
): NewQuarantineEntry {
  const prices = { ...NO_PRICES, market: market as Cents, low: 5 as Cents };
  const observation = {
    ...OBSERVATION,
    prices,
    amounts: ['market'],
    was: { market: was as Cents },
  };
  return quarantineEntry({
    source: 'tcgcsv',
    game: 'mtg',
    printing: 'Foil',
    rule: 'price-jump',
    detail: 'It jumped.',
    observation,
    observedAt: TODAY,
    quarantinedAt: TODAY,
    ...fields,
  });
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

  test('a digest puts decisions about much requested cards first', async () => {
    const store = await open();
    const market = new Market(store);
    await market.lists('2026-01-28', { '1 Foil': 4 });
    const card = await store.db.selectFrom('cards').selectAll().executeTakeFirstOrThrow();
    await insertQuarantined(store.db, [
      entry(100, 1100),
      entry(100, 600, { cardRowId: card.id, rule: 'swapped-printings' }),
    ]);
    const digest = async (views: number) => {
      const { first } = await quarantineDigest(store, 2, new Map([[card.public_id, views]]));
      return first;
    };
    const rules = (groups: readonly { rule: string | null }[]) => groups.map(({ rule }) => rule);
    assert.deepEqual(rules(await digest(8)), ['price-jump', 'swapped-printings']);
    const [requested] = await digest(10);
    assert.equal(requested?.rule, 'swapped-printings');
    assert.match(requested ? groupSentence(requested) : '', /\$5\.00\. 10 requests in 30 days\.$/);
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

  test('each condition of a filter selects its entries', async () => {
    const { db } = await open();
    const [before, after] = [TODAY - 1, TODAY + 1];
    await insertQuarantined(db, [
      entry(1, 2, { source: 'scryfall', rule: 'thin' }),
      entry(1, 2, { setRowId: 7, game: 'pokemon' }),
      entry(1, 2, { quarantinedAt: before }),
      entry(1, 2, { observedAt: before }),
      entry(1, 2, { decision: 'rejected', decidedAt: TODAY }),
      entry(1, 2, { decision: 'approved', decidedAt: after }),
    ]);
    const ROWS: readonly (readonly [filter: QuarantineFilter, ids: readonly number[]])[] = [
      [{}, [1, 2, 3, 4, 5, 6]],
      [{ ids: [] }, []],
      [{ ids: [3] }, [3]],
      [{ ids: [1, 6, 9] }, [1, 6]],
      [{ source: 'scryfall' }, [1]],
      [{ game: 'pokemon' }, [2]],
      [{ rule: 'thin' }, [1]],
      [{ sets: [] }, []],
      [{ sets: [7] }, [2]],
      [{ hasSet: false, above: 3 }, [4, 5, 6]],
      [{ since: TODAY, upTo: 4 }, [1, 2, 4]],
      [{ until: TODAY }, [3]],
      [{ observedSince: TODAY, upTo: 4 }, [1, 2, 3]],
      [{ observedUntil: TODAY }, [4]],
      [{ isDecided: true }, [5, 6]],
      [{ isDecided: false }, [1, 2, 3, 4]],
      [{ decision: 'approved' }, [6]],
      [{ decidedAt: TODAY }, [5]],
    ];
    for (const [filter, ids] of ROWS) {
      const listed = await listQuarantined(db, filter);
      const { count, lastId } = await countMatching(db, filter);
      assert.deepEqual(
        [listed.map(({ id }) => id), count, lastId],
        [ids, ids.length, ids.at(-1) ?? 0],
        JSON.stringify(filter),
      );
    }
    const first = await listQuarantined(db, { limit: 1 });
    assert.deepEqual(
      first.map(({ id }) => id),
      [1],
    );
  });

  test('the newest day of a quarantined market price is read for each printing', async () => {
    const { db } = await open();
    const of = (
      printingRowId: number | null,
      day: number,
      fields: Partial<NewQuarantineEntry> = {},
    ) => entry(1, 2, { printingRowId, observedAt: day * DAY, ...fields });
    const approved = { decision: 'approved', decidedAt: TODAY } as const;
    const lows = { observation: { ...OBSERVATION, amounts: ['low'] } };
    await insertQuarantined(db, [
      ...[of(7, 5), of(7, 6), of(7, 4), of(7, 9, approved), of(7, 8, lows)],
      ...[of(8, 0), of(8, 3, approved), of(9, 3, lows), of(null, 3)],
      of(10, 2, { decision: 'rejected', decidedAt: TODAY }),
    ]);
    assert.deepEqual(
      [...(await quarantinedDays(db))],
      [
        [7, 6],
        [8, 0],
        [10, 2],
      ],
    );
  });

  test('decisions are listed newest first, on pages', async () => {
    const { db } = await open();
    const rejected = (days: number) =>
      entry(1, 2, { decision: 'rejected', decidedAt: TODAY + days * DAY });
    await insertQuarantined(db, [rejected(1), rejected(2), rejected(0), rejected(2)]);
    const timesOf = async (limit: number, offset: number) => {
      const { decisions, total } = await listDecisions(db, { limit, offset });
      assert.equal(total, 3);
      return decisions.map(({ decidedAt, count }) => [(decidedAt - TODAY) / DAY, count]);
    };
    assert.deepEqual(await timesOf(9, 0), [
      [2, 2],
      [1, 1],
      [0, 1],
    ]);
    assert.deepEqual(await timesOf(1, 0), [[2, 2]]);
    assert.deepEqual(await timesOf(2, 1), [
      [1, 1],
      [0, 1],
    ]);
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
