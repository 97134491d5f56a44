import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, it, test } from 'node:test';
import { sql } from 'kysely';
import { importFeed } from '../../src/ingest/drivers/feed.ts';
import { withLock } from '../../src/ingest/lock.ts';
import { SCRYFALL } from '../../src/sources/scryfall/read.ts';
import { openCopy } from '../../src/store/backup/copy.ts';
import { openStore, type Store } from '../../src/store/connect.ts';
import { ArchiveFolder, importArchive } from '../support/archive.ts';
import { forEachEngine, type TestStore } from '../support/engines.ts';
import { feedOptions } from '../support/feeds.ts';
import { FIXTURE, importTree, NOW, TreeCopy } from '../support/tcgcsv.ts';

const ACCOUNT = { email: 'ann@shop.example', plan: 'free', created_at: 0 };

/** All rows of all tables as text, except those of the lock, which contain times. */
async function rowsOf({ db }: Store): Promise<Map<string, readonly string[]>> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true });
  const rows = new Map<string, readonly string[]>();
  for (const { name } of tables) {
    if (name === 'import_lock' || name.startsWith('sqlite_')) continue;
    const read = await sql<object>`select * from ${sql.table(name)}`.execute(db);
    rows.set(name, read.rows.map((row) => JSON.stringify(row)).sort());
  }
  return rows;
}

/** A later tree with many differences: prices, a new card, a missing card, bad rows. */
/** By product: Charizard's price jumps. */
const FACTORS = new Map([
  [42_382, 2.5],
  [42_360, 1.05],
]);

function laterTree(): TreeCopy {
  const tree = new TreeCopy().observed('2026-01-29T20:05:12+0000');
  tree.edit('3/604/prices', (rows) => {
    for (const row of rows) {
      const market = row.marketPrice;
      // Few prices move, because a set that moves as a whole would be quarantined.
      const factor = FACTORS.get(Number(row.productId)) ?? 1;
      if (typeof market === 'number') row.marketPrice = Math.round(market * factor * 100) / 100;
    }
    rows.push({ ...rows[0], productId: 999_999, subTypeName: 'Normal' }, { productId: 1 });
  });
  tree.edit('3/604/products', (rows) => rows.push({ ...rows[0], productId: 999_999 }));
  return tree.edit('3/1373/prices', (rows) => rows.splice(0, 1));
}

/** The summary of an import without its duration. */
function withoutTime<Summary extends { seconds: number }>(summary: Summary) {
  return { ...summary, seconds: 0 };
}

async function marketPrices({ db }: Store): Promise<Map<number, number | null>> {
  const rows = await db.selectFrom('printings').select(['id', 'market']).execute();
  return new Map(rows.map(({ id, market }) => [id, market]));
}

/** Tries an import on a copy, then runs it for real. Returns the changes shown by the copy. */
async function tryAndDo<Summary extends { seconds: number }>(
  store: TestStore,
  work: (store: Store) => Promise<Summary>,
) {
  const before = await rowsOf(store);
  const copy = await openCopy(store.location);
  const tried = await work(copy);
  const changes = await copy.changes();
  await copy.close();
  assert.deepEqual(await rowsOf(store), before);
  const prices = await marketPrices(store);
  assert.deepEqual(withoutTime(await work(store)), withoutTime(tried));
  const pairs = [...(await marketPrices(store))].map(([id, now]) => {
    return { before: prices.get(id) ?? null, now };
  });
  const count = (is: (before: number, now: number) => boolean) => {
    return pairs.filter(({ before, now }) => is(before ?? 0, now ?? 0)).length;
  };
  const { up, down, appeared, gone } = changes.prices;
  assert.deepEqual(
    { up, down, appeared, gone },
    {
      up: count((before, now) => before > 0 && now > before),
      down: count((before, now) => now > 0 && now < before),
      appeared: count((before, now) => before === 0 && now > 0),
      gone: count((before, now) => before > 0 && now === 0),
    },
  );
  return { changes, tried };
}

