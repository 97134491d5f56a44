import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { it } from 'node:test';
import Sqlite from 'better-sqlite3';
import { type Kysely, sql } from 'kysely';
import { ACCOUNT_SCHEMA } from '../../src/store/accounts/migrations.ts';
import { BACKUP_FILES, writeManifest } from '../../src/store/backup/manifest.ts';
import { restore } from '../../src/store/backup/restore.ts';
import { historySince } from '../../src/store/catalogue/history-since.ts';
import { CATALOGUE_SCHEMA } from '../../src/store/catalogue/migrations.ts';
import { migrateStore, openStore, type Store } from '../../src/store/connect.ts';
import { migrate, type Schema } from '../../src/store/engine/migrator.ts';
import { copySqlite } from '../../src/store/engine/sqlite-file.ts';
import { cleanUp } from '../support/cleanup.ts';
import { temporaryFolder } from '../support/cli.ts';
import { createDatabase, type EngineLabel, forEachEngine } from '../support/engines.ts';

/** The migrations of accounts since the first one, and how to undo them. */
const LATER = {
  '0002-replays': ['drop table replays'],
  '0003-card-views': ['drop table card_views'],
  '0004-how-to-get-plans': ['alter table plans drop column how_to_get'],
  '0005-webhooks': ['drop table outbox', 'drop table webhooks'],
  '0006-alerts': [
    'drop table alert_progress',
    'drop table alert_events',
    'drop table alert_lines',
    'drop table alerts',
    'alter table plans drop column alerts',
  ],
  '0007-alert-mails': ['drop table mail_key'],
  // Gone with the table.
  '0008-outbox-log': [],
};

/** The same of the catalogue. */
const LATER_CATALOGUE = {
  '0002-confidence': ['printings', 'superseded_printings'].flatMap((table) => {
    const columns = ['confidence', 'interval_low', 'interval_high', 'dispute'];
    return columns.map((column) => `alter table ${table} drop column ${column}`);
  }),
  '0003-origins': ['printings', 'superseded_printings'].map((table) => {
    return `alter table ${table} drop column origins`;
  }),
  '0004-agreement': ['alter table observations drop column agreed_on'],
  '0005-products': ['cards', 'superseded_cards'].flatMap((table) => [
    `alter table ${table} drop column product_type`,
    `alter table ${table} drop column upc`,
  ]),
  '0006-copies': ['drop table history_series'],
  '0007-languages': ['drop table card_names', 'drop table superseded_card_names'],
  '0008-money': ['drop table exchange_rates'],
  '0009-native': ['printings', 'superseded_printings'].map((table) => {
    return `alter table ${table} drop column native`;
  }),
  '0010-trade': ['printings', 'superseded_printings', 'observations'].map((table) => {
    return `alter table ${table} drop column trade`;
  }),
  '0011-contents': ['cards', 'superseded_cards'].map((table) => {
    return `alter table ${table} drop column contents`;
  }),
  '0012-history-since': ['alter table catalog_state drop column history_since'],
  '0013-facts': ['drop table card_facts', 'drop table superseded_card_facts'],
  '0014-source-sets': ['drop table source_sets'],
  '0015-changes': ['drop table changes', 'alter table publications drop column has_changes'],
  // Its other table is gone already.
  '0017-changes-by-game': ['drop table changed_games'],
  '0018-known-at': [
    'drop table history_recordings',
    'drop table history_late',
    'drop table newest_days',
    'alter table publications drop column has_journal',
    'alter table catalog_state drop column dated_from',
    'drop table history_corrections',
    `create table history_corrections (printing_id integer not null, day integer not null,
      replaced_at bigint not null, market integer, low integer, mid integer, high integer,
      source_id integer, primary key (printing_id, day, replaced_at))`,
  ],
};

/** The migration that gives changes their game. */
const BY_GAME = '0017-changes-by-game';

