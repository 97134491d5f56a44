import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { Static } from 'typebox';
import { dayOf } from '../../src/domain/day.ts';
import type { ExplainedCard } from '../../src/http/explain-schemas.ts';
import type { CardDetail } from '../../src/http/schemas.ts';
import { shareService } from '../support/app.ts';
import { forEachEngine } from '../support/engines.ts';
import { charizard, feedItem, importItems, OBSERVED } from '../support/feed-items.ts';
import { NOW } from '../support/tcgcsv.ts';
import { bodyOf, errorOf } from './expect.ts';

type Explained = { data: Static<typeof ExplainedCard> };
type Detail = { data: Static<typeof CardDetail> };

const CARD = '/v1/cards/pokemon-bs-charizard-004';
const UNPRICED = '/v1/cards/mtg-9ed-forest-347';
const DAY = 86_400_000;
const FETCHED = '2027-01-28T12:00:00Z';

forEachEngine((label) => {
  const shared = shareService(label);
  before(async () => {
    const { store, catalog } = shared.service;
    await importItems(store, 'pricecharting', [
      feedItem(charizard({ externalId: '630' }), {
        market: 'pricecharting',
        observedAt: OBSERVED - DAY,
        prices: { market: 44_000 },
        graded: { psa_10: 900_000, any_9: 150_000 },
      }),
    ]);
    const rates = [{ currency: 'EUR', day: dayOf(OBSERVED), dollarsPerUnit: 1.1 }] as const;
    await importItems(
      store,
      'cardmarket',
      [
        feedItem(charizard({ externalId: '273' }), {
          market: 'cardmarket',
          currency: 'EUR',
          observedAt: OBSERVED - 9 * DAY,
          prices: { market: 40_000 },
        }),
      ],
      { rates },
    );
    await importItems(store, 'justtcg', [
      feedItem(charizard(), { market: 'justtcg', prices: { market: 99_999_999 } }),
    ]);
    await catalog.refresh();
  });

  const explained = async (url = `${CARD}/explain`) => {
    const caller = await shared.service.caller('trader');
    return bodyOf<Explained>(await caller.get(url)).data;
  };
  const numberOf = async (name: string) => {
    const { printings } = await explained();
    return printings[0]?.numbers.find((number) => number.name === name) ?? assert.fail(name);
  };

  describe('GET /v1/cards/{id}/explain', () => {
    it('gives each number its source, marketplace, moments and rule', async () => {
      const { leftOut, ...low } = await numberOf('low');
      assert.deepEqual(low, {
        name: 'low',
        value: 330.04,
        source: 'tcgcsv',
        marketplace: 'tcgplayer',
        externalId: '42382',
        currency: 'USD',
        rate: null,
        rateDay: null,
        observedAt: '2026-01-28T20:05:12Z',
        fetchedAt: '2026-01-29T12:00:00Z',
        rule: 'rank',
        explanation: 'tcgcsv comes first among the sources that are recent enough.',
        quarantined: [],
      });
      assert.equal(leftOut.length, 2);
    });

    it('lists what was left out, with the reasons', async () => {
      const { leftOut } = await numberOf('market');
      assert.deepEqual(leftOut, [
        {
          source: 'pricecharting',
          marketplace: 'pricecharting',
          externalId: '630',
          value: 440,
          currency: 'USD',
          observedAt: '2026-01-27T20:05:12Z',
          fetchedAt: FETCHED,
          reason: 'rank',
          explanation: 'Lower rank: pricecharting comes after tcgcsv.',
        },
        {
          source: 'cardmarket',
          marketplace: 'cardmarket',
          externalId: '273',
          value: 400,
          currency: 'EUR',
          observedAt: '2026-01-19T20:05:12Z',
          fetchedAt: FETCHED,
          reason: 'no-rate',
          explanation: 'In EUR, without an exchange rate for its day (CARDPRICE_EUR_RATE).',
        },
      ]);
    });

    it('explains exactly the numbers that the card has', async () => {
      const caller = await shared.service.caller('trader');
      const { data } = bodyOf<Detail>(await caller.get(CARD));
      const { printing, printings } = await explained();
      assert.equal(printing, data.printing);
      const served = data.printings.map(({ name, prices }) => {
        const { market, low, mid, high, conditions, allGrades } = prices;
        const graded = { ...prices.graded, any_9: allGrades?.any?.['9'] ?? null };
        const all = [
          ...Object.entries({ market, low, mid, high }),
          ...Object.entries(conditions).map(([key, value]) => [`conditions.${key}`, value]),
          ...Object.entries(graded).map(([key, value]) => [`graded.${key}`, value]),
        ].filter(([, value]) => value !== null);
        return [name, Object.fromEntries(all)];
      });
      const told = printings.map(({ name, numbers }) => {
        const known = numbers.filter(({ value }) => value !== null);
        return [name, Object.fromEntries(known.map((number) => [number.name, number.value]))];
      });
      assert.deepEqual(told, served);
      assert.equal((await numberOf('graded.psa_10')).source, 'pricecharting');
    });

    it('lists quarantined prices with the rule that they broke', async () => {
      const { quarantined } = await explained();
      assert.deepEqual(
        quarantined.map(({ printing, source, rule, quarantinedAt }) => {
          return [printing, source, rule, quarantinedAt];
        }),
        [['Holofoil', 'justtcg', 'source-outlier', FETCHED]],
      );
      assert.match(quarantined[0]?.explanation ?? '', /Charizard.*\$999999\.99/);
      assert.deepEqual(quarantined[0]?.amounts, [
        { name: 'market', value: 999_999.99, was: null, ratio: null },
      ]);
      assert.deepEqual(quarantined[0]?.actions, ['approve', 'reject']);
      const { quarantined: ofMarket } = await numberOf('market');
      assert.deepEqual(
        ofMarket.map(({ id, value, days }) => [id, value, days]),
        [[quarantined[0]?.id, 999_999.99, 1]],
      );
    });

    it('explains every number that is null', async () => {
      const { printings } = await explained();
      const [{ numbers = [], missing = [] } = {}] = printings;
      const served = numbers.filter(({ value }) => value !== null).map(({ name }) => name);
      const all = [...served, ...missing.map(({ name }) => name)];
      assert.ok(all.includes('graded.any_9'));
      assert.equal(new Set(all).size, 14);
      assert.equal(all.length, 14);
      const nearMint = missing.find(({ name }) => name === 'conditions.near_mint');
      assert.deepEqual(nearMint, {
        name: 'conditions.near_mint',
        reason: 'not-reported',
        explanation: 'No source reports it.',
        quarantined: [],
        leftOut: [],
      });
    });

    it('has no numbers for a card without prices', async () => {
      const { printings, quarantined } = await explained(`${UNPRICED}/explain`);
      assert.ok(printings.every(({ numbers }) => numbers.length === 0));
      assert.ok(printings.every(({ missing }) => missing.length === 13));
      assert.deepEqual(quarantined, []);
    });

    it('requires the Trader plan, and answers 404 for an unknown card', async () => {
      const free = await shared.service.caller('free');
      const { message } = errorOf(await free.get(`${CARD}/explain`), 'PLAN_RESTRICTION');
      assert.equal(message, 'The explanation of prices requires the Trader plan or above.');
      const trader = await shared.service.caller('trader');
      errorOf(await trader.get('/v1/cards/nobody/explain'), 'CARD_NOT_FOUND');
    });
  });
});

