import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { before, describe, it } from 'node:test';
import { type Day, dayOf } from '../../src/domain/day.ts';
import type { Cents } from '../../src/domain/money.ts';
import { importRates } from '../../src/ingest/drivers/rates.ts';
import type { Understood } from '../../src/search/index.ts';
import { readEcb } from '../../src/sources/ecb.ts';
import { type Caller, shareService } from '../support/app.ts';
import { charizard, feedItem, importItems, type ObservationFields } from '../support/feed-items.ts';
import { Market } from '../support/market.ts';
import { bodyOf, errorOf } from './expect.ts';

const CHARIZARD = 'pokemon-bs-charizard-004';
const FIXTURE = readEcb('hist.xml', readFileSync('test/fixtures/ecb/eurofxref-hist-90d.xml'));

interface Prices {
  readonly market: number | null;
  readonly low?: number | null;
  readonly currency?: string;
  readonly converted?: {
    readonly from: string;
    readonly rate: number;
    readonly date: string;
    readonly parts?: readonly string[];
  };
  readonly confidence?: { readonly level: string } | null;
  readonly reason?: string;
}

interface CardBody {
  readonly data: {
    readonly currency: string;
    readonly printing: string | null;
    readonly sources: readonly string[];
    readonly prices: Prices;
    readonly printings: readonly { readonly prices: Prices }[];
  };
}

interface HistoryBody {
  readonly data: {
    readonly currency?: string;
    readonly history: readonly {
      readonly date: string;
      readonly market: number | null;
      readonly converted?: { readonly rate: number; readonly date: string };
      readonly reason?: string;
    }[];
  };
}

interface ListBody {
  readonly data: readonly { readonly prices: Prices }[];
}