const ALL_LATER = [...Object.keys(LATER_CATALOGUE), ...Object.keys(LATER)];

const ALL = [
  CATALOGUE_SCHEMA.first,
  ...Object.keys(LATER_CATALOGUE),
  ACCOUNT_SCHEMA.first,
  ...Object.keys(LATER),
];

/** The files of a SQLite database, and the fixtures with their former schemas. */
const FILES = [
  ['', 'catalogue'],
  ['-accounts', 'accounts'],
  ['-usage', 'usage'],
] as const;

/** The records of migrations in databases from before the first schema. */
const FORMER = {
  latest: {
    catalogue: ['0001-catalogue', '0018-lock-since'],
    accounts: ['0001-apart', '0010-requests'],
  },
  older: { catalogue: ['0001-catalogue', '0013-failed-parts'], accounts: ['0001-apart'] },
};

type Records = (typeof FORMER)['latest'];

const SET = { id: 1, public_set_id: 'mtg-alpha', game: 'mtg', code: 'LEA', name: 'Alpha' } as const;
const CARD = { id: 1, public_id: 'mtg-lea-opt', set_id: 1, name: 'Opt', revision: 1 };
/** A sealed block from day 20,000 (0x4e20) on. */
const BLOCK = { id: 1 * 256 + 78, block: Buffer.from('024e200000', 'hex') };
const ANN = { id: 7, email: 'ann@shop.example', plan: 'trader', created_at: 1_769_000_000_000 };
const USED = { account_id: 7, day: 20_000, used: 3 };

/** Creates a database with a schema from before the first one, and with rows. */
async function formerDatabase(label: EngineLabel, records = FORMER.latest): Promise<string> {
  const { location, remove } = await createDatabase(label);
  cleanUp(remove);
  if (label === 'SQLite') makeFormerFiles(location);
  const store = await openStore(location);
  await fill(store);
  await undoLater(store);
  await recordFormer(store, records);
  await store.close();
  return location;
}

/** Creates a backup as a version from before the first schema made it. */
async function formerBackup(records = FORMER.latest): Promise<string> {
  const location = await formerDatabase('SQLite', records);
  const folder = temporaryFolder();
  for (const [index, [ending]] of FILES.entries()) {
    await copySqlite(location + ending, join(folder, BACKUP_FILES[index] ?? ''));
  }
  const createdAt = '2026-11-01T00:00:00Z';
  await writeManifest(folder, { version: '0.1.0', createdAt, engine: 'sqlite', rows: {} });
  return folder;
}

/** Creates SQLite files with the tables of the former migrations. */
function makeFormerFiles(location: string): void {
  for (const [ending, name] of FILES) {
    const file = new Sqlite(location + ending);
    file.exec(readFileSync(`test/fixtures/former-schema/${name}.sql`, 'utf8'));
    file.close();
  }
  const catalogue = new Sqlite(location);
  catalogue.exec(`insert into catalog_state (id, revision, writing) values (1, 0, 0);
    insert into import_lock (id, holder, expires_at) values (1, null, 0), (2, null, 0)`);
  record(catalogue, CATALOGUE_SCHEMA, FORMER.latest.catalogue);
  catalogue.close();
  const accounts = new Sqlite(`${location}-accounts`);
  record(accounts, ACCOUNT_SCHEMA, FORMER.latest.accounts);
  accounts.close();
}

function record(file: Sqlite.Database, { records }: Schema, names: readonly string[]): void {
  const insert = file.prepare(`insert into ${records.migrationTableName} values (?, '2026')`);
  for (const name of names) insert.run(name);
}

