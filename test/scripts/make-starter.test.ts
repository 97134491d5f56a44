import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import SevenZip from '7z-wasm';
import { makeStarter } from '../../scripts/make-starter.ts';
import { dayOf, formatDay } from '../../src/domain/day.ts';
import { OperatorError } from '../../src/domain/errors.ts';
import { findGame } from '../../src/domain/games.ts';
import type { Group, Snapshot, SourceCard } from '../../src/sources/contract/snapshot.ts';
import { openFolder } from '../../src/sources/io/tree.ts';
import { openStarter } from '../../src/sources/starter.ts';
import { openTcgcsv } from '../../src/sources/tcgcsv/read.ts';

const TREE = 'test/fixtures/tcgcsv';
const TREE_MOMENT = Date.parse('2026-01-28T20:05:12Z');
const CHARIZARD = '42382';
const ALAKAZAM = '42346';

test('a set with real ids is what an import of the tree reads', async () => {
  await withFolder(async (out) => {
    await make(out, '--sets', 'pokemon=BS', '--real-ids', 'pokemon');
    const [made] = await groupsOf(await openStarter(out));
    const tree = await treeGroups('pokemon');
    const expected = tree.find(({ set }) => set.code === 'BS');
    assert.ok(made && expected);
    assert.equal(made.idSpace, 'tcgcsv');
    assert.deepEqual(made.set, expected.set);
    assert.equal(made.observedAt, TREE_MOMENT);
    assert.deepEqual(byKey(made), byKey(expected));
    const ofCards = expected.listings.filter(({ externalId }) => byKey(made).has(externalId));
    assert.deepEqual(pricesOf(made), pricesOf({ ...expected, listings: ofCards }));
  });
});

test('made-up ids become keys of our own, cards of one number in the order of the tree', async () => {
  await withFolder(async (folder) => {
    const tree = join(folder, 'tree');
    await writeTree(tree, [
      { productId: 9000010, name: 'Forest', number: '7' },
      { productId: 9000002, name: 'Forest', number: '7' },
      { productId: 9000003, name: 'Island', number: '8' },
    ]);
    const out = join(folder, 'out');
    await makeStarter(['--tree', tree, '--sets', 'mtg=TST', '--out', out]);
    const [made] = await groupsOf(await openStarter(out));
    assert.ok(made);
    assert.equal(made.idSpace, 'starter');
    assert.equal(made.set.externalId, 'mtg/TST/Test Set');
    const images = [...byKey(made)].map(([key, card]) => [key, card.image]);
    assert.deepEqual(images, [
      ['mtg-tst-forest-7#01', 'https://images.example/9000002.jpg'],
      ['mtg-tst-island-8#01', 'https://images.example/9000003.jpg'],
      ['mtg-tst-forest-7#02', 'https://images.example/9000010.jpg'],
    ]);
  });
});

test('the day of observation can be given for each game', async () => {
  await withFolder(async (out) => {
    const observed = 'pokemon=2025-06-25,lorcana=2025-09-05';
    const sets = ['--sets', 'pokemon=BS,TR', '--sets', 'lorcana=TFC', '--sets', 'mtg=MH2'];
    await make(out, ...sets, '--observed', observed);
    const groups = await groupsOf(await openStarter(out));
    const moments = groups.map(({ set, observedAt }) => [set.code, observedAt]);
    assert.deepEqual(moments, [
      ['BS', Date.parse('2025-06-25')],
      ['TR', Date.parse('2025-06-25')],
      ['MH2', TREE_MOMENT],
      ['TFC', Date.parse('2025-09-05')],
    ]);
  });
});

