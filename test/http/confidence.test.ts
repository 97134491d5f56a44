import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { Static } from 'typebox';
import { MS_PER_DAY } from '../../src/domain/day.ts';
import type { BatchCard, CardDetail, CardSummary } from '../../src/http/schemas.ts';
import { shareService } from '../support/app.ts';
import { forEachEngine } from '../support/engines.ts';
import { charizard, feedItem, importItems, OBSERVED } from '../support/feed-items.ts';
import { bodyOf, problemOf } from './expect.ts';

type Detail = { data: Static<typeof CardDetail> };
type Batch = { data: Static<typeof BatchCard>[] };
interface Cards {
  readonly data: Static<typeof CardSummary>[];
  readonly total: number;
}

const CHARIZARD = 'pokemon-bs-charizard-004';

/** Charizard is confirmed by eBay, then TCGplayer's price jumps, and a shop prices a condition. */
forEachEngine((label) => {
  const shared = shareService(label);
  before(async () => {
    const { store, catalog } = shared.service;
    await importItems(store, 'pricecharting', [
      feedItem(charizard(), { market: 'ebay', prices: { market: 44_000 } }),
    ]);
    await importItems(store, 'quotes', [
      feedItem(charizard(), { market: 'my-shop', conditions: { near_mint: 40_000 } }),
    ]);
    await importItems(store, 'tcgcsv', [
      feedItem(charizard(), {
        market: 'tcgplayer',
        observedAt: OBSERVED + MS_PER_DAY,
        prices: { market: 200_000 },
      }),
    ]);
    await catalog.refresh();
  });
  const get = async (url: string) => (await shared.service.caller()).get(url);
  const disputed = {
    reported: 2000,
    since: '2026-01-29',
    reason: 'Too far from its own past, and no other source agrees.',
  };
  const listed = { level: 'disputed', sources: 2, observations: 1 };

  describe('The confidence in a price', () => {
    it('follows the other members of a price, with what is reported instead', async () => {
      const { data } = bodyOf<Detail>(await get(`/v1/cards/${CHARIZARD}`));
      assert.equal(data.prices.market, 453.86);
      assert.deepEqual(Object.keys(data.prices).slice(-2), ['confidence', 'disputed']);
      const interval = { low: 440, high: 453.86 };
      assert.deepEqual(data.prices.confidence, { ...listed, interval });
      assert.deepEqual(data.prices.disputed, disputed);
      assert.deepEqual(data.printings[0]?.prices.disputed, disputed);
    });

    it('is the same in lists and batches, without the interval', async () => {
      const caller = await shared.service.caller();
      const { data: found } = bodyOf<Cards>(await caller.get('/v1/search?q=charizard&set=BS'));
      const { data: batch } = bodyOf<Batch>(
        await caller.post('/v1/cards/batch', { ids: [CHARIZARD] }),
      );
      for (const [card] of [found, batch]) {
        assert.deepEqual(card?.prices.confidence, listed);
        assert.deepEqual(card?.prices.disputed, disputed);
      }
    });

    it('tells of a resolved copy how sure its price is', async () => {
      const caller = await shared.service.caller();
      const body = bodyOf<{ data: Record<string, unknown>[] }>(
        await caller.post('/v1/resolve', { items: [{ name: 'Charizard', setCode: 'BS' }] }),
      );
      assert.deepEqual(body.data[0]?.priceConfidence, listed);
      assert.deepEqual(body.data[0]?.disputed, disputed);
    });

    it('filters searches and the cards of a set by the least sure level', async () => {
      const count = async (url: string) => bodyOf<Cards>(await get(url)).total;
      for (const url of ['/v1/search?q=charizard', '/v1/sets/pokemon-base-set/cards?limit=200']) {
        const levels = ['confirmed', 'single-source', 'thin', 'stale', 'disputed'];
        const counts = await Promise.all(
          levels.map((level) => count(`${url}&min_confidence=${level}`)),
        );
        assert.deepEqual(
          counts,
          counts.toSorted((a, b) => a - b),
          url,
        );
        const priced = await count(`${url}&priced=true`);
        assert.deepEqual([counts.at(-1), counts.at(-2)], [priced, priced - 1], url);
      }
      const sure = bodyOf<Cards>(await get('/v1/search?q=charizard&min_confidence=thin'));
      assert.ok(sure.data.every(({ id }) => id !== CHARIZARD));
    });

    it('is refused under another name, with the allowed ones', async () => {
      for (const path of ['/v1/search?q=a', '/v1/movers?game=mtg']) {
        const message = problemOf(await get(`${path}&min_confidence=sure`), 'min_confidence');
        assert.match(message, /confirmed, single-source, thin, stale, disputed/);
      }
    });
  });

  describe('The origins of prices', () => {
    it('tell which marketplace the figures and the conditions are from', async () => {
      const { data } = bodyOf<Detail>(await get(`/v1/cards/${CHARIZARD}`));
      assert.deepEqual(data.sources, ['my-shop', 'tcgplayer']);
      const origins = { figures: 'tcgplayer', conditions: 'my-shop', graded: [] };
      assert.deepEqual(data.origins, origins);
      assert.deepEqual(data.printings[0]?.origins, origins);
    });

    it('are explained where two numbers of a card do not compare', async () => {
      const { data } = bodyOf<{
        data: { printings: { numbers: { name: string; explanation: string }[] }[] };
      }>(await get(`/v1/cards/${CHARIZARD}/explain`));
      const [first] = data.printings;
      const nearMint = first?.numbers.find(({ name }) => name === 'conditions.near_mint');
      assert.match(
        nearMint?.explanation ?? '',
        /This is a price of my-shop, while the market price is one of tcgplayer\.$/,
      );
      const market = first?.numbers.find(({ name }) => name === 'market');
      assert.doesNotMatch(market?.explanation ?? '', /while/);
    });
  });
});
