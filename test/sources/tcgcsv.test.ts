import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { findGame } from '../../src/domain/games.ts';
import {
  adaptPrices,
  adaptProducts,
  adaptSet,
  cardName,
  MalformedFile,
  parsePrices,
  parseProducts,
  type RawPrice,
  type RawProduct,
} from '../../src/sources/tcgcsv/adapt.ts';

const pokemon = findGame('pokemon');
assert.ok(pokemon);

function product(fields: Partial<RawProduct>, extended: Record<string, string> = {}): RawProduct {
  const extendedData = Object.entries(extended).map(([name, value]) => ({ name, value }));
  return { productId: 1, name: 'Abra', imageUrl: null, imageCount: 1, extendedData, ...fields };
}

function price(fields: Partial<RawPrice>): RawPrice {
  const none = { lowPrice: null, midPrice: null, highPrice: null, marketPrice: null };
  return { productId: 1, subTypeName: 'Normal', ...none, ...fields };
}

describe('names', () => {
  const examples: readonly [string, string | null, string][] = [
    ['Kangaskhan ex - 190/165', '190/165', 'Kangaskhan ex'],
    ['Torchic - 2/12', '002/012', 'Torchic'],
    ["Brock's Sandshrew (72)", '072/132', "Brock's Sandshrew"],
    ['Tropical Wind - DP05 (Worlds 07)', 'DP05', 'Tropical Wind (Worlds 07)'],
    ['Roronoa Zoro (025) (Parallel)', 'OP01-025', 'Roronoa Zoro (Parallel)'],
    ['3099 Eevee - 200 (Cosmos Holo)', 'SVP 200', '3099 Eevee (Cosmos Holo)'],
    ['Dunsparce - 2005 (Michael Gonzalez)', '60/100', 'Dunsparce - 2005 (Michael Gonzalez)'],
    ['Elsa - Spirit of Winter', '42/204', 'Elsa - Spirit of Winter'],
    ['Pack Hunt (Yellow)', 'HVY033', 'Pack Hunt (Yellow)'],
    ['Rosinante &amp; Law', 'EB04-038', 'Rosinante & Law'],
    ['Forest', null, 'Forest'],
    ['(4)', '4', '(4)'],
  ];
  for (const [raw, number, name] of examples) {
    test(`"${raw}" with the number ${number} is "${name}"`, () => {
      assert.equal(cardName(raw, number), name);
    });
  }

  test('never become empty', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), fc.string(), (name, number) => {
        assert.equal(cardName(name, number) === '', name.trim() === '');
      }),
    );
  });
});

describe('products', () => {
  test('with neither number nor rarity are sealed, and code cards are not cards', () => {
    const { cards, skipped } = adaptProducts(pokemon, [
      product({ productId: 1 }, { Number: '43/102', Rarity: 'Common' }),
      product({ productId: 2, name: 'Booster Box' }, { UPC: '0820650-80497' }),
      product({ productId: 3, name: 'Code Card - Base' }, { Rarity: 'Code Card' }),
    ]);
    const kinds = cards.map(({ externalId, product, rarity }) => [externalId, rarity, product]);
    assert.deepEqual(kinds, [
      ['1', 'Common', undefined],
      ['2', null, { type: 'booster-box', upc: '082065080497' }],
      ['3', null, { type: 'code-card', upc: null }],
    ]);
    assert.deepEqual(skipped, {});
  });

  test('with the fields of a card, but neither number nor rarity, are left out', () => {
    const { cards, skipped } = adaptProducts(pokemon, [
      product({ productId: 1, name: 'Pikachu ex' }, { HP: '120', CardText: 'Draw.' }),
    ]);
    assert.deepEqual([cards, skipped], [[], { 'card without a number and a rarity': 1 }]);
  });

  test('without a picture have none, and the larger size is served otherwise', () => {
    const imageUrl = 'https://cdn.example/1_200w.jpg';
    const [shown, hidden] = adaptProducts(pokemon, [
      product({ productId: 1, imageUrl }, { Number: '1' }),
      product({ productId: 2, imageUrl, imageCount: 0 }, { Number: '2' }),
    ]).cards;
    assert.equal(shown?.image, 'https://cdn.example/1_in_1000x1000.jpg');
    assert.equal(hidden?.image, null);
  });

  test('with the number N/A have no number', () => {
    const [card] = adaptProducts(pokemon, [product({}, { Number: 'N/A', Rarity: 'Promo' })]).cards;
    assert.equal(card?.number, null);
  });

  test('listed twice count once, and are bad when they are not the same', () => {
    const twice = [product({}, { Number: '1' }), product({}, { Number: '1' })];
    assert.equal(adaptProducts(pokemon, twice).cards.length, 1);
    const { cards, bad } = adaptProducts(pokemon, [...twice, product({}, { Number: '2' })]);
    assert.deepEqual(cards, []);
    assert.deepEqual(
      bad.map(({ productId, reason }) => [productId, reason]),
      [[1, 'it is listed twice, as two different products']],
    );
  });
});

