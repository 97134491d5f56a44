import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { before, describe, it } from 'node:test';
import type { Static } from 'typebox';
import { Plans } from '../../src/accounts/quota/plans.ts';
import { dayOf } from '../../src/domain/day.ts';
import type { Cents } from '../../src/domain/money.ts';
import type { BatchCard, CardDetail, PeriodHistory } from '../../src/http/schemas.ts';
import { rollBackDays } from '../../src/ingest/decisions/rollback.ts';
import { importRates } from '../../src/ingest/drivers/rates.ts';
import { readEcb } from '../../src/sources/ecb.ts';
import { type HistoryDay, shareService } from '../support/app.ts';
import { forEachEngine } from '../support/engines.ts';
import { Market } from '../support/market.ts';
import { importPriceGuide } from '../support/price-guide.ts';
import { moment } from '../support/resolved.ts';
import { bodyOf, errorOf, problemOf } from './expect.ts';

type Detail = { data: Static<typeof CardDetail> };
type Batch = { data: readonly Static<typeof BatchCard>[]; missing?: readonly string[] };
type History = { data: Static<typeof PeriodHistory> };

const CHARIZARD = 'pokemon-bs-charizard-004';
const CARD = `/v1/cards/${CHARIZARD}`;
const BATCH = '/v1/cards/batch';
/** The newest day of the game; the clock stands on the day after. */
const NEWEST = '2026-01-28';
const PAST: readonly HistoryDay[] = [
  ['2025-03-01', 20_000, 15_000],
  ['2025-12-29', 40_000, 30_000, 90_000],
  ['2025-12-30', 40_100],
  ['2026-01-20', 50_000],
];