test('days of the archive, packed and not, become history and newer prices', async () => {
  await withFolder(async (folder) => {
    const archive = join(folder, 'archive');
    await writeArchiveFolder(archive, '2026-01-27', [price(CHARIZARD, 440), price(ALAKAZAM, 50)]);
    await writeArchiveFile(archive, '2026-01-29', [price(CHARIZARD, 460), price('138130', 9)]);
    const out = join(folder, 'out');
    await make(out, '--sets', 'pokemon=BS', '--archive', archive, '--real-ids', 'pokemon');
    const groups = await groupsOf(await openStarter(out));
    assert.deepEqual(
      groups.map(({ observedAt, cards }) => [observedAt, cards === 'unchanged']),
      [
        [Date.parse('2026-01-28'), false],
        [Date.parse('2026-01-29'), true],
      ],
      'printings without a price on the newest day keep the day of their price',
    );
    assert.deepEqual(marketDays(groups, CHARIZARD), {
      '2026-01-27': 440_00,
      '2026-01-28': 453_86,
      '2026-01-29': 460_00,
    });
    assert.deepEqual(marketDays(groups, ALAKAZAM), { '2026-01-27': 50_00, '2026-01-28': 56_34 });
    assert.equal(groups.flatMap(({ listings }) => listings).length, 5, 'sealed products are out');
  });
});

test('prices of the archive win over others of the same day, and days without a price are left out', async () => {
  await withFolder(async (folder) => {
    const archive = join(folder, 'archive');
    await writeArchiveFolder(archive, '2026-01-27', [price(CHARIZARD, null)]);
    await writeArchiveFolder(archive, '2026-01-28', [price(CHARIZARD, 400)]);
    await writeArchiveFolder(archive, '2026-01-29', [price(ALAKAZAM, null)]);
    const out = join(folder, 'out');
    await make(out, '--sets', 'pokemon=BS', '--archive', archive);
    const groups = await groupsOf(await openStarter(out));
    const key = (name: string) => `pokemon-bs-${name}#01`;
    assert.deepEqual(marketDays(groups, key('charizard-004')), { '2026-01-28': 400_00 });
    assert.deepEqual(marketDays(groups, key('alakazam-001')), {
      '2026-01-28': 56_34,
      '2026-01-29': null,
    });
  });
});

test('a set can come from its CSV file, and keeps the ids of the file', async () => {
  await withFolder(async (folder) => {
    const csv = join(folder, 'ProductsAndPrices.csv');
    await writeFile(
      csv,
      'productId,name,categoryId,groupId,marketPrice,subTypeName,extNumber\n' +
        '42,Forest,1,77,1.50,Normal,7\n',
    );
    const tree = join(folder, 'tree');
    await writeTree(tree, [{ productId: 9000002, name: 'Island', number: '8' }]);
    const out = join(folder, 'out');
    await makeStarter([
      ...['--tree', tree, '--sets', 'mtg=TST', '--out', out],
      ...['--csv', `mtg=TST,${csv},2025-05-01`],
    ]);
    const [made] = await groupsOf(await openStarter(out));
    assert.ok(made);
    assert.deepEqual(
      [made.idSpace, made.set.externalId, made.set.name],
      ['tcgcsv', '77', 'Test Set'],
    );
    assert.equal(made.observedAt, Date.parse('2025-05-01'));
    assert.deepEqual(
      [...byKey(made)].map(([id, { name }]) => [id, name]),
      [['42', 'Forest']],
    );
    assert.equal(made.listings[0]?.prices.market, 150);
  });
});

test('Near Mint prices stand in for the market prices of printings without any', async () => {
  await withFolder(async (folder) => {
    const csv = join(folder, 'ProductsAndPrices.csv');
    await writeFile(
      csv,
      'productId,name,categoryId,groupId,marketPrice,subTypeName,extNumber\n' +
        '42,Charizard,3,604,,Holofoil,4\n43,Alakazam,3,604,9,Holofoil,1\n',
    );
    const nearMint = join(folder, 'near-mint.csv');
    await writeFile(
      nearMint,
      'card_id,date,price\n42,2026-01-27,1.5\n42,2026-01-28,2\n42,2026-01-29,3\n43,2026-01-28,4\n',
    );
    const out = join(folder, 'out');
    const file = `pokemon=BS,${csv},2026-01-28`;
    await make(out, '--sets', 'pokemon=BS', '--csv', file, '--near-mint', nearMint);
    const groups = await groupsOf(await openStarter(out));
    assert.deepEqual(marketDays(groups, '42'), { '2026-01-27': 150, '2026-01-28': 200 });
    assert.deepEqual(marketDays(groups, '43'), { '2026-01-28': 900 });
    const quotes = await readFile(join(out, 'quotes.csv'), 'utf8');
    assert.match(quotes, /^42,2026-01-29,3,/m);
  });
});

