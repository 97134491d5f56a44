import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { gameOfFile, splitName } from '../../src/sources/cardmarket/adapt.ts';
import { openCardmarket } from '../../src/sources/cardmarket/read.ts';
import type { FeedItem, FeedOptions } from '../../src/sources/contract/feed.ts';
import { FeedFolder, feedOptions, readFeed } from '../support/feeds.ts';

const FOLDER = 'test/fixtures/cardmarket';
const MAGIC = `${FOLDER}/price_guide_1.json`;
const POKEMON = `${FOLDER}/price_guide_6.json`;
const PRODUCTS = `${FOLDER}/products_singles_6.json`;
/** The files have it as 02:43:21+0100. */
const OBSERVED = Date.parse('2026-01-28T01:43:21Z');

async function open(location: string, options: Partial<FeedOptions> = {}) {
  return openCardmarket(location, feedOptions(options));
}

async function read(location: string, options: Partial<FeedOptions> = {}) {
  return readFeed(openCardmarket, location, options);
}

async function readGuides(guides: unknown, name = 'price_guide_1.json') {
  const createdAt = '2026-01-28T02:43:21+0100';
  return read(fileOf(name, { version: 1, createdAt, priceGuides: guides }));
}

function fileOf(name: string, content: string | Uint8Array | object): string {
  return new FeedFolder().write(name, content);
}

/** Returns the market price and the lowest listing of each printing. */
function figuresOf({ observations }: FeedItem) {
  return observations.map(({ printing, prices }) => [printing, prices.market, prices.low]);
}

describe('a price guide of Cardmarket', () => {
  test('gives the trend as market price and the lowest listing of an id, in euros', async () => {
    const { items, broken } = await read(MAGIC);
    const [first] = items;
    assert.deepEqual(first?.card, {
      externalId: '1',
      game: 'mtg',
      name: '',
      number: null,
      setCode: null,
      setName: null,
      rarity: null,
      variant: null,
      externalIds: { cardmarket: '1' },
      printings: null,
      image: null,
      releaseDate: null,
    });
    const rest = { marketplace: 'cardmarket', currency: 'EUR', observedAt: OBSERVED };
    const nothingElse = { conditions: {}, graded: {} };
    assert.deepEqual(first?.observations, [
      {
        ...rest,
        printing: 'Normal',
        prices: { market: 10, low: 2, mid: null, high: null },
        ...nothingElse,
      },
      {
        ...rest,
        printing: 'Foil',
        prices: { market: 40, low: 4, mid: null, high: null },
        ...nothingElse,
      },
    ]);
    assert.deepEqual(broken, []);
  });

  test('has no price where it gives nothing or zero', async () => {
    const { items } = await read(MAGIC);
    assert.deepEqual(items.map(figuresOf).slice(1), [
      [['Normal', 499, 350]],
      [['Foil', 24_877, 23_999]],
      [],
      [['Normal', 9120, 8000]],
    ]);
  });

  test('does not price a product that exists as a foil only as a plain card', async () => {
    const { items } = await read(MAGIC);
    const foil = items.find(({ card }) => card.externalId === '904772') ?? assert.fail();
    assert.deepEqual(figuresOf(foil), [['Foil', 24_877, 23_999]]);
    const sold = { idProduct: 1, avg30: 5, low: 7, trend: 0, 'low-foil': 7, 'trend-foil': 9 };
    assert.deepEqual((await readGuides([sold])).items.map(figuresOf), [
      [
        ['Normal', null, 700],
        ['Foil', 900, 700],
      ],
    ]);
  });

  test('of Pokémon has foils as holo, which are reverse holos', async () => {
    const { items } = await read(POKEMON);
    assert.deepEqual(items.map(figuresOf), [
      [
        [undefined, 16, 2],
        ['Reverse Holofoil', 65, 10],
      ],
      [[undefined, 875, 400]],
      [[undefined, 9500, 8000]],
    ]);
  });

  test('of games without separate finishes is read without prices of foils', async () => {
    const guide = { idProduct: 1, trend: 5, 'trend-foil': 9 };
    const { items, skipped } = await readGuides([guide], 'price_guide_18.json');
    assert.equal(items[0]?.card.game, 'onepiece');
    assert.deepEqual(items.map(figuresOf), [[[undefined, 500, null]]]);
    assert.deepEqual(skipped, { 'price of a foil that is not told apart': 1 });
  });

  test('gets names from the product list, and leaves out products that are not in it', async () => {
    const { items, skipped } = await read(POKEMON, { files: { products: PRODUCTS } });
    assert.deepEqual(
      items.map(({ card }) => card.name),
      ['Weedle', 'Charizard ex'],
    );
    assert.deepEqual(skipped, { 'not a single card': 1 });
  });

  test('is recognised by its bytes and the bytes of the product list', async () => {
    const plain = (await open(POKEMON)).file;
    const named = (await open(POKEMON, { files: { products: PRODUCTS } })).file;
    assert.equal(plain?.path, 'price_guide_6.json');
    assert.equal(named?.path, 'price_guide_6.json');
    assert.notEqual(plain?.digest, named?.digest);
    assert.deepEqual((await open(POKEMON)).file, plain);
  });

  test('may be packed by gzip', async () => {
    const packed = fileOf('price_guide_6.json.gz', gzipSync(readFileSync(POKEMON)));
    assert.equal((await read(packed)).items.length, 3);
  });

  test('reports its progress', async () => {
    const guides = Array.from({ length: 20_000 }, (_, id) => ({ idProduct: id + 1, trend: 1 }));
    const file = { createdAt: '2026-01-28T02:43:21+0100', priceGuides: guides };
    const { feed, items, done } = await read(fileOf('price_guide_1.json', file));
    assert.equal(items.length, 20_000);
    assert.ok(done.length >= 40 && (done[0] ?? 0) < feed.total);
    assert.equal(done.at(-1), feed.total);
  });
});

