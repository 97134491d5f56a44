import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Day, formatDay } from '../../src/domain/day.ts';
import type { Understood } from '../../src/search/index.ts';
import { shareService } from '../support/app.ts';
import { bodyOf } from './expect.ts';

interface Answer {
  readonly total: number;
  readonly data: readonly { readonly id: string; readonly prices: { market: number | null } }[];
  readonly understood?: Understood;
}

const RATE = { currency: 'EUR', day: 20_000 as Day, dollarsPerUnit: 1.1 } as const;

describe('The syntax of queries', () => {
  const shared = shareService('SQLite');
  const inEurope = shareService('SQLite', { rates: [RATE] });

  const search = async (q: string, { service } = shared) => {
    const caller = await service.caller('free');
    return bodyOf<Answer>(await caller.get(`/v1/search?${new URLSearchParams({ q })}`));
  };

  it('filters and orders cards, and is explained with its place', async () => {
    const { data, understood } = await search('most expensive charizard usd>=1');
    const prices = data.map(({ prices }) => prices.market ?? 0);
    assert.ok(prices.length > 0 && prices.every((price) => price >= 1));
    assert.deepEqual(
      prices,
      prices.toSorted((a, b) => b - a),
    );
    assert.equal(understood?.name, 'charizard');
    assert.deepEqual(understood.filters, [
      { typed: 'most expensive', from: 0, to: 14, means: 'sort:price_desc' },
      { typed: 'usd>=1', from: 25, to: 31, means: 'price>=1.00' },
    ]);
  });

  it('is never an error: a malformed part is reported and read as words', async () => {
    const { total, understood } = await search('charizard "base');
    assert.ok(total > 0);
    assert.deepEqual(understood?.problems, [
      {
        typed: '"',
        from: 10,
        to: 11,
        message: 'This quotation mark is not closed.',
        suggestion: '"base"',
      },
    ]);
  });

  it('converts euros at the rate of the operator, or says that there is none', async () => {
    const [problem] = (await search('charizard over €1')).understood?.problems ?? [];
    assert.match(problem?.message ?? '', /^No exchange rate from EUR to US dollars is known for /);
    const { understood } = await search('charizard over €1', inEurope);
    assert.equal(understood?.filters?.[0]?.means, 'price>1.10');
    const date = formatDay(RATE.day);
    assert.deepEqual(understood.converted, [{ from: 'EUR', to: 'USD', rate: 1.1, date }]);
  });

  it('finds the card of a pasted link by its external id or its own address', async () => {
    const { data } = await search('charizard base set');
    const [card] = data;
    const found = await search(`https://cards.example.com/cards/${card?.id}`);
    assert.deepEqual(
      found.data.map(({ id }) => id),
      [card?.id],
    );
    const linked = await search('https://www.tcgplayer.com/product/42382/-');
    assert.equal(linked.total, 1);
    assert.equal(linked.data[0]?.id, 'pokemon-bs-charizard-004');
  });

  it('is cached and has an ETag like any other search', async () => {
    const caller = await shared.service.caller('free');
    const url = `/v1/search?${new URLSearchParams({ q: 'charizard -vmax under $5000' })}`;
    const first = await caller.get(url);
    const { etag } = first.headers;
    const second = await caller.get(url);
    assert.equal(second.body, first.body);
    assert.equal(second.headers.etag, etag);
    const repeated = await caller.get(url, { 'if-none-match': String(etag) });
    assert.equal(repeated.statusCode, 304);
  });
});
