import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { Static } from 'typebox';
import { PERIODS } from '../../src/domain/day.ts';
import type { CardStatistics, CardSummary, PeriodHistory } from '../../src/http/schemas.ts';
import { type Caller, type HistoryDay, shareService } from '../support/app.ts';
import { forEachEngine } from '../support/engines.ts';
import { charizard, feedItem, importItems, OBSERVED } from '../support/feed-items.ts';
import { bodyOf, errorOf, problemOf, remainingOf } from './expect.ts';

type Answer = { readonly data: Static<typeof CardStatistics> };
type History = { readonly data: Static<typeof PeriodHistory> };
type Cards = { readonly data: readonly Static<typeof CardSummary>[] };

const ID = 'pokemon-bs-charizard-004';
const CARD = `/v1/cards/${ID}`;

const PAST: readonly HistoryDay[] = [
  ['2019-05-01', 900_00],
  ['2025-12-10', 4_00],
  ['2026-01-20', 5_00],
  ['2026-01-26', 7_00],
];

forEachEngine((label) => {
  const shared = shareService(label);
  before(async () => {
    const { store, catalog } = shared.service;
    await shared.service.remember(ID, 'Holofoil', PAST);
    const observation = {
      market: 'pricecharting',
      observedAt: OBSERVED,
      prices: { market: 440_00 },
      graded: { psa_9: 2500_00 },
    };
    await importItems(store, 'pricecharting', [feedItem(charizard(), observation)]);
    await catalog.refresh();
  });

  const statisticsFor = async (caller: Caller, url = `${CARD}/statistics`) => {
    return bodyOf<Answer>(await caller.get(url)).data;
  };
  const withDays = async (historyDays: number) => {
    const caller = await shared.service.caller('trader');
    await shared.service.accounts.setLimits(caller.email, { historyDays });
    return caller;
  };

  describe('GET /v1/cards/{id}/statistics', () => {
    it('sums up the market prices of each period and of all days', async () => {
      const caller = await shared.service.caller('trader');
      const { statistics, ...subject } = await statisticsFor(caller);
      assert.deepEqual(subject, { cardId: ID, printing: 'Holofoil', asOf: '2026-01-28' });
      // $7.00 and two days later $453.86.
      assert.deepEqual(statistics['7d'], {
        lowest: { date: '2026-01-26', market: 7 },
        highest: { date: '2026-01-28', market: 453.86 },
        mean: 230.43,
        standardDeviation: 223.43,
        slope: 223.43,
        days: 2,
      });
      assert.deepEqual(statistics.all?.highest, { date: '2019-05-01', market: 900 });
      const counts = Object.values(statistics).map((period) => period?.days);
      assert.deepEqual(counts, [2, 3, 4, 4, 5]);
    });

    it('is about the prices that the history shows for the same choice', async () => {
      const caller = await shared.service.caller('trader');
      for (const choice of ['', 'printing=holofoil', 'grade=psa_9', 'currency=EUR']) {
        const { statistics, ...subject } = await statisticsFor(
          caller,
          `${CARD}/statistics?${choice}`,
        );
        for (const [period, found] of Object.entries(statistics)) {
          const answer = await caller.get(`${CARD}/history?period=${period}&${choice}`);
          const { history, period: _, ...same } = bodyOf<History>(answer).data;
          assert.deepEqual(subject, same, choice);
          const markets = history.flatMap(({ market }) => market ?? []);
          assert.equal(found?.days ?? 0, markets.length, `${period} ${choice}`);
          if (found) assert.equal(found.highest.market, Math.max(...markets));
        }
      }
    });

    it('ends with `asOf`, as in a batch and in the history', async () => {
      const caller = await shared.service.caller('trader');
      const { statistics, asOf } = await statisticsFor(
        caller,
        `${CARD}/statistics?asOf=2026-01-26`,
      );
      assert.equal(asOf, '2026-01-26');
      assert.deepEqual([statistics['7d']?.days, statistics.all?.days], [2, 4]);
      assert.deepEqual(statistics['7d']?.highest, { date: '2026-01-26', market: 7 });
      const batch = await caller.get(`/v1/cards?ids=${ID}&include=statistics&asOf=2026-01-26`);
      assert.deepEqual(bodyOf<Cards>(batch).data[0]?.statistics, statistics);
      problemOf(await caller.get(`${CARD}/statistics?asOf=tomorrow`), 'asOf');
      const month = await withDays(30);
      errorOf(await month.get(`${CARD}/statistics?asOf=2025-12-28`), 'PLAN_RESTRICTION');
      const bounded = await statisticsFor(month, `${CARD}/statistics?asOf=2026-01-26`);
      assert.deepEqual([bounded.statistics['7d']?.days, bounded.statistics['30d']], [2, null]);
    });

    it('equals what `include=statistics` adds to lists', async () => {
      const caller = await shared.service.caller('trader');
      const answer = await caller.get('/v1/search?q=charizard&set=BS&include=statistics');
      const listed = bodyOf<Cards>(answer).data.find(({ id }) => id === ID);
      assert.deepEqual(listed?.statistics, (await statisticsFor(caller)).statistics);
    });

    it('refuses unknown printings, grades and conditions, and both at once', async () => {
      const caller = await shared.service.caller('trader');
      for (const [parameter, query] of [
        ['printing', 'printing=x'],
        ['grade', 'grade=psa_11'],
        ['condition', 'condition=new'],
        ['condition', 'condition=damaged&grade=psa_9'],
      ] as const) {
        problemOf(await caller.get(`${CARD}/statistics?${query}`), parameter);
      }
    });

    it('needs a plan with price history', async () => {
      const caller = await shared.service.caller('free');
      bodyOf(await (await shared.service.caller('trader')).get(`${CARD}/statistics`));
      const refused = await caller.get(`${CARD}/statistics`);
      errorOf(refused, 'PLAN_RESTRICTION');
      assert.equal(remainingOf(refused), 200);
    });
  });

  describe('Statistics on a plan with few days of history', () => {
    it('leave out longer periods, whoever asked before', async () => {
      const trader = await shared.service.caller('trader');
      const month = await withDays(30);
      const whole = await statisticsFor(trader);
      for (const _ of ['made', 'made again']) {
        const { statistics } = await statisticsFor(month);
        assert.deepEqual(statistics['30d'], whole.statistics['30d']);
        assert.deepEqual([statistics['90d'], statistics['1y']], [null, null]);
        assert.deepEqual(statistics.all, statistics['30d']);
        assert.deepEqual(await statisticsFor(trader), whole);
      }
    });

    it('have as many days in lists, from a year on', async () => {
      const list = '/v1/search?q=charizard&set=BS&limit=5&include=statistics';
      const year = await withDays(PERIODS['1y']);
      const trader = await shared.service.caller('trader');
      for (const [caller, days] of [[year, 4] as const, [trader, 5] as const, [year, 4] as const]) {
        const { data } = bodyOf<Cards>(await caller.get(list));
        assert.equal(data.find(({ id }) => id === ID)?.statistics?.all?.days, days);
      }
    });

    it('have fewer days up to a past day, because the plan counts back from the newest', async () => {
      const list = `/v1/cards?ids=${ID}&include=statistics&asOf=2026-01-26`;
      const year = await withDays(PERIODS['1y'] + 1);
      errorOf(await year.get(list), 'PLAN_RESTRICTION');
      const more = await withDays(PERIODS['1y'] + 2);
      const { data } = bodyOf<Cards>(await more.get(list));
      const found = data.find(({ id }) => id === ID)?.statistics;
      assert.deepEqual([found?.['7d']?.days, found?.['1y']?.days, found?.all?.days], [2, 3, 3]);
    });

    it('are answered to the plan also over a connection that has the longer ones cached', async () => {
      const { app } = shared.service;
      const address = await app.listen({ host: '127.0.0.1', port: 0 });
      const ask = async ({ key }: Caller) => {
        const response = await fetch(`${address}${CARD}/statistics`, {
          headers: { 'x-api-key': key },
        });
        return ((await response.json()) as Answer).data.statistics.all?.days;
      };
      const [trader, month] = [await shared.service.caller('trader'), await withDays(30)];
      assert.deepEqual([await ask(trader), await ask(trader)], [5, 5]);
      assert.deepEqual([await ask(month), await ask(trader)], [3, 5]);
    });
  });
});
