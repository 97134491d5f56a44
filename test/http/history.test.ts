import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { Static } from 'typebox';
import type { DaysHistory, PeriodHistory } from '../../src/http/schemas.ts';
import { type HistoryDay, shareService } from '../support/app.ts';
import { forEachEngine } from '../support/engines.ts';
import { bodyOf, errorOf, problemOf } from './expect.ts';

type ByPeriod = { data: Static<typeof PeriodHistory> };
type ByDays = { data: Static<typeof DaysHistory> };

const CHARIZARD = '/v1/cards/pokemon-bs-charizard-004';
const ALAKAZAM = '/v1/cards/pokemon-bs-alakazam-001';
const NEWEST = '2026-01-28';
const ORIGIN = { source: 'tcgcsv', marketplace: 'tcgplayer' };

/** The first day inside of each window and the last one outside, each with a different price. */
const PAST: readonly HistoryDay[] = [
  ['2020-02-29', 100, 50, 150],
  ['2025-01-28', 200],
  ['2025-01-29', 201],
  ['2025-10-30', 300],
  ['2025-10-31', 301],
  ['2025-12-29', 400],
  ['2025-12-30', 401],
  ['2026-01-21', 500],
  ['2026-01-22', 501, 490, 600, true],
];
const DATES = [...PAST.map(([date]) => date), NEWEST];