async function undoLater({ db, accounts }: Store): Promise<void> {
  const names = Object.keys(LATER);
  const statements = Object.values(LATER_CATALOGUE).flat();
  for (const statement of statements) await sql.raw(statement).execute(db);
  const catalogue = sql.table(CATALOGUE_SCHEMA.records.migrationTableName);
  const ofCatalogue = sql.join(Object.keys(LATER_CATALOGUE));
  await sql`delete from ${catalogue} where name in (${ofCatalogue})`.execute(db);
  for (const statement of Object.values(LATER).flat())
    await sql.raw(statement).execute(accounts.db);
  const table = sql.table(ACCOUNT_SCHEMA.records.migrationTableName);
  await sql`delete from ${table} where name in (${sql.join(names)})`.execute(accounts.db);
}

async function recordFormer({ db, accounts }: Store, records: Records): Promise<void> {
  await replaceRecords(db, CATALOGUE_SCHEMA, records.catalogue);
  await replaceRecords(accounts.db, ACCOUNT_SCHEMA, records.accounts);
}

async function replaceRecords<Tables>(
  db: Kysely<Tables>,
  { records }: Schema,
  names: readonly string[],
): Promise<void> {
  const table = sql.table(records.migrationTableName);
  await sql`delete from ${table}`.execute(db);
  for (const name of names) await sql`insert into ${table} values (${name}, '2026')`.execute(db);
}

async function fill({ db, accounts }: Store): Promise<void> {
  await db
    .insertInto('sets')
    .values({ ...SET, release_date: null, revision: 1 })
    .execute();
  await db
    .insertInto('cards')
    .values({ ...CARD, number: null, rarity: null, image: null })
    .execute();
  await db.insertInto('history').values(BLOCK).execute();
  await accounts.db.insertInto('accounts').values(ANN).execute();
  await accounts.db.insertInto('usage').values(USED).execute();
}

async function assertFilled({ db, accounts }: Store): Promise<void> {
  assert.deepEqual(await db.selectFrom('sets').select(['id', 'public_set_id']).execute(), [
    { id: 1, public_set_id: 'mtg-alpha' },
  ]);
  assert.deepEqual(await db.selectFrom('cards').select('public_id').execute(), [
    { public_id: 'mtg-lea-opt' },
  ]);
  assert.deepEqual(await accounts.db.selectFrom('accounts').select(['id', 'email']).execute(), [
    { id: 7, email: 'ann@shop.example' },
  ]);
  assert.deepEqual(await accounts.db.selectFrom('usage').selectAll().execute(), [USED]);
}

async function recordsOf({ db, accounts }: Store): Promise<string[]> {
  const names: string[] = [];
  for (const [part, schema] of [
    [db, CATALOGUE_SCHEMA],
    [accounts.db, ACCOUNT_SCHEMA],
  ] as const) {
    const table = sql.table(schema.records.migrationTableName);
    const { rows } = await sql<{ name: string }>`select name from ${table}`.execute(
      part as Kysely<unknown>,
    );
    names.push(...rows.map(({ name }) => name));
  }
  return names;
}

/** The columns, indexes, foreign keys and triggers of a SQLite file. */
function schemaOf(path: string) {
  const file = new Sqlite(path);
  const names = file
    .prepare("select name from sqlite_master where type = 'table' order by name")
    .pluck()
    .all() as string[];
  const about = (pragma: string) => file.pragma(pragma) as Record<string, unknown>[];
  const tables = names.map((name) => {
    // SQLite lists them in order of creation.
    const indexes = about(`index_list(${name})`).map(({ seq: _, ...row }) => JSON.stringify(row));
    indexes.sort();
    return [name, about(`table_xinfo(${name})`), indexes, about(`foreign_key_list(${name})`)];
  });
  const triggers = file.prepare("select sql from sqlite_master where type = 'trigger' order by 1");
  const statements = triggers.pluck().all() as string[];
  file.close();
  return [tables, statements.map((text) => text.replace(/\s+/g, ' '))];
}

/** The catalogue's migrations, followed by more. */
function withMore(more: ReturnType<Schema['migrations']>): Schema {
  const { migrations } = CATALOGUE_SCHEMA;
  return { ...CATALOGUE_SCHEMA, migrations: (engine) => ({ ...migrations(engine), ...more }) };
}

