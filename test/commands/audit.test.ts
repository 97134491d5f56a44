import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { readCommands } from '../../scripts/docs.ts';
import { AuditLog, COMMAND_LINE } from '../../src/accounts/audit/audit.ts';
import { openStore } from '../../src/store/connect.ts';
import { insertQuarantined } from '../../src/store/quarantine/quarantine.ts';
import { Program, run as runProgram, temporaryFolder } from '../support/cli.ts';
import { createMigratedDatabase, type TestDatabase } from '../support/engines.ts';
import { quarantineEntry } from '../support/entries.ts';
import { Market } from '../support/market.ts';

const ANN = 'ann@shop.example';

/** The commands that change what the audit log is about, and the actions that they record. */
const AUDITED: Readonly<Record<string, string>> = {
  'account create': 'account-created',
  'account confirm': 'account-verified',
  'account remove-second-factor': 'second-factor-changed',
  'account set-plan': 'plan-changed',
  'account set-limits': 'plan-changed',
  'plan create': 'settings-changed',
  'plan set': 'settings-changed',
  'plan delete': 'settings-changed',
  'account disable': 'account-disabled',
  'account enable': 'account-enabled',
  'account set-operator': 'operator-changed',
  'account reset-link': 'reset-link-made',
  'account delete': 'account-deleted',
  'key create': 'key-created',
  'key update': 'key-changed',
  'key regenerate': 'key-changed',
  'key revoke': 'key-revoked',
  'quarantine approve': 'quarantine-decided',
  'quarantine reject': 'quarantine-decided',
  'quarantine undo': 'quarantine-decided',
  'quarantine rollback': 'rolled-back',
  'alert add': 'alert-changed',
  'alert pause': 'alert-changed',
  'alert resume': 'alert-changed',
  'alert remove': 'alert-changed',
  'webhook add': 'webhook-changed',
  'webhook rotate': 'webhook-changed',
  'webhook disable': 'webhook-changed',
  'webhook enable': 'webhook-changed',
  'webhook delete': 'webhook-changed',
  backup: 'backed-up',
};

/** The commands that change no account, key, setting or decision. */
const OTHERS: readonly RegExp[] = [
  /^(start|serve|sync|status|report|sources|explain|search|show|resolve|export|audit|mcp)( |$)/,
  /^(restore|migrate|config|doctor)( |$)/,
  /^(import|history) /,
  /^(account|key|quarantine|plan|billing|webhook) list$/,
  /^alert (list|preview|events)$/,
  /^webhook (test|deliveries|resend)$/,
  /^quarantine (decisions|digest)$/,
  /^(usage|billing test)$/,
];

