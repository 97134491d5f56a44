import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Static } from 'typebox';
import { GAME_SLUGS } from '../../src/domain/games.ts';
import type { CardSummary, GameItem, SetItem } from '../../src/http/schemas.ts';
import { shareService } from '../support/app.ts';
import { forEachEngine } from '../support/engines.ts';
import { FIXTURE_COUNTS, FIXTURE_SETS } from '../support/tcgcsv.ts';
import { bodyOf, NO_CHANGES, problemOf } from './expect.ts';

interface Page<Item> {
  readonly data: Item[];
  readonly total: number;
  readonly limit: number;
  readonly offset: number;
}
type Cards = Page<Static<typeof CardSummary>>;
type Sets = Page<Static<typeof SetItem>>;
type Games = { data: Static<typeof GameItem>[] };

forEachEngine((label) => {
  const shared = shareService(label);
  const get = async <Body>(url: string) => {
    const caller = await shared.service.caller('free');
    return bodyOf<Body>(await caller.get(url));
  };

  describe('GET /v1/search', () => {
    it('has every field of a card summary', async () => {
      const body = await get<Cards>('/v1/search?q=charizard&set=BS');
      assert.deepEqual(body, {
        data: [
          {
            id: 'pokemon-bs-charizard-004',
            name: 'Charizard',
            game: 'pokemon',
            set: 'Base Set',
            setId: 'pokemon-base-set',
            setCode: 'BS',
            number: '004/102',
            rarity: 'Holo Rare',
            image: 'https://tcgplayer-cdn.tcgplayer.com/product/42382_in_1000x1000.jpg',
            printing: 'Holofoil',
            prices: {
              market: 453.86,
              conditions: { near_mint: null, lightly_played: null },
              stale: false,
              changes: NO_CHANGES,
              confidence: { level: 'confirmed', sources: 1, observations: 1 },
            },
          },
        ],
        total: 1,
        limit: 20,
        offset: 0,
      });
    });

    it('gives ids that start with the game and lead to the card', async () => {
      const { data } = await get<Cards>('/v1/search?q=elsa');
      assert.equal(data.length, 3);
      for (const { id, name } of data) {
        assert.match(id, /^lorcana-[a-z0-9-]+$/);
        const card = await get<{ data: { name: string } }>(`/v1/cards/${id}`);
        assert.equal(card.data.name, name);
      }
    });

    it('says null for the price of a card that has none', async () => {
      const { data } = await get<Cards>('/v1/search?q=monster%20reborn&limit=1');
      const conditions = { near_mint: null, lightly_played: null };
      assert.deepEqual(data[0]?.prices, {
        market: null,
        conditions,
        stale: false,
        changes: NO_CHANGES,
        confidence: null,
      });
    });

    it('gives each match once over all pages, and the same total on each', async () => {
      const { data: all, total } = await get<Cards>('/v1/search?q=lob&limit=100');
      assert.equal(total, 12);
      const walked: string[] = [];
      for (let offset = 0; offset < total; offset += 5) {
        const page = await get<Cards>(`/v1/search?q=lob&limit=5&offset=${offset}`);
        assert.deepEqual([page.total, page.limit, page.offset], [total, 5, offset]);
        walked.push(...page.data.map((card) => card.id));
      }
      assert.deepEqual(
        walked,
        all.map((card) => card.id),
      );
      assert.equal(new Set(walked).size, total);
    });

    it('has an empty page past the end with the total', async () => {
      const url = '/v1/search?q=lob&offset=9007199254740991';
      const { data, total, limit, offset } = await get<Cards>(url);
      assert.deepEqual([data, total, limit, offset], [[], 12, 20, 9007199254740991]);
    });

    it('filters by game, set and rarity in the spellings that people use', async () => {
      const names = async (filters: string) => {
        const { data } = await get<Cards>(`/v1/search?q=charizard${filters}`);
        return data.map((card) => card.id);
      };
      const both = await names('');
      assert.equal(both.length, 3);
      assert.deepEqual(await names('&game=pokemon'), both);
      assert.deepEqual(await names('&game=mtg'), []);
      assert.deepEqual(await names('&set=base%20SET'), ['pokemon-bs-charizard-004']);
      assert.deepEqual(await names('&set=tr&rarity=RARE'), ['pokemon-tr-dark-charizard-21']);
      assert.deepEqual(await names('&set=pokemon-base-set'), ['pokemon-bs-charizard-004']);
      assert.deepEqual(await names('&set=nowhere'), []);
      assert.deepEqual(await names('&rarity=none'), []);
    });

    it('sorts by the parameter `sort`', async () => {
      const prices = async (sort: string) => {
        const { data } = await get<Cards>(`/v1/search?q=umbreon&sort=${sort}`);
        return data.map((card) => card.prices.market);
      };
      assert.deepEqual(await prices('price_asc'), [4.98, 1059.02]);
      assert.deepEqual(await prices('price_desc'), [1059.02, 4.98]);
      for (const sort of ['relevance', 'name', 'newest', 'number']) {
        assert.equal((await prices(sort)).length, 2);
      }
    });
  });

  describe('GET /v1/sets', () => {
    it('has every field of a set, with its cards counted', async () => {
      const { data } = await get<Sets>('/v1/sets?game=pokemon');
      // The source lists five products of Base Set; a booster pack is not a card.
      const base = { setId: 'pokemon-base-set', code: 'BS', name: 'Base Set', game: 'pokemon' };
      const counts = { cardCount: 4, productCount: 1, pricedCount: 4, value: 667.16 };
      assert.deepEqual(data.at(-1), { ...base, ...counts, releaseDate: '1999-01-09' });
    });

    it('gives every set a unique setId, which its cards also have', async () => {
      const { data } = await get<Sets>('/v1/sets');
      const setIds = data.map(({ setId }) => setId);
      assert.equal(new Set(setIds).size, FIXTURE_SETS);
      assert.equal(setIds.includes('pokemonjp-neo1-he'), true, 'of a name in Japanese');
      const { data: found } = await get<Cards>('/v1/search?q=a&limit=100');
      for (const { setId } of found) assert.ok(setIds.includes(setId), setId);
    });

    it('counts the cards that have a price', async () => {
      const { data } = await get<Sets>('/v1/sets');
      const counts = data.map(({ code, pricedCount, cardCount }) => [code, pricedCount, cardCount]);
      assert.deepEqual(
        counts.filter(([, priced, cards]) => priced !== cards),
        [
          ['neo1', 0, 6],
          ['SV2D', 0, 6],
          ['9ED', 6, 7],
          ['LOB', 0, 12],
          ['MON', 0, 5],
        ],
      );
    });

    it('lists all sets of all games, newest first within a game', async () => {
      const { data, ...page } = await get<Sets>('/v1/sets');
      assert.deepEqual(page, { total: FIXTURE_SETS, limit: 50, offset: 0 });
      assert.deepEqual(
        data.slice(0, 4).map((set) => set.code),
        ['PRE', 'SWSH09:TG', 'TR', 'BS'],
      );
      for (const { releaseDate } of data)
        assert.match(releaseDate ?? '1999-01-01', /^\d{4}(-\d\d){2}$/);
    });

    it('finds sets by a part of their name or code, without regard to case and accents', async () => {
      const found = async (query: string) => {
        const { data, total } = await get<Sets>(`/v1/sets?${query}`);
        assert.equal(data.length, total);
        return data.map(({ setId }) => setId);
      };
      assert.deepEqual(await found('q=BASE%20s%C3%A9t'), ['pokemon-base-set']);
      assert.deepEqual(await found('q=9ed'), ['mtg-ninth-edition']);
      assert.deepEqual(await found('q=9ed&game=pokemon'), []);
      assert.deepEqual(await found('q=%F0%9F%94%A5'), [], 'signs are no part of a name');
    });

    it('sorts sets by value, those without one last, and by name', async () => {
      const { data: byValue } = await get<Sets>('/v1/sets?sort=value');
      const values = byValue.map(({ value }) => value ?? -1);
      assert.ok((values[0] ?? 0) > 0 && values.at(-1) === -1);
      assert.deepEqual(
        values,
        values.toSorted((a, b) => b - a),
      );
      const names = (await get<Sets>('/v1/sets?sort=name')).data.map(({ name }) => name);
      assert.equal(names.length, FIXTURE_SETS);
      assert.deepEqual(names, names.toSorted());
    });

    it('says null for a release date that no source knows', async () => {
      const { data } = await get<Sets>('/v1/sets?game=mtg');
      assert.deepEqual(
        data.map((set) => set.releaseDate),
        [null, null],
      );
    });

    it('pages', async () => {
      const { data: all } = await get<Sets>('/v1/sets?limit=200');
      const page = await get<Sets>('/v1/sets?limit=5&offset=10');
      assert.deepEqual(page, {
        data: all.slice(10, 15),
        total: FIXTURE_SETS,
        limit: 5,
        offset: 10,
      });
      const beyond = await get<Sets>(`/v1/sets?offset=${FIXTURE_SETS}`);
      assert.deepEqual(beyond, { data: [], total: FIXTURE_SETS, limit: 50, offset: FIXTURE_SETS });
    });
  });

  describe('GET /v1/games', () => {
    it('lists all games with the counts of their cards and sets', async () => {
      const { data } = await get<Games>('/v1/games');
      assert.deepEqual(
        data.map((game) => game.id),
        GAME_SLUGS,
      );
      for (const { id, name, cardCount, setCount } of data) {
        assert.deepEqual([cardCount, setCount], FIXTURE_COUNTS[id], name);
      }
      assert.deepEqual(Object.keys(data[0] ?? {}), ['id', 'name', 'cardCount', 'setCount']);
      assert.equal(data[0]?.name, 'Pokemon TCG (English)');
    });

    it('has the same counts as the sets and the search', async () => {
      for (const [game, [cards, sets]] of Object.entries(FIXTURE_COUNTS)) {
        const { data, total } = await get<Sets>(`/v1/sets?game=${game}`);
        assert.equal(total, sets);
        assert.equal(
          data.reduce((sum, set) => sum + set.cardCount, 0),
          cards,
        );
      }
    });
  });

  describe('GET /v1/autocomplete', () => {
    it('completes distinct names, best first', async () => {
      assert.deepEqual(await get('/v1/autocomplete?q=chari'), {
        data: ['Charizard', 'Dark Charizard'],
      });
      assert.deepEqual(await get('/v1/autocomplete?q=dark&game=yugioh'), {
        data: ['Dark Magician'],
      });
      assert.deepEqual(await get('/v1/autocomplete?q=dark&limit=1'), { data: ['Dark Charizard'] });
    });
  });

  it('takes pokemon-jp for pokemonjp, and always says pokemonjp', async () => {
    for (const path of ['search?q=neo1', 'sets?', 'autocomplete?q=チコリータ']) {
      const url = encodeURI(`/v1/${path}&game=pokemon`);
      assert.deepEqual(await get(`${url}-jp`), await get(`${url}jp`));
    }
    const { data } = await get<Cards>('/v1/search?q=neo1&game=pokemon-jp');
    assert.equal(data.length, 6);
    for (const card of data) assert.equal(card.game, 'pokemonjp');
  });

  it('lists the slugs of the games when the game is unknown', async () => {
    const caller = await shared.service.caller('free');
    for (const path of ['search?q=a&', 'sets?', 'autocomplete?q=a&']) {
      for (const game of ['marbles', 'Pokemon', '', '%00', 'constructor']) {
        const message = problemOf(await caller.get(`/v1/${path}game=${game}`), 'game');
        for (const slug of GAME_SLUGS) assert.ok(message.includes(slug), message);
      }
    }
  });
});
