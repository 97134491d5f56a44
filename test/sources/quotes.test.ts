import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import fc from 'fast-check';
import { type Day, dayOf, formatDay, parseDay } from '../../src/domain/day.ts';
import { CONTRACT_GRADES as GRADES } from '../../src/domain/grade-names.ts';
import { type Cents, dollarsFromCents, MAX_CENTS } from '../../src/domain/money.ts';
import { CONDITIONS, NO_PRICES } from '../../src/domain/price.ts';
import type { Backfill, BackfillListing } from '../../src/sources/contract/backfill.ts';
import { BadRow } from '../../src/sources/io/csv.ts';
import {
  adaptRow,
  findColumns,
  parseColumns,
  QUOTE_COLUMNS,
  type QuoteFile,
} from '../../src/sources/quotes/adapt.ts';
import { openQuotes, type QuoteOptions } from '../../src/sources/quotes/read.ts';
import { NOW } from '../support/tcgcsv.ts';

const COLUMNS = ['card', 'printing', 'date', 'market', 'low', 'mid', 'high'] as const;
const ALL_COLUMNS = [...COLUMNS, ...CONDITIONS, ...GRADES, 'currency', 'source'] as const;
const NAMES = findColumns(COLUMNS, new Map());
const LATEST = dayOf(NOW);
const FILE: QuoteFile = { names: NAMES, latest: LATEST, currency: 'USD' };

/** Writes a file, which is removed when the test ends; returns its path. */
async function fileWith(text: string | Uint8Array): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'cardprice-quotes-'));
  after(() => rm(folder, { recursive: true }));
  const file = join(folder, 'quotes');
  await writeFile(file, text);
  return file;
}

async function open(
  text: string | Uint8Array,
  options: Partial<QuoteOptions> = {},
): Promise<Backfill> {
  const fixed = { format: 'csv', renamed: new Map(), marketplace: 'me', now: NOW } as const;
  return openQuotes(await fileWith(text), { ...fixed, ...options });
}

async function read(backfill: Backfill) {
  const listings: BackfillListing[] = [];
  const broken: { name: string; reason: string }[] = [];
  for await (const { outcome } of backfill.parts(() => undefined)) {
    if (outcome.kind === 'broken') broken.push({ name: 'file', reason: outcome.reason });
    for (const chunk of outcome.kind === 'read' ? outcome.part.chunks : []) {
      listings.push(...chunk.listings);
      broken.push(...chunk.broken);
    }
  }
  return { listings, broken };
}

const anyCents = fc.integer({ min: 1, max: MAX_CENTS }).map((amount) => amount as Cents);
const cents = fc.option(anyCents);
const plain = { noNullPrototype: true };
const base = {
  externalId: fc.stringMatching(/^[a-z0-9-]{1,20}$/),
  printing: fc.option(fc.constantFrom('Normal', 'Foil, "cold"', 'Ünusual'), { nil: undefined }),
  day: fc.integer({ min: 0, max: LATEST }).map((day) => day as Day),
  prices: fc.record({ market: cents, low: cents, mid: cents, high: cents }, plain),
};
const anyListing: fc.Arbitrary<BackfillListing> = fc.record(base, plain);

/** Generates some amounts of these columns. */
function someOf<Name extends string>(names: readonly Name[]) {
  return fc.dictionary(fc.constantFrom(...names), anyCents, plain) as fc.Arbitrary<
    Partial<Record<Name, Cents>>
  >;
}

/** Generates a listing of a file that has all columns. */
const anyWholeListing: fc.Arbitrary<BackfillListing> = fc.record(
  {
    ...base,
    conditions: someOf(CONDITIONS),
    graded: someOf(GRADES),
    currency: fc.constant('EUR' as const),
    marketplace: fc.stringMatching(/^[a-z0-9][a-z0-9-]{0,31}$/),
  },
  { ...plain, requiredKeys: ['externalId', 'printing', 'day', 'prices', 'conditions', 'graded'] },
);

type Cells = Record<string, string | number | null>;

