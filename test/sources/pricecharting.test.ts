import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { dayOf, formatDay, type Millis } from '../../src/domain/day.ts';
import { GAME_SLUGS } from '../../src/domain/games.ts';
import { type Cents, dollarsFromCents, MAX_CENTS } from '../../src/domain/money.ts';
import type { FeedItem, FeedOptions } from '../../src/sources/contract/feed.ts';
import { parseGrades } from '../../src/sources/contract/feed.ts';
import { BadRecord } from '../../src/sources/io/json.ts';
import { isInDollars, parsePrice } from '../../src/sources/pricecharting/adapt.ts';
import { splitConsoleName, splitProductName } from '../../src/sources/pricecharting/names.ts';
import { openPriceCharting } from '../../src/sources/pricecharting/read.ts';
import { FeedFolder, feedOptions, readFeed } from '../support/feeds.ts';
import { NOW } from '../support/tcgcsv.ts';

const GUIDE = 'test/fixtures/pricecharting/price-guide.csv';
const IN_CENTS = 'test/fixtures/pricecharting/price-guide-in-cents.csv';
const OBSERVED = Date.parse('2026-03-05');
/** Writes a price guide; returns its path. */
function fileOf(name: string, content: string | Uint8Array, modifiedAt?: Millis): string {
  return new FeedFolder().write(name, content, modifiedAt);
}

const HEAD = 'id,console-name,product-name,loose-price\n';

async function read(location: string, options: Partial<FeedOptions> = {}) {
  return readFeed(openPriceCharting, location, { observedAt: OBSERVED, ...options });
}

async function readRows(rows: string, options: Partial<FeedOptions> = {}) {
  return read(fileOf('guide.csv', HEAD + rows), options);
}

function offerOf(offers: readonly FeedItem[], key: string): FeedItem {
  return offers.find(({ card }) => card.externalId === key) ?? assert.fail(`no ${key}`);
}

