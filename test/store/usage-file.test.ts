import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { it } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import Sqlite from 'better-sqlite3';
import { prepareCharges } from '../../src/accounts/quota/charge-sql.ts';
import { countAttempt } from '../../src/accounts/sign-in/attempt-sql.ts';
import {
  deleteSession,
  insertSession,
  prepareHolder,
} from '../../src/accounts/sign-in/session-sql.ts';
import type { Day } from '../../src/domain/day.ts';
import { openStore } from '../../src/store/connect.ts';
import { createDatabase, forEachEngine } from '../support/engines.ts';

const TODAY = 20_000 as Day;
const ANN = { id: 1, email: 'ann@shop.example', plan: 'free', created_at: 0 };

forEachEngine((label, open) => {
  it('charges a request while an import is writing', async () => {
    const store = await open();
    const other = await store.reopen();
    await store.accounts.db.insertInto('accounts').values(ANN).execute();
    const { charge } = prepareCharges(other.accounts.engine, 'account');
    await store.db.transaction().execute(async (transaction) => {
      await transaction.updateTable('catalog_state').set({ writing: 9 }).execute();
      const started = performance.now();
      assert.deepEqual(await charge([{ id: 1, cost: 3, quota: 10 }], TODAY), [{ id: 1, used: 3 }]);
      assert.ok(performance.now() - started < 1000);
    });
  });

  it('signs in and out while an import is writing', async () => {
    const store = await open();
    const other = await store.reopen();
    await store.accounts.db.insertInto('accounts').values(ANN).execute();
    const rule = { free: 1, waits: [1000], forgottenAfter: 60_000 };
    await store.db.transaction().execute(async (transaction) => {
      await transaction.updateTable('catalog_state').set({ writing: 9 }).execute();
      const started = performance.now();
      assert.equal(await countAttempt(other.accounts.db, 'ann', rule, 0), 1);
      const session = {
        tokenHash: 'digest',
        accountId: 1,
        credentialVersion: 0,
        now: 0,
        expiresAt: 1,
        address: '',
        userAgent: '',
      };
      const since = { operators: -1, others: -1 };
      await insertSession(other.accounts.db, session, 50);
      assert.equal(
        (await prepareHolder(other.accounts.engine)('digest', 0, since))?.email,
        ANN.email,
      );
      await deleteSession(other.accounts.db, 'digest');
      assert.ok(performance.now() - started < 1000);
    });
  });

  it('creates the tables and columns that an old usage file lacks', async () => {
    if (label === 'PostgreSQL') return;
    const { location, remove } = await createDatabase(label);
    await (await openStore(location)).close();
    rmSync(`${location}-usage`);
    const old = new Sqlite(`${location}-usage`);
    old.exec('create table usage (account_id integer, day integer, used integer)');
    old.exec('insert into usage values (1, 2, 3)');
    old.exec(`create table sessions (token_hash text primary key, account_id integer not null,
      created_at bigint not null, expires_at bigint not null) without rowid`);
    old.exec("insert into sessions values ('digest', 1, 2, 3)");
    old.close();
    const store = await openStore(location);
    const later = { credential_version: 0, last_used_at: 0, authenticated_at: 0 };
    assert.deepEqual(
      await store.accounts.db.selectFrom('sessions').selectAll().execute(),
      [{ token_hash: 'digest', account_id: 1, created_at: 2, expires_at: 3 }].map((row) => ({
        ...row,
        ...later,
        address: '',
        user_agent: '',
      })),
    );
    assert.deepEqual(await store.accounts.db.selectFrom('attempts').selectAll().execute(), []);
    assert.deepEqual(await store.accounts.db.selectFrom('usage').select('used').execute(), [
      { used: 3 },
    ]);
    await store.close();
    await remove();
  });

  it('lets only one import write at a time', async () => {
    if (label === 'PostgreSQL') return;
    const store = await open();
    const other = await store.reopen();
    const order: string[] = [];
    let second = Promise.resolve();
    const started = performance.now();
    await store.db.transaction().execute(async () => {
      second = other.db.transaction().execute(async () => void order.push('second'));
      await setTimeout(100);
      // Waiting for the lock did not block this process.
      assert.ok(performance.now() - started < 1000);
      order.push('first');
    });
    await second;
    assert.deepEqual(order, ['first', 'second']);
  });
});
