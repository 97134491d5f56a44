import assert from 'node:assert/strict';
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it, test } from 'node:test';
import fc from 'fast-check';
import { GAMES } from '../../src/domain/games.ts';
import { importFeed } from '../../src/ingest/drivers/feed.ts';
import { importSnapshot } from '../../src/ingest/drivers/snapshot.ts';
import type { OpenFeed } from '../../src/sources/contract/feed.ts';
import { openFolder } from '../../src/sources/io/tree.ts';
import { LORCAST } from '../../src/sources/lorcast.ts';
import { SCRYFALL } from '../../src/sources/scryfall/read.ts';
import { openTcgcsv } from '../../src/sources/tcgcsv/read.ts';
import { findCsvFiles, openTcgcsvCsv } from '../../src/sources/tcgcsv-csv/read.ts';
import { readFailedParts } from '../../src/store/catalogue/failed-parts.ts';
import { openStore, type Store } from '../../src/store/connect.ts';
import { readHealth } from '../../src/store/reports/health.ts';
import { type Corruption, corrupt, corruption } from '../support/corrupt.ts';
import { forEachEngine } from '../support/engines.ts';
import { FeedFolder, feedOptions, readFeed } from '../support/feeds.ts';
import { importTree, NOW, TreeCopy } from '../support/tcgcsv.ts';

const DAY = 86_400_000;
const LATER = '2026-01-29T20:05:12+0000';

/** Market prices by external id of the card and name of the printing. */
async function servedPrices({ db }: Store): Promise<Map<string, number | null>> {
  const rows = await db
    .selectFrom('printings')
    .innerJoin('card_external_ids', 'card_external_ids.card_id', 'printings.card_id')
    .where('card_external_ids.id_space', '=', 'tcgcsv')
    .select(['external_id', 'name', 'market'])
    .execute();
  return new Map(rows.map(({ external_id, name, market }) => [`${external_id} ${name}`, market]));
}

/** Raises all market prices of Base Set a little. */
function raisePrices(tree: TreeCopy): void {
  tree.observed(LATER).edit('3/604/prices', (rows) => {
    for (const row of rows) {
      if (typeof row.marketPrice === 'number') row.marketPrice += 0.5;
    }
  });
}

forEachEngine((_label, open) => {
  it('skips a bad price row, keeps the price that it had, and writes the others', async () => {
    const store = await open();
    const tree = new TreeCopy();
    await importTree(store, tree.folder);
    const before = await servedPrices(store);
    raisePrices(tree);
    let product = '';
    tree.edit('3/604/prices', ([first]) => {
      product = String(first?.productId);
      Object.assign(first ?? {}, { marketPrice: '\u001b[2J12' });
    });
    const { broken, brokenCount, sets, pricesChanged } = await importTree(store, tree.folder);
    assert.deepEqual(broken, [
      {
        name: `Pokemon TCG (English): Base Set, prices, row 1 (product ${product})`,
        reason: 'marketPrice must be number, but is "\\u001b[2J12"',
      },
    ]);
    assert.deepEqual([brokenCount, sets > 0, pricesChanged > 0], [1, true, true]);
    const now = await servedPrices(store);
    for (const [key, market] of before) {
      const isOfBase = now.get(key) !== market;
      if (key.startsWith(`${product} `)) assert.equal(now.get(key), market, key);
      else if (isOfBase) assert.equal(now.get(key), (market ?? 0) + 50, key);
    }
  });

  it('keeps all prices of the group when a row does not show whose it is', async () => {
    const store = await open();
    const tree = new TreeCopy();
    await importTree(store, tree.folder);
    const before = await servedPrices(store);
    tree.observed(LATER).edit('3/604/prices', (rows) => {
      rows.splice(0, 1);
      delete rows[0]?.productId;
    });
    await importTree(store, tree.folder);
    assert.deepEqual(await servedPrices(store), before);
    // Once every row shows its product, a missing row ends its price.
    tree.edit('3/604/prices', (rows) => rows.splice(0, 1));
    await importTree(store, tree.folder);
    const gone = [...(await servedPrices(store))].filter(([key, market]) => {
      return market === null && before.get(key) !== null;
    });
    assert.ok(gone.length > 0);
  });

  it('remembers what could not be read until it is fixed', async () => {
    const store = await open();
    const tree = new TreeCopy();
    const importAt = async (now: number) => {
      const opened = await openFolder(tree.folder);
      const observedAt = Date.parse('2026-01-28T20:05:12Z');
      const snapshot = await openTcgcsv(opened, { games: GAMES, observedAt });
      return importSnapshot(store, snapshot, { clock: () => now });
    };
    const fixed = readFileSync(join(tree.folder, 'tcgplayer/3/604/prices'));
    tree.edit('3/604/prices', ([first]) => Object.assign(first ?? {}, { lowPrice: {} }));
    tree.write('1/groups', 'oops');
    await importAt(NOW);
    await importAt(NOW + DAY);
    const failed = await readFailedParts(store.db);
    assert.deepEqual(
      failed.map(({ source, part, game, badRows, since, lastAt }) => {
        return [source, part, game, badRows, since, lastAt];
      }),
      [
        ['tcgcsv', '1/groups', 'mtg', null, NOW, NOW + DAY],
        ['tcgcsv', '3/604', 'pokemon', 1, NOW, NOW + DAY],
      ],
    );
    const health = await readHealth(store, { now: NOW, synced: [], limitOf: () => null });
    const shown = health.flatMap(({ game, failedParts }) => failedParts.map(() => game));
    assert.equal(shown.length, 2);
    assert.ok(shown.includes('pokemon'));
    tree.write('3/604/prices', fixed);
    const { broken } = await importAt(NOW + 2 * DAY);
    assert.deepEqual(
      broken.map(({ name }) => name),
      ['Magic: The Gathering'],
    );
    assert.deepEqual(
      (await readFailedParts(store.db)).map(({ part }) => part),
      ['1/groups'],
    );
  });
});