describe('a price guide of PriceCharting', () => {
  test('gives the selling prices of a card, ungraded and by company and grade', async () => {
    const { card, observations } = offerOf((await read(GUIDE)).items, '630417');
    assert.deepEqual(card, {
      externalId: '630417',
      game: 'pokemon',
      name: 'Charizard',
      number: '4',
      setCode: null,
      setName: 'Base Set',
      rarity: null,
      variant: null,
      externalIds: { tcgplayer: '42382' },
      printings: null,
      image: null,
      releaseDate: '1999-01-09',
    });
    assert.deepEqual(observations, [
      {
        printing: undefined,
        marketplace: 'pricecharting',
        currency: 'USD',
        observedAt: OBSERVED,
        prices: { market: 29_898, low: null, mid: null, high: null },
        conditions: {},
        graded: {
          any_7: 72_147,
          any_8: 131_250,
          any_9: 252_280,
          any_9_5: 468_018,
          psa_10: 2_964_313,
          bgs_10: 3_853_600,
          cgc_10: 718_173,
          sgc_10: 1_778_600,
        },
        trade: { sales: { count: 2206, days: 365, last: null } },
      },
    ]);
  });

  test('distinguishes printings from variants, and ignores TCGplayer ids of both', async () => {
    const { items } = await read(GUIDE);
    const marked = ['630418', '715696', '6000900', '6000901', '6000909', '6000910'].map((key) => {
      const { card, observations } = offerOf(items, key);
      return [
        card.name,
        card.number,
        card.variant,
        observations[0]?.printing,
        card.externalIds.tcgplayer,
      ];
    });
    assert.deepEqual(marked, [
      ['Charizard', '4', '1st Edition', '1st Edition', undefined],
      ['Charizard', '4', 'Shadowless', undefined, undefined],
      ['Unown', '14', 'A', undefined, undefined],
      ['Pichu', '22', null, 'Reverse Holofoil', undefined],
      ["Ace's Baseball Bat", '1045', null, 'Foil', undefined],
      ['Elsa - Spirit of Winter', '42', null, 'Cold Foil', undefined],
    ]);
  });

  test('reads the wanted games, and counts the others', async () => {
    const { items, skipped, broken } = await read(GUIDE);
    const games = new Set(items.map(({ card }) => card.game));
    assert.deepEqual([...games].sort(), [
      'lorcana',
      'mtg',
      'onepiece',
      'pokemon',
      'pokemonjp',
      'yugioh',
    ]);
    assert.deepEqual(broken, []);
    assert.deepEqual(skipped, {
      'card in another language than English': 1,
      'sealed product': 1,
      'not a card': 2,
    });
    const only = await read(GUIDE, { games: ['mtg', 'yugioh'] });
    assert.deepEqual(
      only.items.map(({ card }) => [card.name, card.number]),
      [
        ['Aqua Madoor', 'LOB-027'],
        ["Ace's Baseball Bat", '1045'],
      ],
    );
    assert.equal(only.skipped['card of another game'], items.length + 1 - 2);
  });

  test('gives an observation without prices for a card without a price', async () => {
    const { items } = await read(GUIDE);
    const { card, observations } = offerOf(items, '6000902');
    assert.equal(card.name, "Professor's Research (Professor Sada)");
    assert.equal(card.setName, 'Scarlet & Violet');
    assert.deepEqual(
      [observations[0]?.prices.market, observations[0]?.graded],
      [null, { any_9: 1550 }],
    );
    assert.equal(offerOf(items, '6000903').observations[0]?.prices.market, null);
  });

  test('may be in cents, with fewer columns in another order', async () => {
    const { items } = await read(IN_CENTS);
    const told = items.map(({ observations }) => [
      observations[0]?.prices.market,
      observations[0]?.graded,
    ]);
    assert.deepEqual(told, [
      [29_898, { psa_10: 2_964_313, any_9: 252_280 }],
      [1439, {}],
    ]);
  });

  test('is in dollars as soon as one price in it can only be in dollars', async () => {
    const cents = await readRows('1,Pokemon Jungle,A #1,5\n2,Pokemon Jungle,B #2,600\n');
    assert.deepEqual(
      cents.items.map(({ observations }) => observations[0]?.prices.market),
      [5, 600],
    );
    const dollars = await readRows('1,Pokemon Jungle,A #1,5\n2,Playstation,Tetris,"6,000"\n');
    assert.deepEqual(
      dollars.items.map(({ observations }) => observations[0]?.prices.market),
      [500],
    );
  });

  test('is as of --observed, the day in its name or its modification time', async () => {
    const named = fileOf('pokemon-cards-2026-03-05.csv', `${HEAD}1,Pokemon Jungle,A #1,5\n`);
    const told = await openPriceCharting(named, feedOptions());
    assert.equal(formatDay(dayOf(told.observedAt)), '2026-03-05');
    const rows = `${HEAD}1,Pokemon Jungle,A #1,5\n`;
    const unnamed = fileOf('guide.csv', rows, OBSERVED);
    assert.equal((await openPriceCharting(unnamed, feedOptions())).observedAt, OBSERVED);
    const future = fileOf('guide.csv', rows, 2 * NOW);
    await assert.rejects(openPriceCharting(future, feedOptions()), /in the future/);
  });

  test('is recognised by its bytes and the grade map', async () => {
    const open = async (grades: readonly string[]) => {
      const told = feedOptions({ grades: parseGrades(grades) });
      return (await openPriceCharting(GUIDE, told)).file;
    };
    const plain = await open([]);
    assert.equal(plain?.path, 'price-guide.csv');
    assert.deepEqual(await open([]), plain);
    assert.notEqual((await open(['grade_9=psa_9']))?.digest, plain?.digest);
  });

  test('may be packed by gzip', async () => {
    const packed = fileOf('guide.csv.gz', gzipSync(`${HEAD}1,Pokemon Jungle,A #1,$5\n`));
    assert.equal((await read(packed)).items.length, 1);
  });

  test('reports its progress', async () => {
    const rows = Array.from({ length: 20_000 }, (_, id) => `${id},Pokemon Jungle,A #${id},$1\n`);
    const file = fileOf('guide.csv', HEAD + rows.join(''));
    const { feed, items, done } = await read(file);
    assert.equal(items.length, 20_000);
    assert.ok(done.length >= 40, `${done.length} batches`);
    assert.ok((done[0] ?? 0) < feed.total);
    assert.equal(done.at(-1), feed.total);
  });
});