function rowOf({ externalId, printing, day, prices, ...rest }: BackfillListing): Cells {
  const { conditions = {}, graded = {}, currency = null, marketplace = null } = rest;
  const amounts = Object.entries({ ...prices, ...conditions, ...graded });
  const dollars = amounts.map(([figure, amount]) => {
    return [figure, amount === null ? null : dollarsFromCents(amount)] as const;
  });
  const named = { card: externalId, printing: printing ?? null, date: formatDay(day) };
  return { ...named, ...Object.fromEntries(dollars), currency, source: marketplace };
}

function csvOf(columns: readonly string[], listings: readonly BackfillListing[]): string {
  const line = (listing: BackfillListing) => {
    const row = rowOf(listing);
    return columns.map((name) => `"${String(row[name] ?? '').replaceAll('"', '""')}"`).join(',');
  };
  return [columns.join(','), ...listings.map(line)].join('\r\n');
}

function jsonOf(columns: readonly string[], listings: readonly BackfillListing[]): string {
  const line = (listing: BackfillListing) => {
    const row = rowOf(listing);
    return JSON.stringify(Object.fromEntries(columns.map((name) => [name, row[name] ?? null])));
  };
  return listings.map(line).join('\n');
}

describe('a file of prices', () => {
  test('is read as it was written, as CSV and as JSON lines', async () => {
    const many = { minLength: 1, maxLength: 30 };
    const file = fc.oneof(
      fc.tuple(fc.constant(COLUMNS), fc.array(anyListing, many)),
      fc.tuple(fc.constant(ALL_COLUMNS), fc.array(anyWholeListing, many)),
    );
    await fc.assert(
      fc.asyncProperty(file, async ([columns, listings]) => {
        const csv = await open(csvOf(columns, listings));
        assert.deepEqual(await read(csv), { listings, broken: [] });
        const json = await open(jsonOf(columns, listings), { format: 'ndjson' });
        assert.deepEqual(await read(json), { listings, broken: [] });
      }),
      { numRuns: 40 },
    );
  });

  test('may have prices by condition only', async () => {
    const renamed = parseColumns('card_id=tcgplayer,price=near_mint');
    const backfill = await open('card_id,date,price,name\n1,2025-09-19,70.66,Hades\n', { renamed });
    assert.deepEqual(backfill.figures, []);
    const [listing] = (await read(backfill)).listings;
    assert.deepEqual(listing?.prices, NO_PRICES);
    assert.deepEqual([listing?.conditions, listing?.graded], [{ near_mint: 7066 }, undefined]);
  });

  test('may have graded prices, marketplaces and euros, row by row', async () => {
    const backfill = await open(
      'card,date,psa_10,psa_9,cgc_10,grade_9,currency,source\n' +
        'a,2025-01-01,100,40.5,,30,,\n' +
        'b,2025-01-01,0,,90,30,eur,cardmarket\n',
    );
    const { listings } = await read(backfill);
    assert.deepEqual(
      listings.map(({ graded, currency, marketplace }) => [graded, currency, marketplace]),
      [
        [{ psa_10: 10_000, psa_9: 4050 }, undefined, undefined],
        [{ cgc_10: 9000 }, 'EUR', 'cardmarket'],
      ],
    );
  });

  test('is in the currency of the option unless a row has one', async () => {
    const text = 'card,date,market,currency\na,2025-01-01,1,\nb,2025-01-01,1,USD\n';
    const { listings } = await read(await open(text, { currency: 'EUR' }));
    assert.deepEqual(
      listings.map(({ currency }) => currency),
      ['EUR', undefined],
    );
  });

  test('uses the mapped name where it has two for one column', async () => {
    const renamed = parseColumns('sold=market');
    const text = 'card,date,sold,market\na,2025-01-01,1,2\n';
    const { listings } = await read(await open(text, { renamed }));
    assert.equal(listings[0]?.prices.market, 100);
  });

  test('has the marketplace in a column of that name, otherwise in source', async () => {
    const marketplaceOf = async (text: string, columns?: string) => {
      const renamed = columns === undefined ? new Map() : parseColumns(columns);
      return (await read(await open(text, { renamed }))).listings[0]?.marketplace;
    };
    const exported = 'card,date,market,source,marketplace\na,2025-01-01,1,tcgcsv,tcgplayer\n';
    assert.equal(await marketplaceOf(exported), 'tcgplayer');
    assert.equal(await marketplaceOf('card,date,market,source\na,2025-01-01,1,ebay\n'), 'ebay');
    const shop = 'card,date,market,shop,marketplace\na,2025-01-01,1,mine,theirs\n';
    assert.equal(await marketplaceOf(shop, 'shop=source'), 'mine');
    assert.equal(await marketplaceOf(shop, 'shop=marketplace'), 'mine');
  });

  test('may have columns in some lines of JSON only, if early lines have them', async () => {
    const line = (more: object) => JSON.stringify({ card: 'a', date: '2025-01-01', ...more });
    const rows = [
      line({ market: 1 }),
      line({ psa_10: 9 }),
      ...Array<string>(5000).fill(line({ market: 1 })),
      line({ market: 1, low: 1 }),
      line({ market: 1, colour: 'red' }),
    ];
    const { listings, broken } = await read(await open(rows.join('\n'), { format: 'ndjson' }));
    assert.deepEqual(
      [listings[0]?.graded, listings[1]?.graded, listings.length],
      [{}, { psa_10: 900 }, 5003],
    );
    assert.deepEqual(broken, [
      { name: 'line 5003', reason: '"low" is a column that the first rows do not have' },
    ]);
  });

  test('may have other names for its columns', async () => {
    const renamed = parseColumns('card_id=tcgplayer, price=market');
    const text = 'card_id,date,price,name\n510148,2025-09-19,70.66,Hades\n';
    const backfill = await open(text, { renamed });
    assert.deepEqual(
      [backfill.idSpace, backfill.figures, backfill.marketplace],
      ['tcgcsv', ['market'], 'me'],
    );
    const [listing] = (await read(backfill)).listings;
    assert.deepEqual(listing, {
      externalId: '510148',
      printing: undefined,
      day: parseDay('2025-09-19'),
      prices: { market: 7066, low: null, mid: null, high: null },
    });
  });

  test('uses our card ids where it has both', async () => {
    const backfill = await open('tcgplayer,card,date,low\n1,a,2025-01-01,1\n');
    assert.equal(backfill.idSpace, null);
    assert.equal((await read(backfill)).listings[0]?.externalId, 'a');
  });

  test('reports its progress', async () => {
    const rows = Array.from({ length: 12_000 }, (_, index) => `card-${index},2025-01-01,1\n`);
    const backfill = await open(`card,date,market\n${rows.join('')}`);
    const done = [];
    for await (const step of backfill.parts(() => undefined)) done.push(step.done);
    assert.equal(done.length, 3);
    assert.deepEqual(
      done,
      done.toSorted((a, b) => a - b),
    );
    assert.equal(done.at(-1), backfill.total);
  });

  test('is read until a byte that is not text', async () => {
    const rows = 'card-1,2025-01-01,1\n'.repeat(20_000);
    const bytes = Buffer.concat([Buffer.from(`card,date,market\n${rows}`), Buffer.from([0xff])]);
    const { listings, broken } = await read(await open(bytes));
    assert.ok(listings.length >= 5000);
    assert.deepEqual(broken, [{ name: 'file', reason: 'not UTF-8 text' }]);
  });

  const refused: readonly (readonly [string, string, RegExp])[] = [
    ['nothing', '', /holds no rows/],
    ['a head only', 'card,date,market\n', /holds no rows/],
    ['no card', 'name,date,market\nA,2025-01-01,1\n', /do not give the card, the date and a price/],
    ['no date', 'card,market\na,1\n', /columns are card, tcgplayer, printing, date/],
    ['a grade of no company', 'card,date,grade_9\na,2025-01-01,1\n', /do not give the card/],
    ['no price', 'card,date,price\na,2025-01-01,1\n', /--columns price=market/],
  ];
  for (const [what, text, message] of refused) {
    test(`with ${what} is refused`, async () => {
      await assert.rejects(open(text), { name: 'OperatorError', message });
    });
  }

  test('is refused when it lacks a mapped name', async () => {
    const renamed = parseColumns('price=market,psa10=psa_10');
    await assert.rejects(open('card,date,price\na,2025-01-01,1\n', { renamed }), {
      name: 'OperatorError',
      message: '--columns names "psa10", which is not one of card, date, price.',
    });
  });

  test('is refused when it does not exist', async () => {
    const options = { format: 'csv', renamed: new Map(), marketplace: 'me', now: NOW } as const;
    const missing = { name: 'OperatorError', message: /cannot be read/ };
    await assert.rejects(openQuotes('/no/such/file', options), missing);
    await assert.rejects(openQuotes('src', options), missing);
  });

  for (const columns of ['price', 'price=', '=market', 'price=worth', 'a=b=c']) {
    test(`with --columns ${columns} is refused`, () => {
      assert.throws(() => parseColumns(columns), { name: 'OperatorError', message: /, source\.$/ });
    });
  }
});