forEachEngine((label) => {
  const shared = shareService(label);
  before(async () => {
    await shared.service.remember(CHARIZARD, 'Holofoil', PAST);
    const { store } = shared.service;
    const rates = readEcb('hist.xml', readFileSync('test/fixtures/ecb/eurofxref-hist-90d.xml'));
    await importRates(store, rates, { clock: () => shared.service.now });
    await shared.service.catalog.refresh();
  });

  const get = async <Body>(url: string) => {
    const caller = await shared.service.caller('trader');
    return bodyOf<Body>(await caller.get(url));
  };
  const pricesOn = async (day: string, query = '') => {
    const { data } = await get<Detail>(`${CARD}?asOf=${day}${query}`);
    return data.prices;
  };

  describe('GET /v1/cards/{id}?asOf=', () => {
    it('has the figures of that day, and none that are only known of current prices', async () => {
      const { data } = await get<Detail>(`${CARD}?asOf=2025-12-29`);
      const { market, low, mid, high, asOf, stale, confidence, changes } = data.prices;
      assert.deepEqual(
        { market, low, high, asOf },
        { market: 400, low: 300, high: 900, asOf: '2025-12-29' },
      );
      assert.deepEqual({ mid, stale, confidence }, { mid: null, stale: false, confidence: null });
      assert.deepEqual(changes, { '1d': null, '7d': null, '30d': null });
      assert.deepEqual(data.sources, ['tcgplayer']);
      assert.equal(data.updatedAt, '2025-12-29T00:00:00Z');
      assert.deepEqual(data.printings.find(({ name }) => name === 'Holofoil')?.prices, data.prices);
    });

    it('agrees with the history on every recorded day', async () => {
      const { data } = await get<History>(`${CARD}/history?period=all`);
      assert.equal(data.history.length, PAST.length + 1);
      for (const { date, market, low, high } of data.history) {
        const prices = await pricesOn(date);
        assert.deepEqual([prices.market, prices.low, prices.high], [market, low, high], date);
        assert.equal(prices.asOf, date);
      }
    });

    it('has the figures that stood on a day without an observation, and says of when', async () => {
      const prices = await pricesOn('2026-01-19');
      assert.deepEqual([prices.market, prices.asOf, prices.stale], [401, '2025-12-30', true]);
      assert.equal((await pricesOn('2025-05-29')).asOf, '2025-03-01');
      assert.equal((await pricesOn('2026-01-29')).asOf, NEWEST);
    });

    it('has nulls before the first record, and after 90 days without one', async () => {
      for (const day of ['0001-01-01', '1970-01-01', '2025-02-28', '2025-05-30']) {
        const { market, low, asOf, stale } = await pricesOn(day);
        const none = { market: null, low: null, asOf: null, stale: false };
        assert.deepEqual({ market, low, asOf, stale }, none, day);
      }
    });

    it('converts by the rate of that day, not by that of the figures or the newest', async () => {
      const { converted, currency, asOf } = await pricesOn('2026-01-24', '&currency=EUR');
      assert.deepEqual([currency, asOf, converted?.date], ['EUR', '2026-01-20', '2026-01-23']);
    });

    it('finds the card by an external id as well', async () => {
      const { data } = await get<Detail>(`${CARD}?asOf=2025-12-29`);
      const [id] = data.externalIds.tcgplayer ?? [];
      assert.deepEqual(await get(`/v1/cards/by/tcgplayer/${id}?asOf=2025-12-29`), { data });
    });

    it('adds nothing to an answer without the parameter', async () => {
      const { data } = await get<Detail>(CARD);
      assert.ok(!('asOf' in data.prices));
      assert.equal((await pricesOn(NEWEST)).market, data.prices.market);
    });

    it('refuses what is not a day, and a day in the future', async () => {
      const caller = await shared.service.caller('trader');
      for (const text of ['yesterday', '2026-02-30', '2026-1-2', '20260101']) {
        for (const url of [CARD, `${CARD}/history`, `${CARD}/prices`]) {
          const problem = problemOf(await caller.get(`${url}?asOf=${text}`), 'asOf');
          assert.match(problem, /is not a day such as 2026-01-28/);
        }
      }
      const future = problemOf(await caller.get(`${CARD}?asOf=2026-01-30`), 'asOf');
      assert.match(future, /^2026-01-30 is in the future; today is 2026-01-29/);
    });
  });

  describe('asOf on batches', () => {
    const ids = [CHARIZARD, 'no-such-card', 'pokemon-bs-alakazam-001', CHARIZARD];

    it('has the prices of that day of each card, with or without a body', async () => {
      const caller = await shared.service.caller('trader');
      const posted = bodyOf<Batch>(await caller.post(`${BATCH}?asOf=2025-12-30`, { ids }));
      const prices = posted.data.map((card) => [card.id, card.prices.market, card.prices.asOf]);
      assert.deepEqual(prices, [
        [CHARIZARD, 401, '2025-12-30'],
        ['pokemon-bs-alakazam-001', null, null],
        [CHARIZARD, 401, '2025-12-30'],
      ]);
      assert.deepEqual(posted.missing, ['no-such-card']);
      assert.deepEqual(await get(`/v1/cards?ids=${ids.join()}&asOf=2025-12-30`), posted);
      const current = bodyOf<Batch>(await caller.post(BATCH, { ids }));
      assert.equal(current.data[0]?.prices.market, 453.86);
    });

    it('includes the printings of that day, and history and statistics up to it', async () => {
      const query = 'asOf=2025-12-30&include=printings,history,statistics';
      const { data } = await get<Batch>(`/v1/cards?ids=${CHARIZARD}&${query}`);
      const [card] = data;
      const detail = await get<Detail>(`${CARD}?asOf=2025-12-30`);
      assert.deepEqual(card?.printings, detail.data.printings);
      const dates = card?.history?.map(({ date }) => date);
      assert.deepEqual(dates, ['2025-12-29', '2025-12-30']);
      assert.equal(card?.statistics?.['1y']?.lowest.market, 200);
      assert.equal(card?.statistics?.['1y']?.highest.market, 401);
    });
  });

  describe('asOf on the history', () => {
    it('ends the window on that day, in both forms', async () => {
      const { data } = await get<History>(`${CARD}/history?period=7d&asOf=2026-01-01`);
      assert.equal(data.asOf, '2026-01-01');
      assert.deepEqual(
        data.history.map(({ date }) => date),
        ['2025-12-29', '2025-12-30'],
      );
      const form2 = await get<History>(`${CARD}/prices?days=7&asOf=2026-01-01`);
      assert.deepEqual(form2.data.history, data.history);
      const early = await get<History>(`${CARD}/history?period=all&asOf=2025-02-28`);
      assert.deepEqual([early.data.asOf, early.data.history], ['2025-02-28', []]);
    });
  });

  describe('asOf and the plan', () => {
    it('needs a plan with price history, also for a cached answer', async () => {
      const free = await shared.service.caller('free');
      const trader = await shared.service.caller('trader');
      bodyOf(await trader.get(`${CARD}?asOf=${NEWEST}`));
      const { message } = errorOf(await free.get(`${CARD}?asOf=${NEWEST}`), 'PLAN_RESTRICTION');
      assert.match(message, /^Price history requires the Trader plan/);
    });

    it('reaches as far back as the history of the plan, also from the cache, and charges nothing beyond', async () => {
      const { service } = shared;
      await new Plans(service.store).create({
        name: 'month',
        label: 'Month',
        dailyRequests: 9,
        price: 0 as Cents,
        burst: null,
        features: ['history', 'batch'],
        historyDays: 30,
        alerts: 100,
        howToGet: '',
      });
      const month = await service.caller('month');
      const trader = await service.caller('trader');
      const beyond = [
        `${CARD}?asOf=2025-12-29`,
        `/v1/cards?ids=${CHARIZARD}&asOf=2025-12-29`,
        `/v1/cards?ids=${CHARIZARD}&asOf=2026-01-20&include=history`,
        `${CARD}/history?period=7d&asOf=2026-01-04`,
        `${CARD}/prices?days=7&asOf=2026-01-04`,
      ];
      for (const url of beyond) {
        bodyOf(await trader.get(url));
        for (const state of ['read', 'cached']) {
          const refused = await month.get(url);
          assert.match(errorOf(refused, 'PLAN_RESTRICTION').message, /last 30 days/, state);
          assert.equal(refused.headers['x-ratelimit-remaining'], '9', url);
        }
      }
      const within = [
        `${CARD}?asOf=2025-12-30`,
        `/v1/cards?ids=${CHARIZARD}&asOf=2025-12-30`,
        `${CARD}/history?period=7d&asOf=2026-01-05`,
      ];
      for (const url of within) bodyOf(await month.get(url));
    });
  });

  describe('asOf after several days of imports', () => {
    const served = shareService(label);

    /** The prices in the details of a card. A printing that came later has none on earlier days. */
    const shownOf = ({ printing, prices, printings }: Detail['data']) => {
      const priced = printings.filter(({ prices }) => prices.market !== null);
      return { printing, prices: figuresOf(prices), printings: priced.map(printingOf) };
    };
    const printingOf = ({ name, prices }: Detail['data']['printings'][number]) => {
      return { name, ...figuresOf(prices) };
    };
    const figuresOf = (prices: Detail['data']['prices']) => {
      const { market, low, mid, high, conditions, graded, allGrades, stale } = prices;
      return { market, low, mid, high, conditions, graded, allGrades, stale };
    };

    it('gives the prices again that each card had on each day', async () => {
      const { service } = served;
      const market = new Market(service.store, { limits: null });
      const guide = { source: 'pricecharting', marketplace: 'pricecharting' };
      const days = {
        '2026-02-01': async () => {
          const first = { market: 10, low: 8, mid: 9, high: 20 };
          await market.lists('2026-02-01', { '1 Normal': first, '1 Foil': 30, '2 Foil': 7 });
          const graded = { market: 11, near_mint: 10, psa_10: 100, psa_9: 50 };
          await market.feeds('2026-02-01', { '1 Normal': graded }, guide);
        },
        // A plainer printing comes first from this day on.
        '2026-02-02': async () => {
          const board = { '1 Normal': 10.5, '1 Foil': 31, '2 Normal': 2, '2 Foil': 7.5 };
          await market.lists('2026-02-02', board);
          const graded = { market: 11, near_mint: 10, psa_10: 110, psa_9: 55 };
          await market.feeds('2026-02-02', { '1 Normal': graded }, guide);
        },
        '2026-02-03': async () => {},
        '2026-02-04': async () => {
          const last = { '1 Normal': { market: 9, low: 7 }, '1 Foil': 33, '2 Normal': 2.5 };
          await market.lists('2026-02-04', { ...last, '2 Foil': 8 });
        },
      } as const;
      const recorded: { url: string; day: string; shown: unknown }[] = [];
      const caller = await service.caller('trader');
      for (const [day, importAll] of Object.entries(days)) {
        await importAll();
        await service.catalog.refresh();
        service.now = Date.parse(`${day}T23:00:00Z`);
        for (const id of ['mtg-lea-card-1-1', 'mtg-lea-card-2-2']) {
          const url = `/v1/cards/${id}`;
          const { data } = bodyOf<Detail>(await caller.get(url));
          recorded.push({ url, day, shown: shownOf(data) });
        }
      }
      service.now = Date.parse('2026-03-01T12:00:00Z');
      for (const { url, day, shown } of recorded) {
        const { data } = bodyOf<Detail>(await caller.get(`${url}?asOf=${day}`));
        assert.deepEqual(shownOf(data), shown, `${url} on ${day}`);
      }
    });
  });

  describe('knownAt', () => {
    const served = shareService(label);
    const FIRST = '2026-02-01T20:05:12Z';

    /**
     * Imports boards of TCGplayer prices, one a publication, and remembers the answers to `urls`.
     */
    const trader = () => served.service.caller('trader');
    const answers = async (urls: readonly string[]) => {
      const caller = await trader();
      const bodies = urls.map(async (url) => bodyOf<{ data: unknown }>(await caller.get(url)).data);
      return Promise.all(bodies);
    };
    const ID = 'mtg-lea-card-1-1';
    const URLS = [
      `/v1/cards/${ID}/history?period=7d`,
      `/v1/cards/${ID}/history?period=all&printing=Foil`,
      `/v1/cards/${ID}/prices?days=3`,
      `/v1/cards/${ID}/history?grade=psa_10`,
      `/v1/cards/${ID}/statistics`,
      `/v1/cards/${ID}?asOf=2026-02-01`,
      `/v1/cards/by/tcgplayer/1?asOf=2026-02-02`,
      `/v1/cards?ids=${ID},mtg-lea-card-2-2&asOf=2026-02-02&include=printings,history`,
    ];

    /** What was answered at each moment. */
    const seen: { at: string; url: string; data: unknown }[] = [];

    before(async () => {
      const { service } = served;
      const market = new Market(service.store, { limits: null });
      const guide = { source: 'pricecharting', marketplace: 'pricecharting' };
      const steps: readonly [string, () => Promise<unknown>][] = [
        [FIRST, () => market.lists('2026-02-01', { '1 Normal': 10, '1 Foil': 30, '2 Foil': 7 })],
        ['2026-02-02T20:05:12Z', () => market.lists('2026-02-02', { '1 Normal': 11, '2 Foil': 8 })],
        // A correction of the same day, and of an earlier one.
        ['2026-02-02T22:00:00Z', () => market.lists('2026-02-02T22:00:00Z', { '1 Normal': 12 })],
        [
          '2026-02-03T10:00:00Z',
          () => market.remembers('2026-02-03T10:00:00Z', ['1', 'Normal'], { '2026-02-01': 9 }),
        ],
        // A late day, and a grade.
        [
          '2026-02-03T11:00:00Z',
          () => market.remembers('2026-02-03T11:00:00Z', ['1', 'Foil'], { '2026-01-31': 29 }),
        ],
        [
          '2026-02-03T20:05:12Z',
          () => market.feeds('2026-02-03', { '1 Normal': { market: 11, psa_10: 99 } }, guide),
        ],
        [
          '2026-02-04T09:00:00Z',
          () => {
            const wrong = { source: 'tcgcsv-archive', since: dayOf(moment('2026-01-01')) };
            const clock = () => moment('2026-02-04T09:00:00Z');
            return rollBackDays(service.store, wrong, { clock });
          },
        ],
      ];
      for (const [at, take] of steps) {
        await take();
        await service.catalog.refresh();
        service.now = Date.parse(at) + 60_000;
        const asked = URLS.filter((url) => at >= '2026-02-02T20' || !url.includes('2026-02-02'));
        const data = await answers(asked);
        const later = new Date(service.now).toISOString();
        seen.push(...asked.map((url, index) => ({ at: later, url, data: data[index] })));
      }
      service.now = Date.parse('2026-03-01T12:00:00Z');
    });

    /** Ids and facts of a card are those of today. */
    const promised = (data: unknown) => JSON.stringify({ ...(data as object), externalIds: null });

    it('gives every answer again, byte for byte, as it was before later corrections', async () => {
      for (const { at, url, data } of seen) {
        const [now] = await answers([`${url}${url.includes('?') ? '&' : '?'}knownAt=${at}`]);
        assert.equal(promised(now), promised(data), `${url} at ${at}`);
      }
    });

    it('alone gives the prices that a card had at that moment', async () => {
      const pricesAt = async (at: string) => {
        const [data] = await answers([`/v1/cards/${ID}?knownAt=${at}`]);
        const { prices } = data as Detail['data'];
        return [prices.market, prices.asOf];
      };
      assert.deepEqual(await pricesAt('2026-02-01T23:59:59Z'), [10, '2026-02-01']);
      assert.deepEqual(await pricesAt('2026-02-02T21:00:00Z'), [11, '2026-02-02']);
      assert.deepEqual(await pricesAt('2026-02-02T23:00:00.5%2B00:30'), [12, '2026-02-02']);
      assert.deepEqual(await pricesAt('2027-01-01T00:00:00Z'), [12, '2026-02-02']);
    });

    it('refuses what is not a moment, moments before its records, and days after the moment', async () => {
      const caller = await trader();
      const problem = async (query: string, parameter: string) => {
        for (const path of [`/v1/cards/${ID}`, `/v1/cards/${ID}/history`]) {
          const message = problemOf(await caller.get(`${path}?${query}`), parameter);
          assert.match(message, /\S/);
        }
        return problemOf(await caller.get(`/v1/cards?ids=${ID}&${query}`), parameter);
      };
      const texts = ['yesterday', '2026-02-02', '2026-02-30T00:00:00Z', '2026-02-02T25:00:00Z'];
      for (const text of [...texts, '2026-02-02T20:05:12', '1770062712', '']) {
        await problem(`knownAt=${text}`, 'knownAt');
      }
      const early = await problem('knownAt=2025-02-01T20:05:11Z', 'knownAt');
      assert.match(early, /begin with 2026-01-\d\dT\d\d:\d\d:\d\d\.\d{3}Z\.$/);
      const after = await problem('knownAt=2026-02-02T20:05:12Z&asOf=2026-02-03', 'asOf');
      assert.match(after, /^2026-02-03 is after knownAt, on 2026-02-02/);
    });

    it('needs a plan with these days of history', async () => {
      const free = await served.service.caller('free');
      const url = `/v1/cards/${ID}?knownAt=2026-02-02T20:05:12Z`;
      await answers([url]);
      errorOf(await free.get(url), 'PLAN_RESTRICTION');
      const few = await trader();
      await served.service.accounts.setLimits(few.email, { historyDays: 1 });
      errorOf(await few.get(`/v1/cards/${ID}?knownAt=${FIRST}`), 'PLAN_RESTRICTION');
    });
  });

  // These import a price guide, so they come last.
  describe('asOf for conditions and grades', () => {
    const guide = (days: number, graded: Record<string, number>) => {
      const conditions = { near_mint: 43_000 + days * 100 };
      return importPriceGuide(shared.service, { days, graded, conditions });
    };

    it('has the newest of each that was recorded up to that day', async () => {
      await guide(0, { psa_10: 9000, psa_9: 2500 });
      await guide(1, { psa_10: 9100, psa_9: 2550 });
      const then = await pricesOn('2026-01-28');
      assert.deepEqual([then.graded.psa_10, then.graded.psa_9], [9000, 2500]);
      assert.equal(then.conditions.near_mint, 430);
      const { data } = await get<Detail>(`${CARD}?asOf=2026-01-29`);
      assert.deepEqual([data.prices.graded.psa_10, data.prices.graded.psa_9], [9100, 2550]);
      assert.deepEqual(data.prices.allGrades, { psa: { '10': 9100, '9': 2550 } });
      assert.equal(data.gradedAt, '2026-01-29T00:00:00Z');
      assert.deepEqual(data.origins.graded, ['pricecharting']);
      const earlier = await pricesOn('2026-01-27');
      assert.deepEqual([earlier.graded.psa_10, earlier.conditions.near_mint], [null, null]);
    });

    it('ends the history of a grade on that day', async () => {
      const { data } = await get<History>(`${CARD}/history?grade=psa_10&asOf=2026-01-28`);
      assert.deepEqual(
        data.history.map(({ date, market }) => [date, market]),
        [['2026-01-28', 9000]],
      );
    });
  });
});
