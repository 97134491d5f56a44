import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import pg from 'pg';
import { Accounts } from '../../src/accounts/accounts.ts';
import { AccountKeys } from '../../src/accounts/keys/account-keys.ts';
import { Authenticator } from '../../src/accounts/keys/authenticator.ts';
import { prepareRecord } from '../../src/accounts/quota/usage-sql.ts';
import { dayOf } from '../../src/domain/day.ts';
import { publish } from '../../src/store/catalogue/publications.ts';
import { openStore, type Store } from '../../src/store/connect.ts';
import { MAX_WAITING, ServerPool } from '../../src/store/engine/postgres-pool.ts';
import { isUnavailable } from '../../src/store/engine/unavailable.ts';
import { eventually } from '../support/cli.ts';
import { CuttableProxy } from '../support/cuttable-proxy.ts';
import { createDatabase } from '../support/engines.ts';

const NOW = Date.UTC(2026, 0, 29, 12);
const clock = () => NOW;

/** Longer than any test runs, in milliseconds. */
const NEVER = 300_000;

/** A standby that does not exist. */
const NOBODY = 'nobody';

const EMAIL = 'reader@shop.example';

const unavailable = (error: unknown) => isUnavailable(error);

/** One store that connects through a proxy, and one that connects directly. */
async function behindProxy() {
  const { location, remove } = await createDatabase('PostgreSQL');
  const direct = await openStore(location);
  const { proxy, url } = await CuttableProxy.to(location);
  const store = await openStore(url);
  after(async () => {
    await proxy.cut();
    await store.close();
    await direct.close();
    await remove();
  });
  return { store, direct, proxy };
}

/** An account with a key, as identified by an authenticator of the store. */
async function identified(store: Store) {
  await new Accounts(store, clock).create(EMAIL, 'business');
  const { key, id } = await new AccountKeys(store, clock).create(EMAIL);
  const authenticator = new Authenticator(store, clock);
  const caller = await authenticator.identify(key);
  assert.ok(caller);
  return { authenticator, caller, key, keyId: String(id) };
}

describe('The connections to a PostgreSQL that does not answer', () => {
  it('let a limited number of statements wait, and refuse more at once', async () => {
    const { store, proxy } = await behindProxy();
    store.engine.limitStatements(NEVER);
    proxy.freeze();
    const ask = () => sql`select 1`.execute(store.db);
    const { used, idle } = store.engine.connections() ?? { used: 0, idle: 0 };
    assert.ok(used + idle <= 8);
    const waiting = Array.from({ length: 8 + MAX_WAITING }, () => ask().catch((error) => error));
    await eventually(() => store.engine.connections()?.waiting === MAX_WAITING);
    await assert.rejects(ask, unavailable);
    await assert.rejects(store.engine.prepare('select 1')([]), unavailable);
    // The others still wait until the connections close.
    assert.equal(store.engine.connections()?.waiting, MAX_WAITING);
    await proxy.cut();
    assert.ok((await Promise.all(waiting)).every(unavailable));
    await proxy.restore();
    await eventually(() => ask().then(() => true, unavailable));
    await ask();
  });

  it('give up a transaction after its first lost statement, and close its connection', async () => {
    const { store, direct, proxy } = await behindProxy();
    const pid = 'select pg_backend_pid() as pid';
    const statements: unknown[] = [];
    await sql.raw(pid).execute(store.db);
    store.engine.limitStatements(200);
    const work = store.db.transaction().execute(async (transaction) => {
      const { rows } = await sql.raw(pid).execute(transaction);
      statements.push(...rows);
      proxy.freeze();
      await sql.raw(pid).execute(transaction);
    });
    await assert.rejects(work, unavailable);
    assert.equal(statements.length, 1);
    await proxy.cut();
    await proxy.restore();
    await eventually(async () => {
      const { rows } = await sql`select 1 from pg_stat_activity
        where pid = ${(statements[0] as { pid: number }).pid}`.execute(direct.db);
      return rows.length === 0;
    });
    await sql.raw(pid).execute(store.db);
  });

  it('lose a transaction that is idle for a minute', async () => {
    const { store } = await behindProxy();
    const { rows } = await sql<{ limit: string }>`
      select current_setting('idle_in_transaction_session_timeout') as "limit"`.execute(store.db);
    assert.equal(rows[0]?.limit, '1min');
  });
});

describe('A PostgreSQL without room for another connection', () => {
  const ROLE = 'reader_with_two';

  /** A pool of a role that may have so many connections. */
  async function poolWith(limit: number) {
    const { location, remove } = await createDatabase('PostgreSQL');
    const store = await openStore(location);
    const url = new URL(location);
    const create = `create role ${ROLE} login password '${url.password}' connection limit ${limit}`;
    await sql.raw(create).execute(store.db);
    url.username = ROLE;
    const pool = new ServerPool({ connectionString: url.href });
    const close = async () => {
      await pool.end();
      await sql`drop role ${sql.raw(ROLE)}`.execute(store.db);
      await store.close();
      await remove();
    };
    return { pool, close };
  }

  const WAIT = { name: 'wait', text: 'select pg_sleep(0.02)' };

  it('has statements wait for the connections that there are', async () => {
    const { pool, close } = await poolWith(2);
    const statements = Array.from({ length: 20 }, () => pool.query(WAIT, []));
    await Promise.all(statements).finally(close);
  });

  it('fails statements if there are none', async () => {
    const { pool, close } = await poolWith(0);
    await assert.rejects(pool.query(WAIT, []), { code: '53300' }).finally(close);
  });
});