describe('grades of no particular company', () => {
  test('are served as grades of a company only if the operator maps them', async () => {
    const plain = offerOf((await read(GUIDE)).items, '630417').observations[0]?.graded ?? {};
    assert.ok(!('psa_9' in plain || 'bgs_9_5' in plain));
    const grades = parseGrades(['any_9=psa_9', 'grade_9_5=bgs_9_5', 'any_9_5=cgc_9_5']);
    const mapped = offerOf((await read(GUIDE, { grades })).items, '630417').observations[0]?.graded;
    assert.deepEqual(mapped, {
      ...plain,
      psa_9: 252_280,
      bgs_9_5: 468_018,
      cgc_9_5: 468_018,
    });
  });

  const refused = [
    'grade_9',
    'grade_9=',
    'grade_9=psa_10',
    'grade_9=bgs_9_5',
    'any_9=any_9',
    'any_9=psa_9_x',
    'grade_10=cgc_10',
    'cgc_10=psa_10',
    'psa_9=psa_9',
    'grade_9=psa_9=x',
    '=psa_9',
  ];
  for (const pair of refused) {
    test(`cannot be mapped by ${pair}`, () => {
      assert.throws(() => parseGrades([pair]), { name: 'OperatorError', message: /^--grade/ });
    });
  }

  test('cannot be mapped twice to the same grade', () => {
    assert.throws(() => parseGrades(['grade_9=psa_9', 'grade_9=psa_9']), /^OperatorError/);
  });
});

describe('a file that is not a price guide', () => {
  const refused: readonly (readonly [string, string | Uint8Array, RegExp])[] = [
    ['nothing', '', /it has no rows/],
    ['a head only', HEAD, /it has no rows/],
    [
      'another head',
      'id,name,price\n1,a,2\n',
      /it has no column console-name, product-name, loose/,
    ],
    ['a page of the web', '<!doctype html>\n<p>Log in\n</p>\n', /it has no column id/],
    ['semicolons', `${HEAD.replaceAll(',', ';')}1;2;3;4\n`, /it has no column id/],
    ['Latin-1', Buffer.from(`${HEAD}1,Pokemon Jungle,Pok\xe9mon #1,5\n`, 'latin1'), /not UTF-8/],
    ['bytes', Buffer.from([0, 0xff, 0xfe, 0]), /not UTF-8/],
    ['a head that is cut off', 'id,"console-name', /no head/],
  ];
  for (const [what, content, message] of refused) {
    test(`is refused when it holds ${what}`, async () => {
      const file = fileOf('guide.csv', content);
      await assert.rejects(read(file), { name: 'OperatorError', message });
      await assert.rejects(read(file), /is not a price guide of PriceCharting: /);
    });
  }

  test('is refused when it does not exist', async () => {
    await assert.rejects(read('/no/such/file.csv'), { name: 'OperatorError' });
    await assert.rejects(read('src'), { name: 'OperatorError', message: /is a folder/ });
  });

  test('is read until a byte that is not text, and not published', async () => {
    const rows = Array.from({ length: 30_000 }, (_, id) => `${id},Pokemon Jungle,A #${id},$1\n`);
    const bytes = Buffer.concat([Buffer.from(HEAD + rows.join('')), Buffer.from([0xff, 0x0a])]);
    await assert.rejects(read(fileOf('guide.csv', bytes)), /not UTF-8/);
  });
});

describe('a row of a price guide', () => {
  const bad: readonly (readonly [string, RegExp])[] = [
    ['1,Pokemon Jungle,A #1,-5.00', /^"-5.00" cannot be a price$/],
    ['1,Pokemon Jungle,A #1,"1,23.00"', /cannot be a price/],
    ['1,Pokemon Jungle,A #1,$99999999.00', /cannot be a price/],
    ['1,Pokemon Jungle,A #1,1e9', /cannot be a price/],
    ['1,Pokemon Jungle,A #1,NaN', /cannot be a price/],
    ['1,Pokemon Jungle,A #1,0x10', /cannot be a price/],
    [',Pokemon Jungle,A #1,$1', /^"" is not an id$/],
    ['a b,Pokemon Jungle,A #1,$1', /^"a b" is not an id$/],
    ['1,,A #1,$1', /^console-name is empty$/],
    ['1,Pokemon Jungle,,$1', /^product-name is empty$/],
    [`1,Pokemon Jungle,${'x'.repeat(1_000_000)} #1,$1`, /^product-name is too long/],
    ['1,Pokemon Jungle,A #1', /^3 cells where the header has 4$/],
    ['1,Pokemon Jungle,"A #1,$1', /./],
  ];
  for (const [row, reason] of bad) {
    test(`such as ${row.slice(0, 45)} is named, and the others are read`, async () => {
      const rows = `7,Pokemon Jungle,B #7,$7.00\n${row}\n8,Pokemon Jungle,C #8,$8.00\n`;
      const { items, broken } = await readRows(rows);
      assert.deepEqual(
        items.map(({ card }) => card.externalId),
        ['7', '8'],
      );
      assert.equal(broken.length, 1);
      assert.equal(broken[0]?.name, 'row 3');
      assert.match(broken[0]?.reason ?? '', reason);
    });
  }

  test('counts once when it is listed twice', async () => {
    const { items, skipped } = await readRows(
      '1,Pokemon Jungle,A #1,$1\n1,Pokemon Jungle,A #1,$2\n',
    );
    assert.deepEqual([items.length, skipped], [1, { 'listed twice': 1 }]);
  });

  test('may have quotes, commas and entities in its names', async () => {
    const { items } = await readRows(
      '1,"Magic Un&shy;known, &amp; co","""Ach! Hans, Run!"" #97",$1\n' +
        '2,Pokemon Jungle,Farfetch&#39;d #27,$2\n',
    );
    assert.deepEqual(
      items.map(({ card }) => [card.setName, card.name, card.number]),
      [
        ['Un&shy;known, & co', '"Ach! Hans, Run!"', '97'],
        ['Jungle', "Farfetch'd", '27'],
      ],
    );
  });
});

