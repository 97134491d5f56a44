import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { before, describe, it } from 'node:test';
import { dayOf } from '../../src/domain/day.ts';
import { importRates } from '../../src/ingest/drivers/rates.ts';
import { readEcb } from '../../src/sources/ecb.ts';
import { type Caller, shareService } from '../support/app.ts';
import { bodyOf, errorOf } from './expect.ts';

const CHARIZARD = 'pokemon-bs-charizard-004';
const FIXTURE = readEcb('hist.xml', readFileSync('test/fixtures/ecb/eurofxref-hist-90d.xml'));

interface Prices {
  readonly market: number | null;
  readonly low?: number | null;
  readonly currency?: string;
  readonly converted?: { readonly from: string; readonly rate: number; readonly date: string };
  readonly reason?: string;
}

interface CardBody {
  readonly data: {
    readonly currency: string;
    readonly prices: Prices;
    readonly printings: readonly { readonly prices: Prices }[];
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
});