describe('estimates of conditions', () => {
  const plain = shareService('SQLite');
  const estimating = shareService('SQLite', { estimates: true });
  const detailOf = async ({ service }: typeof plain) => {
    const caller = await service.caller('free');
    return bodyOf<Detail>(await caller.get(CARD)).data;
  };

  it('are off by default', async () => {
    const { prices } = await detailOf(plain);
    assert.equal(prices.conditions.near_mint, null);
    assert.ok(!('estimated' in prices));
  });

  it('are shares of the market price, and are named in `estimated`', async () => {
    const { prices, printings } = await detailOf(estimating);
    assert.deepEqual(prices.conditions, {
      near_mint: 453.86,
      lightly_played: 385.78,
      moderately_played: 317.7,
      heavily_played: 226.93,
      damaged: 158.85,
    });
    assert.deepEqual(prices.estimated, Object.keys(prices.conditions));
    assert.deepEqual(printings[0]?.prices, prices);
  });

  it('are explained as such', async () => {
    const caller = await estimating.service.caller('business');
    const { data } = bodyOf<Explained>(await caller.get(`${CARD}/explain`));
    const played = data.printings[0]?.numbers.find(({ name }) => /lightly/.test(name));
    assert.deepEqual([played?.value, played?.rule], [385.78, 'estimate']);
    assert.match(played?.explanation ?? '', /Estimated as 85% of the market price/);
  });

  it('are not made when a source prices any condition', async () => {
    const { service } = estimating;
    const told = { market: 'justtcg', conditions: { near_mint: 46_000 } };
    await importItems(service.store, 'justtcg', [feedItem(charizard(), told)], {
      clock: () => NOW,
    });
    await service.catalog.refresh();
    const { prices } = await detailOf(estimating);
    assert.deepEqual([prices.conditions.near_mint, prices.conditions.damaged], [460, null]);
    assert.deepEqual(prices.estimated, []);
  });
});
