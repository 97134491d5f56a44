/**
 * Imports real files of Scryfall after the Magic of the TCGCSV tree, as they are and with mistakes
 * over the whole file. docs/pricing.md has the figures.
 */
import assert from 'node:assert/strict';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, type TestContext, test } from 'node:test';
import { GAMES } from '../../src/domain/games.ts';
import type { Cents } from '../../src/domain/money.ts';
import { importFeed } from '../../src/ingest/drivers/feed.ts';
import { importSnapshot } from '../../src/ingest/drivers/snapshot.ts';
import type { Feed, FeedItem } from '../../src/sources/contract/feed.ts';
import { openFolder } from '../../src/sources/io/tree.ts';
import { openScryfall } from '../../src/sources/scryfall/read.ts';
import { openTcgcsv, readLastUpdated } from '../../src/sources/tcgcsv/read.ts';
import { openStore, type Store } from '../../src/store/connect.ts';
import { feedOptions } from '../support/feeds.ts';
import { NOW } from '../support/tcgcsv.ts';

const DATA = new URL('../../../shared/data', import.meta.url).pathname;
const LEAST_HELD = 0.99;
const clock = () => NOW;

type Change = (price: number, next: number) => number;

const MISTAKES: Readonly<Record<string, Change>> = {
  'four times': (price) => price * 4,
  half: (price) => price / 2,
  '1.15 times': (price) => price * 1.15,
  '0.92 times': (price) => price * 0.92,
  'rows shifted by one': (_, next) => next,
};

const folder = mkdtempSync(join(tmpdir(), 'cardprice-shift-'));
after(() => rmSync(folder, { recursive: true, force: true }));

function scryfall(date: string): Promise<Feed> {
  const file = join(DATA, `scryfall/default-cards-${date}.json.gz`);
  return openScryfall(file, feedOptions());
}

/** The feed with other prices, each made of a price and of the one before it in the file. */
function changed(feed: Feed, change: Change): Feed {
  let last: number | null = null;
  const observationsOf = ({ observations }: FeedItem) => {
    return observations.map((one) => {
      const { market } = one.prices;
      if (market === null) return one;
      const price = Math.max(1, Math.round(change(market, last ?? market))) as Cents;
      last = market;
      return { ...one, prices: { ...one.prices, market: price } };
    });
  };
  return {
    ...feed,
    file: null,
    async *batches() {
      for await (const batch of feed.batches()) {
        const items = batch.items.map((item) => ({ ...item, observations: observationsOf(item) }));
        yield { ...batch, items };
      }
    },
  };
}

async function importTree(store: Store): Promise<void> {
  const games = GAMES.filter(({ slug }) => slug === 'mtg');
  const tree = await openFolder(join(DATA, 'tcgcsv'));
  await importSnapshot(
    store,
    await openTcgcsv(tree, { games, observedAt: await readLastUpdated(tree, NOW) }),
    { clock },
  );
}

let count = 0;

/** Calls back with a database of the tree, with the file of Scryfall's first day if wanted. */
async function withPrices<Result>(
  isFirst: boolean,
  use: (store: Store) => Promise<Result>,
): Promise<Result> {
  count += 1;
  const file = join(folder, `${count}.db`);
  copyFileSync(join(folder, isFirst ? 'tree.db' : 'both.db'), file);
  const store = await openStore(file);
  try {
    return await use(store);
  } finally {
    await store.close();
  }
}

async function prepare(): Promise<void> {
  const store = await openStore(join(folder, 'tree.db'));
  await importTree(store);
  await store.close();
  copyFileSync(join(folder, 'tree.db'), join(folder, 'both.db'));
  const both = await openStore(join(folder, 'both.db'));
  await importFeed(both, await scryfall('2026-01-19'), { clock });
  await both.close();
}

const prepared = prepare();

/** How many prices that an import of the mistake would change are stored after it. */
async function importMistake(store: Store, change: Change) {
  const before = await prices(store);
  const feed = changed(await scryfall('2026-01-28'), change);
  const { quarantined, observations } = await importFeed(store, feed, { clock });
  const after = await prices(store);
  const moved = [...after].filter(([printing, market]) => before.get(printing) !== market);
  return { held: quarantined['source-shift'] ?? 0, observations, moved: moved.length };
}

async function prices({ db }: Store): Promise<Map<number, number | null>> {
  const rows = db.selectFrom('observations').where('source', '=', 'scryfall');
  const all = await rows.select(['printing_id', 'market']).execute();
  return new Map(all.map(({ printing_id, market }) => [printing_id, market]));
}

for (const [mistake, change] of Object.entries(MISTAKES)) {
  for (const isFirst of [true, false]) {
    const when = isFirst ? 'on its first import' : 'on a later one';
    test(`a real feed is held when it has ${mistake}, ${when}`, async (context: TestContext) => {
      await prepared;
      const { held, moved, observations } = await withPrices(isFirst, (store) => {
        return importMistake(store, change);
      });
      context.diagnostic(`${held} of ${observations} held, ${moved} accepted`);
      assert.ok(moved <= (1 - LEAST_HELD) * observations, `${moved} accepted`);
    });
  }
}

for (const isFirst of [true, false]) {
  test(`a real feed loses nothing, ${isFirst ? 'alone' : 'nine days after another'}`, async () => {
    await prepared;
    await withPrices(isFirst, async (store) => {
      const { quarantined } = await importFeed(store, await scryfall('2026-01-28'), { clock });
      assert.equal(quarantined['source-shift'], undefined);
    });
  });
}
