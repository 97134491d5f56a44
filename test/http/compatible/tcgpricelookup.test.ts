import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { shareService } from '../../support/app.ts';
import { forEachEngine } from '../../support/engines.ts';
import { charizard, feedItem, importItems, OBSERVED } from '../../support/feed-items.ts';
import { bodyOf } from '../expect.ts';
import { Refused, TcgLookup } from './tcgpricelookup-client.ts';

const BASE_SET = 'pokemon-base-set';

forEachEngine((label) => {
  const shared = shareService(label);
  const free = async () => new TcgLookup(await shared.service.caller('free'), 'free');
  const paid = async () => new TcgLookup(await shared.service.caller('trader'), 'paid');
  /** How many printings the catalogue has, a card without any counting as one. */
  const printingCount = () => {
    const counts = [...shared.service.catalog.cards()].map(({ printings }) => printings.length);
    return counts.reduce((sum, count) => sum + Math.max(1, count), 0);
  };
  const refusal = (status: number, message: RegExp) => (error: unknown) => {
    assert.ok(error instanceof Refused, String(error));
    assert.equal(error.status, status);
    assert.match(error.message, message);
    return true;
  };

  describe('games and sets', () => {
    it('list all games under their slugs, with the number of printings', async () => {
      const client = await free();
      const { data, total } = await client.games();
      const slugs = ['pokemon', 'pokemon-jp', 'mtg', 'yugioh', 'lorcana', 'onepiece', 'swu', 'fab'];
      assert.deepEqual(
        data.map(({ slug }) => slug),
        slugs,
      );
      assert.equal(total, 8);
      const count = data.reduce((sum, game) => sum + game.count, 0);
      assert.equal(count, printingCount());
      assert.deepEqual((await client.games({ limit: 3, offset: 6 })).data, data.slice(6));
    });

    it('list sets by game and page; a search by slug finds as many cards as a set has', async () => {
      const client = await paid();
      const { data, total } = await client.sets({ limit: 200 });
      assert.equal(total, data.length);
      const pages = [];
      for (let offset = 0; offset < total; offset += 4) {
        pages.push(...(await client.sets({ limit: 4, offset })).data);
      }
      assert.deepEqual(pages, data);
      for (const game of ['pokemon-jp', 'mtg']) {
        const own = data.filter((set) => set.game === game);
        assert.deepEqual((await client.sets({ game })).data, own);
        assert.ok(own.length > 0);
      }
      for (const { slug, name, count } of data) {
        const found = await client.search({ set: slug, limit: 1 });
        assert.equal(found.total, count, slug);
        assert.ok(found.data.every(({ set }) => set.slug === slug && set.name === name));
      }
    });
  });

  describe('search', () => {
    it('finds cards by name, set, number and all of them, one for each printing', async () => {
      const client = await free();
      const { data } = await client.search({ q: 'charizard 4/102 base set', game: 'pokemon' });
      const [first] = data;
      assert.ok(first);
      assert.equal(first.name, 'Charizard');
      assert.equal(first.number, '004/102');
      assert.equal(first.variant, 'Holofoil');
      assert.equal(first.tcgplayer_id, 42_382);
      assert.deepEqual(first.set, { id: BASE_SET, slug: BASE_SET, name: 'Base Set' });
      assert.deepEqual(first.game, {
        id: 'pokemon',
        slug: 'pokemon',
        name: 'Pokemon TCG (English)',
      });
      assert.equal(first.last_price_update, '2026-01-28T20:05:12Z');
      assert.equal(first.updated_at, '2026-01-28T20:05:12Z');
      const slug = await client.search({ q: 'charizard', set: 'base-set' });
      assert.ok(
        slug.data.some(({ id }) => id === first.id),
        'the slug of a set without its game',
      );
      assert.equal((await client.search({ q: 'charizard', game: 'mtg' })).total, 0);
      assert.equal((await client.search({ q: 'zzzzzz' })).total, 0);
    });

    it('shows every printing once, on pages of any length', async () => {
      const client = await paid();
      for (const query of [{}, { q: 'e' }, { set: BASE_SET }, { game: 'mtg' }, { q: 'forest' }]) {
        const { total } = await client.search({ ...query, limit: 1 });
        const ids: string[] = [];
        while (ids.length < total) {
          const page = await client.search({ ...query, limit: 7, offset: ids.length });
          assert.deepEqual([page.total, page.limit, page.offset], [total, 7, ids.length]);
          assert.ok(page.data.length > 0);
          ids.push(...page.data.map(({ id }) => id));
        }
        assert.equal(ids.length, total);
        assert.equal(new Set(ids).size, total);
        assert.deepEqual((await client.search({ ...query, offset: total })).data, []);
      }
      assert.equal((await client.search()).total, printingCount());
    });

    it('has its own defaults and bounds', async () => {
      const client = await free();
      assert.equal((await client.search()).limit, 20);
      assert.equal((await client.search({ limit: 100 })).limit, 100);
      await assert.rejects(client.search({ limit: 101 }), refusal(400, /^limit: /));
      await assert.rejects(client.search({ q: 'x'.repeat(201) }), refusal(400, /^q: /));
      await assert.rejects(client.search({ game: 'go' }), refusal(400, /^game: .*pokemon-jp/));
    });
  });

  describe('search by ids', () => {
    it('returns the cards in the order of the ids, and leaves out unknown ids', async () => {
      const client = await paid();
      const { data } = await client.search({ limit: 17 });
      const ids = data.map(({ id }) => id);
      assert.equal(ids.length, 17);
      const asked = [...ids.toReversed(), 'x', `${ids[0]}x`, ids[0]].join(',');
      const found = await client.search({ ids: asked });
      assert.deepEqual(
        found.data.map(({ id }) => id),
        [...ids.toReversed(), ids[0]],
      );
      assert.equal(found.total, ids.length + 1);
      const page = await client.search({ ids: asked, limit: 2, offset: 1 });
      assert.deepEqual([page.data, page.total], [found.data.slice(1, 3), found.total]);
    });

    it('narrows them by the other parameters', async () => {
      const client = await paid();
      const [forest] = (await client.search({ q: 'forest', limit: 1 })).data;
      const [zard] = (await client.search({ q: 'charizard', limit: 1 })).data;
      const ids = `${forest?.id},${zard?.id}`;
      assert.deepEqual((await client.search({ ids, game: 'mtg' })).data, [forest]);
      assert.deepEqual((await client.search({ ids, q: 'charizard' })).data, [zard]);
      assert.deepEqual((await client.search({ ids, set: String(forest?.set.slug) })).data, [
        forest,
      ]);
    });

    it('takes 20 ids at most, from plans with batches', async () => {
      const client = await paid();
      const ids = (count: number) => ({ ids: Array(count).fill('x').join(',') });
      assert.deepEqual((await client.search(ids(20))).data, []);
      await assert.rejects(client.search(ids(21)), refusal(400, /^ids: .*20.*21/));
      await assert.rejects((await free()).search(ids(1)), refusal(403, /Trader plan/));
    });
  });

  describe('a card', () => {
    it('is the card itself under the id that every call gives back', async () => {
      for (const client of [await free(), await paid()]) {
        for (const { last_price_update: _, ...found } of (await client.search({ limit: 100 }))
          .data) {
          assert.deepEqual(await client.card(found.id), found);
        }
      }
      await assert.rejects((await free()).card('pokemon-x.Tm9ybWFs'), refusal(404, /^No card has/));
      await assert.rejects((await free()).card('pokemon-x'), refusal(404, /^No card has/));
    });

    it('is also found by its id in /v1, in its default printing', async () => {
      const { id, variant } = await (await free()).card('pokemon-bs-charizard-004');
      assert.deepEqual([id.split('.')[0], variant], ['pokemon-bs-charizard-004', 'Holofoil']);
    });

    it('without printings has no variant, no prices and an empty history', async () => {
      const client = await paid();
      const unprinted = [...shared.service.catalog.cards()].find((card) => !card.printings.length);
      assert.ok(unprinted, 'the fixtures have such a card');
      const { name, set } = unprinted;
      const [found] = (await client.search({ q: name, set: set.id, limit: 1 })).data;
      assert.deepEqual([found?.id, found?.variant], [unprinted.id, null]);
      const none = { market: null, low: null, mid: null, high: null };
      assert.deepEqual(found?.prices.raw.near_mint.tcgplayer, none);
      assert.equal(found?.last_price_update, null);
      assert.equal((await client.card(unprinted.id)).id, unprinted.id);
      assert.deepEqual((await client.search({ ids: unprinted.id })).data, [found]);
      assert.deepEqual((await client.history(unprinted.id)).data, []);
    });

    it("has TCGplayer's figures as the prices of near mint copies", async () => {
      const client = await free();
      const [found] = (await client.search({ q: 'charizard base set', limit: 1 })).data;
      const caller = await shared.service.caller('free');
      const { data } = bodyOf<{ data: { prices: Record<string, number> } }>(
        await caller.get('/v1/cards/pokemon-bs-charizard-004'),
      );
      const { market, low, mid, high } = data.prices;
      assert.deepEqual(found?.prices.raw, { near_mint: { tcgplayer: { market, low, mid, high } } });
    });

    it("has other conditions where they are TCGplayer's", async () => {
      const client = await free();
      const { store, catalog } = shared.service;
      const quote = feedItem(charizard({ number: '1/102', name: 'Alakazam' }), {
        conditions: { near_mint: 9000, lightly_played: 8000 },
      });
      await importItems(store, 'quotes', [quote]);
      await catalog.refresh();
      const [found] = (await client.search({ q: 'alakazam base set', limit: 1 })).data;
      const { near_mint: nearMint, lightly_played: played, ...others } = found?.prices.raw ?? {};
      assert.deepEqual(played, { tcgplayer: { market: 80, low: null, mid: null, high: null } });
      // The four figures come before the price of the condition.
      assert.notEqual(nearMint?.tcgplayer.low, null);
      assert.deepEqual(others, {});
    });
  });

  describe('history', () => {
    it('has the days of a printing, for Trader and above', async () => {
      const client = await paid();
      const [found] = (await client.search({ q: 'charizard base set', limit: 1 })).data;
      assert.ok(found);
      await shared.service.remember('pokemon-bs-charizard-004', 'Holofoil', [
        ['2026-01-10', 40_000, 30_000, 90_000],
        ['2026-01-27', 44_100],
        ['2025-03-01', 10_000],
      ]);
      const row = { source: 'tcgplayer', condition: 'near_mint', grader: null, grade: null };
      const averages = { avg_1d: null, avg_7d: null, avg_30d: null };
      const { data, period } = await client.history(found.id, '30d');
      assert.equal(period, '30d');
      const dates = data.map(({ date }) => date);
      assert.deepEqual(dates, ['2026-01-10', '2026-01-27', '2026-01-28']);
      assert.deepEqual(data[0]?.prices, [
        {
          ...row,
          price_market: 400,
          price_low: 300,
          price_mid: null,
          price_high: 900,
          ...averages,
        },
      ]);
      assert.deepEqual(await client.history(found.id), { data, period: '30d' });
      assert.equal((await client.history(found.id, '7d')).data.length, 2);
      assert.equal((await client.history(found.id, '90d')).data.length, 3);
      assert.equal((await client.history(found.id, '1y')).data.length, 4);
      await assert.rejects(client.history(found.id, 'all'), refusal(400, /^period: /));
      await assert.rejects(client.history('x'), refusal(404, /^No card/));
      await assert.rejects((await free()).history(found.id), refusal(403, /Trader plan or above/));
    });

    it('has conditions and grades at the marketplaces that the interface knows', async () => {
      const client = await paid();
      const [found] = (await client.search({ q: 'charizard base set', limit: 1 })).data;
      assert.ok(found);
      const { store, catalog } = shared.service;
      const copies = {
        observedAt: OBSERVED,
        conditions: { near_mint: 45_000, lightly_played: 38_000 },
        graded: { psa_9: 250_000, bgs_9_5: 400_000 },
      };
      const guide = { market: 'pricecharting', observedAt: OBSERVED, graded: { psa_10: 900_000 } };
      await importItems(store, 'pricecharting', [feedItem(charizard(), guide)]);
      await importItems(store, 'quotes', [feedItem(charizard(), { market: 'ebay', ...copies })]);
      await catalog.refresh();
      const { data } = await client.history(found.id, '7d');
      const rows = data.flatMap(({ date, prices }) => {
        return prices.map(({ source, condition, grader, grade, price_market: price }) => {
          return [date, source, condition ?? `${grader} ${grade}`, price];
        });
      });
      assert.deepEqual(rows, [
        ['2026-01-27', 'tcgplayer', 'near_mint', 441],
        ['2026-01-28', 'tcgplayer', 'near_mint', rows[1]?.[3]],
        ['2026-01-28', 'ebay', 'lightly_played', 380],
        ['2026-01-28', 'ebay', 'psa 9', 2500],
        ['2026-01-28', 'ebay', 'bgs 9.5', 4000],
      ]);
      // These are not TCGplayer's, and no averages of sales.
      assert.deepEqual(Object.keys((await client.card(found.id)).prices.raw), ['near_mint']);
    });

    it('leaves out prices of other marketplaces', async () => {
      const client = await paid();
      const { store, catalog } = shared.service;
      const item = feedItem(charizard({ number: '2/102', name: 'Blastoise' }), {
        market: 'my-shop',
        prices: { market: 12_300 },
      });
      await importItems(store, 'quotes', [item]);
      await catalog.refresh();
      const [found] = (await client.search({ q: 'blastoise base set', limit: 1 })).data;
      assert.ok(found);
      const none = { market: null, low: null, mid: null, high: null };
      assert.deepEqual((await client.card(found.id)).prices.raw.near_mint.tcgplayer, none);
      assert.deepEqual((await client.history(found.id, '7d')).data, []);
    });
  });

  it('every answer has the limit of the plan and what is left of it', async () => {
    const client = await free();
    await client.games();
    assert.deepEqual(client.rateLimit, { limit: 200, remaining: 199 });
    await assert.rejects(client.card('x'));
    assert.deepEqual(client.rateLimit, { limit: 200, remaining: 198 });
    // A refusal by the plan is free.
    await assert.rejects(client.history('x'), refusal(403, /Trader/));
    assert.deepEqual(client.rateLimit, { limit: 200, remaining: 198 });
  });
});
