import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { it } from 'node:test';
import { sql } from 'kysely';
import { Accounts } from '../../src/accounts/accounts.ts';
import { insertAlert } from '../../src/accounts/alerts/alert-sql.ts';
import { recordEvents } from '../../src/accounts/alerts/event-sql.ts';
import { AuditLog, COMMAND_LINE } from '../../src/accounts/audit/audit.ts';
import { deletedName } from '../../src/accounts/audit/audit-sql.ts';
import { enableBilling } from '../../src/accounts/billing/billing-sql.ts';
import { UsageRecorder } from '../../src/accounts/quota/usage-recorder.ts';
import { Webhooks } from '../../src/accounts/webhooks/webhooks.ts';
import type { Cents } from '../../src/domain/money.ts';
import type { AccountDatabase } from '../../src/store/accounts/schema.ts';
import type { Store } from '../../src/store/connect.ts';
import { forEachEngine } from '../support/engines.ts';
import {
  ADDRESS,
  answered,
  identified,
  PASSWORD,
  refused,
  visit,
  type Wiring,
  wire,
} from './fixtures.ts';

const EMAIL = 'nobody-remembers-me@shop.example';

/** An account that has left something in every table. */
async function leaveTraces(store: Store, parts: Wiring): Promise<number> {
  const { keys, authenticator, selfService, clock } = parts;
  await enableBilling(store.accounts.db, true);
  const session = await visit(parts, EMAIL);
  const { key } = await keys.create(EMAIL, { name: 'shop', dailyRequests: 10 });
  const caller = await identified(authenticator, key);
  await authenticator.charge(caller);
  const recorder = new UsageRecorder(store, ['GET /v1/games'], () => assert.fail());
  recorder.record(caller, answered(0, 200, ADDRESS, clock.now));
  await recorder.write();
  await selfService.resetToken(EMAIL, 1000);
  const wrong = { email: EMAIL, password: `not ${PASSWORD}`, address: ADDRESS };
  await assert.rejects(selfService.signIn(wrong), refused('UNAUTHORIZED', /wrong/));
  await selfService.requestReset(EMAIL, ADDRESS);
  await leaveFactors(store, session.accountId, clock.now);
  await leaveWebhooks(store, session.accountId, clock.now);
  await leaveAlert(store, session.accountId);
  const audit = new AuditLog(store, clock.read);
  await audit.record('signed-in', COMMAND_LINE, { subject: EMAIL });
  const actor = { ...COMMAND_LINE, account: session.accountId };
  await audit.record('settings-changed', actor, { subject: 'x', detail: `from ${EMAIL} to %_` });
  return session.accountId;
}

/** A webhook with an event, and an event for billing of an earlier release. */
async function leaveWebhooks(store: Store, accountId: number, now: number): Promise<void> {
  const webhooks = new Webhooks(store, () => now);
  const { id } = await webhooks.add(accountId, { url: 'https://shop.example/prices' });
  await webhooks.test(String(id));
  const event = { id: 'evt_former', type: 'account.created', account_id: accountId, attempts: 1 };
  const times = { created_at: now, next_at: now, delivered_at: null, failed_at: null };
  await store.accounts.db
    .insertInto('billing_events')
    .values({ ...event, ...times, payload: '{}', error: null })
    .execute();
}

/** An alert that has fired. */
async function leaveAlert({ accounts: { db } }: Store, accountId: number): Promise<void> {
  const line = { card: 'mtg-a', printing: 'Foil', copy: '' } as const;
  const rule = { kind: 'first', amount: null, percent: null, days: null } as const;
  const alert = {
    ...rule,
    accountId,
    name: '',
    set: null,
    mail: 'off',
    createdAt: 0,
    since: 0,
  } as const;
  const { id } = await insertAlert(db, alert, [{ ...line, state: null }]);
  const event = { id: 'alert_1', alertId: id, accountId, at: 0, publishedAt: 0, before: null };
  const publication = { revision: 1, id: 'one' };
  const told = { rule, name: '', mail: 'off', cardName: 'A', cursor: '' } as const;
  await recordEvents(db, [{ ...event, ...line, ...told, publication, after: 5 as Cents }]);
}

/**
 * Second factors, a known browser, a begun sign-in, a kept answer, and cards that pages have shown.
 */
async function leaveFactors({ accounts: { db } }: Store, id: number, now: number): Promise<void> {
  const own = { account_id: id };
  const app = { ...own, secret: 'A', created_at: now, confirmed_at: now, last_step: 0 };
  await db.insertInto('totp').values(app).execute();
  const key = { ...own, credential_id: `${id}`, public_key: 'A', counter: 0, transports: '' };
  const passkey = { ...key, name: 'phone', created_at: now, last_used_at: null };
  await db.insertInto('passkeys').values(passkey).execute();
  const code = { ...own, code_hash: `${id}`, used_at: null };
  await db.insertInto('recovery_codes').values(code).execute();
  const challenge = { ...own, token_hash: `${id}`, purpose: 'sign-in', credential_version: 0 };
  await db
    .insertInto('challenges')
    .values({ ...challenge, expires_at: now })
    .execute();
  const replay = { ...own, id: `${id}`, answer: 'A', expires_at: now };
  await db.insertInto('replays').values(replay).execute();
  await db
    .insertInto('page_usage')
    .values({ ...own, day: 1, used: 1 })
    .execute();
  const device = { ...own, token_hash: `${id}`, last_used_at: now };
  await db.insertInto('devices').values(device).execute();
}