describe('A command', () => {
  let database: TestDatabase;
  before(async () => {
    database = await createMigratedDatabase('SQLite');
  });
  after(() => database.remove());

  const backups = temporaryFolder();

  const run = (...args: string[]) => {
    return runProgram(args, { env: { CARDPRICE_DATABASE: database.location } });
  };

  it('is known as one that is recorded, or as one that is not', async () => {
    const names = (await readCommands()).map(({ name }) => name.replace('cardprice ', ''));
    const unknown = names.filter((name) => {
      return !(name in AUDITED) && !OTHERS.some((pattern) => pattern.test(name));
    });
    assert.deepEqual(unknown, []);
    assert.deepEqual(
      Object.keys(AUDITED).filter((name) => !names.includes(name)),
      [],
    );
  });

  it('records in the audit log what it did, to which account, and the system user', async () => {
    const store = await openStore(database.location);
    await insertQuarantined(store.db, [quarantineEntry()]);
    const market = new Market(store, { limits: null });
    await market.lists('2026-01-19', { '1 Foil': 11 });
    await market.lists('2026-01-20', { '1 Foil': 22 });
    await store.close();
    for (const command of [
      ['account', 'create', '--email', ANN, '--plan', 'trader'],
      ['account', 'set-plan', ANN, 'business'],
      ['plan', 'create', 'hobby', '--daily', '500'],
      ['account', 'set-limits', ANN, '--daily', '7'],
      ['account', 'disable', ANN],
      ['account', 'enable', ANN],
      ['account', 'confirm', ANN],
      ['account', 'remove-second-factor', ANN],
      ['account', 'set-operator', ANN, 'on'],
      ['account', 'reset-link', ANN],
      ['key', 'create', '--account', ANN, '--name', 'shop'],
      ['key', 'update', '1', '--limit', '5'],
      ['key', 'regenerate', '1'],
      ['key', 'revoke', '1'],
      ['webhook', 'add', '--account', ANN, '--url', 'https://shop.example/prices'],
      ['webhook', 'rotate', '1'],
      ['webhook', 'disable', '1'],
      ['webhook', 'enable', '1'],
      ['webhook', 'delete', '1'],
      ['quarantine', 'reject', '1'],
      ['quarantine', 'undo', '1'],
      ['quarantine', 'approve', '--all', '--source', 'scryfall'],
      ['quarantine', 'rollback', '--source', 'tcgcsv', '--from', '2026-01-20', '--dry-run'],
      ['quarantine', 'rollback', '--source', 'tcgcsv', '--from', '2026-01-20', '--game', 'mtg'],
      ['backup', '--output', backups],
    ]) {
      const { err } = await run(...command);
      assert.ok(!err.includes('audit log'), err);
    }
    const { out } = await run('audit', '--json');
    const entries = (JSON.parse(out) as Record<string, string>[]).reverse();
    const user = `user ${userInfo().username}`;
    assert.ok(entries.every(({ actor, detail }) => actor === 'command' && detail?.endsWith(user)));
    const hobby = entries.find(({ subject }) => subject === 'plan hobby')?.detail?.split('; ')[0];
    assert.match(hobby ?? '', /"dailyRequests":500/);
    const brief = entries.map(({ action, subject, detail }) => {
      return [action, subject, detail?.replace(/….{4}/g, '…').split('; ')[0]];
    });
    assert.deepEqual(brief, [
      ['account-created', ANN, 'on the plan trader, 10,000 requests a day'],
      ['plan-changed', ANN, 'on the plan business, 100,000 requests a day'],
      ['settings-changed', 'plan hobby', hobby],
      ['plan-changed', ANN, 'on the plan business, 7 requests a day'],
      ['account-disabled', ANN, 'on the plan business, 7 requests a day'],
      ['account-enabled', ANN, 'on the plan business, 7 requests a day'],
      ['account-verified', ANN, 'on the plan business, 7 requests a day'],
      ['second-factor-changed', ANN, 'all were removed'],
      ['operator-changed', ANN, 'an operator, on the plan business, 7 requests a day'],
      ['reset-link-made', ANN, user],
      ['key-created', ANN, 'key 1 "shop" (…)'],
      ['key-changed', ANN, 'key 1 "shop" (…)'],
      ['key-changed', ANN, 'key 1 "shop" (…)'],
      ['key-revoked', ANN, 'key 1 "shop" (…)'],
      ['webhook-changed', ANN, 'webhook 1 added'],
      ['webhook-changed', ANN, 'webhook 1 rotated'],
      ['webhook-changed', ANN, 'webhook 1 disabled'],
      ['webhook-changed', ANN, 'webhook 1 enabled'],
      ['webhook-changed', ANN, 'webhook 1 deleted'],
      ['quarantine-decided', 'quarantine', 'rejected 1: ids 1'],
      ['quarantine-decided', 'quarantine', 'took back 1 rejections: ids 1'],
      ['quarantine-decided', 'quarantine', 'approved 1: all true, source scryfall'],
      ['rolled-back', 'tcgcsv', 'from 2026-01-20, game mtg'],
      ['backed-up', null, join(backups, readdirSync(backups)[0] ?? '')],
    ]);
  });

  it('that deletes an account lists the deleted and the kept data', async () => {
    const { out, code } = await run('account', 'delete', ANN, '--yes');
    assert.equal(code, 0);
    const [deleted = '', kept = ''] = out.trim().split('\n');
    assert.match(
      deleted,
      /^Deleted ann@shop\.example: 1 key\(s\), 0 session\(s\), its reset links, /,
    );
    assert.match(kept, /^Kept 18 entries of the audit log\./);
    assert.match(kept, / "deleted account #1" and are deleted after 400 days\.$/);
    const listed = await run(
      'audit',
      '--account',
      'deleted account #1',
      '--action',
      'account-deleted',
    );
    assert.match(listed.out, /account-deleted +command +deleted account #1 +user /);
    assert.ok(!(await run('audit', '--json')).out.includes(ANN));
  });

  it('lists entries by account, action, actor and day, a hundred by default', async () => {
    const store = await openStore(database.location);
    const audit = new AuditLog(store, () => Date.UTC(2025, 5, 1));
    for (let count = 0; count < 120; count += 1) await audit.record('rolled-back', COMMAND_LINE);
    await store.close();
    const { out } = await run('audit', '--to', '2025-06-01');
    assert.match(
      out,
      /^AT +ACTION +ACTOR +BY +FROM +SUBJECT +DETAIL\n2025-06-01T00:00:00Z +rolled-/,
    );
    assert.match(out, /\nThe newest 100 of 120; see --limit\.\n$/);
    const all = await run('audit', '--to', '2025-06-01', '--json');
    assert.equal((JSON.parse(all.out) as object[]).length, 120);
    const few = await run('audit', '--action', 'rolled-back', '--limit', '2', '--json');
    assert.equal((JSON.parse(few.out) as object[]).length, 2);
    const none = await run('audit', '--actor', 'operator');
    assert.equal(none.out, 'There are no matching entries in the audit log.\n');
    for (const [flag, value] of [
      ['--from', 'today'],
      ['--action', 'x'],
      ['--limit', '0'],
    ] as const) {
      const refused = await run('audit', flag, value);
      assert.ok(refused.code !== 0 && refused.err.includes(value), refused.err);
    }
  });

  it('that serves records with which settings it starts', async () => {
    const env = { CARDPRICE_DATABASE: database.location, CARDPRICE_SIGN_UP: 'off' };
    const service = new Program(['serve', '--port', '0'], { env });
    await service.listening();
    await service.send('SIGTERM').ended();
    const { out } = await run('audit', '--actor', 'service', '--json');
    const entries = JSON.parse(out) as Record<string, string>[];
    const changed = entries.map(({ subject, detail }) => [subject, detail]).sort();
    assert.deepEqual(changed, [
      ['CARDPRICE_DATABASE', 'a secret was set'],
      ['CARDPRICE_PORT', '"8080" → "0"'],
      ['CARDPRICE_SIGN_UP', '"on" → "off"'],
    ]);
    assert.ok(
      service.log.some(({ msg, audit }) => msg === 'audit' && audit === 'settings-changed'),
    );
  });
});
