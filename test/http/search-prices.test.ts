import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Static } from 'typebox';
import type { CardSummary } from '../../src/http/schemas.ts';
import { shareService } from '../support/app.ts';
import { forEachEngine } from '../support/engines.ts';
import { bodyOf, problemOf } from './expect.ts';

interface Cards {
  readonly data: Static<typeof CardSummary>[];
  readonly total: number;
}

forEachEngine((label) => {
  const shared = shareService(label);
  const ask = async (url: string) => (await shared.service.caller('free')).get(url);
  const search = async (query: string) => bodyOf<Cards>(await ask(`/v1/search?${query}`));
  const prices = async (query: string) => {
    return (await search(query)).data.map(({ prices }) => prices.market);
  };

  describe('The price filters of GET /v1/search', () => {
    it('take both bounds, to the cent, for names and for mixtures', async () => {
      const [low, high] = [56.34, 239.56];
      const all = await prices('q=charizard%20rare&limit=100');
      for (const q of ['charizard', 'dark%20charizard%20team%20rocket', 'pokemon%20rare']) {
        const found = await prices(`q=${q}&limit=100`);
        const inRange = (price: number | null) => price !== null && price >= low && price <= high;
        const filtered = await prices(`q=${q}&limit=100&min_price=${low}&max_price=${high}`);
        assert.deepEqual(filtered, found.filter(inRange), q);
      }
      assert.notDeepEqual(all, []);
      assert.deepEqual(await prices('q=charizard&min_price=239.57'), [453.86]);
      assert.deepEqual(await prices('q=charizard&min_price=453.86&max_price=453.86'), [453.86]);
    });

    it('count in the total, and in every page', async () => {
      const query = 'q=forest&max_price=1.10&sort=price_asc&limit=1';
      const pages = [0, 1, 2].map((offset) => search(`${query}&offset=${offset}`));
      const [first, second, third] = await Promise.all(pages);
      assert.deepEqual([first?.total, second?.total, third?.total], [2, 2, 2]);
      assert.equal(first?.data[0]?.prices.market, 0.75);
      assert.equal(second?.data[0]?.prices.market, 1.1);
      assert.deepEqual(third?.data, []);
    });

    it('separate priced cards from others; a card without a price is in no range', async () => {
      const total = async (filters: string) => (await search(`q=forest${filters}`)).total;
      assert.equal(await total(''), 4);
      assert.equal(await total('&priced=true'), 3);
      assert.equal(await total('&priced=false'), 1);
      assert.equal(await total('&min_price=0'), 3);
      assert.equal(await total('&min_price=0&priced=false'), 0);
    });

    it('are refused when they are malformed or contradict each other', async () => {
      for (const value of ['-1', '1.005', 'NaN', '', 'x', '1e2', '%20']) {
        for (const name of ['min_price', 'max_price']) {
          const message = problemOf(await ask(`/v1/search?q=a&${name}=${value}`), name);
          assert.match(message, /an amount from 0 to 10000000, with at most two decimals\.$/);
        }
      }
      problemOf(await ask('/v1/search?q=a&min_price=3&max_price=2'), 'min_price');
      problemOf(await ask('/v1/search?q=a&priced=1'), 'priced');
      const twice = await ask('/v1/search?q=a&priced=true&priced=true');
      assert.equal(problemOf(twice, 'priced'), 'was sent more than once; send it once.');
    });
  });
});