const ofCatalogue = 1 + Object.keys(LATER_CATALOGUE).length;
const WITH_NOTES = ALL.toSpliced(ofCatalogue, 0, '9001-notes');

const NOTES: Schema['migrations'] = () => ({
  '9001-notes': {
    up: (db) => db.schema.createTable('notes').addColumn('id', 'integer').execute(),
  },
});

forEachEngine((label, open) => {
  it('a database from before the first schema keeps its rows, and equals a new one', async () => {
    const location = await formerDatabase(label);
    assert.deepEqual(await migrateStore(location, { isCheck: true }), ALL);
    await assert.rejects(openStore(location, { isMigrating: false }), /lacks the migrations 0001-/);
    assert.deepEqual(await migrateStore(location, { isCheck: false }), ALL);
    const store = await openStore(location, { isMigrating: false });
    await assertFilled(store);
    assert.deepEqual(await recordsOf(store), ALL);
    await store.close();
    if (label === 'PostgreSQL') return;
    const fresh = await open();
    for (const [ending] of FILES) {
      assert.deepEqual(schemaOf(location + ending), schemaOf(fresh.location + ending));
    }
  });

  it('a database with the first schema keeps its rows, and equals a new one', async () => {
    const { location, remove } = await createDatabase(label);
    cleanUp(remove);
    const first = await openStore(location);
    await fill(first);
    await undoLater(first);
    await first.close();
    assert.deepEqual(await migrateStore(location, { isCheck: true }), ALL_LATER);
    const store = await openStore(location);
    await assertFilled(store);
    assert.equal(await historySince(store.db), 20_000);
    assert.deepEqual(await recordsOf(store), ALL);
    await store.close();
    if (label === 'PostgreSQL') return;
    const fresh = await open();
    for (const [ending] of FILES) {
      assert.deepEqual(schemaOf(location + ending), schemaOf(fresh.location + ending));
    }
  });

  it('changes that were recorded without their game get it', async () => {
    const { location, remove } = await createDatabase(label);
    cleanUp(remove);
    const store = await openStore(location);
    await fill(store);
    for (const statement of [
      'drop table changes',
      'drop table changed_games',
      `create table changes (revision integer not null, previous integer not null,
        card_id integer not null, printing_id integer not null, name text, market integer,
        low integer, mid integer, high integer, conditions text, graded text)`,
      `insert into changes values (2, 1, 1, 0, 'Opt Out', null, null, null, null, null, null),
        (3, 0, 1, 7, null, 5, null, null, null, '{"damaged":4}', null)`,
    ]) {
      await sql.raw(statement).execute(store.db);
    }
    const { [BY_GAME]: migration } = CATALOGUE_SCHEMA.migrations(store.engine);
    await migration?.up(store.db);
    const columns = ['revision', 'game', 'previous', 'printing_id', 'name', 'market'] as const;
    const rows = await store.db.selectFrom('changes').select(columns).orderBy('revision').execute();
    assert.deepEqual(
      rows.map((row) => Object.values(row)),
      [
        [2, 'mtg', 1, 0, 'Opt Out', null],
        [3, 'mtg', 0, 7, null, 5],
      ],
    );
    const games = await store.db
      .selectFrom('changed_games')
      .selectAll()
      .orderBy('revision')
      .execute();
    assert.deepEqual(games, [
      { revision: 2, game: 'mtg' },
      { revision: 3, game: 'mtg' },
    ]);
    await store.close();
  });

  it('grades of no company and of better tens get the names of today', async () => {
    const { location, remove } = await createDatabase(label);
    cleanUp(remove);
    const former = await openStore(location);
    const graded = '{"grade_9":1,"cgc-pristine_10":2,"bgs-black_10":3,"psa_10":4}';
    const about = {
      source: 'pricecharting',
      marketplace: 'pricecharting',
      currency: 'USD',
    } as const;
    await former.db
      .insertInto('observations')
      .values({ printing_id: 1, ...about, graded, observed_at: 1 })
      .execute();
    await undoLater(former);
    await former.close();
    const store = await openStore(location);
    const row = await store.db.selectFrom('observations').select('graded').executeTakeFirst();
    const renamed = '{"any_9":1,"cgc_10_pristine":2,"bgs_10_black_label":3,"psa_10":4}';
    assert.equal(row?.graded, renamed);
    await store.close();
  });

  it('an older one is refused with advice, and stays unchanged', async () => {
    const location = await formerDatabase(label, FORMER.older);
    for (const isMigrating of [true, false]) {
      await assert.rejects(openStore(location, { isMigrating }), {
        name: 'OperatorError',
        message:
          /is too old for this version of cardprice: its last migration is 0013-failed-parts\. Open it once with a version that has the migration 0018-lock-since \(restore a backup with that version\), or import into a new one\.$/,
      });
    }
  });

  it('a backup from before the first schema is restored with its rows', async () => {
    const folder = await formerBackup();
    const { location, remove } = await createDatabase(label);
    cleanUp(remove);
    await restore(folder, location, { replace: false, now: 0 });
    const store = await openStore(location);
    await assertFilled(store);
    assert.deepEqual(await recordsOf(store), ALL);
    await store.close();
  });

  it('an older backup is refused with advice, and the database stays in place', async () => {
    const folder = await formerBackup(FORMER.older);
    const { location, remove } = await createDatabase(label);
    cleanUp(remove);
    const current = await openStore(location);
    await fill(current);
    await current.close();
    await assert.rejects(restore(folder, location, { replace: true, now: 0 }), {
      name: 'OperatorError',
      message:
        /cards\.db is too old for this version of cardprice: its last migration is 0013-failed-parts\. Open it once with a version that has the migration 0018-lock-since \(restore a backup with that version\), or import into a new one\.$/,
    });
    const store = await openStore(location, { isMigrating: false });
    await assertFilled(store);
    await store.close();
    if (label === 'PostgreSQL') return;
    const names = readdirSync(dirname(location)).filter((name) => {
      return name.startsWith(basename(location));
    });
    assert.deepEqual(names.sort(), FILES.map(([ending]) => basename(location) + ending).sort());
  });

  it('processes that start at the same time migrate a database together', async () => {
    const { location: empty, remove } = await createDatabase(label);
    cleanUp(remove);
    for (const location of [empty, await formerDatabase(label)]) {
      const stores = await Promise.all(Array.from({ length: 6 }, () => openStore(location)));
      const accounts = location === empty ? [] : [{ email: ANN.email }];
      for (const store of stores) {
        assert.deepEqual(await recordsOf(store), ALL);
        const rows = await store.accounts.db.selectFrom('accounts').select('email').execute();
        assert.deepEqual(rows, accounts);
      }
      for (const store of stores) await store.close();
    }
  });

  it('failed migrations leave the database unchanged', async () => {
    const store = await open();
    const failing = withMore({
      ...NOTES(store.engine),
      '9002-fails': { up: () => Promise.reject(new Error('broken')) },
    });
    await assert.rejects(migrate(store, failing, store.location), {
      name: 'OperatorError',
      message: /could not be brought up to date: broken/,
    });
    assert.deepEqual(await recordsOf(store), ALL);
    await migrate(store, withMore(NOTES(store.engine)), store.location);
    assert.deepEqual(await recordsOf(store), WITH_NOTES);
  });

  it('a version ignores additions by a newer one', async () => {
    const store = await open();
    await migrate(store, withMore(NOTES(store.engine)), store.location);
    const older = await store.reopen();
    assert.deepEqual(await recordsOf(older), WITH_NOTES);
    await older.db.selectFrom('sets').selectAll().execute();
  });
});