/** Every table that has this column, as the database says. */
async function tablesWith(store: Store, column: string): Promise<(keyof AccountDatabase)[]> {
  const { db } = store.accounts;
  const query =
    store.engine.name === 'sqlite'
      ? sql<{ name: string }>`
          select t.name from (select name, 'main' as schema from main.sqlite_master
            union all select name, 'attached' from attached.sqlite_master) t
          join pragma_table_info(t.name, t.schema) c on c.name = ${column}`
      : sql<{ name: string }>`select table_name as name from information_schema.columns
          where table_schema = current_schema() and column_name = ${column}`;
  const { rows } = await query.execute(db);
  return rows.map(({ name }) => name as keyof AccountDatabase);
}

async function countOf(store: Store, table: keyof AccountDatabase, column: string, id: number) {
  const { rows } = await sql<{ count: number }>`select count(*) as count from ${sql.table(table)}
    where ${sql.ref(column)} = ${id}`.execute(store.accounts.db);
  return Number(rows[0]?.count);
}

forEachEngine((label, open) => {
  it('deletes the rows of an account in every table that has its number or that of a key', async () => {
    const store = await open();
    const parts = wire(store);
    const bystander = await visit(parts, 'bob@shop.example');
    const { id: otherKey } = await parts.keys.create('bob@shop.example', { dailyRequests: 5 });
    const id = await leaveTraces(store, parts);
    const [key] = await parts.keys.list(EMAIL);
    const owned = await tablesWith(store, 'account_id');
    const keyed = await tablesWith(store, 'key_id');
    assert.deepEqual(
      [owned.length, keyed.length],
      [19, 4],
      'a new table needs a trace in this test',
    );
    for (const table of owned)
      assert.ok((await countOf(store, table, 'account_id', id)) > 0, table);
    for (const table of keyed) {
      assert.ok((await countOf(store, table, 'key_id', key?.id ?? 0)) > 0, table);
    }
    const { rows, auditEntries, isErased } = await parts.accounts.delete(EMAIL);
    assert.deepEqual(rows, {
      accounts: 1,
      alert_events: 1,
      alert_lines: 1,
      alerts: 1,
      api_keys: 1,
      password_resets: 2,
      sessions: 1,
      attempts: 2,
      usage: 1,
      request_counts: 1,
      key_uses: 1,
      key_usage: 1,
      billing_events: 1,
      webhooks: 1,
      outbox: 3,
      key_counts: 1,
      recent_requests: 1,
      totp: 1,
      passkeys: 1,
      recovery_codes: 1,
      challenges: 1,
      replays: 1,
      devices: 1,
      page_usage: 1,
    });
    assert.deepEqual([auditEntries, isErased], [2, true]);
    for (const table of owned)
      assert.equal(await countOf(store, table, 'account_id', id), 0, table);
    for (const table of keyed) assert.equal(await countOf(store, table, 'key_id', key?.id ?? 0), 0);
    assert.equal((await parts.sessions.list(bystander.accountId)).length, 1);
    assert.deepEqual(
      (await parts.keys.list('bob@shop.example')).map((one) => one.id),
      [otherKey],
    );
  });

  it('leaves the address nowhere, and the audit log with a name for the account', async () => {
    const store = await open();
    const parts = wire(store);
    // Neighbours, so that pages are split and merged before and after.
    const accounts = new Accounts(store, parts.clock.read);
    const audit = new AuditLog(store, parts.clock.read);
    const neighbours = Array.from({ length: 120 }, (_, index) => `neighbour-${index}@shop.example`);
    for (const email of neighbours.slice(0, 60)) await accounts.create(email, 'free');
    const id = await leaveTraces(store, parts);
    for (const email of neighbours.slice(60)) {
      await accounts.create(email, 'free');
      await audit.record('account-created', { ...COMMAND_LINE, account: id }, { subject: EMAIL });
    }
    // Another process that has the files open, as a serving one has.
    const reopened = await store.reopen();
    await wire(reopened).accounts.find(EMAIL);
    assert.ok((await parts.accounts.delete(EMAIL)).isErased);
    const rows = await store.accounts.db.selectFrom('audit').selectAll().execute();
    assert.equal(rows.filter(({ subject }) => subject === deletedName(id)).length, 61);
    assert.ok(rows.some(({ detail }) => detail === `from ${deletedName(id)} to %_`));
    if (label === 'SQLite') {
      const files = globSync(`${store.location}*`);
      assert.ok(files.length >= 3, files.join());
      for (const file of files) {
        assert.ok(!readFileSync(file).includes('nobody-remembers-me'), `${file} has the address`);
      }
    }
    for (const { name } of await store.accounts.db.introspection.getTables()) {
      const { rows: all } = await sql`select * from ${sql.table(name)}`.execute(store.accounts.db);
      assert.ok(!JSON.stringify(all).includes('nobody-remembers-me'), `${name} has the address`);
    }
  });

  it('names nobody in what is recorded after the deletion', async () => {
    const store = await open();
    const parts = wire(store);
    const id = await leaveTraces(store, parts);
    await parts.accounts.delete(EMAIL);
    const audit = new AuditLog(store, parts.clock.read);
    const late = await audit.record(
      'signed-out',
      { ...COMMAND_LINE, account: id },
      { subject: EMAIL },
    );
    assert.deepEqual([late.actorEmail, late.subject], [deletedName(id), 'unknown account']);
  });
});