describe('prices in the currency of the caller', () => {
  const shared = shareService('SQLite');
  const without = shareService('SQLite');
  let caller: Caller;

  before(async () => {
    const { service } = shared;
    await importRates(service.store, FIXTURE, { clock: () => service.now });
    await service.catalog.refresh();
    caller = await service.caller();
  });

  const card = async (query: string) => {
    return bodyOf<CardBody>(await caller.get(`/v1/cards/${CHARIZARD}${query}`)).data;
  };

  it('are converted by the newest rate, with its day', async () => {
    const { currency, prices, printings } = await card('?currency=EUR');
    assert.equal(currency, 'EUR');
    assert.equal(prices.currency, 'EUR');
    assert.equal(prices.market, 420.05, '453.86 dollars at 1.0805');
    assert.equal(prices.low, 305.45);
    assert.deepEqual(prices.converted, { from: 'USD', rate: 0.92549745, date: '2026-01-28' });
    assert.deepEqual(printings[0]?.prices, prices);
  });

  it('are whole yen', async () => {
    const { prices } = await card('?currency=JPY');
    assert.equal(prices.market, 70_669);
  });

  it('are the same dollars if dollars are asked for', async () => {
    const { prices: plain, ...rest } = await card('');
    const { prices } = await card('?currency=USD');
    assert.deepEqual(prices, { ...plain, currency: 'USD' });
    assert.equal(rest.currency, 'USD');
  });

  it('are in no way different without the parameter', async () => {
    const other = await without.service.caller();
    for (const path of [
      `/v1/cards/${CHARIZARD}`,
      `/v1/cards?ids=${CHARIZARD}`,
      '/v1/search?q=charizard',
      `/v1/cards/${CHARIZARD}/related`,
    ]) {
      assert.equal((await caller.get(path)).body, (await other.get(path)).body, path);
    }
  });

  it('are converted in lists, batches and relatives, from the cache as well', async () => {
    const paths = [
      '/v1/search?q=charizard&currency=EUR',
      `/v1/cards?ids=${CHARIZARD}&currency=EUR`,
      `/v1/cards?ids=${CHARIZARD}`,
      `/v1/cards?currency=GBP&ids=${CHARIZARD}`,
    ];
    for (const path of [...paths, ...paths]) {
      const { data } = bodyOf<ListBody>(await caller.get(path));
      const expected = /currency=(\w+)/.exec(path)?.[1];
      assert.equal(data[0]?.prices.currency, expected, path);
    }
    const posted = await caller.post('/v1/cards/batch?currency=EUR', { ids: [CHARIZARD] });
    assert.equal(bodyOf<ListBody>(posted).data[0]?.prices.market, 420.05);
  });

  it('are null with the reason if no rate is known', async () => {
    const other = await without.service.caller();
    const answer = await other.get(`/v1/cards/${CHARIZARD}?currency=GBP`);
    const { prices } = bodyOf<CardBody>(answer).data;
    assert.equal(prices.market, null);
    assert.equal(prices.currency, 'GBP');
    assert.equal(prices.converted, undefined);
    const today = new Date(without.service.now).toISOString().slice(0, 10);
    const reason = `No exchange rate from US dollars to GBP is known for ${today}.`;
    assert.equal(prices.reason, reason);
  });

  it('are not converted by a rate that is older than a week', async () => {
    const { service } = shared;
    const { now } = service;
    service.now = Date.parse('2026-02-05T12:00:00Z');
    assert.equal(dayOf(service.now) - dayOf(Date.parse('2026-01-28')), 8);
    const { prices } = await card('?currency=EUR');
    service.now = now;
    assert.equal(prices.market, null);
    assert.match(prices.reason ?? '', /for 2026-02-05/);
  });

  it('are refused for an unknown currency, with all that are allowed', async () => {
    const answer = await caller.get(`/v1/cards/${CHARIZARD}?currency=CHF`);
    const { message } = errorOf(answer, 'INVALID_PARAMETER');
    const expected =
      'currency: "CHF" is not allowed; it must be one of USD, EUR, GBP, JPY, native.';
    assert.equal(message, expected);
  });

  it('are converted in a history by the rate of each day, also over a weekend', async () => {
    const { service } = shared;
    await service.remember(CHARIZARD, 'Holofoil', [
      ['2026-01-21', 43_000],
      ['2026-01-23', 44_000],
      ['2026-01-24', 44_000],
      ['2026-01-26', 44_000],
      ['2026-01-27', 45_000],
    ]);
    const read = async (query: string) => {
      const url = `/v1/cards/${CHARIZARD}/history?period=30d${query}`;
      return bodyOf<HistoryBody>(await caller.get(url)).data;
    };
    const { currency, history } = await read('&currency=EUR');
    assert.equal(currency, 'EUR');
    assert.deepEqual(
      history.map(({ date, market, converted }) => [date, market, converted?.date]),
      [
        ['2026-01-21', null, undefined],
        ['2026-01-23', 407.41, '2026-01-23'],
        ['2026-01-24', 407.41, '2026-01-23'],
        ['2026-01-26', 407.41, '2026-01-23'],
        ['2026-01-27', 417.05, '2026-01-27'],
        ['2026-01-28', 420.05, '2026-01-28'],
      ],
    );
    assert.match(history[0]?.reason ?? '', /2026-01-21/);
    const plain = await read('');
    assert.equal(plain.currency, undefined);
    assert.deepEqual((await read('&currency=USD')).history, plain.history);
    const days = await caller.get(`/v1/cards/${CHARIZARD}/prices?days=2&currency=EUR`);
    assert.equal(bodyOf<HistoryBody>(days).data.history.at(-1)?.market, 420.05);
  });

  it('are converted in sets and the answers of the resolver', async () => {
    const { data } = bodyOf<ListBody>(
      await caller.get('/v1/sets/pokemon-base-set/cards?currency=EUR'),
    );
    assert.ok(data.length > 0 && data.every(({ prices }) => prices.currency === 'EUR'));
    const resolved = await caller.post('/v1/resolve?currency=EUR', {
      items: ['Charizard Base Set 4/102', 'Lugia'],
    });
    const [found] = bodyOf<ResolvedBody>(resolved).data;
    assert.equal(found?.market, 420.05);
    assert.equal(found?.currency, 'EUR');
    assert.equal(found?.card?.prices.currency, 'EUR');
  });
});

