import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { HOSTILE_LUCENE } from '../../../search/query/hostile.ts';
import { forEachEngine } from '../../../support/engines.ts';
import { paced } from '../../../support/pace.ts';
import { bodyOf } from '../../expect.ts';
import { ADDRESS, describeCards, idsOf, list, sharePokemonTcg } from './service.ts';

type Json = Readonly<Record<string, unknown>>;

const FIXTURE = new URL('../../../fixtures/pokemontcg-data/', import.meta.url);

function readFixture(name: string): Json[] {
  return JSON.parse(readFileSync(new URL(name, FIXTURE), 'utf8'));
}

const CARDS = readFixture('cards.json');
const SETS = readFixture('sets.json');

/** What the catalogue decides, and not the source. */
function withoutOurs({ images: _, tcgplayer: _t, cardmarket: _c, set: _s, ...card }: Json): Json {
  return card;
}

forEachEngine((label) => {
  const shared = sharePokemonTcg(label);

  it('has every card as its source describes it, with its set', async () => {
    const caller = await shared.service.caller('free');
    const { data, ...counts } = await list(caller, {});
    assert.deepEqual(counts, { page: 1, pageSize: 250, count: 12, totalCount: 12 });
    for (const card of data) {
      const described = CARDS.find(({ id }) => id === card.id) ?? assert.fail();
      assert.deepEqual(withoutOurs(card), withoutOurs(described));
      const { id: set } = card.set as Json;
      assert.deepEqual(
        card.set,
        SETS.find(({ id }) => id === set),
      );
    }
  });

  it('describes the same cards and sets after the same import, without a new publication', async () => {
    const { revision } = shared.service.catalog.publication;
    await describeCards(shared);
    assert.equal(shared.service.catalog.publication.revision, revision);
  });
});