describe('the game of a price guide', () => {
  test('is the number in its name', () => {
    const names = [1, 3, 6, 16, 18, 19, 21].map((number) => `price_guide_${number}.json`);
    assert.deepEqual(
      names.map((name) => gameOfFile(name)?.slug),
      ['mtg', 'yugioh', 'pokemon', 'fab', 'onepiece', 'lorcana', 'swu'],
    );
    assert.equal(gameOfFile('price_guide_6 (2).json.gz')?.slug, 'pokemon');
    assert.equal(gameOfFile('price_guide_17.json'), undefined);
    assert.equal(gameOfFile('price_guide_1234.json'), undefined);
  });

  test('may be given by the operator, unless the name has another', async () => {
    const file = fileOf('guide.json', readFileSync(MAGIC));
    await assert.rejects(open(file), {
      name: 'OperatorError',
      message: /guide\.json does not show its game: keep the name .* or give the game with --game/,
    });
    await assert.rejects(open(file, { games: ['mtg', 'swu'] }), /does not show its game/);
    const { items } = await read(file, { games: ['mtg'] });
    assert.equal(items[0]?.card.game, 'mtg');
    await assert.rejects(open(POKEMON, { games: ['mtg'] }), /is a file of pokemon, not of mtg/);
  });
});

describe('the moment of a price guide', () => {
  const at = (createdAt: unknown) => {
    const content = { priceGuides: [{ idProduct: 1, trend: 1 }], createdAt };
    return fileOf('price_guide_1.json', content);
  };

  test('is the one it gives, or the operator gives', async () => {
    assert.equal((await open(MAGIC)).observedAt, OBSERVED);
    assert.equal((await open(at('2026-01-28T01:43:21Z'))).observedAt, OBSERVED);
    const told = await open(at('lately'), { observedAt: OBSERVED });
    assert.equal(told.observedAt, OBSERVED);
  });

  for (const moment of ['lately', '2099-01-01T00:00:00+0000', 5, null, undefined]) {
    test(`cannot be ${moment}`, async () => {
      await assert.rejects(open(at(moment)), { name: 'OperatorError', message: /--observed YYYY/ });
    });
  }
});