describe('prices', () => {
  test('are whole cents; null and zero are unknown', () => {
    const { listings } = adaptPrices([price({ marketPrice: 4.35, lowPrice: 0 })]);
    assert.deepEqual(listings[0]?.prices, { market: 435, low: null, mid: null, high: null });
  });

  test('that contradict each other for a printing are left out; equal ones count once', () => {
    const { listings, contradictory } = adaptPrices([
      price({ subTypeName: 'Foil', marketPrice: 33.55 }),
      price({ subTypeName: 'Foil', marketPrice: 29.09 }),
      price({ subTypeName: 'Normal', marketPrice: 1 }),
      price({ subTypeName: 'Normal', marketPrice: 1 }),
    ]);
    assert.deepEqual(
      listings.map((listing) => listing.printing),
      ['Normal'],
    );
    assert.deepEqual(contradictory, ['1']);
  });

  const rows = [price({ productId: 5 }), price({ productId: 6 })];

  for (const wrong of ['-1', '1e9', '1e300', '1e999', 'NaN', 'Infinity', '"4.35"', 'true', '{}']) {
    test(`of ${wrong} dollars are bad rows, and the others are read`, () => {
      const [good, bad] = rows.map((row) => JSON.stringify(row));
      const changed = bad?.replace(/"marketPrice":[^,}]+/, `"marketPrice":${wrong}`);
      const read = parsePrices(Buffer.from(`{"success":true,"results":[${good},${changed}]}`));
      assert.deepEqual(read.rows, [rows[0]]);
      assert.match(read.bad[0]?.name ?? '', /^prices, row 2/);
      assert.match(read.bad[0]?.reason ?? '', /^marketPrice must be|^not valid JSON$/);
    });
  }

  test('that are bad make the file malformed when they are many', () => {
    const lines = (bad: number, good: number) => {
      const results = [
        ...Array(bad).fill({ ...rows[0], lowPrice: 'x' }),
        ...Array(good).fill(rows[0]),
      ];
      return Buffer.from(JSON.stringify({ results }));
    };
    assert.equal(parsePrices(lines(4, 0)).bad.length, 4);
    assert.equal(parsePrices(lines(5, 20)).bad.length, 5);
    assert.throws(
      () => parsePrices(lines(6, 20)),
      /^Error: prices: 6 of 26 rows are bad, more than 20 %; the first is prices, row 1 \(product 5\): lowPrice must be number, but is "x"$/,
    );
  });
});

describe('groups', () => {
  const raw = { groupId: 7, name: 'SV: Black Bolt', abbreviation: '', publishedOn: null };

  test('without a code get one from their name', () => {
    assert.equal(adaptSet(pokemon, raw).code, 'SV-BLACK-BOLT');
  });

  test('with the date that stands for an unknown release have no date', () => {
    const unknown = { ...raw, publishedOn: '1999-01-01T00:00:00' };
    assert.equal(adaptSet(pokemon, unknown).releaseDate, null);
    const known = { ...raw, publishedOn: '1999-01-09T00:00:00.16' };
    assert.equal(adaptSet(pokemon, known).releaseDate, '1999-01-09');
  });

  test('with the moment of the request as their date have no date', () => {
    const dateOf = (publishedOn: string) => adaptSet(pokemon, { ...raw, publishedOn }).releaseDate;
    // POP Series 6 of 2007, pulled on that day.
    assert.equal(dateOf('2025-06-25T20:00:06.5147727Z'), null);
    assert.equal(dateOf('not a date'), null);
    // A presale, and midnight in another zone.
    assert.equal(dateOf('2025-07-18T00:00:00'), '2025-07-18');
    assert.equal(dateOf('2024-09-20T04:00:00Z'), '2024-09-20');
    assert.equal(dateOf('2024-09-20'), '2024-09-20');
  });
});

describe('files', () => {
  const bytes = (text: string) => new TextEncoder().encode(text);

  test('of any other shape are malformed', () => {
    const wrong = ['', '<html>', '[]', '{"results":{}}', '{"results":[NaN'];
    for (const text of wrong) assert.throws(() => parseProducts(bytes(text)), MalformedFile, text);
    fc.assert(
      fc.property(fc.json(), (text) => {
        assert.throws(() => parsePrices(bytes(text)), MalformedFile);
      }),
    );
  });

  test('name rows of another shape, and the products that these are of', () => {
    const rows = [
      { productId: '1', name: 'x', extendedData: [] },
      { productId: 1, name: '', extendedData: [] },
      { name: 'x\u001b[31m', extendedData: [] },
      7,
    ];
    const { bad } = parseProducts(bytes(JSON.stringify({ results: rows })));
    assert.deepEqual(
      bad.map(({ name, productId }) => [name, productId]),
      [
        ['products, row 1 (product 1)', 1],
        ['products, row 2 (product 1)', 1],
        ['products, row 3', null],
        ['products, row 4', null],
      ],
    );
  });

  test('that are not UTF-8 are malformed', () => {
    const latin1 = Buffer.from('{"results":[{"name":"Pok\xe9mon"}]}', 'latin1');
    assert.throws(() => parseProducts(latin1), /not UTF-8/);
  });

  test('of an empty group hold nothing', () => {
    const empty = parsePrices(bytes('{"success":true,"errors":[],"results":[]}'));
    assert.deepEqual(empty, { rows: [], bad: [] });
  });
});