forEachEngine((label, open) => {
  it('shows what an import of a tree will do, and writes nothing', async () => {
    const store = await open();
    await store.accounts.db.insertInto('accounts').values(ACCOUNT).execute();
    await importTree(store, FIXTURE);
    const { folder } = laterTree();
    const { changes, tried } = await tryAndDo(store, (one) => importTree(one, folder));
    const { prices, cardsAdded, printingsAdded, setsAdded, quarantined } = changes;
    assert.ok(prices.up > 0 && prices.gone > 0, JSON.stringify(prices));
    assert.deepEqual([setsAdded.count, cardsAdded.count], [0, 1]);
    assert.equal(printingsAdded.count, tried.printingsAdded);
    const jumps = quarantined.find(({ rule }) => rule === 'price-jump');
    assert.equal(jumps?.set, 'Base Set');
    assert.equal(jumps.count, tried.quarantined['price-jump']);
    assert.match(jumps.examples[0] ?? '', /^pokemon-bs-/);
    const [first] = prices.largestByMoney;
    assert.ok(first?.before && first.after && first.before !== first.after);
    const sizes = prices.largestByMoney.map(({ before, after }) => {
      return Math.abs((after ?? 0) - (before ?? 0));
    });
    assert.deepEqual(
      sizes,
      sizes.toSorted((a, b) => b - a),
    );
  });

  it('shows what imports of a feed and of an archive will do', async () => {
    const store = await open();
    await importTree(store, FIXTURE);
    const location = 'test/fixtures/scryfall/default-cards.json';
    await tryAndDo(store, async (one) => {
      const feed = await SCRYFALL.open(location, feedOptions({ observedAt: NOW }));
      return importFeed(one, feed, { clock: () => NOW });
    });
    const price = { productId: 42346, subTypeName: 'Holofoil', market: 60 };
    const archive = new ArchiveFolder().day('2026-01-27', '3/604', [price]);
    const { tried } = await tryAndDo(store, (one) => importArchive(one, archive.folder));
    assert.equal(tried.points, 1);
  });

  it('shows what a first import will do', async () => {
    const store = await open();
    const { changes, tried } = await tryAndDo(store, (one) => importTree(one, FIXTURE));
    assert.equal(changes.cardsAdded.count, tried.cardsAdded);
    assert.equal(changes.setsAdded.count, tried.setsAdded);
    assert.equal(changes.setsAdded.examples.length, 3);
  });

  it('does not disturb other processes, which can write and import', async () => {
    const store = await open();
    await importTree(store, FIXTURE);
    await withLock(
      store,
      () => NOW,
      async () => {
        const copy = await openCopy(store.location);
        await importTree(copy, laterTree().folder);
        await store.accounts.db.insertInto('accounts').values(ACCOUNT).execute();
        await store.db.updateTable('catalog_state').set({ revision: 7 }).execute();
        await copy.close();
      },
    );
    assert.equal((await importTree(store, laterTree().folder)).brokenCount, 1);
  });

  if (label === 'PostgreSQL') {
    it('makes the server refuse to write to anything else', async () => {
      const store = await open();
      const copy = await openCopy(store.location);
      const refused = copy.accounts.db.insertInto('accounts').values(ACCOUNT).execute();
      await assert.rejects(refused, /read-only transaction/);
      await copy.close();
    });

    it('is refused with a clear message if it cannot be made', async () => {
      await assert.rejects(openCopy('postgres://ann:secret@127.0.0.1:1/cards'), {
        name: 'OperatorError',
        message: /^The database postgres:\/\/ann:\*\*\*@127\.0\.0\.1:1\/cards cannot be copied/,
      });
    });

    it('is not made of a database with pending migrations', async () => {
      const store = await open();
      await sql`delete from kysely_migration`.execute(store.db);
      await assert.rejects(
        openCopy(store.location),
        /lacks the migrations 0001-catalogue-schema, .*: run `cardprice migrate`/,
      );
    });
  }
});

test('a copy of a file is private, and removed when it is closed or cannot be made', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'cardprice-copies-'));
  const before = process.env.TMPDIR;
  process.env.TMPDIR = folder;
  after(() => {
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
    rmSync(folder, { recursive: true });
  });
  const location = join(folder, 'cards.db');
  await (await openStore(location)).close();
  const others = readdirSync(folder);
  const copy = await openCopy(location);
  const [made = ''] = readdirSync(folder).filter((name) => !others.includes(name));
  assert.equal(statSync(join(folder, made)).mode & 0o777, 0o700);
  await copy.close();
  assert.deepEqual(readdirSync(folder), others);
  await assert.rejects(openCopy(folder));
  await assert.rejects(openCopy('package.json'), { name: 'OperatorError' });
  assert.deepEqual(readdirSync(folder), others);
});