describe('a file that is not a price guide', () => {
  const refused: readonly (readonly [string, string | Uint8Array, RegExp])[] = [
    ['nothing', '', /breaks off/],
    ['half a file', readFileSync(MAGIC).subarray(0, 500), /breaks off in the middle/],
    ['a page of the web', '<html>', /neither an object nor an array/],
    ['another list', '{"createdAt":"2026-01-28T02:43:21Z","products":[]}', /no "priceGuides"/],
    ['no list', '{"createdAt":"2026-01-28T02:43:21Z","priceGuides":[]}', /no "priceGuides"/],
  ];
  for (const [what, content, message] of refused) {
    test(`is refused when it holds ${what}`, async () => {
      const file = fileOf('price_guide_1.json', content);
      await assert.rejects(read(file), { name: 'OperatorError', message });
    });
  }

  test('is also refused as a product list', async () => {
    for (const products of [MAGIC, 'package.json']) {
      await assert.rejects(read(POKEMON, { files: { products } }), {
        name: 'OperatorError',
        message: /is not a product list of Cardmarket: it has no "products"/,
      });
    }
    const files = { products: '/no/such/file.json' };
    await assert.rejects(open(POKEMON, { files }), { name: 'OperatorError' });
  });
});

describe('an entry of a price guide', () => {
  const bad: readonly (readonly [string, unknown, RegExp])[] = [
    ['a negative price', { idProduct: 2, low: -1 }, /^low "-1" cannot be a price$/],
    ['an absurd price', { idProduct: 2, 'trend-foil': 1e11 }, /^trend-foil .* cannot be a price$/],
    ['text for a price', { idProduct: 2, trend: '5' }, /trend/],
    ['no id', { trend: 5 }, /idProduct/],
    ['half an id', { idProduct: 2.5, trend: 5 }, /idProduct/],
    ['nothing in it', null, /./],
  ];
  for (const [what, guide, reason] of bad) {
    test(`with ${what} is named, and the others are read`, async () => {
      const { items, broken } = await readGuides([
        { idProduct: 1, trend: 1 },
        guide,
        { idProduct: 3, trend: 1 },
      ]);
      assert.deepEqual(
        items.map(({ card }) => card.externalId),
        ['1', '3'],
      );
      assert.equal(broken.length, 1);
      assert.match(broken[0]?.reason ?? '', reason);
    });
  }

  test('counts once when it is listed twice', async () => {
    const guide = { idProduct: 1, trend: 1 };
    const { items, skipped } = await readGuides([guide, guide]);
    assert.deepEqual([items.length, skipped], [1, { 'listed twice': 1 }]);
  });
});

describe('the name of a product', () => {
  const cases: readonly (readonly [string, string, string | null, string | null])[] = [
    ['Weedle [Multiply]', 'Weedle', null, null],
    ['Charizard ex [Brave Wing | Explosive Vortex]', 'Charizard ex', null, null],
    ['Roronoa Zoro (OP01-001)', 'Roronoa Zoro', 'OP01-001', null],
    ['Roronoa Zoro (OP01-001) (V.2)', 'Roronoa Zoro', 'OP01-001', 'V.2'],
    [
      'Blue-Eyes White Dragon (V.1 - Ultra Rare)',
      'Blue-Eyes White Dragon',
      null,
      'V.1 - Ultra Rare',
    ],
    ['Fire // Ice', 'Fire // Ice', null, null],
    ['Farfetch&#39;d', "Farfetch'd", null, null],
    ['Erase (Not the Urza&apos;s Legacy One)', "Erase (Not the Urza's Legacy One)", null, null],
  ];
  for (const [text, name, number, variant] of cases) {
    test(`${text} is ${name}`, () => {
      assert.deepEqual(splitName(text), { name, number, variant });
    });
  }

  test('may be any text', () => {
    const piece = fc.constantFrom('[', ']', '(', ')', 'V.1', 'OP01-001', ' ', 'a', '&#', '39;');
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        const { name } = splitName(pieces.join(''));
        assert.equal(name, name.trim());
      }),
    );
  });
});
