import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Static } from 'typebox';
import { GAME_SLUGS } from '../../src/domain/games.ts';
import { compareText } from '../../src/domain/text.ts';
import type { CardSummary, SetItem } from '../../src/http/schemas.ts';
import type { RarityItem, SetDetail } from '../../src/http/set-schemas.ts';
import { shareService } from '../support/app.ts';
import { forEachEngine } from '../support/engines.ts';
import { bodyOf, errorOf, problemOf } from './expect.ts';

interface Cards {
  readonly data: Static<typeof CardSummary>[];
  readonly total: number;
  readonly limit: number;
  readonly offset: number;
}
type Sets = { data: Static<typeof SetItem>[] };
type Detail = { data: Static<typeof SetDetail> };
type Rarities = { data: Static<typeof RarityItem>[] };

const PRISMATIC = '/v1/sets/pokemon-sv-prismatic-evolutions';

forEachEngine((label) => {
  const shared = shareService(label);
  const ask = async (url: string) => (await shared.service.caller('free')).get(url);
  const get = async <Body>(url: string) => bodyOf<Body>(await ask(url));
  const numbers = async (query: string) => {
    const { data } = await get<Cards>(`${PRISMATIC}/cards?${query}`);
    return data.map(({ number }) => number?.slice(0, 3));
  };

  describe('GET /v1/sets/{setId}', () => {
    it('has what the list of sets has, and rarities, printings and the dearest cards', async () => {
      const { data } = await get<Detail>(PRISMATIC);
      const { rarities, printings, mostValuable, ...item } = data;
      const { data: sets } = await get<Sets>('/v1/games/pokemon/sets');
      assert.deepEqual(
        item,
        sets.find(({ setId }) => setId === item.setId),
      );
      assert.equal(item.value, 1508.04);
      assert.deepEqual(rarities, [
        { rarity: 'Double Rare', cardCount: 3 },
        { rarity: 'Hyper Rare', cardCount: 1 },
        { rarity: 'Special Illustration Rare', cardCount: 2 },
      ]);
      assert.deepEqual(printings, ['Holofoil']);
      const { data: cards } = await get<Cards>(`${PRISMATIC}/cards?sort=price_desc&limit=5`);
      assert.deepEqual(mostValuable, cards);
    });

    it('has no value and no dearest cards where nothing has a price', async () => {
      const { data } = await get<Detail>('/v1/sets/fab-monarch');
      assert.deepEqual([data.value, data.pricedCount, data.mostValuable], [null, 0, []]);
    });

    it('answers 404 for an unknown setId, and names it; a code is none', async () => {
      for (const id of ['pokemon-base-set-9', 'BS', 'Pokemon-Base-Set', 'constructor', '%00']) {
        for (const path of ['', '/cards']) {
          const answer = await ask(`/v1/sets/${id}${path}`);
          const { message } = errorOf(answer, 'SET_NOT_FOUND');
          assert.match(message, /^No set has the setId ".+"\.$/);
        }
      }
    });
  });

  describe('GET /v1/sets/{setId}/cards', () => {
    it('lists the cards by collector number, as the search shows them', async () => {
      const { data, ...page } = await get<Cards>(`${PRISMATIC}/cards`);
      assert.deepEqual(page, { total: 6, limit: 50, offset: 0 });
      const found = await get<Cards>('/v1/search?q=pre&set=pre&sort=number');
      assert.deepEqual(data, found.data);
      assert.deepEqual(await numbers(''), ['028', '041', '060', '156', '161', '179']);
    });

    it('sorts by price and name, unpriced cards last', async () => {
      assert.deepEqual(await numbers('sort=price_asc'), ['028', '041', '060', '179', '156', '161']);
      assert.deepEqual(await numbers('sort=price_desc&limit=2'), ['161', '156']);
      assert.deepEqual(await numbers('sort=name'), ['028', '179', '041', '156', '060', '161']);
      for (const sort of ['price_asc', 'price_desc']) {
        const { data } = await get<Cards>(`/v1/sets/mtg-ninth-edition/cards?sort=${sort}`);
        assert.equal(data.at(-1)?.prices.market, null);
      }
    });

    it('filters by rarity, printing and price, which totals count', async () => {
      assert.deepEqual(await numbers('rarity=double%20RARE'), ['028', '041', '060']);
      assert.deepEqual(await numbers('printing=holofoil&limit=1'), ['028']);
      assert.deepEqual(await numbers('printing=Normal'), []);
      assert.deepEqual(await numbers('min_price=2.33&max_price=4.98'), ['041', '060']);
      assert.deepEqual(await numbers('min_price=2.34&max_price=4.97'), []);
      assert.deepEqual(await numbers('min_price=405.67'), ['156', '161']);
      const { total } = await get<Cards>(`${PRISMATIC}/cards?max_price=0.92&limit=1&offset=1`);
      assert.equal(total, 1);
    });

    it('separates priced cards from others; a card without a price is in no range', async () => {
      const ninth = '/v1/sets/mtg-ninth-edition/cards';
      const total = async (query: string) => (await get<Cards>(`${ninth}?${query}`)).total;
      assert.deepEqual([await total('priced=true'), await total('priced=false')], [6, 1]);
      assert.equal(await total('min_price=0'), 6);
      assert.equal(await total('min_price=0&priced=false'), 0);
    });

    it('pages', async () => {
      const { data, ...page } = await get<Cards>(`${PRISMATIC}/cards?limit=2&offset=4`);
      assert.deepEqual(page, { total: 6, limit: 2, offset: 4 });
      assert.deepEqual(
        data.map(({ number }) => number),
        ['161/131', '179/131'],
      );
      assert.deepEqual((await get<Cards>(`${PRISMATIC}/cards?offset=6`)).data, []);
    });

    it('names a wrong parameter and the values that are allowed', async () => {
      const amount = 'an amount from 0 to 10000000, with at most two decimals.';
      const wrong = [
        '-1',
        '1.234',
        'NaN',
        '',
        'Infinity',
        '1e3',
        '1,5',
        '%245',
        '.5',
        '10000000.01',
      ];
      for (const parameter of ['min_price', 'max_price']) {
        for (const value of wrong) {
          const message = problemOf(
            await ask(`${PRISMATIC}/cards?${parameter}=${value}`),
            parameter,
          );
          assert.ok(message.endsWith(`is not allowed; it must be ${amount}`), message);
        }
        const twice = await ask(`${PRISMATIC}/cards?${parameter}=1&${parameter}=1`);
        assert.equal(problemOf(twice, parameter), 'was sent more than once; send it once.');
      }
      const crossed = await ask(`${PRISMATIC}/cards?min_price=2&max_price=1.99`);
      const message = '2 is not allowed; it must be at most max_price, 1.99.';
      assert.equal(problemOf(crossed, 'min_price'), message);
      for (const [query, parameter, allowed] of [
        ['priced=yes', 'priced', 'one of true, false.'],
        ['sort=newest', 'sort', 'one of number, price_desc, price_asc, name.'],
        ['limit=201', 'limit', 'a whole number from 1 to 200.'],
        ['rarity=', 'rarity', '1 to 200 characters.'],
      ] as const) {
        const answer = await ask(`${PRISMATIC}/cards?${query}`);
        assert.ok(problemOf(answer, parameter).endsWith(`it must be ${allowed}`), query);
      }
    });
  });

  describe('GET /v1/games/{game}/sets', () => {
    it('lists the newest set first, and sets of one day by name', async () => {
      for (const game of GAME_SLUGS) {
        const { data } = await get<Sets>(`/v1/games/${game}/sets`);
        const places = data.map(({ releaseDate, name }) => ({ day: releaseDate ?? '', name }));
        assert.deepEqual(
          places,
          places.toSorted((a, b) => compareText(b.day, a.day) || compareText(a.name, b.name)),
        );
      }
    });

    it('lists every set of a game at once, as the list of sets has them', async () => {
      for (const game of [...GAME_SLUGS, 'pokemon-jp']) {
        const { data } = await get<Sets>(`/v1/sets?game=${game}&limit=200`);
        assert.deepEqual(await get<Sets>(`/v1/games/${game}/sets`), { data });
      }
    });

    it('lists the slugs of the games when the game is unknown', async () => {
      const message = problemOf(await ask('/v1/games/marbles/sets'), 'game');
      for (const slug of GAME_SLUGS) assert.ok(message.includes(slug), message);
    });
  });

  describe('GET /v1/rarities', () => {
    it('lists the rarities of a game with their cards', async () => {
      assert.deepEqual(await get<Rarities>('/v1/rarities?game=swu'), {
        data: [
          { game: 'swu', rarity: 'Common', cardCount: 1 },
          { game: 'swu', rarity: 'Special', cardCount: 2 },
        ],
      });
    });

    it('lists the rarities of all games, whose counts add up to all cards with a rarity', async () => {
      const { data } = await get<Rarities>('/v1/rarities');
      const games = new Set(data.map(({ game }) => game));
      assert.deepEqual([...games], GAME_SLUGS);
      for (const game of GAME_SLUGS) {
        const { data: own } = await get<Rarities>(`/v1/rarities?game=${game}`);
        assert.deepEqual(
          own,
          data.filter((item) => item.game === game),
        );
      }
    });
  });
});
