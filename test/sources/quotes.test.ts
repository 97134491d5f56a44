import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import fc from 'fast-check';
import { type Day, dayOf, formatDay, parseDay } from '../../src/domain/day.ts';
import { type Cents, dollarsFromCents, MAX_CENTS } from '../../src/domain/money.ts';
import { BadRow } from '../../src/sources/csv.ts';
import { adaptQuote } from '../../src/sources/quotes/adapt.ts';
import { findColumns, parseColumns, QUOTE_COLUMNS } from '../../src/sources/quotes/columns.ts';
import { openQuotes, type QuoteOptions } from '../../src/sources/quotes/read.ts';
import type { Past, PastListing } from '../../src/sources/source.ts';
import { NOW } from '../support/tcgcsv.ts';

const COLUMNS = ['card', 'printing', 'date', 'market', 'low', 'mid', 'high'] as const;
const NAMES = findColumns(COLUMNS, new Map());
const LATEST = dayOf(NOW);

/** A file with this text; it is removed when the test ends. */
async function fileWith(text: string | Uint8Array): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'cardprice-quotes-'));
  after(() => rm(folder, { recursive: true }));
  const file = join(folder, 'quotes');
  await writeFile(file, text);
  return file;
}

async function open(text: string | Uint8Array, options: Partial<QuoteOptions> = {}): Promise<Past> {
  const fixed = { format: 'csv', renamed: new Map(), priceSource: 'me', now: NOW } as const;
  return openQuotes(await fileWith(text), { ...fixed, ...options });
}

async function read(past: Past) {
  const listings: PastListing[] = [];
  const broken: { name: string; reason: string }[] = [];
  for await (const { outcome } of past.parts(() => undefined)) {
    if (outcome.kind === 'broken') broken.push({ name: 'file', reason: outcome.reason });
    for (const chunk of outcome.kind === 'read' ? outcome.part.chunks : []) {
      listings.push(...chunk.listings);
      broken.push(...chunk.broken);
    }
  }
  return { listings, broken };
}

const cents = fc.option(fc.integer({ min: 1, max: MAX_CENTS }).map((amount) => amount as Cents));
const plain = { noNullPrototype: true };
const anyListing: fc.Arbitrary<PastListing> = fc.record(
  {
    cardKey: fc.stringMatching(/^[a-z0-9-]{1,20}$/),
    printing: fc.option(fc.constantFrom('Normal', 'Foil, "cold"', 'Ünusual'), { nil: undefined }),
    day: fc.integer({ min: 0, max: LATEST }).map((day) => day as Day),
    prices: fc.record({ market: cents, low: cents, mid: cents, high: cents }, plain),
  },
  plain,
);

function rowOf({
  cardKey,
  printing,
  day,
  prices,
}: PastListing): Record<string, string | number | null> {
  const dollars = Object.entries(prices).map(([figure, amount]) => {
    return [figure, amount === null ? null : dollarsFromCents(amount)] as const;
  });
  const named = { card: cardKey, printing: printing ?? null, date: formatDay(day) };
  return { ...named, ...Object.fromEntries(dollars) };
}

function csvLine(listing: PastListing): string {
  const row = rowOf(listing);
  return COLUMNS.map((name) => `"${String(row[name] ?? '').replaceAll('"', '""')}"`).join(',');
}

