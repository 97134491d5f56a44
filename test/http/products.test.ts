import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { Static } from 'typebox';
import type {
  ProductDetail,
  ProductHistory,
  ProductSummary,
} from '../../src/http/product-schemas.ts';
import { type HistoryDay, shareService } from '../support/app.ts';
import { forEachEngine } from '../support/engines.ts';
import { bodyOf, errorOf } from './expect.ts';

interface List {
  readonly data: Static<typeof ProductSummary>[];
  readonly total: number;
  readonly limit: number;
  readonly offset: number;
}
interface Resolved {
  readonly status: string;
  readonly kind?: string;
  readonly card?: unknown;
  readonly product?: { readonly id: string };
  readonly market?: number | null;
  readonly quantity?: number;
}
interface Found {
  readonly data: { readonly id: string; readonly kind?: string; readonly number: string | null }[];
  readonly total: number;
  readonly hint?: { readonly kind: string; readonly total: number; readonly products: unknown[] };
}

const PACK = 'pokemon-bs-base-set-booster-pack-revised-unlimited-edition';
const ETB_CODE = 'pokemon-pre-code-card-prismatic-evolutions-elite-trainer-box';
const PAST: readonly HistoryDay[] = [
  ['2025-12-01', 30_000],
  ['2026-01-25', 43_000, 42_000, 50_000],
];