describe('bounds and orders of prices in the currency of the caller', () => {
  const shared = shareService('SQLite');
  const without = shareService('SQLite');

  /** Lists that have a native price between converted ones, which dollars would order otherwise. */
  before(async () => {
    const { service } = shared;
    await importRates(service.store, FIXTURE, { clock: () => service.now });
    const prices = { market: 10_000 as Cents, low: 9_000 as Cents };
    const native = { market: 'cardmarket', currency: 'EUR', prices } as ObservationFields;
    await importItems(service.store, 'cardmarket', [feedItem(charizard(), native)]);
    await service.catalog.refresh();
  });

  const list = async (path: string, { service } = shared) => {
    const caller = await service.caller();
    const { data, understood } = bodyOf<FoundBody>(await caller.get(path));
    return { prices: data.map(({ prices }) => prices.market), understood };
  };
  const search = (q: string, more = '', from = shared) => {
    return list(`/v1/search?q=${encodeURIComponent(q)}&limit=100${more}`, from);
  };
  const sorted = (prices: readonly (number | null)[]) => {
    return prices.toSorted((a, b) => (b ?? -1) - (a ?? -1));
  };

  it('are those of the shown prices, native or converted', async () => {
    const SET = '/v1/sets/pokemon-base-set/cards?limit=200';
    for (const currency of ['EUR', 'GBP', 'JPY', 'USD', 'native']) {
      const inCurrency = `&currency=${currency}`;
      const all = await search('pokemon rare', `${inCurrency}&sort=price_desc`);
      assert.deepEqual(all.prices, sorted(all.prices), currency);
      const [middle = 0] = all.prices.filter((price) => price !== null).slice(3);
      const isIn = (price: number | null) => price !== null && price >= middle;
      const bounds = [
        search('pokemon rare', `${inCurrency}&sort=price_desc&min_price=${middle}`),
        search(`pokemon rare price>=${middle}`, `${inCurrency}&sort=price_desc`),
        search(`most expensive pokemon rare at least ${middle}`, inCurrency),
      ];
      for (const { prices } of await Promise.all(bounds)) {
        assert.deepEqual(prices, all.prices.filter(isIn), currency);
      }
      const set = await list(`${SET}&sort=price_desc${inCurrency}`);
      assert.deepEqual(set.prices, sorted(set.prices), currency);
      const bounded = await list(`${SET}&sort=price_desc&min_price=${middle}${inCurrency}`);
      assert.deepEqual(bounded.prices, set.prices.filter(isIn), currency);
    }
    const euros = await search('charizard', '&currency=EUR&sort=price_desc');
    assert.ok(euros.prices.includes(100), 'the native price');
  });

  it('are converted if a query names another currency, by a rate that is said', async () => {
    const { prices } = await search('charizard');
    const over = await search('charizard over €200');
    const isOver = (price: number | null) => price !== null && price > 216.1;
    assert.deepEqual(over.prices, prices.filter(isOver));
    assert.equal(over.understood?.filters?.[0]?.means, 'price>216.10');
    const rate = { rate: 1.0805, date: '2026-01-28' };
    assert.deepEqual(over.understood.converted, [{ from: 'EUR', to: 'USD', ...rate }]);
    const both = await search('charizard (gbp<20 or over ¥5000)', '&currency=EUR');
    const { converted = [] } = both.understood ?? {};
    assert.deepEqual(
      converted.map(({ from, to }) => `${from} to ${to}`),
      ['GBP to EUR', 'JPY to EUR'],
    );
    const own = await search('charizard over €200', '&currency=EUR');
    assert.equal(own.understood?.converted, undefined);
  });

  it('are a problem, and compare nothing, if no rate is known', async () => {
    const { prices } = await search('charizard', '', without);
    const today = new Date(without.service.now).toISOString().slice(0, 10);
    for (const bound of ['over €200', 'under £1', 'under 5 yen', 'gbp < 1', 'price>€200']) {
      const { prices: found, understood } = await search(`charizard ${bound}`, '', without);
      const [problem] = understood?.problems ?? [];
      assert.match(problem?.message ?? '', /^No exchange rate from (EUR|GBP|JPY) to US dollars /);
      assert.match(problem?.message ?? '', new RegExp(`for ${today}\\. Give the amount in USD`));
      assert.equal(understood?.filters, undefined);
      assert.deepEqual(found, prices, bound);
    }
  });
});

interface FoundBody extends ListBody {
  readonly understood?: Understood;
}

