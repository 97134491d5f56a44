import assert from 'node:assert/strict';
import { it } from 'node:test';
import { sql } from 'kysely';
import type { Caller } from '../../../src/accounts/keys/authenticator.ts';
import { OTHER_ENDPOINT, UsageRecorder } from '../../../src/accounts/quota/usage-recorder.ts';
import { UsageReport } from '../../../src/accounts/quota/usage-report.ts';
import { countErrorsOf } from '../../../src/accounts/quota/usage-sql.ts';
import { dayOf, MS_PER_DAY } from '../../../src/domain/day.ts';
import type { Store } from '../../../src/store/connect.ts';
import { forEachEngine, type TestStore } from '../../support/engines.ts';
import { addAccount, answered, identified, type Wiring, wire } from '../fixtures.ts';

const NAMES = ['GET /v1/search', 'GET /v1/cards/{id}'];
const [SEARCH, CARD] = [0, 1];
const HERE = '192.0.2.7';

/** A recorder whose failures are those of the test, unless they are expected. */
function record(store: Store, failures?: unknown[]): UsageRecorder {
  return new UsageRecorder(store, NAMES, (error) => {
    if (!failures) throw error;
    failures.push(error);
  });
}

async function callerOf(wiring: Wiring, email?: string): Promise<Caller> {
  return identified(wiring.authenticator, await addAccount(wiring, email));
}

/** Returns the reported requests of one day, by default today. */
async function counted(store: Store, { clock }: Wiring, caller: Caller, daysAgo = 0) {
  const { days } = await new UsageReport(store, clock.read).read(caller.accountId, caller.plan);
  return days.at(-1 - daysAgo)?.requests;
}

const lastUse = async ({ keys }: Wiring) => (await keys.list('ann@shop.example'))[0]?.lastUse;

