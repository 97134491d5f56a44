import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, describe, test } from 'node:test';
import fc from 'fast-check';
import { GAMES } from '../../../src/domain/games.ts';
import type { KnownFiles } from '../../../src/sources/contract/files.ts';
import type { GroupOutcome, SourceSet } from '../../../src/sources/contract/snapshot.ts';
import { BadRow, readCsv, readCsvCells } from '../../../src/sources/io/csv.ts';
import { openFolder } from '../../../src/sources/io/tree.ts';
import { openTcgcsv } from '../../../src/sources/tcgcsv/read.ts';
import {
  type CsvOptions,
  findCsvFiles,
  openTcgcsvCsv,
} from '../../../src/sources/tcgcsv-csv/read.ts';
import { FIXTURE, FIXTURE_SETS, NOW } from '../../support/tcgcsv.ts';

/** Yields the bytes of a text in chunks of some size. */
function* chunks(text: string, size: number): Generator<Uint8Array> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function rowsOf(text: string, size = 1000) {
  return Array.fromAsync(readCsv(chunks(text, size)));
}

/** Writes CSV: quotes every cell that may need it, and ends lines with CR LF. */
function csvOf(rows: readonly (readonly string[])[]): string {
  const cell = (text: string) => {
    return /["\r\n,]|^\s|\s$|^$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  return rows.map((row) => `${row.map(cell).join(',')}\r\n`).join('');
}

describe('CSV', () => {
  test('of any content is read as it was written, however it is chunked', async () => {
    const fragment = fc.constantFrom('a', 'é', '漢', '"', ',', '\n', '\r\n', ' ', '★', '\t', "'");
    const cell = fc.array(fragment, { maxLength: 6 }).map((parts) => parts.join(''));
    const table = fc.integer({ min: 2, max: 4 }).chain((columns) => {
      const row = fc.array(cell, { minLength: columns, maxLength: columns });
      return fc.array(row, { minLength: 1, maxLength: 6 });
    });
    await fc.assert(
      fc.asyncProperty(table, fc.integer({ min: 1, max: 9 }), async (rows, size) => {
        const head = rows[0]?.map((_, index) => `c${index}`) ?? [];
        const read = await rowsOf(csvOf([head, ...rows]), size);
        const expected = rows.map((row) => row.map((text) => text.replaceAll('\r\n', '\n')));
        assert.deepEqual(
          read.map((row) => Object.values(row)),
          expected,
        );
      }),
    );
  });

  test('may start with a byte order mark and have empty lines', async () => {
    assert.deepEqual(await rowsOf('\ufeffa,b\n\n1,2\n\n'), [{ a: '1', b: '2' }]);
  });

  test('names bad rows and continues', async () => {
    const [short, long, good] = await rowsOf('a,b\n1\n1,2,3\n1,2\n');
    assert.deepEqual(short, new BadRow('1 cells where the header has 2'));
    assert.ok(long instanceof BadRow);
    assert.deepEqual(good, { a: '1', b: '2' });
    const [open] = await rowsOf('a,b\n1,"2\n');
    assert.ok(open instanceof BadRow);
  });

  test('loses only the line with a misplaced quotation mark', async () => {
    const rows = 'a,b\n1,"2\n3,4\n5,6"x\n7,"8"x\n9" nail,10\n11,"twelve\nand ""more"""\n13,14\n';
    const read = await rowsOf(rows, 7);
    const bad = read.flatMap((row, index) => (row instanceof BadRow ? [index] : []));
    assert.deepEqual(bad, [0, 3]);
    assert.deepEqual(
      read.flatMap((row) => (row instanceof BadRow ? [] : [Object.values(row)])),
      [
        ['3', '4'],
        ['5', '6"x'],
        ['9" nail', '10'],
        ['11', 'twelve\nand "more"'],
        ['13', '14'],
      ],
    );
  });

  test('continues after an unclosed quotation mark', async () => {
    const rows = `1,${'x'.repeat(100)}\n`.repeat(20_000);
    const read = await rowsOf(`a,b\n1,"2\n${rows}`, 65_536);
    assert.equal(read.length, 20_001);
    assert.equal(read.filter((row) => row instanceof BadRow).length, 1);
    assert.ok(read[0] instanceof BadRow);
  });

  test('may have tabs between its cells', async () => {
    const read = await Array.fromAsync(readCsv(chunks('a\tb\n"1\t2"\t3,4\n', 5), '\t'));
    assert.deepEqual(read, [{ a: '1\t2', b: '3,4' }]);
  });

  test('without a header gives every row with its text, and empty lines as rows without cells', async () => {
    const lines = ['a;"b', 'c"', '', 'd;"e"f', 'g;h'];
    const rows = await Array.fromAsync(readCsvCells(lines, ';'));
    assert.deepEqual(
      rows.map(({ text }) => text),
      ['a;"b\nc"', '', 'd;"e"f', 'g;h'],
    );
    assert.deepEqual(rows[0]?.cells, ['a', 'b\nc']);
    assert.deepEqual(rows[1]?.cells, []);
    assert.ok(rows[2]?.cells instanceof BadRow);
    assert.deepEqual(rows[3]?.cells, ['g', 'h']);
  });

  test('is refused without a readable header', async () => {
    await assert.rejects(rowsOf('a,"b\n'), { message: /^no header: / });
  });

  test('is refused when it is not UTF-8', async () => {
    const bytes = [Buffer.from('a,b\n1,\xe9\n', 'latin1')];
    await assert.rejects(Array.fromAsync(readCsv(bytes)), /not UTF-8 text/);
  });

  test('reads no further than its rows are taken', async () => {
    let taken = 0;
    function* endless() {
      yield Buffer.from('a,b\n');
      for (;;) {
        taken += 1;
        yield Buffer.from('1,2\n'.repeat(1000));
      }
    }
    for await (const row of readCsv(endless())) {
      assert.deepEqual(row, { a: '1', b: '2' });
      break;
    }
    assert.ok(taken < 20, `${taken} chunks were read for one row`);
  });
});

interface JsonFile {
  readonly results: readonly Record<string, unknown>[];
}

/** Makes the CSV file that TCGCSV would serve for a group of the fixture. */
function csvOfGroup(category: number, group: string): string {
  const read = (kind: string) => {
    const file = `${FIXTURE}/tcgplayer/${category}/${group}/${kind}`;
    return (JSON.parse(readFileSync(file, 'utf8')) as JsonFile).results;
  };
  const prices = Map.groupBy(read('prices'), (price) => price.productId);
  const rows = read('products').flatMap((product) => {
    const own = { ...product, ...extended(product), categoryId: category, groupId: group };
    return (prices.get(product.productId) ?? [{}]).map((price) => ({ ...own, ...price }));
  });
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))].filter((name) => {
    return !['extendedData', 'presaleInfo'].includes(name);
  });
  const cells = rows.map((row) => columns.map((column) => textOf(row, column)));
  return csvOf([columns, ...cells]);
}

