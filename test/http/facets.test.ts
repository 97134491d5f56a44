import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Static } from 'typebox';
import type { CardDetail, CardSummary } from '../../src/http/schemas.ts';
import type { FacetsOfResults } from '../../src/http/search-schemas.ts';
import { shareService } from '../support/app.ts';
import { forEachEngine } from '../support/engines.ts';
import { bodyOf, problemOf } from './expect.ts';

interface Results {
  readonly data: readonly Static<typeof CardSummary>[];
  readonly total: number;
  readonly facets?: Static<typeof FacetsOfResults>;
  readonly nextCursor?: string | null;
}

const ALL = 'facets=set,rarity,printing,price';

/** Counts texts as facets do: most first, then in alphabetical order. */
function counted(values: readonly (string | null)[]) {
  const groups = Map.groupBy(values, (value) => value);
  const counts = [...groups].flatMap(([value, { length: count }]) => {
    return value === null ? [] : [{ value, count }];
  });
  return counts.sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1));
}

forEachEngine((label) => {
  const shared = shareService(label);
  const get = async <Body>(url: string) => {
    const caller = await shared.service.caller('business');
    return bodyOf<Body>(await caller.get(url));
  };

  describe('facets', () => {
    it('count all results, whatever is on the page', async () => {
      for (const query of [
        'q=lob',
        'q=charizard',
        'q=usd>0',
        'q=-nothing',
        'q=forest&priced=true',
      ]) {
        const { data, total } = await get<Results>(`/v1/search?${query}&limit=100`);
        assert.equal(data.length, total, query);
        const { facets } = await get<Results>(`/v1/search?${query}&limit=1&${ALL}`);
        const sets = facets?.set?.map(({ value, count }) => ({ value, count }));
        assert.deepEqual(sets, counted(data.map(({ setId }) => setId)), query);
        assert.deepEqual(facets?.rarity, counted(data.map(({ rarity }) => rarity)), query);
        const details = await Promise.all(
          data.map(({ id }) => get<{ data: Static<typeof CardDetail> }>(`/v1/cards/${id}`)),
        );
        const printings = details.flatMap((detail) => detail.data.printings);
        const own = printings.filter(({ language }) => language === undefined);
        assert.deepEqual(facets?.printing, counted(own.map(({ name }) => name)), query);
        for (const { min, max, count } of facets?.price ?? []) {
          const inBand = data.filter(({ prices: { market } }) => {
            return market !== null && market >= min && market <= (max ?? market);
          });
          assert.equal(count, inBand.length, `${query} ${min}`);
        }
      }
    });

    it('give each range of prices as the bounds that find its cards', async () => {
      const { facets } = await get<Results>(`/v1/search?q=-nothing&facets=price`);
      assert.deepEqual(Object.keys(facets ?? {}), ['price']);
      const bands = facets?.price ?? [];
      assert.deepEqual(
        bands.map(({ min, max }) => [min, max]),
        [
          [0, 0.99],
          [1, 4.99],
          [5, 19.99],
          [20, 99.99],
          [100, 499.99],
          [500, null],
        ],
      );
      for (const { min, max, count } of bands) {
        const bounds = `min_price=${min}${max === null ? '' : `&max_price=${max}`}`;
        const { total } = await get<Results>(`/v1/search?q=-nothing&${bounds}`);
        assert.equal(total, count, bounds);
      }
    });

    it('give values that the filters take, and the names of sets', async () => {
      const { facets } = await get<Results>('/v1/search?q=charizard&facets=set,rarity');
      const [set, rarity] = [facets?.set?.[0], facets?.rarity?.[0]];
      assert.ok(set?.name && rarity);
      for (const [filter, { value, count }] of [
        ['set', set],
        ['rarity', rarity],
      ] as const) {
        const url = `/v1/search?q=charizard&${filter}=${encodeURIComponent(value)}`;
        assert.equal((await get<Results>(url)).total, count);
      }
    });

    it('are the same on later pages, by offset and by cursor, and only if asked for', async () => {
      const first = await get<Results>(`/v1/search?q=lob&limit=5&${ALL}`);
      const later = await get<Results>(`/v1/search?q=lob&limit=5&offset=5&${ALL}`);
      assert.deepEqual(later.facets, first.facets);
      const byCursor = await get<Results>(`/v1/search?q=lob&limit=5&cursor=&${ALL}`);
      assert.deepEqual(byCursor.facets, first.facets);
      const next = await get<Results>(`/v1/search?q=lob&cursor=${byCursor.nextCursor}`);
      assert.equal(next.facets, undefined);
    });

    it('count products, which have no rarity', async () => {
      const { facets, total } = await get<Results>(`/v1/search?q=pack&kind=product&${ALL}`);
      const sum = (counts: readonly { readonly count: number }[] = []) => {
        return counts.reduce((sum, { count }) => sum + count, 0);
      };
      assert.ok(total > 1);
      assert.equal(sum(facets?.set), total);
      assert.deepEqual(facets?.rarity, []);
    });

    it('are empty without results, and refused by another name', async () => {
      const { facets } = await get<Results>(`/v1/search?q=zzzzqqq&${ALL}`);
      assert.deepEqual([facets?.set, facets?.rarity, facets?.printing], [[], [], []]);
      const caller = await shared.service.caller('free');
      const answer = await caller.get('/v1/search?q=charizard&facets=set,artist');
      assert.match(problemOf(answer, 'facets'), /some of set, rarity, printing, price/);
    });
  });
});