describe('moves in the currency of the caller', () => {
  const shared = shareService('SQLite');

  it('are those in dollars, converted, with the same percentage', async () => {
    const { service } = shared;
    const market = new Market(service.store, { limits: null });
    const listed = (price: number) => ({ market: price, low: price * 0.8, high: price * 3 });
    for (let day = 0; day <= 8; day += 1) {
      await market.lists(`2026-01-${20 + day}`, { '1 Normal': listed(10 * 1.06 ** day) });
    }
    await importRates(service.store, FIXTURE, { clock: () => service.now });
    await service.catalog.refresh();
    const caller = await service.caller();
    const movers = bodyOf<MoversBody>(await caller.get('/v1/movers?window=7d&currency=EUR'));
    const plain = bodyOf<MoversBody>(await caller.get('/v1/movers?window=7d'));
    const [mover, dollars] = [movers, plain].map((body) => [...body.data, ...body.leftOut][0]);
    assert.ok(mover && dollars, 'something has moved');
    assert.equal(mover.to, mover.prices.market);
    assert.ok(Math.abs(mover.to * 1.0805 - dollars.to) < 0.01);
    assert.ok(Math.abs(mover.amount - (mover.to - mover.from)) < 0.001);
    assert.equal(mover.percent, dollars.percent);
    const yen = bodyOf<MoversBody>(await caller.get('/v1/movers?currency=JPY'));
    assert.ok(Number.isInteger(yen.data[0]?.to));
    const total = async (query: string) => {
      return bodyOf<MoversBody>(await caller.get(`/v1/movers?window=7d${query}`)).total;
    };
    const { from } = dollars;
    const all = await total('');
    assert.equal(await total(`&min=${Math.floor(from)}`), all);
    const [below, above] = [Math.floor(mover.from), Math.ceil(mover.from)];
    assert.equal(await total(`&currency=EUR&min=${below}`), all, 'in the currency that is shown');
    assert.ok((await total(`&currency=EUR&min=${above}`)) < all);
    const pounds = await caller.get('/v1/movers?currency=native');
    assert.equal(bodyOf<MoversBody>(pounds).data[0]?.to, dollars.to);
  });
});

interface MoversBody {
  readonly total: number;
  readonly data: readonly Moved[];
  readonly leftOut: readonly Moved[];
}

interface Moved {
  readonly from: number;
  readonly to: number;
  readonly amount: number;
  readonly percent: number;
  readonly prices: Prices;
}

interface ResolvedBody {
  readonly data: readonly {
    readonly market?: number;
    readonly currency?: string;
    readonly card?: { readonly prices: Prices };
  }[];
}

/** A local price, for comparison: what it is, from where, and what was converted. */
type Shown = readonly [market: number | null, sources: string, parts: string | undefined];