describe('a price', () => {
  const amount = fc.integer({ min: 0, max: MAX_CENTS });

  test('is the same in all ways of writing it', () => {
    fc.assert(
      fc.property(amount, (cents) => {
        const expected = cents === 0 ? null : cents;
        const dollars = dollarsFromCents(cents as Cents);
        const grouped = dollars.toLocaleString('en-US', { minimumFractionDigits: 2 });
        for (const text of [dollars.toFixed(2), `$${dollars.toFixed(2)}`, grouped, `$${grouped}`]) {
          assert.equal(parsePrice(text, 'dollars'), expected);
          assert.ok(isInDollars(text));
        }
        assert.equal(parsePrice(String(cents), 'cents'), expected);
        assert.ok(!isInDollars(String(cents)));
      }),
    );
  });

  test('of any text is null, whole cents, or a BadRecord', () => {
    const texts = fc.oneof(
      fc.string(),
      fc.stringMatching(/^[$\d.,eE+-]{0,12}$/),
      fc.double().map(String),
    );
    fc.assert(
      fc.property(texts, fc.constantFrom('dollars', 'cents'), (text, unit) => {
        try {
          const cents = parsePrice(text, unit);
          const isPrice = Number.isInteger(cents) && cents && cents > 0 && cents <= MAX_CENTS;
          assert.ok(cents === null || isPrice);
        } catch (error) {
          assert.ok(error instanceof BadRecord);
        }
      }),
    );
  });
});

