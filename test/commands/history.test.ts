import assert from 'node:assert/strict';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { takeImportLock } from '../../src/store/catalogue/imports.ts';
import type { Store } from '../../src/store/connect.ts';
import { openStore } from '../../src/store/connect.ts';
import { importFixtures, shareService } from '../support/app.ts';
import { ArchiveFolder, importArchive } from '../support/archive.ts';
import { run, temporaryFolder } from '../support/cli.ts';
import { forEachEngine } from '../support/engines.ts';

const CHARIZARD = 'pokemon-bs-charizard-004';

async function damage(store: Store, card: string): Promise<number> {
  const { id } = await store.db
    .selectFrom('printings')
    .innerJoin('cards', 'cards.id', 'printings.card_id')
    .where('cards.public_id', '=', card)
    .select('printings.id')
    .executeTakeFirstOrThrow();
  const block = new Uint8Array(20);
  await store.db
    .updateTable('history_recent')
    .set({ block })
    .where('printing_id', '=', id)
    .execute();
  return id;
}

async function databaseWithDays(dates: readonly string[]): Promise<string> {
  const database = join(temporaryFolder(), 'cards.db');
  await importFixtures(database);
  const store = await openStore(database);
  const archive = new ArchiveFolder();
  for (const [index, date] of dates.entries()) {
    const price = { productId: 42_382, subTypeName: 'Holofoil', market: index + 100 };
    archive.day(date, '3/604', [price]);
  }
  if (dates.length > 0) await importArchive(store, archive.folder);
  await store.close();
  return database;
}

const history = (database: string, ...args: readonly string[]) => {
  return run(['history', ...args], { env: { CARDPRICE_DATABASE: database } });
};

describe('cardprice history check', () => {
  test('prints how many days and blocks there are when all are sound', async () => {
    const database = await databaseWithDays(['2025-12-24']);
    const { code, out, err } = await history(database, 'check');
    assert.deepEqual([code, err], [0, '']);
    assert.match(out, /^Checked {3}\d+ blocks: \d+ days of printings, \d+\.\d MB$/m);
    const json = JSON.parse((await history(database, 'check', '--json')).out);
    assert.deepEqual(json.damaged, []);
    assert.ok(json.points >= json.blocks && json.bytes > json.blocks);
  });

  test('names every damaged block and ends with 1', async () => {
    const database = await databaseWithDays([]);
    const store = await openStore(database);
    await damage(store, CHARIZARD);
    await damage(store, 'lorcana-tfc-hades-king-of-olympus-205');
    await store.close();
    const { code, err } = await history(database, 'check');
    assert.equal(code, 1);
    assert.match(
      err,
      new RegExp(`^Damaged {3}${CHARIZARD}, Holofoil, from 2026-01-28 on: .+$`, 'm'),
    );
    assert.match(err, /^Damaged {3}lorcana-tfc-hades-king-of-olympus-205, Cold Foil/m);
    assert.match(err, /^2 blocks are damaged/m);
    const json = JSON.parse((await history(database, 'check', '--json')).out);
    assert.equal(json.damaged[0].card, CHARIZARD);
  });

  test('lets an export name the damaged blocks and write all other days', async () => {
    const database = await databaseWithDays([]);
    const store = await openStore(database);
    const id = await damage(store, CHARIZARD);
    await store.close();
    const env = { CARDPRICE_DATABASE: database };
    const { code, out, err } = await run(['export', 'history', '--set', 'BS'], { env });
    assert.equal(code, 1);
    assert.match(err, new RegExp(`^Left out {2}The history of printing ${id} from 2026-01-28 on`));
    assert.ok(!out.includes(CHARIZARD) && out.includes('pokemon-bs-alakazam-001'));
  });
});

describe('cardprice history compact', () => {
  /** A week long ago, from Monday on, and the day after it. */
  const WEEK = ['2024-01-01', '2024-01-02', '2024-01-07', '2024-01-08'];
  const rows = async (database: string) => {
    const args = ['export', 'history', '--card', CHARIZARD];
    const { out } = await run(args, { env: { CARDPRICE_DATABASE: database } });
    return out
      .split('\n')
      .slice(1, -1)
      .map((line) => line.split(',')[2]);
  };

  test('keeps every day unless a flag asks to thin out', async () => {
    const database = await databaseWithDays(WEEK);
    const { code, out } = await history(database, 'compact');
    assert.equal(code, 0);
    assert.match(out, /^Compacted \d+ blocks: 0 days of printings thinned out$/m);
    assert.deepEqual(await rows(database), [...WEEK, '2026-01-28']);
  });

  test('keeps the last day of each week that is older than the days kept daily', async () => {
    const database = await databaseWithDays(WEEK);
    const { out } = await history(database, 'compact', '--keep-daily', '30', '--json');
    assert.equal(JSON.parse(out).removed, 2);
    assert.deepEqual(await rows(database), ['2024-01-07', '2024-01-08', '2026-01-28']);
  });

  test('refuses to run during an import', async () => {
    const database = await databaseWithDays([]);
    const store = await openStore(database);
    await takeImportLock(store.db, `${hostname()}:${process.pid}`, Date.now(), Date.now() + 60_000);
    await store.close();
    const { code, err } = await history(database, 'compact');
    assert.equal(code, 1);
    assert.match(err, /Another import is running/);
  });

  for (const days of ['0', '-1', '1.5', 'all']) {
    test(`refuses --keep-daily ${days}`, async () => {
      const empty = join(temporaryFolder(), 'cards.db');
      await (await openStore(empty)).close();
      const { code, err } = await history(empty, 'compact', `--keep-daily=${days}`);
      assert.equal(code, 1);
      assert.match(err, /is not a whole number above 0/);
    });
  }
});

forEachEngine((label) => {
  const shared = shareService(label);
  let id = 0;
  before(async () => {
    id = await damage(shared.service.store, CHARIZARD);
  });

  test('a damaged history is a 500, and the log names the printing and the day', async () => {
    const caller = await shared.service.caller('trader');
    const response = await caller.get(`/v1/cards/${CHARIZARD}/history?period=all`);
    assert.equal(response.statusCode, 500);
    assert.equal(response.json().error.code, 'INTERNAL_ERROR');
    assert.doesNotMatch(response.body, /damaged/);
    const logged = shared.service.log.filter((line) => line.includes('request failed'));
    assert.match(logged.join(), new RegExp(`printing ${id} from 2026-01-28 on is damaged`));
  });
});