describe('prices that sources report in another currency', () => {
  const shared = shareService('SQLite');
  let caller: Caller;

  const euros = { market: 'cardmarket', currency: 'EUR', prices: { market: 40_001, low: 30_000 } };

  const import_ = async (...observations: readonly ObservationFields[]) => {
    const { service } = shared;
    await importItems(service.store, 'cardmarket', [feedItem(charizard(), ...observations)]);
    await service.catalog.refresh();
  };

  const show = async (currency: string, id = CHARIZARD): Promise<Shown> => {
    const answer = await caller.get(`/v1/cards/${id}?currency=${currency}`);
    const { prices, sources } = bodyOf<CardBody>(answer).data;
    return [prices.market, sources.join(' '), prices.converted?.parts?.join(' ')];
  };

  before(async () => {
    caller = await shared.service.caller();
  });

  it('are served as reported, without any rate, and never in dollars', async () => {
    const plain = async () => {
      const { data } = bodyOf<CardBody>(await caller.get(`/v1/cards/${CHARIZARD}`));
      return { ...data, externalIds: {} };
    };
    const before = await plain();
    await import_(euros as ObservationFields);
    assert.deepEqual(await show('EUR'), [400.01, 'cardmarket', undefined]);
    assert.deepEqual(await show('native'), [453.86, 'tcgplayer', undefined]);
    assert.deepEqual(await plain(), before);
    const { data } = bodyOf<CardBody>(await caller.get(`/v1/cards/${CHARIZARD}?currency=EUR`));
    assert.equal(data.prices.reason, undefined);
    assert.equal(data.prices.confidence?.level, 'thin');
  });

  it('stand next to converted conditions and grades, which are named', async () => {
    const conditions = { near_mint: 40_000, damaged: 9_000 };
    await import_(euros as ObservationFields, { market: 'my-shop', conditions } as const);
    const { data } = bodyOf<CardBody>(await caller.get(`/v1/cards/${CHARIZARD}?currency=EUR`));
    assert.match(data.prices.reason ?? '', /No exchange rate/, 'no rate for the conditions');
    assert.equal(data.prices.market, 400.01);
    const { service } = shared;
    await importRates(service.store, FIXTURE, { clock: () => service.now });
    await service.catalog.refresh();
    assert.deepEqual(await show('EUR'), [400.01, 'cardmarket my-shop', 'conditions']);
    assert.deepEqual(await show('GBP'), [363, 'my-shop tcgplayer', undefined]);
  });

  it('are native if the served dollars are made from them', async () => {
    const { service } = shared;
    const other = charizard({ externalId: 'stoise', name: 'Blastoise', number: '2/102' });
    const id = 'pokemon-bs-blastoise-002';
    const plain = bodyOf<CardBody>(await caller.get(`/v1/cards/${id}`)).data;
    const observedAt = service.now;
    const later = { ...euros, observedAt } as ObservationFields;
    const printing = plain.printing ?? assert.fail();
    await importItems(service.store, 'cardmarket', [feedItem(other, { ...later, printing })]);
    // TCGCSV no longer has a price of it.
    await service.store.db
      .deleteFrom('observations')
      .where('source', '=', 'tcgcsv')
      .where('printing_id', 'in', (query) =>
        query
          .selectFrom('printings')
          .innerJoin('cards', 'cards.id', 'printings.card_id')
          .where('cards.public_id', '=', id)
          .select('printings.id'),
      )
      .execute();
    const again = { ...later, prices: { market: 40_002 }, printing };
    await importItems(service.store, 'cardmarket', [feedItem(other, again)]);
    await service.catalog.refresh();
    assert.deepEqual(await show('native', id), [400.02, 'cardmarket', undefined]);
    assert.deepEqual(await show('EUR', id), [400.02, 'cardmarket', undefined]);
    const dollars = bodyOf<CardBody>(await caller.get(`/v1/cards/${id}?currency=USD`)).data;
    assert.equal(dollars.prices.market, 432.22);
    assert.deepEqual(dollars.prices.converted, {
      from: 'EUR',
      rate: 1.0805,
      date: '2026-01-28',
      parts: ['figures'],
    });
  });

  it('are left out if they are a month older than the dollars', async () => {
    const old = { ...euros, observedAt: Date.parse('2025-12-01') } as ObservationFields;
    const { service } = shared;
    const other = charizard({ externalId: 'zam', name: 'Alakazam', number: '1/102' });
    await importItems(service.store, 'cardmarket', [feedItem(other, old)]);
    await service.catalog.refresh();
    const id = 'pokemon-bs-alakazam-001';
    const [market, sources] = await show('EUR', id);
    assert.equal(sources, 'tcgplayer');
    assert.notEqual(market, 400.01);
  });
});

describe('buy prices and sales', () => {
  const shared = shareService('SQLite');

  it('are members of the prices where a source reports them, and are explained', async () => {
    const { service } = shared;
    const caller = await service.caller();
    const path = `/v1/cards/${CHARIZARD}`;
    const plain = bodyOf<TradeBody>(await caller.get(path)).data.prices;
    assert.ok(!('buylist' in plain) && !('sales' in plain));
    const at = Date.parse('2026-01-28');
    const shop = { market: 'cardkingdom', observedAt: at, prices: { low: 40_000 } } as const;
    const item = feedItem(charizard(), shop);
    const observations = item.observations.map((one) => {
      const sales = { count: 7, days: 30, last: 20_480 as Day };
      return { ...one, trade: { buylist: 21_000 as Cents, sales } };
    });
    await importItems(service.store, 'pokemontcg', [{ ...item, observations }]);
    await service.catalog.refresh();
    for (const query of ['', '?currency=JPY', '?currency=USD']) {
      const { prices } = bodyOf<TradeBody>(await caller.get(path + query)).data;
      const buylist = { price: 210, currency: 'USD', marketplace: 'cardkingdom' };
      assert.deepEqual(prices.buylist, { ...buylist, at: '2026-01-28T00:00:00Z' }, query);
      assert.deepEqual(prices.sales, { count: 7, days: 30, last: '2026-01-27' });
    }
    const { printings } = bodyOf<ExplainedBody>(await caller.get(`${path}/explain`)).data;
    const [explained] = printings[0]?.buylists ?? [];
    assert.deepEqual(
      [explained?.price, explained?.source, explained?.isServed],
      [210, 'pokemontcg', true],
    );
  });
});

interface TradeBody {
  readonly data: { readonly prices: { readonly buylist?: unknown; readonly sales?: unknown } };
}

interface ExplainedBody {
  readonly data: {
    readonly printings: readonly {
      readonly buylists?: readonly {
        readonly price: number;
        readonly source: string;
        readonly isServed: boolean;
      }[];
    }[];
  };
}