test('sealed products of a set are taken where they are wanted', async () => {
  await withFolder(async (out) => {
    const options = ['--sets', 'pokemon=BS', '--real-ids', 'pokemon', '--products', 'pokemon=BS'];
    const [contents] = await make(out, ...options);
    const [made] = await groupsOf(await openStarter(out));
    const tree = await treeGroups('pokemon');
    const expected = tree.find(({ set }) => set.code === 'BS');
    assert.ok(made && expected);
    const products = productsOf(expected);
    assert.ok(products.size > 0);
    assert.deepEqual(productsOf(made), products);
    assert.equal(contents?.products, products.size);
  });
});

test('the same input makes the same files', async () => {
  await withFolder(async (folder) => {
    const outs = [join(folder, 'a'), join(folder, 'b')];
    const sets = ['--sets', 'pokemon=BS,TR', '--sets', 'pokemonjp=SV2D', '--sets', 'yugioh=LOB'];
    for (const out of outs) await make(out, ...sets);
    const [a, b] = await Promise.all(outs.map(readFiles));
    assert.deepEqual(Object.keys(a ?? {}), ['pokemon.jsonl', 'pokemonjp.jsonl', 'yugioh.jsonl']);
    assert.deepEqual(a, b);
  });
});

test('it prints what it made', async () => {
  await withFolder(async (out) => {
    const contents = await make(out, '--sets', 'pokemon=604', '--sets', 'pokemonjp=SV2D');
    const counts = contents.map(({ bytes, ...rest }) => ({ ...rest, hasBytes: bytes > 0 }));
    const same = { sets: 1, products: 0, hasBytes: true };
    assert.deepEqual(counts, [
      { game: 'pokemon', cards: 4, printings: 5, prices: 5, history: 5, ...same },
      { game: 'pokemonjp', cards: 6, printings: 0, prices: 0, history: 0, ...same },
    ]);
  });
});

const WRONG: readonly (readonly [string, readonly string[], RegExp])[] = [
  ['no sets', [], /Give --tree and --sets/],
  ['a set that is not there', ['--sets', 'pokemon=XYZ'], /pokemon=XYZ: 0 sets/],
  [
    'a file without its date',
    ['--sets', 'pokemon=BS', '--csv', 'pokemon=BS,cards.csv'],
    /--csv: name a file and its date/,
  ],
  ['a game that there is not', ['--sets', 'chess=BS'], /no game "chess"; there are pokemon,/],
  [
    'a date that is none',
    ['--sets', 'pokemon=BS', '--observed', 'pokemon=2025-02-30'],
    /2025-02-30 is not a date/,
  ],
];

for (const [what, args, message] of WRONG) {
  test(`${what} is reported`, async () => {
    await withFolder(async (out) => {
      await assert.rejects(make(out, ...args), (error) => {
        return error instanceof OperatorError && message.test(error.message);
      });
    });
  });
}

test('an archive file that cannot be unpacked is named', async () => {
  await withFolder(async (folder) => {
    await writeFile(join(folder, 'prices-2026-01-27.ppmd.7z'), 'no archive');
    await assert.rejects(make(folder, '--sets', 'pokemon=BS', '--archive', folder), {
      name: 'OperatorError',
      message: /prices-2026-01-27\.ppmd\.7z cannot be unpacked/,
    });
  });
});

function make(out: string, ...args: string[]) {
  return makeStarter(['--tree', TREE, '--out', out, ...args]);
}