describe('the name of a product', () => {
  const word = fc.stringMatching(/^[A-Za-z'éδ★&.-]{1,8}$/).filter((text) => !/^-|amp;/.test(text));
  const name = fc.array(word, { minLength: 1, maxLength: 4 }).map((words) => words.join(' '));
  const number = fc.stringMatching(/^[A-Z]{0,4}\d{1,3}[a-z]?$/);
  const variant = fc.constantFrom('Shadowless', 'Staff', 'A', 'Poke Ball', 'Gold Star', 'Jumbo');
  const printing = fc.constantFrom(
    ['1st Edition', '1st Edition'] as const,
    ['Reverse Holo', 'Reverse Holofoil'] as const,
    ['Holo', 'Holofoil'] as const,
  );
  const none = { nil: null };

  test('splits into the parts that it was made of', () => {
    fc.assert(
      fc.property(
        name,
        fc.option(number, none),
        fc.option(variant, none),
        fc.option(printing, none),
        (plain, own, mark, finish) => {
          const marks = [mark, finish?.[0]].filter((one) => typeof one === 'string');
          const brackets = marks.map((one) => `[${one}]`);
          const text = [plain, ...brackets, ...(own === null ? [] : [`#${own}`])].join(' ');
          const kept = marks.filter((one) => one === mark || one === '1st Edition');
          assert.deepEqual(splitProductName(text, 'pokemon'), {
            name: plain,
            number: own,
            variant: kept.length === 0 ? null : kept.join(', '),
            printing: finish?.[1],
          });
        },
      ),
    );
  });

  test('never splits into an empty name', () => {
    const piece = fc.constantFrom('[', ']', '#', ' ', 'a', '1', '&#', '39;', '&amp;', '-', 'Ⅷ');
    const text = fc.array(piece, { minLength: 1, maxLength: 30 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(text, fc.constantFrom(...GAME_SLUGS), (whole, game) => {
        fc.pre(whole.trim() !== '');
        const { name: left, number: own, variant: mark } = splitProductName(whole, game);
        assert.ok(left !== '' && own !== '' && mark !== '');
      }),
    );
  });

  const cases: readonly (readonly [string, string, string | null, string | null, string?])[] = [
    ['Meloetta-EX #RC11', 'Meloetta-EX', 'RC11', null],
    ['Alph Lithograph #TWO', 'Alph Lithograph', 'TWO', null],
    ['Porygon [Reverse Holo] #103a', 'Porygon', '103a', null, 'Reverse Holofoil'],
    ['Porygon [Holo] [German] #39', 'Porygon', '39', null, 'Holofoil (German)'],
    ['Porygon [French] [Cosmos] #39', 'Porygon', '39', 'Cosmos', 'Unspecified (French)'],
    ['Charizard #4 [1st Edition]', 'Charizard', '4', '1st Edition', '1st Edition'],
    ['Charizard [1ST EDITION] #4/102', 'Charizard', '4/102', '1ST EDITION', '1st Edition'],
    [
      'Machamp [1st Edition] [Shadowless] #8',
      ...(['Machamp', '8', '1st Edition, Shadowless', '1st Edition'] as const),
    ],
    [
      'Machamp [1st Edition] [Holo] #8',
      ...(['Machamp', '8', '1st Edition', '1st Edition Holofoil'] as const),
    ],
    ['Charmeleon [Non-Holo] #24', 'Charmeleon', '24', 'Non-Holo'],
    ['Charmeleon [Non Holo] [Staff] #24', 'Charmeleon', '24', 'Non Holo, Staff'],
    ['Pichu [Holo] [Reverse Holo] #22', 'Pichu', '22', null, 'Holofoil Reverse Holofoil'],
    ['Pikachu []', 'Pikachu', null, null],
    ['#4', '#4', null, null],
    ['[Staff]', '[Staff]', null, null],
    ['Black Lotus', 'Black Lotus', null, null],
  ];
  for (const [text, left, own, mark, finish] of cases) {
    test(`${text} is ${left}`, () => {
      const expected = { name: left, number: own, variant: mark, printing: finish };
      assert.deepEqual(splitProductName(text, 'pokemon'), expected);
    });
  }

  test('may end in a code in games whose cards have codes', () => {
    const luffy = splitProductName('Baby 5 [Alternate Art PRB01] OP05-034', 'onepiece');
    assert.deepEqual(
      [luffy.name, luffy.number, luffy.variant],
      ['Baby 5', 'OP05-034', 'Alternate Art PRB01'],
    );
    const dragon = splitProductName('Blue-Eyes White Dragon [1st Edition] SDK-E001', 'yugioh');
    assert.deepEqual([dragon.name, dragon.number], ['Blue-Eyes White Dragon', 'SDK-E001']);
    assert.equal(splitProductName('Number 39: Utopia', 'yugioh').number, null);
    assert.equal(splitProductName('Some Card OP05-034', 'pokemon').number, null);
  });
});

describe('the name of a console', () => {
  const cases: readonly (readonly [string, ReturnType<typeof splitConsoleName>])[] = [
    ['Pokemon Base Set', { game: 'pokemon', setName: 'Base Set' }],
    ['Pokémon 151', { game: 'pokemon', setName: '151' }],
    ['Pokemon HS—Unleashed', { game: 'pokemon', setName: 'HS—Unleashed' }],
    ['Pokemon Japanese Jungle', { game: 'pokemonjp', setName: 'Jungle' }],
    ['Pokemon', { game: 'pokemon', setName: null }],
    ['Magic M10', { game: 'mtg', setName: 'M10' }],
    ['YuGiOh Metal Raiders', { game: 'yugioh', setName: 'Metal Raiders' }],
    ['Yu-Gi-Oh! Metal Raiders', { game: 'yugioh', setName: 'Metal Raiders' }],
    ['Lorcana Fabled', { game: 'lorcana', setName: 'Fabled' }],
    ['One Piece Romance Dawn', { game: 'onepiece', setName: 'Romance Dawn' }],
    ['Star Wars Unlimited Promo', { game: 'swu', setName: 'Promo' }],
    ['Flesh &amp; Blood Monarch', { game: 'fab', setName: 'Monarch' }],
    ['Pokemon Chinese Gem Pack', 'card in another language than English'],
    ['One Piece Japanese Romance Dawn', 'card in another language than English'],
    ['Pokemonster Hunter', 'not of a game of ours'],
    ['Magical Drop', 'not of a game of ours'],
    ['Comic Books One Piece', 'not of a game of ours'],
    ['Marbles Great Legend', 'not of a game of ours'],
    ['', 'not of a game of ours'],
  ];
  for (const [text, expected] of cases) {
    test(`${text} is ${JSON.stringify(expected)}`, () => {
      assert.deepEqual(splitConsoleName(text), expected);
    });
  }
});