forEachEngine((_label, open) => {
  const start = async (): Promise<[TestStore, Wiring, Caller]> => {
    const store = await open();
    const wiring = wire(store);
    return [store, wiring, await callerOf(wiring)];
  };

  it('counts by endpoint and status class, and records the last use of a key', async () => {
    const [store, wiring, caller] = await start();
    const { clock } = wiring;
    const recorder = record(store);
    for (const status of [200, 304, 200, 404, 500]) {
      recorder.record(caller, answered(CARD, status, HERE, clock.now));
    }
    recorder.record(caller, answered(SEARCH, 200, HERE, clock.now));
    recorder.record(caller, answered(OTHER_ENDPOINT, 404, '2001:db8::1', clock.now + 5));
    assert.deepEqual(await counted(store, wiring, caller), []);
    await recorder.write();
    assert.deepEqual(await counted(store, wiring, caller), [
      { endpoint: 'GET /v1/cards/{id}', statusClass: 2, count: 2 },
      { endpoint: 'GET /v1/cards/{id}', statusClass: 3, count: 1 },
      { endpoint: 'GET /v1/cards/{id}', statusClass: 4, count: 1 },
      { endpoint: 'GET /v1/cards/{id}', statusClass: 5, count: 1 },
      { endpoint: 'GET /v1/search', statusClass: 2, count: 1 },
      { endpoint: 'other', statusClass: 4, count: 1 },
    ]);
    assert.deepEqual(await lastUse(wiring), { at: clock.now + 5, address: '2001:db8::1' });
  });

  it('reports 30 days, also those without requests, and the remaining quota of today', async () => {
    const [store, { clock, authenticator }, caller] = await start();
    const recorder = record(store);
    const report = new UsageReport(store, clock.read);
    assert.equal(await report.usedToday(caller.accountId), 0);
    await authenticator.charge(caller);
    recorder.record(caller, answered(SEARCH, 200, HERE, clock.now));
    await recorder.write();
    assert.equal(await report.usedToday(caller.accountId), 1);
    const usage = await report.read(caller.accountId, caller.plan);
    const { days, ...today } = usage;
    assert.deepEqual(today, {
      limit: 200,
      used: 1,
      remaining: 199,
      resetAt: Date.UTC(2026, 0, 29),
      now: clock.now,
    });
    assert.equal(days.length, 30);
    assert.deepEqual(days[0], { date: '2025-12-30', requests: [] });
    assert.equal(days[29]?.date, '2026-01-28');
    assert.equal(days[29]?.requests.length, 1);
  });

  it('counts a request on the day on which it was answered', async () => {
    const [store, wiring, caller] = await start();
    const recorder = record(store);
    recorder.record(caller, answered(SEARCH, 200, HERE, wiring.clock.now));
    wiring.clock.toNextDay();
    recorder.record(caller, answered(SEARCH, 200, HERE, wiring.clock.now));
    recorder.record(caller, answered(SEARCH, 200, HERE, wiring.clock.now - 1));
    await recorder.write();
    const [yesterday] = (await counted(store, wiring, caller, 1)) ?? [];
    const [today] = (await counted(store, wiring, caller)) ?? [];
    assert.deepEqual([yesterday?.count, today?.count], [2, 1]);
  });

  it('removes counts after two months', async () => {
    const [store, { clock }, caller] = await start();
    const recorder = record(store);
    for (const daysLater of [0, 2, 60, 61]) {
      recorder.record(caller, answered(SEARCH, 200, HERE, clock.now + daysLater * MS_PER_DAY));
      await recorder.write();
    }
    const rows = await store.accounts.db
      .selectFrom('request_counts')
      .select('day')
      .orderBy('day')
      .execute();
    const today = dayOf(clock.now);
    assert.deepEqual(
      rows.map(({ day }) => day - today),
      [2, 60, 61],
    );
  });

  it('adds up the counts of several processes', async () => {
    const [store, wiring, caller] = await start();
    const other = await callerOf(wiring, 'bob@shop.example');
    const recorders = [record(store), record(await store.reopen()), record(await store.reopen())];
    for (let round = 0; round < 10; round += 1) {
      for (const [index, recorder] of recorders.entries()) {
        const [first, second] = index % 2 === 0 ? [caller, other] : [other, caller];
        recorder.record(first, answered(SEARCH, 200, `192.0.2.${index}`, wiring.clock.now + index));
        recorder.record(second, answered(CARD, 200, `192.0.2.${index}`, wiring.clock.now + index));
      }
      await Promise.all(recorders.map((recorder) => recorder.write()));
    }
    assert.deepEqual(await counted(store, wiring, caller), [
      { endpoint: 'GET /v1/cards/{id}', statusClass: 2, count: 10 },
      { endpoint: 'GET /v1/search', statusClass: 2, count: 20 },
    ]);
    const latest = { at: wiring.clock.now + 2, address: '192.0.2.2' };
    assert.deepEqual(await lastUse(wiring), latest);
  });

  it('keeps counts that cannot be written for the next attempt, and reports the error', async () => {
    const [store, wiring, caller] = await start();
    const failures: unknown[] = [];
    const recorder = record(store, failures);
    for (const table of ['request_counts', 'key_counts', 'key_uses']) {
      recorder.record(caller, answered(SEARCH, 200, HERE, wiring.clock.now));
      await sql`alter table ${sql.ref(table)} rename to away`.execute(store.accounts.db);
      await recorder.write();
      recorder.record(caller, answered(SEARCH, 200, HERE, wiring.clock.now));
      await recorder.write();
      await sql`alter table away rename to ${sql.ref(table)}`.execute(store.accounts.db);
      await recorder.write();
    }
    assert.equal(failures.length, 6);
    const [row] = (await counted(store, wiring, caller)) ?? [];
    assert.equal(row?.count, 6);
    const { counts } = await new UsageReport(store, wiring.clock.read).requests(caller.accountId);
    assert.deepEqual(
      counts.map(({ count }) => count),
      [6],
    );
    assert.deepEqual(await lastUse(wiring), { at: wiring.clock.now, address: HERE });
  });

  it('writes the remaining counts when it is closed', async () => {
    const [store, wiring, caller] = await start();
    const recorder = record(store);
    recorder.start();
    recorder.record(caller, answered(SEARCH, 200, HERE, wiring.clock.now));
    const writing = recorder.write();
    recorder.record(caller, answered(SEARCH, 200, HERE, wiring.clock.now));
    await recorder.close();
    await writing;
    const [row] = (await counted(store, wiring, caller)) ?? [];
    assert.equal(row?.count, 2);
  });

  it('drops the counts of an account that was deleted in the meantime', async () => {
    const [store, wiring, caller] = await start();
    const recorder = record(store);
    recorder.record(caller, answered(SEARCH, 200, HERE, wiring.clock.now));
    await wiring.accounts.delete('ann@shop.example');
    await recorder.write();
    const rows = [
      await store.accounts.db.selectFrom('request_counts').selectAll().execute(),
      await store.accounts.db.selectFrom('key_uses').selectAll().execute(),
    ];
    assert.deepEqual(rows, [[], []]);
  });

  it('cuts texts that are longer than any address', async () => {
    const [store, wiring, caller] = await start();
    const recorder = record(store);
    recorder.record(caller, answered(SEARCH, 200, 'x'.repeat(10_000), wiring.clock.now));
    await recorder.write();
    assert.equal((await lastUse(wiring))?.address.length, 45);
  });

  it('counts the requests of each key by endpoint and error', async () => {
    const [store, wiring, caller] = await start();
    const { key } = await wiring.keys.create('ann@shop.example', { name: 'second' });
    const second = await identified(wiring.authenticator, key);
    const recorder = record(store);
    const now = wiring.clock.now;
    for (const code of [null, null, 'CARD_NOT_FOUND'] as const) {
      recorder.record(caller, { ...answered(CARD, code ? 404 : 200, HERE, now), code });
    }
    recorder.record(caller, answered(CARD, 304, HERE, now));
    recorder.record(caller, answered(OTHER_ENDPOINT, 200, HERE, now));
    for (const status of [200, 200, 200, 304]) {
      recorder.record(second, answered(SEARCH, status, HERE, now));
    }
    await recorder.write();
    const { counts } = await new UsageReport(store, wiring.clock.read).requests(caller.accountId);
    assert.deepEqual(
      counts.map(({ keyName, endpoint, code, count }) => [keyName, endpoint, code, count]),
      [
        ['second', 'GET /v1/search', '', 4],
        ['default', 'GET /v1/cards/{id}', '', 3],
        ['default', 'GET /v1/cards/{id}', 'CARD_NOT_FOUND', 1],
        ['default', 'other', '', 1],
      ],
    );
  });

  it('counts the errors of a day, the most frequent first', async () => {
    const [store, { clock }, caller] = await start();
    const recorder = record(store);
    const codes = [
      'NOT_FOUND',
      'INVALID_PARAMETER',
      'CARD_NOT_FOUND',
      'INVALID_PARAMETER',
    ] as const;
    for (const code of codes) {
      recorder.record(caller, { ...answered(CARD, 404, HERE, clock.now), code });
      recorder.record(caller, { ...answered(CARD, 404, HERE, clock.now - MS_PER_DAY), code });
    }
    recorder.record(caller, answered(CARD, 200, HERE, clock.now));
    await recorder.write();
    assert.deepEqual(await countErrorsOf(store.accounts.db, dayOf(clock.now)), [
      { code: 'INVALID_PARAMETER', count: 2 },
      { code: 'CARD_NOT_FOUND', count: 1 },
      { code: 'NOT_FOUND', count: 1 },
    ]);
  });

  it('reports 30 days of an account and of its keys, today included', async () => {
    const [store, { clock }, caller] = await start();
    const recorder = record(store);
    for (const daysAgo of [30, 29, 0]) {
      recorder.record(caller, answered(SEARCH, 200, HERE, clock.now - daysAgo * MS_PER_DAY));
      await recorder.write();
    }
    const report = new UsageReport(store, clock.read);
    const { days } = await report.read(caller.accountId, caller.plan);
    assert.deepEqual([days.length, days[0]?.requests.length], [30, 1]);
    const { counts } = await report.requests(caller.accountId);
    assert.deepEqual(
      counts.map(({ count }) => count),
      [2],
    );
  });

  it('keeps the last 100 requests of each account, without its address', async () => {
    const [store, wiring, caller] = await start();
    const bob = await callerOf(wiring, 'bob@shop.example');
    const recorder = record(store);
    const now = wiring.clock.now;
    recorder.record(bob, { ...answered(OTHER_ENDPOINT, 404, HERE, now), code: 'NOT_FOUND' });
    for (let index = 0; index < 250; index += 1) {
      recorder.record(caller, { ...answered(SEARCH, 200, HERE, now + index), id: `id-${index}` });
      if (index === 60 || index === 61) await recorder.write();
    }
    await recorder.write();
    const report = new UsageReport(store, wiring.clock.read);
    const { recent } = await report.requests(caller.accountId);
    assert.deepEqual(
      recent.map(({ requestId: id }) => id),
      Array.from({ length: 100 }, (_, index) => `id-${249 - index}`),
    );
    const [only, ...others] = (await report.requests(bob.accountId)).recent;
    assert.deepEqual(others, []);
    const { requestId: _, ...rest } = only ?? assert.fail();
    assert.deepEqual(rest, {
      at: now,
      keyId: bob.keyId,
      keyName: 'default',
      endpoint: 'other',
      status: 404,
      code: 'NOT_FOUND',
      ms: 1.5,
    });
    const rows = await store.accounts.db.selectFrom('recent_requests').selectAll().execute();
    assert.equal(rows.length, 101);
  });

  it('keeps the last requests of an account that several processes answer', async () => {
    const [store, wiring, caller] = await start();
    const recorders = [record(store), record(await store.reopen()), record(await store.reopen())];
    for (let index = 0; index < 240; index += 1) {
      const request = answered(SEARCH, 200, HERE, wiring.clock.now + index);
      recorders[index % 3]?.record(caller, { ...request, id: `id-${index}` });
      if (index % 50 === 0) await Promise.all(recorders.map((recorder) => recorder.write()));
    }
    await Promise.all(recorders.map((recorder) => recorder.write()));
    // The slowest of them may have trimmed before the others wrote.
    await Promise.all(recorders.map((recorder) => recorder.close()));
    const { recent } = await new UsageReport(store, wiring.clock.read).requests(caller.accountId);
    const ids = recent.slice(0, 100).map(({ requestId: id }) => id);
    assert.deepEqual(
      ids,
      Array.from({ length: 100 }, (_, index) => `id-${239 - index}`),
    );
    assert.ok(recent.length <= 200, `${recent.length} rows are kept`);
  });

  it('drops requests of a key that was deleted in the meantime, and counts after two months', async () => {
    const [store, wiring, caller] = await start();
    const recorder = record(store);
    for (const daysLater of [0, 61]) {
      recorder.record(
        caller,
        answered(SEARCH, 200, HERE, wiring.clock.now + daysLater * MS_PER_DAY),
      );
      await recorder.write();
    }
    const { db } = store.accounts;
    assert.equal((await db.selectFrom('key_counts').selectAll().execute()).length, 1);
    recorder.record(caller, answered(SEARCH, 200, HERE, wiring.clock.now));
    await wiring.accounts.delete('ann@shop.example');
    await recorder.write();
    assert.deepEqual(await db.selectFrom('key_counts').selectAll().execute(), []);
    assert.deepEqual(await db.selectFrom('recent_requests').selectAll().execute(), []);
  });
});
