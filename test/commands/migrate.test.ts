import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sql } from 'kysely';
import pg from 'pg';
import { CATALOGUE_SCHEMA } from '../../src/store/catalogue/migrations.ts';
import { openStore } from '../../src/store/connect.ts';
import { migrate, type Schema } from '../../src/store/engine/migrator.ts';
import { cleanUp } from '../support/cleanup.ts';
import { eventually, run } from '../support/cli.ts';
import { createDatabase, forEachEngine } from '../support/engines.ts';

/** The advisory lock under which Kysely migrates. */
const MIGRATING = '3853314791062309107';

/** A migration of a table that somebody reads. */
const WIDER: ReturnType<Schema['migrations']> = {
  '9001-wider': {
    up: (db) => db.schema.alterTable('import_lock').addColumn('wider', 'integer').execute(),
  },
};

const OFF = { env: { CARDPRICE_MIGRATE: 'off' } };

forEachEngine((label) => {
  it('migrate says what there is to run, and runs it, once', async () => {
    const { location, remove } = await createDatabase(label);
    cleanUp(remove);
    const cardprice = (...args: string[]) => run(['--database', location, ...args], OFF);
    const pending = await cardprice('migrate', '--check');
    assert.equal(pending.code, 1);
    const refused = await cardprice('account', 'list');
    assert.equal(refused.code, 1);
    assert.match(
      refused.err,
      /lacks the migrations 0001-catalogue-schema, .*run `cardprice migrate`/,
    );
    assert.match(pending.out, /^To run: 0001-catalogue-schema\n/);
    const done = await cardprice('migrate');
    assert.equal(done.code, 0, done.err);
    assert.equal(done.out, pending.out.replaceAll('To run:', 'Ran'));
    for (const args of [['migrate', '--check'], ['migrate']]) {
      const again = await cardprice(...args);
      assert.equal(again.code, 0);
      assert.equal(again.out, 'The schema of the database is up to date.\n');
    }
    assert.equal((await cardprice('account', 'list')).code, 0);
  });
});

describe('A migration of PostgreSQL that has to wait for a reader', () => {
  /** A database, somebody who reads a table that a migration is to widen, and somebody else. */
  async function withReader() {
    const { location, remove } = await createDatabase('PostgreSQL');
    const store = await openStore(location);
    const { migrations } = CATALOGUE_SCHEMA;
    const schema: Schema = {
      ...CATALOGUE_SCHEMA,
      migrations: (engine) => ({ ...migrations(engine), ...WIDER }),
    };
    const [reader, other] = await Promise.all([connect(location), connect(location)]);
    cleanUp(async () => {
      await Promise.all([reader.end(), other.end(), store.close()]);
      await remove();
    });
    await reader.query('begin; select id from import_lock');
    const untilItWaits = () => {
      return eventually(async () => {
        const { rows } = await other.query(`select 1 from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`);
        return rows.length > 0;
      });
    };
    const migrated = async () => {
      await migrate(store, schema, location);
      await sql`select wider from import_lock`.execute(store.db);
    };
    return { location, reader, other, untilItWaits, migrated };
  }

  it('lets others read, and runs when the reader is done', async () => {
    const { reader, other, untilItWaits, migrated } = await withReader();
    const migrating = migrated();
    await untilItWaits();
    // It waits behind the migration, which gives way although the first reader has not ended.
    await other.query('select id from import_lock');
    await reader.query('commit');
    await migrating;
  });

  it('gives way to a reader that waits for it, and is tried again', async () => {
    const { location, reader, other, untilItWaits, migrated } = await withReader();
    // Of the two, the migration looks first: its connection begins after this.
    const name = new URL(location).pathname.slice(1);
    await other.query(`alter database ${name} set deadlock_timeout = '300ms'`);
    const migrating = migrated();
    await untilItWaits();
    await reader.query('select pg_advisory_lock($1)', [MIGRATING]);
    await reader.query('select pg_advisory_unlock($1)', [MIGRATING]);
    await reader.query('commit');
    await migrating;
  });
});

async function connect(location: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: location });
  await client.connect();
  return client;
}