describe('a row of prices', () => {
  const good = { card: 'a', date: '2025-01-01', market: '1.00' };
  const bad: readonly (readonly [object, string])[] = [
    [{ card: '' }, 'card is empty'],
    [{ card: null }, 'card is empty'],
    [{ date: '2025-02-30' }, '"2025-02-30" is not a day YYYY-MM-DD'],
    [{ date: '1969-12-31' }, '"1969-12-31" is not a day YYYY-MM-DD'],
    [{ date: '2099-01-01' }, '2099-01-01 is in the future'],
    [{ market: '-1' }, 'market "-1" cannot be a price'],
    [{ market: '$5' }, 'market "$5" cannot be a price'],
    [{ market: '1,50' }, 'market "1,50" cannot be a price'],
    [{ market: true }, 'market "true" cannot be a price'],
    [{ high: 10_000_001 }, 'high "10000001" cannot be a price'],
    [{ printing: 'x'.repeat(101) }, 'the name of the printing is too long'],
    [{ card: 'x'.repeat(1_000_000) }, 'card is too long for an id'],
    [{ near_mint: '-1' }, 'near_mint "-1" cannot be a price'],
    [{ psa_10: 'dear' }, 'psa_10 "dear" cannot be a price'],
    [{ currency: 'CHF' }, 'currency "CHF" is not one of USD, EUR, GBP, JPY'],
    [{ source: 'My Shop' }, 'source "My Shop" is not 1 to 32 of a-z, 0-9 and -'],
  ];
  const whole = { ...FILE, names: findColumns(ALL_COLUMNS, new Map()) };
  for (const [change, fault] of bad) {
    test(`with ${JSON.stringify(change).slice(0, 50)} is named`, () => {
      assert.deepEqual(adaptRow({ ...good, ...change }, whole), new BadRow(fault));
    });
  }

  test('that is broken is named by its position, and the others are read', async () => {
    const csv = 'card,date,market\na,2025-01-01,1\nb,soon,1\nc,2025-01-01\nd,2025-01-01,2\n';
    const fromCsv = await read(await open(csv));
    assert.deepEqual(
      fromCsv.broken.map(({ name }) => name),
      ['row 3', 'row 4'],
    );
    assert.deepEqual(
      fromCsv.listings.map(({ externalId }) => externalId),
      ['a', 'd'],
    );
    const lines = ['{"card":"a","date":"2025-01-01","market":1}', '[1]', '{', '', '7', 'null'];
    const fromJson = await read(await open(lines.join('\n'), { format: 'ndjson' }));
    assert.deepEqual(
      fromJson.broken.map(({ name }) => name),
      ['line 2', 'line 3', 'line 5', 'line 6'],
    );
    assert.equal(fromJson.listings.length, 1);
  });

  test('with a price of zero has an unknown price', () => {
    for (const market of ['0', '0.00', '', null, undefined, 0]) {
      const listing = adaptRow({ ...good, market }, FILE);
      assert.ok(!(listing instanceof BadRow));
      assert.equal(listing.prices.market, null);
    }
  });

  test('becomes a listing or a bad row, with any content', () => {
    const all = Object.keys(QUOTE_COLUMNS);
    const file = { ...FILE, names: findColumns(all, new Map()) };
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...all), fc.jsonValue()), (row) => {
        const listing = adaptRow({ ...good, ...row }, file);
        if (listing instanceof BadRow) return;
        assert.ok(listing.day >= 0 && listing.day <= LATEST);
        const { prices, conditions, graded } = listing;
        for (const amount of Object.values({ ...prices, ...conditions, ...graded })) {
          assert.ok(
            amount === null || (Number.isInteger(amount) && amount > 0 && amount <= MAX_CENTS),
          );
        }
      }),
    );
  });
});
