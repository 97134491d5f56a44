import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { Static } from 'typebox';
import { defaultPrinting } from '../../src/domain/card.ts';
import type { CardDetail } from '../../src/http/schemas.ts';
import type { PriceIndexBody } from '../../src/http/set-schemas.ts';
import { type HistoryDay, shareService } from '../support/app.ts';
import { forEachEngine } from '../support/engines.ts';
import { charizard, feedItem, importItems, OBSERVED } from '../support/feed-items.ts';
import { bodyOf, errorOf, problemOf } from './expect.ts';

type Body = { readonly data: Static<typeof PriceIndexBody> };

const CHARIZARD = 'pokemon-bs-charizard-004';
const ALAKAZAM = 'pokemon-bs-alakazam-001';
const SET = '/v1/sets/pokemon-base-set/index';
const GAME = '/v1/games/pokemon/index';
const PACK = 'pokemon-bs-base-set-booster-pack-revised-unlimited-edition';

/** Of Charizard, whose newest price is 453.86. The other cards of the game have only that day. */
const PAST: readonly HistoryDay[] = [
  ['2026-01-14', 226_93],
  ['2026-01-26', 453_86],
  ['2026-01-27', 226_93],
];

const CHANGES = { '1d': 100, '7d': null, '30d': null, '90d': null, '1y': null };
const VALUES = [
  { date: '2026-01-26', value: 100 },
  { date: '2026-01-27', value: 50 },
  { date: '2026-01-28', value: 100 },
];

forEachEngine((label) => {
  const shared = shareService(label);
  before(() => shared.service.remember(CHARIZARD, 'Holofoil', PAST));
  const get = async (url: string) => {
    return bodyOf<Body>(await (await shared.service.caller('trader')).get(url)).data;
  };

  describe('GET /v1/sets/{setId}/index', () => {
    it('lists every day from the first one with a price, with the changes up to the newest', async () => {
      assert.deepEqual(await get(`${SET}?period=7d`), {
        game: 'pokemon',
        setId: 'pokemon-base-set',
        period: '7d',
        asOf: '2026-01-28',
        changes: CHANGES,
        index: VALUES,
      });
    });

    it('begins within the period, which is 30 days by default', async () => {
      const { index, changes, period } = await get(SET);
      assert.deepEqual(
        [index.length, index[0], period],
        [15, { date: '2026-01-14', value: 100 }, '30d'],
      );
      assert.deepEqual(changes, { ...CHANGES, '7d': 100 });
      assert.deepEqual((await get(`${SET}?period=all`)).index, index);
    });

    it('is empty for a set without prices', async () => {
      const { asOf, changes, index } = await get('/v1/sets/fab-monarch/index');
      assert.deepEqual([asOf, changes['1d'], index], [null, null, []]);
    });

    it('answers 404 for an unknown set', async () => {
      const caller = await shared.service.caller('trader');
      errorOf(await caller.get('/v1/sets/no-such-set/index'), 'SET_NOT_FOUND');
    });
  });

  describe('GET /v1/games/{game}/index', () => {
    it('is of the cards of all sets, and not of products', async () => {
      await shared.service.remember(PACK, 'Normal', [['2026-01-27', 1_00]]);
      const data = await get(`${GAME}?period=7d`);
      const rest = { game: 'pokemon', period: '7d', asOf: '2026-01-28', changes: CHANGES };
      assert.deepEqual(data, { ...rest, index: VALUES });
    });

    it('answers all who ask at the same time alike', async () => {
      const asked = Array.from({ length: 5 }, () => get(`${GAME}?period=90d`));
      const [first, ...others] = await Promise.all(asked);
      assert.equal(first?.index.length, 15);
      for (const other of others) assert.deepEqual(other, first);
    });
  });

  describe('An index', () => {
    it('needs a plan with history', async () => {
      const free = await shared.service.caller('free');
      for (const url of [SET, GAME]) errorOf(await free.get(url), 'PLAN_RESTRICTION');
    });

    it('refuses an unknown period or game', async () => {
      const caller = await shared.service.caller('trader');
      problemOf(await caller.get(`${SET}?period=2d`), 'period');
      problemOf(await caller.get('/v1/games/chess/index'), 'game');
    });

    // It adds earlier days, so it comes last.
    it('has the change over the period from its first day to the last', async () => {
      const earlier: readonly HistoryDay[] = [
        ['2025-12-30', 400_00],
        ['2026-01-10', 300_00],
      ];
      await shared.service.remember(CHARIZARD, 'Holofoil', earlier);
      const { index, changes } = await get(`${SET}?period=30d`);
      assert.equal(index[0]?.date, '2025-12-30');
      assert.notEqual(changes['30d'], null);
      assert.equal(changes['30d'], Math.round(((index.at(-1)?.value ?? 0) - 100) * 100) / 100);
    });
  });
});

describe('A damaged history', () => {
  const shared = shareService('SQLite');

  it('is left out of an index', async () => {
    const { service } = shared;
    await service.remember(CHARIZARD, 'Holofoil', PAST);
    const damaged = defaultPrinting(service.catalog.card(ALAKAZAM) ?? assert.fail());
    await service.store.db
      .updateTable('history_recent')
      .set({ block: Buffer.alloc(20) })
      .where('printing_id', '=', damaged?.rowId ?? 0)
      .execute();
    const { data } = bodyOf<Body>(await (await service.caller('trader')).get(`${SET}?period=7d`));
    assert.deepEqual(data.index, VALUES);
  });
});

describe('A disputed price', () => {
  const shared = shareService('SQLite');

  it('does not count in an index from the day of the dispute on', async () => {
    const { service } = shared;
    const { store, catalog } = service;
    await service.remember(CHARIZARD, 'Holofoil', PAST);
    const ebay = { market: 'ebay', prices: { market: 44_000 } };
    await importItems(store, 'pricecharting', [feedItem(charizard(), ebay)]);
    const jumped = { market: 'tcgplayer', observedAt: OBSERVED + 1, prices: { market: 200_000 } };
    await importItems(store, 'tcgcsv', [feedItem(charizard(), jumped)]);
    await catalog.refresh();
    const caller = await service.caller('trader');
    const card = bodyOf<{ data: Static<typeof CardDetail> }>(
      await caller.get(`/v1/cards/${CHARIZARD}`),
    );
    assert.equal(card.data.prices.disputed?.since, '2026-01-28');
    const { data } = bodyOf<Body>(await caller.get(`${SET}?period=7d`));
    assert.deepEqual(
      data.index.map(({ value }) => value),
      [100, 50, 50],
    );
  });
});
