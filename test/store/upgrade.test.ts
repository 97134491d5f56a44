import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Kysely, sql } from 'kysely';
import { Migrator } from 'kysely/migration';
import { deleteAccount } from '../../src/accounts/account-deletion-sql.ts';
import { listApiKeys } from '../../src/accounts/account-sql.ts';
import { Plans, planWith } from '../../src/accounts/quota/plans.ts';
import { IDLE_MS, Sessions } from '../../src/accounts/sign-in/sessions.ts';
import { createToken, hashToken } from '../../src/accounts/sign-in/tokens.ts';
import { dayOf, MS_PER_DAY } from '../../src/domain/day.ts';
import { isPostgres } from '../../src/domain/location.ts';
import { approveQuarantined } from '../../src/ingest/approve.ts';
import type { AccountDatabase } from '../../src/store/accounts/schema.ts';
import { migrations } from '../../src/store/catalogue/migrations.ts';
import type { Database, SetRow } from '../../src/store/catalogue/schema.ts';
import { openStore } from '../../src/store/connect.ts';
import { MIGRATION_TABLES } from '../../src/store/engine/migration-tables.ts';
import { openPostgres } from '../../src/store/engine/postgres.ts';
import { openSqlite } from '../../src/store/engine/sqlite.ts';
import { listQuarantined } from '../../src/store/quarantine/quarantine.ts';
import { createDatabase, type EngineLabel } from '../support/engines.ts';

/** The tables that came with the dashboard, of those that requests write to. */
const DASHBOARD_TABLES = ['sessions', 'attempts', 'request_counts', 'key_uses'] as const;

const OBSERVED = Date.parse('2026-01-28T20:05:12Z');
const LATER = Date.parse('2026-01-30T08:00:00Z');

/** A database of the version whose last migration was `last`. */
async function oldDatabase(label: EngineLabel, last: string) {
  const database = await createDatabase(label);
  const { location } = database;
  const { engine, db } = isPostgres(location) ? openPostgres(location) : openSqlite(location);
  const provider = { getMigrations: async () => migrations(engine) };
  const { error } = await new Migrator({ db, provider }).migrateTo(last);
  assert.equal(error, undefined);
  return { ...database, db };
}

const SET = { id: 1, game: 'mtg', code: 'LEA', name: 'Alpha', release_date: null } as const;
const CARD = { id: 1, public_id: 'mtg-lea-opt', set_id: 1, name: 'Opt', number: null } as const;

async function insertCard(db: Kysely<Database>): Promise<void> {
  await db
    .insertInto('sets')
    .values({ ...SET, revision: 1 } as SetRow) // without a setId, which came later
    .execute();
  await db
    .insertInto('cards')
    .values({ ...CARD, rarity: null, image: null, revision: 1 })
    .execute();
}

const PRINTINGS = [
  { name: 'Normal', market: 100, sources: '["tcgplayer"]', observed_at: OBSERVED },
  { name: 'Foil', market: 200, sources: '["my-shop"]', observed_at: OBSERVED },
  { name: 'Etched', market: 300, sources: '["my-shop","tcgplayer"]', observed_at: OBSERVED },
  { name: 'Silent', market: null, sources: '[]', observed_at: OBSERVED },
  { name: 'Never', market: null, sources: '[]', observed_at: null },
] as const;

/** Printings as versions up to 0009 served them. */
const SERVED = [
  {
    ...{ name: 'Normal', sources: '["justtcg","pricecharting","tcgplayer"]', figures_at: LATER },
    ...{ conditions: '{"near_mint":1}', graded: '{"psa_10":2}' },
  },
  { name: 'Foil', sources: '["my-shop"]', figures_at: LATER, conditions: null, graded: null },
  {
    ...{ name: 'Etched', sources: '["pricecharting"]', figures_at: null },
    ...{ conditions: null, graded: '{"psa_10":2}' },
  },
];

const NO_PRICES = { market: null, low: null, mid: null, high: null };