forEachEngine((label) => {
  const shared = shareService(label);
  before(() => shared.service.remember('pokemon-bs-charizard-004', 'Holofoil', PAST));

  const get = async <Body>(url: string) => {
    const caller = await shared.service.caller('trader');
    return bodyOf<Body>(await caller.get(url));
  };
  const dates = async (url: string) => {
    const { data } = await get<ByPeriod>(url);
    return data.history.map((item) => item.date);
  };

  describe('GET /v1/cards/{id}/history', () => {
    it('has every field, and null for a price that a day does not have', async () => {
      assert.deepEqual(await get(`${CHARIZARD}/history?period=7d`), {
        data: {
          cardId: 'pokemon-bs-charizard-004',
          period: '7d',
          printing: 'Holofoil',
          asOf: NEWEST,
          history: [
            { date: '2026-01-22', market: 5.01, low: 4.9, high: 6, ...ORIGIN, repeated: true },
            { date: NEWEST, market: 453.86, low: 330.04, high: 1249.99, ...ORIGIN },
          ],
        },
      });
    });

    it('lists the observed days of each period in ascending order, and no others', async () => {
      assert.deepEqual(await dates(`${CHARIZARD}/history?period=7d`), DATES.slice(8));
      assert.deepEqual(await dates(`${CHARIZARD}/history?period=30d`), DATES.slice(6));
      assert.deepEqual(await dates(`${CHARIZARD}/history?period=90d`), DATES.slice(4));
      assert.deepEqual(await dates(`${CHARIZARD}/history?period=1y`), DATES.slice(2));
      assert.deepEqual(await dates(`${CHARIZARD}/history?period=all`), DATES);
    });

    it('lists 30 days by default, and echoes the period', async () => {
      const { data } = await get<ByPeriod>(`${CHARIZARD}/history`);
      assert.equal(data.period, '30d');
      assert.deepEqual(await get(`${CHARIZARD}/history?period=30d`), { data });
    });

    it('refuses an unknown period, and lists the known ones', async () => {
      const caller = await shared.service.caller('trader');
      for (const period of ['30', '30D', '1m', '', 'toString']) {
        const answer = await caller.get(`${CHARIZARD}/history?period=${period}`);
        assert.match(problemOf(answer, 'period'), /one of 7d, 30d, 90d, 1y, all\.$/);
      }
    });
  });

  describe('GET /v1/cards/{id}/prices', () => {
    it('has the same items, under the number of days', async () => {
      const { data } = await get<ByPeriod>(`${CHARIZARD}/history?period=30d`);
      const { period: _, ...rest } = data;
      const byDays = await get<ByDays>(`${CHARIZARD}/prices?days=30`);
      assert.deepEqual(byDays, { data: { ...rest, days: 30 } });
      assert.deepEqual(await get(`${CHARIZARD}/prices`), byDays);
    });

    it('counts the days back from the newest day of the game', async () => {
      assert.deepEqual(await dates(`${CHARIZARD}/prices?days=1`), DATES.slice(9));
      assert.deepEqual(await dates(`${CHARIZARD}/prices?days=7`), DATES.slice(8));
      assert.deepEqual(await dates(`${CHARIZARD}/prices?days=8`), DATES.slice(7));
      assert.deepEqual(await dates(`${CHARIZARD}/prices?days=90`), DATES.slice(4));
    });

    it('refuses less than 1 day and more than 90', async () => {
      const caller = await shared.service.caller('trader');
      for (const days of ['0', '-1', '91', '1e9', '7.5', 'abc', '', '7d']) {
        const answer = await caller.get(`${CHARIZARD}/prices?days=${days}`);
        assert.match(problemOf(answer, 'days'), /a whole number from 1 to 90\.$/);
      }
    });
  });

  describe('Both forms of the history', () => {
    const FORMS = ['history', 'prices'];

    it('are of the default printing, or of the named one in any letter case', async () => {
      for (const form of FORMS) {
        const plain = await get<ByPeriod>(`${ALAKAZAM}/${form}`);
        assert.equal(plain.data.printing, 'Holofoil');
        const { data } = await get<ByPeriod>(`${ALAKAZAM}/${form}?printing=1ST%20edition+holofoil`);
        assert.equal(data.printing, '1st Edition Holofoil');
        const prices = { market: null, low: 999, high: 999 };
        assert.deepEqual(data.history, [{ date: NEWEST, ...prices, ...ORIGIN }]);
      }
    });

    it('refuse a printing that the card does not have, and list its printings', async () => {
      const caller = await shared.service.caller('trader');
      for (const form of FORMS) {
        const answer = await caller.get(`${ALAKAZAM}/${form}?printing=Foil`);
        assert.equal(
          problemOf(answer, 'printing'),
          '"Foil" is not a printing of this card; its printings: Holofoil, 1st Edition Holofoil.',
        );
      }
    });

    it('end with the newest day of the game, also for a card that nobody prices', async () => {
      for (const form of FORMS) {
        const { data } = await get<ByPeriod>(`/v1/cards/mtg-9ed-forest-347/${form}`);
        assert.deepEqual([data.printing, data.asOf, data.history], [null, NEWEST, []]);
      }
    });

    it('have no end when the game has no prices at all', async () => {
      for (const form of FORMS) {
        const { data } = await get<ByPeriod>(`/v1/cards/fab-mon-soul-food-yellow-mon064/${form}`);
        assert.deepEqual([data.printing, data.asOf, data.history], [null, null, []]);
      }
    });

    it('still have days when the newest prices are old', async () => {
      const before = await get<ByPeriod>(`${CHARIZARD}/history?period=7d`);
      const { now } = shared.service;
      shared.service.now = now + 100 * 86_400_000;
      assert.deepEqual(await get<ByPeriod>(`${CHARIZARD}/history?period=7d`), before);
      shared.service.now = now;
    });

    it('answer 404 for an unknown card', async () => {
      const caller = await shared.service.caller('trader');
      for (const form of FORMS) {
        errorOf(await caller.get(`/v1/cards/no-such-card/${form}`), 'CARD_NOT_FOUND');
      }
    });

    it('need the Trader plan or above', async () => {
      const caller = await shared.service.caller('free');
      for (const form of FORMS) {
        const error = errorOf(await caller.get(`${CHARIZARD}/${form}`), 'PLAN_RESTRICTION');
        assert.equal(error.message, 'Price history requires the Trader plan or above.');
      }
      const business = await shared.service.caller('business');
      bodyOf(await business.get(`${CHARIZARD}/history`));
    });
  });
});