function extended(product: Record<string, unknown>): Record<string, unknown> {
  const fields = product.extendedData as { name: string; value: string }[];
  return Object.fromEntries(
    fields.map(({ name, value }) => [`ext${name.replace(' ', '')}`, value]),
  );
}

function textOf(row: object, column: string): string {
  const value = (row as Record<string, unknown>)[column] ?? '';
  return typeof value === 'boolean' ? (value ? 'True' : 'False') : String(value);
}

/** A folder with these files, removed when the test ends. */
async function folderWith(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'cardprice-csv-'));
  after(() => rm(folder, { recursive: true }));
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
  }
  return folder;
}

const OBSERVED = Date.parse('2026-01-28T20:05:12Z');
const NOTHING_KNOWN: KnownFiles = () => undefined;

async function readFolder(
  folder: string,
  options: Partial<CsvOptions> = {},
  known = NOTHING_KNOWN,
): Promise<GroupOutcome[]> {
  const sets = new Map<string, SourceSet>();
  const snapshot = openTcgcsvCsv(await findCsvFiles(folder), { sets, now: NOW, ...options });
  return Array.fromAsync(snapshot.groups(known));
}

const CARD =
  'productId,name,imageUrl,categoryId,groupId,imageCount,extNumber,extRarity,lowPrice,midPrice,' +
  'highPrice,marketPrice,subTypeName\n';
const GROUPS = JSON.stringify({
  results: [{ groupId: 604, name: 'Base Set', abbreviation: 'BS' }],
});