async function withFolder(use: (folder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'make-starter-test-'));
  try {
    await use(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function groupsOf(snapshot: Snapshot): Promise<Group[]> {
  const groups: Group[] = [];
  for await (const outcome of snapshot.groups(() => undefined)) {
    if (outcome.kind === 'read') groups.push(outcome.group);
  }
  return groups;
}

async function treeGroups(slug: string): Promise<Group[]> {
  const game = findGame(slug);
  assert.ok(game);
  const tree = await openFolder(TREE);
  return groupsOf(await openTcgcsv(tree, { games: [game], observedAt: TREE_MOMENT }));
}

/** Cards by key, without the members that only the starter has. */
/** The cards of a group, without its products. */
function byKey(group: Group): Map<string, SourceCard> {
  assert.notEqual(group.cards, 'unchanged');
  const listed = group.cards === 'unchanged' ? [] : group.cards;
  const cards = listed.filter(({ product }) => product === undefined);
  return new Map(
    cards.map(({ externalId, name, number, rarity, image }) => [
      externalId,
      { externalId, name, number, rarity, image },
    ]),
  );
}

/** The names and facts of a group's products by key. */
function productsOf({ cards }: Group): Map<string, unknown> {
  const listed = cards === 'unchanged' ? [] : cards;
  const products = listed.filter(({ product }) => product !== undefined);
  return new Map(products.map(({ externalId, name, product }) => [externalId, { name, product }]));
}

function pricesOf(group: Group): Map<string, unknown> {
  return new Map(group.listings.map((l) => [`${l.externalId}/${l.printing}`, l.prices]));
}

/** The market prices of a card's holofoil printing by date, in cents. */
function marketDays(groups: readonly Group[], card: string): Record<string, number | null> {
  const days: Record<string, number | null> = {};
  for (const { listings, observedAt } of groups) {
    for (const { externalId, printing, prices, earlierDays } of listings) {
      if (externalId !== card || printing !== 'Holofoil') continue;
      for (const { day, market } of earlierDays ?? []) days[formatDay(day)] = market;
      days[formatDay(dayOf(observedAt))] = prices.market;
    }
  }
  return days;
}

async function readFiles(folder: string): Promise<Record<string, string>> {
  const names = (await readdir(folder)).sort();
  const texts = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')));
  return Object.fromEntries(names.map((name, index) => [name, texts[index] ?? '']));
}

interface PriceRow {
  readonly productId: number;
  readonly marketPrice: number | null;
}

function price(productId: string, marketPrice: number | null): PriceRow {
  return { productId: Number(productId), marketPrice };
}

/** The text of a TCGCSV `prices` file of holofoil printings. */
function pricesFile(rows: readonly PriceRow[]): string {
  const unknown = { lowPrice: null, midPrice: null, highPrice: null };
  const results = rows.map((row) => ({ ...row, ...unknown, subTypeName: 'Holofoil' }));
  return JSON.stringify({ success: true, errors: [], results });
}

async function writeText(file: string, text: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
}

async function writeArchiveFolder(archive: string, date: string, rows: readonly PriceRow[]) {
  await writeText(join(archive, date, '3/604/prices'), pricesFile(rows));
}

async function writeArchiveFile(archive: string, date: string, rows: readonly PriceRow[]) {
  const { FS, callMain } = await SevenZip.default({ print() {}, printErr() {} });
  for (const folder of [date, `${date}/3`, `${date}/3/604`]) FS.mkdir(folder);
  FS.writeFile(`${date}/3/604/prices`, pricesFile(rows));
  callMain(['a', '-m0=PPMd', 'packed.7z', date]);
  await mkdir(archive, { recursive: true });
  await writeFile(join(archive, `prices-${date}.ppmd.7z`), FS.readFile('packed.7z'));
}

interface Product {
  readonly productId: number;
  readonly name: string;
  readonly number: string;
}

/** A TCGCSV tree with one Magic set. */
async function writeTree(folder: string, products: readonly Product[]): Promise<void> {
  const group = { groupId: 1, name: 'Test Set', abbreviation: 'TST', publishedOn: null };
  const rows = products.map(({ productId, name, number }) => ({
    productId,
    name,
    imageUrl: `https://images.example/${productId}.jpg`,
    imageCount: 1,
    extendedData: [{ name: 'Number', value: number }],
  }));
  await writeText(join(folder, 'last-updated.txt'), '2026-01-28T20:05:12+0000');
  await writeText(join(folder, 'tcgplayer/1/groups'), JSON.stringify({ results: [group] }));
  await writeText(join(folder, 'tcgplayer/1/1/products'), JSON.stringify({ results: rows }));
  await writeText(join(folder, 'tcgplayer/1/1/prices'), pricesFile([]));
}