describe('quotes', () => {
  test('come back as they were written, as CSV and as JSON lines', async () => {
    const many = fc.array(anyListing, { minLength: 1, maxLength: 30 });
    await fc.assert(
      fc.asyncProperty(many, async (listings) => {
        const csv = [COLUMNS.join(','), ...listings.map(csvLine)].join('\r\n');
        assert.deepEqual(await read(await open(csv)), { listings, broken: [] });
        const json = listings.map((listing) => `${JSON.stringify(rowOf(listing))}\n`).join('');
        const past = await open(json, { format: 'ndjson' });
        assert.deepEqual(await read(past), { listings, broken: [] });
      }),
      { numRuns: 30 },
    );
  });

  test('may call their columns otherwise', async () => {
    const renamed = parseColumns('card_id=tcgplayer, price=market');
    const text = 'card_id,date,price,name\n510148,2025-09-19,70.66,Hades\n';
    const past = await open(text, { renamed });
    assert.deepEqual([past.ids, past.figures, past.priceSource], ['tcgcsv', ['market'], 'me']);
    const [listing] = (await read(past)).listings;
    assert.deepEqual(listing, {
      cardKey: '510148',
      printing: undefined,
      day: parseDay('2025-09-19'),
      prices: { market: 7066, low: null, mid: null, high: null },
    });
  });

  test('name cards by our ids where they have both', async () => {
    const past = await open('tcgplayer,card,date,low\n1,a,2025-01-01,1\n');
    assert.equal(past.ids, null);
    assert.equal((await read(past)).listings[0]?.cardKey, 'a');
  });

  test('tell how far the reading is', async () => {
    const rows = Array.from({ length: 12_000 }, (_, index) => `card-${index},2025-01-01,1\n`);
    const past = await open(`card,date,market\n${rows.join('')}`);
    const done = [];
    for await (const step of past.parts(() => undefined)) done.push(step.done);
    assert.equal(done.length, 3);
    assert.deepEqual(
      done,
      done.toSorted((a, b) => a - b),
    );
    assert.equal(done.at(-1), past.total);
  });

  test('that are no text from some place on are read up to there', async () => {
    const rows = 'card-1,2025-01-01,1\n'.repeat(20_000);
    const bytes = Buffer.concat([Buffer.from(`card,date,market\n${rows}`), Buffer.from([0xff])]);
    const { listings, broken } = await read(await open(bytes));
    assert.ok(listings.length >= 5000);
    assert.deepEqual(broken, [{ name: 'file', reason: 'not UTF-8 text' }]);
  });

  const refused: readonly (readonly [string, string, RegExp])[] = [
    ['nothing', '', /holds no rows/],
    ['a head only', 'card,date,market\n', /holds no rows/],
    ['no card', 'name,date,market\nA,2025-01-01,1\n', /do not tell the card, the date and a price/],
    ['no date', 'card,market\na,1\n', /columns are card, tcgplayer, printing, date/],
    ['no price', 'card,date,price\na,2025-01-01,1\n', /--columns price=market/],
  ];
  for (const [what, text, message] of refused) {
    test(`with ${what} are refused`, async () => {
      await assert.rejects(open(text), { name: 'OperatorError', message });
    });
  }

  test('in a file that is not there are refused', async () => {
    const options = { format: 'csv', renamed: new Map(), priceSource: 'me', now: NOW } as const;
    const missing = { name: 'OperatorError', message: /cannot be read/ };
    await assert.rejects(openQuotes('/no/such/file', options), missing);
    await assert.rejects(openQuotes('src', options), missing);
  });

  for (const columns of ['price', 'price=', '=market', 'price=worth', 'a=b=c']) {
    test(`with --columns ${columns} are refused`, () => {
      assert.throws(() => parseColumns(columns), { name: 'OperatorError', message: /high\.$/ });
    });
  }
});

describe('a row of quotes', () => {
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
  ];
  for (const [change, fault] of bad) {
    test(`with ${JSON.stringify(change).slice(0, 50)} is named`, () => {
      assert.deepEqual(adaptQuote({ ...good, ...change }, NAMES, LATEST), new BadRow(fault));
    });
  }

  test('is named by its place in the file, and the others come in', async () => {
    const csv = 'card,date,market\na,2025-01-01,1\nb,soon,1\nc,2025-01-01\nd,2025-01-01,2\n';
    const fromCsv = await read(await open(csv));
    assert.deepEqual(
      fromCsv.broken.map(({ name }) => name),
      ['row 3', 'row 4'],
    );
    assert.deepEqual(
      fromCsv.listings.map(({ cardKey }) => cardKey),
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

  test('of a price of nothing says that nothing is known', () => {
    for (const market of ['0', '0.00', '', null, undefined, 0]) {
      const listing = adaptQuote({ ...good, market }, NAMES, LATEST);
      assert.ok(!(listing instanceof BadRow));
      assert.equal(listing.prices.market, null);
    }
  });

  test('never makes anything else than a listing or a fault, whatever stands in it', () => {
    const column = fc.constantFrom(...Object.keys(QUOTE_COLUMNS));
    fc.assert(
      fc.property(fc.dictionary(column, fc.jsonValue()), (row) => {
        const listing = adaptQuote({ ...good, ...row }, NAMES, LATEST);
        if (listing instanceof BadRow) return;
        assert.ok(listing.day >= 0 && listing.day <= LATEST);
        for (const amount of Object.values(listing.prices)) {
          assert.ok(
            amount === null || (Number.isInteger(amount) && amount > 0 && amount <= MAX_CENTS),
          );
        }
      }),
    );
  });
});