forEachEngine((label) => {
  const shared = shareService(label);
  before(() => shared.service.remember(PACK, 'Normal', PAST));

  const ask = async (url: string, plan = 'free') => (await shared.service.caller(plan)).get(url);
  const get = async <Body>(url: string) => bodyOf<Body>(await ask(url));
  const ids = async (query: string) => {
    const { data } = await get<List>(`/v1/products?${query}`);
    return data.map(({ id }) => id);
  };

  describe('GET /v1/products', () => {
    it('lists all products, and has no card among them', async () => {
      const { data, ...page } = await get<List>('/v1/products');
      assert.deepEqual(page, { total: 5, limit: 20, offset: 0 });
      assert.ok(data.every(({ kind }) => kind === 'product'));
      assert.ok(data.every((product) => !('number' in product) && !('rarity' in product)));
    });

    it('finds by words, in any order and misspelt, and by abbreviations', async () => {
      for (const q of ['base set booster pack', 'boster pack base', 'base set bp']) {
        assert.equal((await ids(`q=${encodeURIComponent(q)}`))[0], PACK, q);
      }
      assert.equal((await ids('q=prismatic+etb+code+card'))[0], ETB_CODE);
    });

    it('filters by game, set, type and price', async () => {
      assert.deepEqual(await ids('game=mtg'), []);
      assert.deepEqual(await ids('set=pokemon-base-set'), [PACK]);
      assert.deepEqual(await ids('set=bs&type=booster'), [PACK]);
      assert.deepEqual(await ids('min_price=100'), [PACK]);
      assert.equal((await ids('type=code-card')).length, 4);
    });

    it('sorts by price and name, and pages', async () => {
      const dearest = await ids('sort=price_desc');
      assert.equal(dearest[0], PACK);
      assert.deepEqual(await ids('sort=price_asc'), dearest.toReversed());
      assert.deepEqual(await ids('sort=price_desc&limit=2&offset=2'), dearest.slice(2, 4));
    });

    it('refuses an unknown type, and a limit that is too high', async () => {
      const type = await ask('/v1/products?type=boxes');
      assert.equal(errorOf(type, 'INVALID_PARAMETER').details?.[0]?.parameter, 'type');
      const limit = await ask('/v1/products?limit=101');
      assert.equal(errorOf(limit, 'INVALID_PARAMETER').details?.[0]?.parameter, 'limit');
    });
  });

  describe('GET /v1/products/{id}', () => {
    it('has all prices, like a card', async () => {
      const { data } = await get<{ data: Static<typeof ProductDetail> }>(`/v1/products/${PACK}`);
      assert.equal(data.name, 'Base Set Booster Pack [Revised Unlimited Edition]');
      assert.deepEqual([data.kind, data.type, data.upc], ['product', 'booster', null]);
      assert.deepEqual([data.prices.market, data.prices.low], [441.16, 440.98]);
      assert.deepEqual(data.externalIds, { tcgplayer: ['138130'] });
    });

    it('answers 404 for cards and unknown ids, and cards for products', async () => {
      for (const id of ['pokemon-bs-charizard-004', 'none', '%00']) {
        errorOf(await ask(`/v1/products/${id}`), 'PRODUCT_NOT_FOUND');
      }
      errorOf(await ask(`/v1/cards/${PACK}`), 'CARD_NOT_FOUND');
      errorOf(await ask('/v1/cards/by/tcgplayer/138130'), 'CARD_NOT_FOUND');
    });
  });

  describe('GET /v1/products/{id}/history', () => {
    it('has the days of the period', async () => {
      const caller = await shared.service.caller('trader');
      const answer = await caller.get(`/v1/products/${PACK}/history?period=7d`);
      const { data } = bodyOf<{ data: Static<typeof ProductHistory> }>(answer);
      const { history, ...rest } = data;
      const expected = { productId: PACK, period: '7d', printing: 'Normal', asOf: '2026-01-28' };
      assert.deepEqual(rest, expected);
      assert.deepEqual(
        history.map(({ date, market }) => [date, market]),
        [
          ['2026-01-25', 430],
          ['2026-01-28', 441.16],
        ],
      );
    });

    it('needs a plan with history', async () => {
      errorOf(await ask(`/v1/products/${PACK}/history`), 'PLAN_RESTRICTION');
    });
  });

  describe('POST /v1/resolve', () => {
    const resolve = async (items: unknown[]) => {
      const caller = await shared.service.caller('trader');
      const answer = await caller.post('/v1/resolve', { items });
      return bodyOf<{ data: Resolved[] }>(answer).data;
    };

    it('finds the product that a line means, at its price', async () => {
      const name = 'Base Set Booster Pack [Revised Unlimited Edition]';
      const [matched] = await resolve([`2x ${name}`]);
      assert.deepEqual([matched?.status, matched?.kind], ['matched', 'product']);
      assert.equal(matched?.product?.id, PACK);
      assert.deepEqual([matched?.market, matched?.quantity, matched?.card], [441.16, 2, undefined]);
    });

    it('finds products by an id and by kind, and no card for them', async () => {
      const answers = await resolve([
        { tcgplayer: 138130 },
        { kind: 'product', name: 'charizard' },
        { upc: '820650000000' },
        'https://www.tcgplayer.com/product/138130/pokemon-base-set-booster-pack',
        { kind: 'card', name: 'base set booster pack' },
      ]);
      const shown = answers.map(({ status, kind, product }) => [status, kind, product?.id]);
      assert.deepEqual(shown, [
        ['matched', 'product', PACK],
        ['unknown', 'product', undefined],
        ['unknown', 'product', undefined],
        ['matched', 'product', PACK],
        ['unknown', undefined, undefined],
      ]);
    });

    it('finds products only in the game that the item names', async () => {
      const name = 'Base Set Booster Pack [Revised Unlimited Edition]';
      const named = [undefined, 'pokemon', 'mtg'].map((game) => ({ kind: 'product', name, game }));
      const answers = await resolve(named);
      assert.deepEqual(
        answers.map(({ status, product }) => [status, product?.id]),
        [
          ['matched', PACK],
          ['matched', PACK],
          ['unknown', undefined],
        ],
      );
    });

    it('abstains where a line says less or more than a name', async () => {
      const answers = await resolve([
        'prismatic evolutions booster pack',
        'booster pack',
        'booster pack japanese',
      ]);
      for (const { status, card } of answers) {
        assert.notEqual(status, 'matched');
        assert.equal(card, undefined);
      }
    });
  });

  describe('other endpoints', () => {
    it('count products of a set apart from its cards', async () => {
      const { data } = await get<{ data: { cardCount: number; productCount: number } }>(
        '/v1/sets/pokemon-base-set',
      );
      assert.equal(data.productCount, 1);
      const { total } = await get<Found>('/v1/sets/pokemon-base-set/cards');
      assert.equal(data.cardCount, total);
    });

    it('search products only with kind=product', async () => {
      const { data, total } = await get<Found>('/v1/search?q=booster+pack&kind=product');
      assert.equal(data[0]?.id, PACK);
      assert.deepEqual([data[0]?.kind, data[0]?.number], ['product', null]);
      assert.ok(total >= 1);
    });

    it('hint at products if the words of a card search say one', async () => {
      const { data, hint } = await get<Found>('/v1/search?q=base+set+booster+pack');
      assert.ok(data.every(({ id, kind }) => id !== PACK && kind === undefined));
      assert.equal(hint?.kind, 'product');
      assert.deepEqual(hint?.products.length, hint?.total);
      const { hint: none } = await get<Found>('/v1/search?q=charizard');
      assert.equal(none, undefined);
    });

    it('have movers of products only with kind=product', async () => {
      const { data } = await get<Found>('/v1/movers?window=7d&kind=product&min=0');
      assert.ok(data.every(({ id }) => id === PACK));
    });
  });
});
