import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Migrator } from 'kysely/migration';
import { listKeys } from '../../src/store/accounts.ts';
import { isPostgres, openStore } from '../../src/store/connect.ts';
import { openPostgres, openSqlite } from '../../src/store/engine.ts';
import { deleteAccount } from '../../src/store/members.ts';
import { migrations } from '../../src/store/migrations.ts';
import { createDatabase, type EngineLabel } from '../support/engines.ts';

/** The tables that came with the dashboard, of those that requests write. */
const APART = ['sessions', 'attempts', 'request_counts', 'key_uses'] as const;

const OBSERVED = Date.parse('2026-01-28T20:05:12Z');

/** A database as the version had it whose last migration this is. */
async function oldDatabase(label: EngineLabel, last: string) {
  const database = await createDatabase(label);
  const { location } = database;
  const { engine, db } = isPostgres(location) ? openPostgres(location) : openSqlite(location);
  const provider = { getMigrations: async () => migrations(engine) };
  const { error } = await new Migrator({ db, provider }).migrateTo(last);
  assert.equal(error, undefined);
  return { ...database, db };
}

const PRINTINGS = [
  { name: 'Normal', market: 100, sources: '["tcgplayer"]', observed_at: OBSERVED },
  { name: 'Foil', market: 200, sources: '["my-shop"]', observed_at: OBSERVED },
  { name: 'Etched', market: 300, sources: '["my-shop","tcgplayer"]', observed_at: OBSERVED },
  { name: 'Silent', market: null, sources: '[]', observed_at: OBSERVED },
  { name: 'Never', market: null, sources: '[]', observed_at: null },
] as const;

for (const label of ['SQLite', 'PostgreSQL'] as const) {
  test(`${label}: what an older version served is what its sources say`, async () => {
    const { location, db, remove } = await oldDatabase(label, '0004-accounts');
    const set = { id: 1, game: 'mtg', code: 'LEA', name: 'Alpha', release_date: null } as const;
    await db
      .insertInto('sets')
      .values({ ...set, revision: 1 })
      .execute();
    const card = { id: 1, public_id: 'mtg-lea-opt', set_id: 1, name: 'Opt', number: null };
    await db
      .insertInto('cards')
      .values({ ...card, rarity: null, image: null, revision: 1 })
      .execute();
    await db.insertInto('card_keys').values({ source: 'tcgcsv', key: '77', card_id: 1 }).execute();
    for (const [index, printing] of PRINTINGS.entries()) {
      const figures = { low: 90, mid: null, high: null, conditions: null, graded: null };
      const row = { ...figures, ...printing, id: index + 1, card_id: 1, revision: 1 };
      await db.insertInto('printings').values(row).execute();
    }
    await db.destroy();

    const store = await openStore(location);
    const quotes = await store.db.selectFrom('quotes').selectAll().orderBy('printing_id').execute();
    const printings = await store.db
      .selectFrom('printings')
      .select('market')
      .orderBy('id')
      .execute();
    await store.close();
    await remove();
    assert.deepEqual(
      quotes.map(({ source, origin, market, low, source_key }) => {
        return [source, origin, market, low, source_key];
      }),
      [
        ['tcgcsv', 'tcgplayer', 100, 90, '77'],
        ['quotes', 'my-shop', 200, 90, null],
        ['tcgcsv', 'tcgplayer', 300, 90, '77'],
        ['tcgcsv', 'tcgplayer', null, 90, '77'],
      ],
    );
    assert.ok(quotes.every((quote) => quote.observed_at === OBSERVED && quote.fetched_at === null));
    assert.deepEqual(
      printings.map(({ market }) => market),
      PRINTINGS.map(({ market }) => market),
    );
  });

  test(`${label}: accounts from before the dashboard are there as they were`, async () => {
    const { location, db, remove } = await oldDatabase(label, '0007-usage-apart');
    const ann = { id: 7, email: 'ann@shop.example', plan: 'trader', created_at: OBSERVED };
    await db.insertInto('accounts').values(ann).execute();
    const key = { account_id: 7, hash: 'digest', hint: 'abcd', name: 'shop', created_at: OBSERVED };
    await db.insertInto('api_keys').values(key).execute();
    await db.insertInto('usage').values({ account_id: 7, day: 20_000, used: 3 }).execute();
    await db.destroy();

    const store = await openStore(location);
    const accounts = await store.db.selectFrom('accounts').selectAll().execute();
    const nobodys = { disabled_at: null, password_hash: null, operator: 0 };
    assert.deepEqual(accounts, [{ ...ann, ...nobodys }]);
    const [listed] = await listKeys(store.db, 7);
    assert.deepEqual([listed?.hint, listed?.used_at], ['abcd', null]);
    assert.equal((await store.db.selectFrom('usage').selectAll().execute()).length, 1);
    for (const table of APART) {
      assert.deepEqual(await store.db.selectFrom(table).selectAll().execute(), [], table);
    }
    await deleteAccount(store.db, 7);
    assert.deepEqual(await store.db.selectFrom('usage').selectAll().execute(), []);
    await store.close();
    await remove();
  });

  test(`${label}: a migration that fails leaves the database as it was`, async () => {
    const { location, db, remove } = await oldDatabase(label, '0004-accounts');
    // In the way of the last table that the migration makes.
    await db.schema.createTable('quarantine').addColumn('id', 'integer').execute();
    await assert.rejects(openStore(location), /could not be brought up to date/);
    await db.schema.dropTable('quarantine').execute();
    await db.destroy();
    await (await openStore(location)).close();
    await remove();
  });
}