describe('A PostgreSQL that finds a request and a migration in a deadlock', () => {
  /** Makes a migration and `ask` wait for each other: `ask` reads a key and then its account. */
  async function askInDeadlock(direct: Store, ask: () => Promise<unknown>): Promise<unknown> {
    const asked = await direct.db.transaction().execute(async (migration) => {
      const lock = (table: string) => {
        return sql`lock table ${sql.table(table)} in access exclusive mode`.execute(migration);
      };
      await lock('accounts');
      const answer = ask();
      // It may fail before the migration has its lock, when nobody awaits it yet.
      answer.catch(() => {});
      await eventually(async () => {
        const { rows } = await sql`select 1 from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`.execute(migration);
        return rows.length > 0;
      });
      await lock('api_keys');
      return { answer };
    });
    return asked.answer;
  }

  it('aborts the statement of the request, which is retried', async () => {
    const { store, direct } = await behindProxy();
    const { authenticator, key } = await identified(store);
    assert.ok(await askInDeadlock(direct, () => authenticator.identify(key)));
    const accounts = () => sql`select * from api_keys, accounts`.execute(store.db);
    assert.ok(await askInDeadlock(direct, accounts));
  });

  it('aborts a transaction, which is not continued', async () => {
    const { store, direct } = await behindProxy();
    await identified(store);
    const work = () => {
      return store.db.transaction().execute(async (transaction) => {
        await sql`select * from api_keys`.execute(transaction);
        await sql`select * from accounts`.execute(transaction);
      });
    };
    await assert.rejects(askInDeadlock(direct, work), unavailable);
  });
});

describe('A PostgreSQL whose standby does not answer', () => {
  /** A store whose commits wait for a missing standby, and a way to let them finish. */
  async function withoutStandby() {
    const { location, remove } = await createDatabase('PostgreSQL');
    const store = await openStore(location);
    const known = await identified(store);
    const admin = new pg.Client({ connectionString: location });
    await admin.connect();
    // Only sessions of this database wait: other tests do not use synchronous commits.
    await admin.query(`alter database ${new URL(location).pathname.slice(1)}
      set synchronous_commit = on`);
    await store.close();
    const waitFor = async (standby: string) => {
      await admin.query(`alter system set synchronous_standby_names = '${standby}'`);
      await admin.query('select pg_reload_conf()');
      await eventually(async () => {
        const { rows } = await admin.query('show synchronous_standby_names');
        return rows[0].synchronous_standby_names === standby;
      });
    };
    const reopened = await openStore(location);
    const authenticator = new Authenticator(reopened, clock);
    after(async () => {
      await waitFor('');
      await reopened.close();
      await admin.end();
      await remove();
    });
    await authenticator.remaining(known.caller);
    await waitFor(NOBODY);
    const waiters = async () => {
      const { rows } = await admin.query(`select pid from pg_stat_activity
        where datname = current_database() and wait_event = 'SyncRep'`);
      return rows.map(({ pid }) => pid as number);
    };
    await untilCommitsWait();
    return { ...known, store: reopened, authenticator, admin, waitFor, waiters };

    /** The checkpointer applies the setting a moment after it becomes readable. */
    async function untilCommitsWait() {
      const probe = new pg.Client({ connectionString: location });
      await probe.connect();
      let tables = 0;
      await eventually(async () => {
        tables += 1;
        const commit = probe.query(`create table probe_${tables} ()`);
        await Promise.race([commit, sleep(200)]);
        const waiting = await waiters();
        if (waiting.length > 0) await admin.query('select pg_cancel_backend($1)', waiting);
        await commit;
        return waiting.length > 0;
      });
      await probe.end();
    }
  }

  it('leaves a charge unanswered, and does not cancel its statement', async () => {
    const { store, authenticator, caller, waitFor, waiters } = await withoutStandby();
    store.engine.limitStatements(300);
    const { remaining } = await authenticator.remaining(caller);
    await assert.rejects(authenticator.charge(caller), unavailable);
    assert.equal((await waiters()).length, 1);
    await waitFor('');
    await eventually(async () => {
      return (await authenticator.remaining(caller)).remaining === remaining - 1;
    });
    assert.equal((await authenticator.charge(caller)).remaining, remaining - 2);
  });

  it('does not report success for a charge whose wait an administrator cancelled', async () => {
    const { authenticator, caller, admin, waiters } = await withoutStandby();
    const charge = authenticator.charge(caller);
    const refused = assert.rejects(charge, unavailable);
    await eventually(async () => (await waiters()).length === 1);
    await admin.query('select pg_cancel_backend($1)', await waiters());
    await refused;
  });

  for (const what of ['a new key', 'a revocation', 'a publication'] as const) {
    it(`does not acknowledge ${what} before it answers again`, async () => {
      const { store, keyId, waitFor, waiters } = await withoutStandby();
      const keys = new AccountKeys(store, clock);
      const works = {
        'a new key': () => keys.create(EMAIL),
        'a revocation': () => keys.revoke(keyId),
        'a publication': () => publish(store.db, 1, NOW),
      };
      let isAcknowledged = false;
      const work = works[what]().then(() => {
        isAcknowledged = true;
      });
      await eventually(async () => (await waiters()).length === 1);
      assert.ok(!isAcknowledged);
      await waitFor('');
      await work;
    });
  }

  it('still accepts usage counters', async () => {
    const { store, caller, waiters } = await withoutStandby();
    const { addCounts, counts } = prepareRecord(store.accounts.engine);
    const row = { day: dayOf(NOW), endpoint: 'card', statusClass: 2, count: 3 };
    await addCounts([{ accountId: caller.accountId, ...row }]);
    assert.deepEqual(await counts(caller.accountId, dayOf(NOW)), [row]);
    assert.deepEqual(await waiters(), []);
  });
});