test('what a feed could not read stays known while its file is unchanged', async () => {
  const folder = new FeedFolder();
  const store = await openStore(join(folder.folder, 'test.db'));
  after(() => store.close());
  await importTree(store, new TreeCopy().folder);
  const text = readFileSync('test/fixtures/scryfall/default-cards.json', 'utf8');
  const importFile = async (name: string, content: string) => {
    const feed = await SCRYFALL.open(folder.write(name, content), feedOptions());
    return importFeed(store, feed, { clock: () => NOW });
  };
  const wrong = text.replace('"usd":"', '"usd":"about ');
  const first = await importFile('default-cards-20260128220837.json', wrong);
  assert.deepEqual([first.brokenCount, first.unchanged], [1, false]);
  const again = await importFile('default-cards-20260128220837.json', wrong);
  assert.deepEqual([again.brokenCount, again.unchanged], [0, true]);
  assert.deepEqual(
    (await readFailedParts(store.db)).map(({ source, part, badRows }) => [source, part, badRows]),
    [['scryfall', 'default-cards.json', 1]],
  );
  await importFile('default-cards-20260129220837.json', text);
  assert.deepEqual(await readFailedParts(store.db), []);
});

describe('a single corrupted row of a TCGCSV group', () => {
  const folder = mkdtempSync(join(tmpdir(), 'cardprice-rows-'));
  after(() => rmSync(folder, { recursive: true }));
  const template = join(folder, 'day-1.db');
  const rowsOf = (tree: TreeCopy, file: string) => {
    const text = readFileSync(join(tree.folder, 'tcgplayer/3/604', file), 'utf8');
    return (JSON.parse(text) as { results: Record<string, unknown>[] }).results;
  };
  let dayOne: Map<string, number | null>;
  let dayTwo: Map<string, number | null>;

  before(async () => {
    const tree = new TreeCopy();
    const store = await openStore(template);
    await importTree(store, tree.folder);
    dayOne = await servedPrices(store);
    await store.close();
    dayTwo = (await pricesAfter(tree, () => {})).prices;
  });

  let runs = 0;
  async function pricesAfter(tree: TreeCopy, change: () => void) {
    runs += 1;
    const file = join(folder, `run-${runs}.db`);
    copyFileSync(template, file);
    raisePrices(tree);
    change();
    const store = await openStore(file);
    try {
      const summary = await importTree(store, tree.folder);
      return { summary, prices: await servedPrices(store) };
    } finally {
      await store.close();
    }
  }

  async function costsAtMostItsRow(file: 'products' | 'prices', wrong: Corruption) {
    const tree = new TreeCopy();
    let product: unknown;
    const { prices, summary } = await pricesAfter(tree, () => {
      const rows = rowsOf(tree, file);
      const { text, index } = corrupt(rows, wrong);
      product = rows[index]?.productId;
      tree.write(`3/604/${file}`, `{"success":true,"results":${text}}`);
    });
    assert.ok(summary.broken.every(({ reason }) => !reason.includes('rows are bad')));
    for (const [key, market] of dayTwo) {
      const isOwn = key.startsWith(`${product} `);
      const allowed = isOwn ? [market, dayOne.get(key)] : [market];
      // An amount of null is not a fault: its source does not know the price.
      if (isOwn && summary.brokenCount === 0) allowed.push(null);
      assert.ok(allowed.includes(prices.get(key)), `${key}: ${prices.get(key)} not ${allowed}`);
    }
  }

  for (const file of ['prices', 'products'] as const) {
    test(`costs at most that row of its ${file}`, async () => {
      const property = fc.asyncProperty(corruption, (wrong) => costsAtMostItsRow(file, wrong));
      await fc.assert(property, { numRuns: 25 });
    });
  }
});