describe('the Pokémon TCG API', () => {
  const shared = sharePokemonTcg('SQLite');

  const cardOf = async (id: string): Promise<Json> => {
    const caller = await shared.service.caller('free');
    return bodyOf<{ data: Json }>(await caller.get(`${ADDRESS}/cards/${id}`)).data;
  };

  it('has one card by its id, the same as in a list', async () => {
    const caller = await shared.service.caller();
    for (const id of ['base1-4', 'swsh9tg-TG16']) {
      const [listed] = (await list(caller, { q: `id:${id}` })).data;
      assert.deepEqual(await cardOf(id), listed);
    }
  });

  it('has prices of TCGplayer by finish, as of their day', async () => {
    const { tcgplayer } = await cardOf('base5-21');
    assert.deepEqual(tcgplayer, {
      url: 'https://www.tcgplayer.com/product/84573',
      updatedAt: '2026/01/28',
      prices: {
        unlimited: { low: 35, mid: 58.99, high: 99.95, market: 57.12, directLow: null },
        '1stEditionNormal': {
          low: 56.91,
          mid: 74.3,
          high: 249.95,
          market: 106.94,
          directLow: null,
        },
      },
    });
    const { prices } = (await cardOf('base5-4')).tcgplayer as { prices: Json };
    assert.deepEqual(Object.keys(prices), ['unlimitedHolofoil', '1stEditionHolofoil']);
  });

  it("has Cardmarket's prices in euros; null for what no source gives", async () => {
    const { cardmarket } = (await cardOf('base1-4')) as { cardmarket: { prices: Json } };
    const { prices, ...others } = cardmarket;
    assert.deepEqual(others, { updatedAt: '2026/01/27' });
    assert.equal(Object.keys(prices).length, 15);
    const given = Object.entries(prices).filter(([, amount]) => amount !== null);
    assert.deepEqual(given, [
      ['lowPrice', 80],
      ['trendPrice', 303.58],
    ]);
    assert.ok(!('cardmarket' in (await cardOf('base1-2'))));
  });

  it('has the picture of our catalogue in both sizes', async () => {
    const image = 'https://tcgplayer-cdn.tcgplayer.com/product/42382_in_1000x1000.jpg';
    assert.deepEqual((await cardOf('base1-4')).images, { small: image, large: image });
  });

  it('has no card that the source or the catalogue lacks', async () => {
    const caller = await shared.service.caller();
    for (const id of ['base1-15', 'swsh9tg-TG13', 'base1', '4']) {
      const answer = await caller.get(`${ADDRESS}/cards/${id}`);
      const message = `Nothing has the id ${id}.`;
      assert.deepEqual(bodyOf(answer, 404), { error: { message, code: 404 } });
    }
  });

  it('lists the sets that have cards, oldest first', async () => {
    const caller = await shared.service.caller();
    const { data, ...counts } = await list(caller, {}, '/sets');
    assert.deepEqual(
      data,
      SETS.filter(({ id }) => id !== 'sv1'),
    );
    assert.deepEqual(counts, { page: 1, pageSize: 250, count: 4, totalCount: 4 });
    const { data: one } = bodyOf<{ data: Json }>(await caller.get(`${ADDRESS}/sets/base1`));
    assert.deepEqual(one, SETS[0]);
    const query = { q: 'legalities.standard:legal -series:sword', select: 'name' };
    const found = await list(caller, query, '/sets');
    assert.deepEqual(found.data, [{ name: 'Prismatic Evolutions' }]);
    const answer = await caller.get(`${ADDRESS}/sets/sv1`);
    assert.equal(bodyOf<{ error: Json }>(answer, 404).error.code, 404);
  });

  it('lists the types, subtypes, supertypes and rarities of its cards', async () => {
    const caller = await shared.service.caller();
    const expected = {
      types: ['Darkness', 'Fire', 'Lightning', 'Psychic', 'Water'],
      subtypes: ['Basic', 'ex', 'Stage 1', 'Stage 2', 'Tera', 'V'],
      supertypes: ['Pokémon', 'Trainer'],
      rarities: [
        ...['Common', 'Double Rare', 'Hyper Rare', 'Rare', 'Rare Holo'],
        ...['Special Illustration Rare', 'Trainer Gallery Rare Holo'],
      ],
    };
    for (const [path, data] of Object.entries(expected)) {
      const found = bodyOf<{ data: string[] }>(await caller.get(`${ADDRESS}/${path}`));
      assert.deepEqual(found.data.toSorted(), data.toSorted());
    }
  });

  it('finds cards by a query', async () => {
    const caller = await shared.service.caller();
    const expected: Readonly<Record<string, readonly string[]>> = {
      'name:charizard': ['base1-4', 'base5-4', 'base5-21'],
      '!name:charizard': ['base1-4'],
      'name:char*': ['base1-4', 'base5-4', 'base5-21'],
      'name:"dark char*"': ['base5-4', 'base5-21'],
      'name:pika?hu': ['sv8pt5-28', 'sv8pt5-179'],
      '!name:"pikachu ex" rarity:hyper': ['sv8pt5-179'],
      'name:charizard -set.id:base1 number:4': ['base5-4'],
      'set.name:"team rocket" types:(psychic OR water)': ['base5-49'],
      'hp:[200 TO 280}': ['sv8pt5-28', 'sv8pt5-179'],
      'hp:{200 TO *]': ['sv8pt5-60', 'sv8pt5-161'],
      'nationalPokedexNumbers:[1 TO 9]': ['base1-2', 'base1-4', 'base5-4', 'base5-21'],
      'attacks.name:"fire spin" OR attacks.name:vanish': ['base1-4', 'base5-49'],
      'attacks.convertedEnergyCost:0': ['swsh9tg-TG16'],
      'abilities:*': ['base1-1', 'base1-2', 'base1-4', 'sv8pt5-28'],
      'legalities.standard:banned': ['swsh9tg-TG16'],
      'set.legalities.standard:legal -types:(darkness OR lightning)': ['swsh9tg-TG16'],
      'ancientTrait.name:double': ['swsh9tg-TG16'],
      'supertype:pokemon -hp:*': [],
      '-hp:*': ['base1-94'],
      'number:TG*': ['swsh9tg-TG16'],
      'id:base1-4 OR id:sv8pt5-28': ['base1-4', 'sv8pt5-28'],
      'id:base1': [],
      'set.releaseDate:[2022 TO 2022]': ['swsh9tg-TG16'],
      'set.releaseDate:[* TO 1999-01-09]': ['base1-1', 'base1-2', 'base1-4', 'base1-94'],
      'tcgplayer.prices.holofoil.market:>400 set.id:base1': ['base1-4'],
      'cardmarket.prices.trendPrice:[300 TO 310]': ['base1-4'],
      'umbreon special': ['sv8pt5-161'],
    };
    for (const [q, ids] of Object.entries(expected))
      assert.deepEqual(await idsOf(caller, q), ids, q);
  });

  it('orders cards by several fields, in memory or not; those without a value come last', async () => {
    const caller = await shared.service.caller();
    const expected = {
      '-number': ['base1-94', 'base1-4', 'base1-2', 'base1-1'],
      'rarity,-name': ['base1-94', 'base1-4', 'base1-2', 'base1-1'],
      hp: ['base1-1', 'base1-2', 'base1-4', 'base1-94'],
      '-hp': ['base1-4', 'base1-2', 'base1-1', 'base1-94'],
      '-attacks.name,number': ['base1-2', 'base1-4', 'base1-1', 'base1-94'],
      '-tcgplayer.prices.holofoil.market': ['base1-4', 'base1-2', 'base1-1', 'base1-94'],
    };
    for (const [orderBy, ids] of Object.entries(expected)) {
      assert.deepEqual(await idsOf(caller, 'set.id:base1', orderBy), ids, orderBy);
    }
  });

  it('cuts pages, and answers pages past the end with no cards', async () => {
    const caller = await shared.service.caller();
    const page = async (number: string) => {
      const query = {
        page: number,
        pageSize: '5',
        select: 'id',
        orderBy: '-set.releaseDate,number',
      };
      const { data, ...counts } = await list(caller, query);
      assert.deepEqual(counts, {
        page: Number(number),
        pageSize: 5,
        count: data.length,
        totalCount: 12,
      });
      return data.map(({ id }) => id);
    };
    const all = [await page('1'), await page('2'), await page('3'), await page('4')];
    assert.deepEqual(
      all.map(({ length }) => length),
      [5, 5, 2, 0],
    );
    assert.equal(new Set(all.flat()).size, 12);
    assert.equal(all[0]?.[0], 'sv8pt5-28');
    assert.equal((await list(caller, { pageSize: '1000' })).pageSize, 250);
  });

  it('selects fields, also of parts', async () => {
    const caller = await shared.service.caller();
    const query = { q: 'id:base1-4', select: 'name, attacks.name,set.id,nothing' };
    const { data } = await list(caller, query);
    const expected = { name: 'Charizard', attacks: [{ name: 'Fire Spin' }], set: { id: 'base1' } };
    assert.deepEqual(data, [expected]);
    const one = await caller.get(`${ADDRESS}/cards/base1-4?select=hp`);
    assert.deepEqual(bodyOf(one), { data: { hp: '120' } });
  });

  it('refuses what it cannot read, in its own error form', async () => {
    const caller = await shared.service.caller();
    const refused: Readonly<Record<string, RegExp>> = {
      'q=name:(': /^q: This bracket is not closed\.$/,
      'q=color:red': /^q: There is no field color\.$/,
      [`q=${'name:a '.repeat(715)}`]: /^q: It has more than 4096 characters\.$/,
      [`q=${'('.repeat(100)}name:a${')'.repeat(100)}`]: /^q: Too many brackets\.$/,
      'q=hp:[1 TO': /^q: A value is expected at character 4, in place of "\[1 TO"\.$/,
      'orderBy=-color': /^orderBy: There is no field color\.$/,
      'page=0': /^page: "0" is not allowed/,
      'pageSize=many': /^pageSize: "many" is not allowed/,
    };
    for (const [query, message] of Object.entries(refused)) {
      for (const path of query.startsWith('q=hp') ? ['cards'] : ['cards', 'sets']) {
        const answer = await caller.get(`${ADDRESS}/${path}?${query}`);
        const { error, ...others } = bodyOf<{ error: Json }>(answer, 400);
        assert.deepEqual([others, Object.keys(error), error.code], [{}, ['message', 'code'], 400]);
        assert.match(String(error.message), message);
      }
    }
  });

  it('refuses queries that are long, deep, or made to take time, within 5 ms', async () => {
    const caller = await shared.service.caller();
    for (const q of HOSTILE_LUCENE) {
      const path = `${ADDRESS}/cards?${new URLSearchParams({ q })}`;
      const { error } = bodyOf<{ error: Json }>(await caller.get(path), 400);
      assert.match(String(error.message), /^q: /);
      const ms = await paced(() => caller.get(path), { runs: 5 });
      assert.ok(ms < 5, `${q.slice(0, 40)} took ${ms} ms`);
    }
  });

  it('answers errors of the key, the path and the quota in that form', async () => {
    const { service } = shared;
    const answers = [
      [await service.get(`${ADDRESS}/cards`), 401],
      [await service.get(`${ADDRESS}/cards`, { 'x-api-key': 'x' }), 401],
      [await (await service.caller()).get(`${ADDRESS}/decks`), 404],
      [await (await service.caller()).post(`${ADDRESS}/cards`, {}), 405],
    ] as const;
    for (const [answer, code] of answers) {
      const { error } = bodyOf<{ error: Json }>(answer, code);
      assert.deepEqual([Object.keys(error), error.code], [['message', 'code'], code]);
    }
    const caller = await service.caller('free');
    await caller.spend(199);
    const last = await caller.get(`${ADDRESS}/cards/base1-4`);
    assert.equal(last.headers['x-ratelimit-remaining'], '0');
    const refused = await caller.get(`${ADDRESS}/cards/base1-4`);
    assert.equal(bodyOf<{ error: Json }>(refused, 429).error.code, 429);
  });

  it('answers a page that the caller has already with a 304', async () => {
    const caller = await shared.service.caller();
    const { headers } = await caller.get(`${ADDRESS}/cards?q=name:mew`);
    const again = await caller.get(`${ADDRESS}/cards?q=name:mew`, {
      'if-none-match': String(headers.etag),
    });
    assert.equal(again.statusCode, 304);
  });
});