/** A quarantined observation as versions up to 0008 wrote it. */
function quoteJson(market: string, cents: number, days: number): string {
  const prices = { ...NO_PRICES, market: cents };
  const rest = { currency: 'USD', observedAt: LATER, prices, conditions: {}, graded: {}, days };
  return JSON.stringify({ market, ...rest });
}

/** Rule, observation and decision of quarantined rows before and after 0009. */
const QUARANTINED = [
  ['jump', 'price-jump', quoteJson('tcgplayer', 900, 1), null],
  ['contradicts-others', 'source-outlier', quoteJson('my "shop"', 901, 2), 'rejected'],
  ['swapped-prices', 'swapped-printings', quoteJson('tcgplayer', 902, 1), null],
  ['told-twice', 'conflicting-prices', quoteJson('tcgplayer', 903, 1), 'accepted'],
  ['shared-id', 'shared-external-id', quoteJson('tcgplayer', 904, 1), null],
  ['absurd-price', 'absurd-price', quoteJson('tcgplayer', 905, 0), null],
  ['unknown-printing', 'unknown-printing', null, null],
  ['lost-prices', 'mass-delisting', '{"printings":[1,2]}', null],
] as const;

for (const label of ['SQLite', 'PostgreSQL'] as const) {
  test(`${label}: served prices of an old version become observations of their sources`, async () => {
    const { location, db, remove } = await oldDatabase(label, '0004-accounts');
    await insertCard(db);
    await sql`insert into card_keys (source, key, card_id) values ('tcgcsv', '77', 1)`.execute(db);
    for (const [index, printing] of PRINTINGS.entries()) {
      const figures = { low: 90, mid: null, high: null, conditions: null, graded: null };
      const row = { ...figures, ...printing, id: index + 1, card_id: 1, revision: 1 };
      await db.insertInto('printings').values(row).execute();
    }
    await db.destroy();

    const store = await openStore(location);
    const observations = await store.db
      .selectFrom('observations')
      .selectAll()
      .orderBy('printing_id')
      .execute();
    const printings = await store.db
      .selectFrom('printings')
      .select('market')
      .orderBy('id')
      .execute();
    await store.close();
    await remove();
    assert.deepEqual(
      observations.map(({ source, marketplace, market, low, external_id }) => {
        return [source, marketplace, market, low, external_id];
      }),
      [
        ['tcgcsv', 'tcgplayer', 100, 90, '77'],
        ['quotes', 'my-shop', 200, 90, null],
        ['tcgcsv', 'tcgplayer', 300, 90, '77'],
        ['tcgcsv', 'tcgplayer', null, 90, '77'],
      ],
    );
    assert.ok(observations.every((one) => one.observed_at === OBSERVED && one.fetched_at === null));
    assert.deepEqual(
      printings.map(({ market }) => market),
      PRINTINGS.map(({ market }) => market),
    );
  });

  test(`${label}: accounts from before the dashboard stay as they were`, async () => {
    const { location, db: old, remove } = await oldDatabase(label, '0007-usage-apart');
    const db = old as unknown as Kysely<AccountDatabase>;
    const ann = { id: 7, email: 'ann@shop.example', plan: 'trader', created_at: OBSERVED };
    await db.insertInto('accounts').values(ann).execute();
    const key = { account_id: 7, hash: 'digest', hint: 'abcd', name: 'shop', created_at: OBSERVED };
    await db.insertInto('api_keys').values(key).execute();
    await db.insertInto('usage').values({ account_id: 7, day: 20_000, used: 3 }).execute();
    await db.destroy();

    const store = await openStore(location);
    const accounts = await store.accounts.db.selectFrom('accounts').selectAll().execute();
    const defaults = { disabled_at: null, password_hash: null, operator: 0 };
    const security = { credential_version: 0, verified_at: OBSERVED, limits: null };
    assert.deepEqual(accounts, [{ ...ann, ...defaults, ...security }]);
    const [listed] = await listApiKeys(store.accounts.db, 7, dayOf(OBSERVED));
    assert.deepEqual([listed?.hint, listed?.used_at, listed?.restrictions], ['abcd', null, null]);
    assert.equal((await store.accounts.db.selectFrom('usage').selectAll().execute()).length, 1);
    for (const table of DASHBOARD_TABLES) {
      assert.deepEqual(await store.accounts.db.selectFrom(table).selectAll().execute(), [], table);
    }
    await deleteAccount(store.accounts, { ...ann, attempts: [] });
    assert.deepEqual(await store.accounts.db.selectFrom('usage').selectAll().execute(), []);
    await store.close();
    await remove();
  });

  test(`${label}: external ids and quotes keep their values under new names`, async () => {
    const { location, db, remove } = await oldDatabase(label, '0008-dashboard');
    await insertCard(db);
    await sql`insert into set_keys (source, key, set_id) values ('tcgcsv', '3', 1)`.execute(db);
    await sql`insert into card_keys (source, key, card_id)
      values ('tcgcsv', '77', 1), ('scryfall', 'opt', 1)`.execute(db);
    await sql`insert into quotes (printing_id, source, origin, currency, market, low, conditions,
        observed_at, fetched_at, source_key)
      values (5, 'mtgjson', 'cardmarket', 'EUR', 120, null, '{"near_mint":130}', ${OBSERVED},
        ${LATER}, 'a1')`.execute(db);
    await db.destroy();

    const store = await openStore(location);
    const sets = await store.db.selectFrom('set_external_ids').selectAll().execute();
    assert.deepEqual(sets, [{ id_space: 'tcgcsv', external_id: '3', set_id: 1 }]);
    const cards = store.db.selectFrom('card_external_ids').selectAll().orderBy('external_id');
    assert.deepEqual(await cards.execute(), [
      { id_space: 'tcgcsv', external_id: '77', card_id: 1, revision: 0 },
      { id_space: 'scryfall', external_id: 'opt', card_id: 1, revision: 0 },
    ]);
    assert.deepEqual(await store.db.selectFrom('observations').selectAll().execute(), [
      {
        ...{ printing_id: 5, source: 'mtgjson', marketplace: 'cardmarket', currency: 'EUR' },
        ...{ ...NO_PRICES, market: 120, conditions: '{"near_mint":130}', graded: null },
        ...{ observed_at: OBSERVED, fetched_at: LATER, external_id: 'a1' },
      },
    ]);
    await store.close();
    await remove();
  });

  test(`${label}: quarantined quotes get the new names, and can be approved`, async () => {
    const { location, db, remove } = await oldDatabase(label, '0008-dashboard');
    await insertCard(db);
    const printing = { id: 1, card_id: 1, name: 'Normal', sources: '[]', revision: 1 };
    await db.insertInto('printings').values(printing).execute();
    for (const [reason, , quote, decision] of QUARANTINED) {
      await sql`insert into quarantine (source, origin, game, set_id, card_id, printing_id,
          printing, reason, detail, quote, source_key, observed_at, held_at, decision)
        values ('tcgcsv', 'tcgplayer', 'mtg', 1, 1, 1, 'Normal', ${reason}, 'Too far.', ${quote},
          '77', ${LATER}, ${OBSERVED}, ${decision})`.execute(db);
    }
    await db.destroy();

    const store = await openStore(location);
    const rows = await listQuarantined(store.db, {});
    assert.deepEqual(
      rows.map(({ rule, observation, decision }) => [rule, observation, decision]),
      QUARANTINED.map(([, rule, quote, decision]) => [
        rule,
        quote?.replace('{"market":', '{"marketplace":') ?? null,
        decision === 'accepted' ? 'approved' : decision,
      ]),
    );
    for (const { marketplace, external_id, quarantined_at, observed_at, detail } of rows) {
      assert.deepEqual([marketplace, external_id, detail], ['tcgplayer', '77', 'Too far.']);
      assert.deepEqual([quarantined_at, observed_at], [OBSERVED, LATER]);
    }
    const approved = await approveQuarantined(store, rows.slice(0, 1), () => LATER + 1);
    assert.deepEqual(approved, { accepted: 1, pricesChanged: 1, refused: 0, decidedAt: LATER + 1 });
    const [served] = await store.db.selectFrom('printings').selectAll().execute();
    assert.deepEqual([served?.market, served?.sources], [900, '["tcgplayer"]']);
    await store.close();
    await remove();
  });

  test(`${label}: served conditions and grades get the age of their observation`, async () => {
    const { location, db, remove } = await oldDatabase(label, '0009-vocabulary');
    await insertCard(db);
    for (const [index, { name, sources, ...amounts }] of SERVED.entries()) {
      const row = { ...amounts, id: index + 1, card_id: 1, name, sources, revision: 1 };
      await db.insertInto('printings').values(row).execute();
      await sql`insert into observations (printing_id, source, marketplace, currency, conditions,
          graded, observed_at)
        values (${index + 1}, 'justtcg', 'justtcg', 'USD', '{"near_mint":1}', null, ${OBSERVED}),
          (${index + 1}, 'pricecharting', 'pricecharting', 'USD', null, '{"psa_10":2}',
            ${OBSERVED - 1})`.execute(db);
    }
    await db.destroy();

    const store = await openStore(location);
    const printings = await store.db
      .selectFrom('printings')
      .select(['figures_at', 'conditions_at', 'graded_at', 'marketplace'])
      .orderBy('id')
      .execute();
    await store.close();
    await remove();
    assert.deepEqual(
      printings.map((row) => Object.values(row)),
      [
        [LATER, OBSERVED, OBSERVED - 1, null],
        [LATER, null, null, 'my-shop'],
        [null, null, OBSERVED - 1, null],
      ],
    );
  });

  test(`${label}: sets get the setIds of a fresh import, by their oldest group`, async () => {
    const { location, db, remove } = await oldDatabase(label, '0009-vocabulary');
    const sets = [
      { id: 1, game: 'pokemon', code: 'PR', name: 'Promos', group: '1451' },
      { id: 2, game: 'pokemon', code: 'PR2', name: 'Promos', group: '604' },
      { id: 3, game: 'mtg', code: 'PR', name: 'Promos', group: '9' },
      { id: 4, game: 'pokemonjp', code: 'PCG1', name: '伝説の飛翔', group: '23700' },
      { id: 5, game: 'pokemon', code: 'X', name: 'Promos!', group: null },
    ] as const;
    for (const { group, ...set } of sets) {
      const row = { ...set, release_date: null, revision: 1 } as SetRow;
      await db.insertInto('sets').values(row).execute();
      if (group === null) continue;
      for (const [id_space, external_id] of [
        ['tcgcsv', group],
        ['starter', `0/${group}`],
      ] as const) {
        await db
          .insertInto('set_external_ids')
          .values({ id_space, external_id, set_id: set.id })
          .execute();
      }
    }
    await db.destroy();

    const store = await openStore(location);
    const rows = await store.db.selectFrom('sets').select('public_set_id').orderBy('id').execute();
    const again = store.db
      .insertInto('sets')
      .values({ ...SET, public_set_id: 'mtg-promos', id: 6, revision: 1 });
    await assert.rejects(again.execute(), /unique/i);
    await store.close();
    await remove();
    assert.deepEqual(
      rows.map((row) => row.public_set_id),
      [
        'pokemon-promos--1451',
        'pokemon-promos',
        'mtg-promos',
        'pokemonjp-pcg1-no',
        'pokemon-promos--row-5',
      ],
    );
  });

  test(`${label}: a migration that fails leaves the database as it was`, async () => {
    const { location, db, remove } = await oldDatabase(label, '0004-accounts');
    // It has the name of a table that a later migration creates last.
    await db.schema.createTable('quarantine').addColumn('id', 'integer').execute();
    await assert.rejects(openStore(location), /could not be brought up to date/);
    await db.schema.dropTable('quarantine').execute();
    await db.destroy();
    await (await openStore(location)).close();
    await remove();
  });

  test(`${label}: processes that start at once bring a database up to date together`, async () => {
    for (const last of ['0004-accounts', '0013-failed-parts']) {
      const { location, db, remove } = await oldDatabase(label, last);
      const ann = { id: 7, email: 'ann@shop.example', plan: 'trader', created_at: OBSERVED };
      await (db as unknown as Kysely<AccountDatabase>).insertInto('accounts').values(ann).execute();
      await db.destroy();

      const starts = Array.from({ length: 6 }, () => openStore(location));
      const stores = await Promise.all(starts);
      for (const { accounts } of stores) {
        const rows = await accounts.db.selectFrom('accounts').select('email').execute();
        assert.deepEqual(rows, [{ email: 'ann@shop.example' }]);
      }
      for (const store of stores) await store.close();
      await remove();
    }
  });

  test(`${label}: plans without the history get a part of it for their pages`, async () => {
    const { location, remove } = await createDatabase(label);
    const before = await openStore(location);
    const { db } = before.accounts;
    await db.updateTable('plans').set({ history_days: null }).execute();
    const own = { email: 'own@shop.example', plan: 'free', created_at: OBSERVED };
    const limits = { none: null, more: '{"features":["history"]}', few: '{"features":["batch"]}' };
    for (const [name, own_limits] of Object.entries(limits)) {
      const email = `${name}@shop.example`;
      await db
        .insertInto('accounts')
        .values({ ...own, email, limits: own_limits })
        .execute();
    }
    const { accounts } = MIGRATION_TABLES;
    await sql`delete from ${sql.table(accounts.migrationTableName)}
      where name >= '0008-shown-history'`.execute(db);
    await before.close();

    const store = await openStore(location);
    const plans = await new Plans(store).read();
    assert.deepEqual(
      plans.plans.map(({ name, historyDays }) => [name, historyDays]),
      [
        ['free', 30],
        ['trader', null],
        ['business', null],
      ],
    );
    const rows = await store.accounts.db
      .selectFrom('accounts')
      .select(['plan', 'limits'])
      .orderBy('id')
      .execute();
    assert.deepEqual(
      rows.map((row) => planWith(plans, row).historyDays),
      [30, null, 30],
    );
    await store.close();
    await remove();
  });

  test(`${label}: who was signed in before an upgrade stays signed in`, async () => {
    const { location, db: old, remove } = await oldDatabase(label, '0013-failed-parts');
    const db = old as unknown as Kysely<AccountDatabase>;
    const ann = { id: 7, email: 'ann@shop.example', plan: 'trader', created_at: OBSERVED };
    await db.insertInto('accounts').values(ann).execute();
    const token = createToken();
    const [created_at, expires_at] = [OBSERVED, OBSERVED + 30 * MS_PER_DAY];
    // Databases of that version had no other columns of sessions.
    if (label === 'SQLite') await db.schema.dropTable('sessions').execute();
    if (label === 'SQLite')
      await sql`create table usage_file.sessions (token_hash text primary key,
      account_id integer not null, created_at bigint not null, expires_at bigint not null)
      without rowid`.execute(db);
    await sql`insert into sessions (token_hash, account_id, created_at, expires_at)
      values (${hashToken(token)}, 7, ${created_at}, ${expires_at})`.execute(db);
    await db.destroy();

    const store = await openStore(location);
    const at = (now: number) => new Sessions(store, () => now).identify(token);
    const session = await at(OBSERVED + MS_PER_DAY);
    assert.equal(session?.email, ann.email);
    assert.equal(session.authenticatedAt, 0, 'what is dangerous asks for the password');
    assert.equal(await at(OBSERVED + IDLE_MS.others), undefined, 'it counts as used when it began');
    await store.close();
    await remove();
  });
}