describe('a single corrupted row of a CSV file', () => {
  const HEAD =
    'productId,name,imageUrl,categoryId,groupId,imageCount,extNumber,extRarity,lowPrice,midPrice,highPrice,marketPrice,subTypeName';
  const GROUPS = JSON.stringify({ results: [{ groupId: 604, name: 'Base Set' }] });
  const row = (id: number) => {
    return [id, `Card ${id}`, '', 3, 604, 1, `${id}/102`, 'Common', 1, 2, 3, 1.5, 'Normal'].map(
      String,
    );
  };
  const ROWS = Array.from({ length: 10 }, (_, index) => row(index + 1));

  async function listingsOf(rows: readonly (readonly string[])[]) {
    const folder = new FeedFolder();
    folder.write('groups', GROUPS);
    const lines = [HEAD, ...rows.map((cells) => cells.join(','))].join('\r\n');
    const file = folder.write('ProductsAndPrices.csv', lines);
    const snapshot = openTcgcsvCsv(await findCsvFiles(file), { sets: new Map(), now: NOW });
    for await (const outcome of snapshot.groups(() => undefined)) {
      assert.ok(outcome.kind === 'read', JSON.stringify(outcome));
      return outcome.group.listings;
    }
    return assert.fail();
  }

  test('costs at most that row', async () => {
    const cells = ['', 'abc', '-1', '1e300', 'NaN', '999', 'a,b', '"', '\u001b[2J'];
    const property = fc.asyncProperty(
      fc.nat(9),
      fc.nat(12),
      fc.constantFrom(...cells),
      async (index, column, cell) => {
        const wrong = ROWS.with(index, (ROWS[index] ?? []).with(column, cell));
        const listings = await listingsOf(wrong);
        const expected = await listingsOf(ROWS.toSpliced(index, 1));
        const others = expected.map(({ externalId }) => externalId);
        assert.deepEqual(
          listings.filter(({ externalId }) => others.includes(externalId)),
          expected,
        );
      },
    );
    await fc.assert(property, { numRuns: 60 });
  });
});

describe('a single corrupted record of', () => {
  const feeds: readonly (readonly [string, OpenFeed, string])[] = [
    ['Scryfall', SCRYFALL.open, 'test/fixtures/scryfall/default-cards.json'],
    ['Lorcast', LORCAST.open, 'test/fixtures/lorcast/cards.json'],
  ];
  for (const [name, openFeed, location] of feeds) {
    test(`${name} costs at most that record`, async () => {
      const content: unknown = JSON.parse(readFileSync(location, 'utf8'));
      const records = (Array.isArray(content) ? content : Object(content).results) as object[];
      const folder = new FeedFolder();
      const read = async (text: string) => {
        const { items } = await readFeed(openFeed, folder.write('default-cards.json', text));
        return items;
      };
      const property = fc.asyncProperty(corruption, async (wrong) => {
        const { text, index } = corrupt(records, wrong);
        const items = await read(text);
        const expected = await read(JSON.stringify(records.toSpliced(index, 1)));
        const others = expected.map(({ card }) => card.externalId);
        const found = items.filter(({ card }) => others.includes(card.externalId));
        assert.deepEqual(found, expected);
      });
      await fc.assert(property, { numRuns: 60 });
    });
  }
});