describe('ProductsAndPrices.csv', () => {
  test('gives the same as the JSON files of its group', async () => {
    const tree = await openFolder(FIXTURE);
    const json = await openTcgcsv(tree, { games: GAMES, observedAt: OBSERVED });
    let compared = 0;
    for await (const outcome of json.groups(NOTHING_KNOWN)) {
      assert.ok(outcome.kind === 'read');
      const { set, files, ...expected } = outcome.group;
      const category = GAMES.find(({ slug }) => slug === set.game)?.tcgplayerCategory ?? 0;
      const text = csvOfGroup(category, set.externalId);
      const folder = await folderWith({ [`${set.code}ProductsAndPrices.csv`]: text });
      const sets = new Map([[set.externalId, set]]);
      const [read] = await readFolder(folder, { sets, observedAt: OBSERVED });
      assert.ok(read?.kind === 'read', JSON.stringify(read));
      const { files: own, set: found, ...group } = read.group;
      assert.deepEqual(found, set);
      assert.deepEqual(group.cards, expected.cards);
      assert.deepEqual(
        new Set(group.listings),
        new Set(expected.listings.filter(hasProduct(text))),
      );
      assert.deepEqual([files.length, own.length], [2, 1]);
      compared += 1;
    }
    assert.equal(compared, FIXTURE_SETS);
  });

  test('may come with a file that has the set of its group', async () => {
    const row = '1,Abra,,3,604,1,43/102,Common,0.10,,,0.25,Normal\n';
    const folder = await folderWith({ '3/ProductsAndPrices.csv': CARD + row, '3/groups': GROUPS });
    const [read] = await readFolder(folder, { observedAt: OBSERVED });
    assert.ok(read?.kind === 'read');
    assert.deepEqual([read.group.set.game, read.group.set.code], ['pokemon', 'BS']);
    assert.deepEqual(read.group.listings, [
      {
        externalId: '1',
        printing: 'Normal',
        prices: { market: 25, low: 10, mid: null, high: null },
      },
    ]);
  });

  test('is as of --observed or its modification time', async () => {
    const row = '1,Abra,,3,604,1,43/102,Common,,,,0.25,Normal\n';
    const folder = await folderWith({ 'ProductsAndPrices.csv': CARD + row, groups: GROUPS });
    const file = join(folder, 'ProductsAndPrices.csv');
    await utimes(file, OBSERVED / 1000, OBSERVED / 1000);
    const [read] = await readFolder(file);
    assert.ok(read?.kind === 'read');
    assert.equal(read.group.observedAt, OBSERVED);
    const [{ path, digest } = assert.fail()] = read.group.files;
    const known: KnownFiles = () => ({ path, digest, etag: null, observedAt: OBSERVED });
    const unchanged = { kind: 'unchanged', part: path, name: path };
    assert.deepEqual(await readFolder(file, {}, known), [unchanged]);
    const [again] = await readFolder(file, { observedAt: NOW }, known);
    assert.equal(again?.kind, 'read');
  });

  const faults: readonly (readonly [string, string, RegExp])[] = [
    ['nothing in it', '', /^holds no products$/],
    ['a group that nobody knows', '1,A,,3,605,1,,,,,,,\n', /^its group 605 is not known/],
    [
      'a category that is not a known game',
      '1,A,,99,604,1,,,,,,,\n',
      /^category 99 is not a known game/,
    ],
    ['a group of another game', '1,A,,1,700,1,,,,,,,\n', /^group 700 is of pokemon$/],
    ['no product id', ',A,,3,604,1,,,,,,,\n', /^row 2: productId "" is no whole number$/],
    ['no name', '1,,,3,604,1,,,,,,,\n', /^row 2 \(product 1\): name is empty$/],
    [
      'a price of words',
      '1,A,,3,604,1,,,,,,dear,Normal\n',
      /^row 2 \(product 1\): marketPrice "dear" is no price/,
    ],
    ['a negative price', '1,A,,3,604,1,,,-1,,,,Normal\n', /lowPrice "-1" is no price$/],
    ['many bad rows', `1,A,,3,604,1,,,,,,,\n${'2,B\n'.repeat(5)}`, /^rows: 5 of 6 rows are bad/],
    ['bytes that are no text', '\ud800', /./],
  ];
  for (const [fault, rows, reason] of faults) {
    test(`with ${fault} is named and skipped`, async () => {
      const folder = await folderWith({
        'AProductsAndPrices.csv': fault === 'bytes that are no text' ? '' : CARD + rows,
        'BProductsAndPrices.csv': `${CARD}1,Abra,,3,604,1,43/102,Common,,,,0.25,Normal\n`,
        groups: GROUPS,
      });
      if (fault === 'bytes that are no text') {
        await writeFile(join(folder, 'AProductsAndPrices.csv'), Buffer.from([0xff, 0xfe]));
      }
      const other = {
        externalId: '700',
        game: 'pokemon',
        code: 'X',
        name: 'X',
        releaseDate: null,
      } as const;
      const sets = new Map<string, SourceSet>([['700', other]]);
      const outcomes = await readFolder(folder, { sets, observedAt: OBSERVED });
      const broken = outcomes.find(({ kind }) => kind === 'broken');
      const fine = outcomes.find(({ kind }) => kind === 'read');
      assert.ok(broken?.kind === 'broken', JSON.stringify(outcomes));
      assert.equal(broken.name, 'AProductsAndPrices.csv');
      assert.match(broken.reason, reason);
      assert.equal(fine?.kind, 'read');
    });
  }

  const badRows: readonly (readonly [string, string, string])[] = [
    ['cut off', '2,B,,3', 'row 3: 4 cells where the header has 13'],
    ['of another group', '2,B,,3,605,1,,,,,,,', 'row 3 (product 2): it is of another group, 3/605'],
    ['without an id', ',B,,3,604,1,,,,,,1,Normal', 'row 3: productId "" is no whole number'],
    ['with words', '2,B,,3,604,1,,,,,,dear,N', 'row 3 (product 2): marketPrice "dear" is no price'],
    [
      'without a printing',
      '2,B,,3,604,1,,,1,,,,',
      'row 3 (product 2): subTypeName is empty next to a price',
    ],
  ];
  for (const [what, row, expected] of badRows) {
    test(`with a row ${what} is read without it`, async () => {
      const rows = `1,Abra,,3,604,1,43/102,Common,,,,0.25,Normal\n${row}\n`;
      const folder = await folderWith({ 'ProductsAndPrices.csv': CARD + rows, groups: GROUPS });
      const [read] = await readFolder(folder, { observedAt: OBSERVED });
      assert.ok(read?.kind === 'read');
      const { badRows = [], listings, unreadPrices } = read.group;
      assert.deepEqual(
        badRows.map(({ name, reason }) => `${name}: ${reason}`),
        [`ProductsAndPrices.csv, ${expected}`],
      );
      assert.equal(listings.length, 1);
      assert.deepEqual([...(unreadPrices ?? [])], [expected.includes('product 2') ? '2' : null]);
    });
  }

  test('is broken when its modification time is in the future', async () => {
    const folder = await folderWith({ 'ProductsAndPrices.csv': CARD, groups: GROUPS });
    const [broken] = await readFolder(folder, { now: OBSERVED - 365 * 86_400_000 });
    assert.ok(broken?.kind === 'broken');
    assert.match(broken.reason, /in the future; give --observed/);
  });

  test('is found in folders, with the groups next to it', async () => {
    await assert.rejects(findCsvFiles('src'), /has no files named/);
    await assert.rejects(findCsvFiles('/no/such/file.csv'), /cannot be read/);
    const folder = await folderWith({ 'ProductsAndPrices.csv': CARD, groups: 'oops' });
    await assert.rejects(findCsvFiles(folder), /is not a groups file: groups: not valid JSON/);
    const nested = await folderWith({
      '3/aProductsAndPrices.csv': CARD,
      '3/b.csv': '',
      groups: GROUPS,
    });
    const { files, groups } = await findCsvFiles(nested);
    assert.deepEqual(
      files.map(({ path }) => path),
      ['3/aProductsAndPrices.csv'],
    );
    assert.equal(groups.get(604)?.name, 'Base Set');
  });
});

/** Whether a listing is of a product of the group; in JSON prices may be of others too. */
function hasProduct(csv: string): (listing: { externalId: string }) => boolean {
  return ({ externalId }) => csv.includes(`\n${externalId},`);
}
