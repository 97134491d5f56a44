import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { after, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { SelfService } from '../../src/accounts/sign-in/self-service.ts';
import { openStore } from '../../src/store/connect.ts';
import { type Outcome, run as runProgram } from '../support/cli.ts';
import { createMigratedDatabase, forEachEngine } from '../support/engines.ts';
import { MAIN } from '../support/main-module.ts';

const ROOT = new URL('../../', import.meta.url);

/** Runs the program's real command line. */
function cardprice(database: string, ...args: string[]): Promise<Outcome> {
  return run({ CARDPRICE_DATABASE: database }, args);
}

function run(settings: Record<string, string>, args: readonly string[]): Promise<Outcome> {
  return runProgram(args, { env: settings });
}

/** The last lines that a command printed as JSON. */
async function json(database: string, ...args: string[]): Promise<Record<string, unknown>> {
  const { code, out, err } = await cardprice(database, ...args, '--json');
  assert.equal(code, 0, err);
  return JSON.parse(out) as Record<string, unknown>;
}

forEachEngine((label) => {
  it('creates an account, changes it, and creates and revokes its keys', async () => {
    const { location, remove } = await createMigratedDatabase(label);
    after(remove);
    const created = await cardprice(
      location,
      ...['account', 'create', '--email', 'Ann@shop.example', '--plan', 'free'],
    );
    assert.match(
      created.out,
      /^Created ann@shop\.example on the plan free, 200 requests a day\.\n/,
    );
    const account = await json(location, 'account', 'set-plan', 'ann@shop.example', 'trader');
    assert.equal(account.plan, 'trader');

    const newKey = await cardprice(location, 'key', 'create', '--account', 'ann@shop.example');
    const [key = '', ...notes] = newKey.out.trim().split('\n');
    assert.match(key, /^cp_live_[\w-]{49}$/);
    assert.match(notes.join(' '), /the key 1 .* shown only once/);
    const regenerated = await json(location, 'key', 'regenerate', '1');
    assert.notEqual(regenerated.key, key);
    const revoked = await json(location, 'key', 'revoke', '1');
    assert.equal(revoked.status, 'revoked');
    assert.ok(!('key' in revoked));

    const keys = await cardprice(location, 'key', 'list', '--account', 'ann@shop.example');
    assert.match(
      keys.out,
      /^ID +NAME +KEY +STATUS .* LAST USED +RESTRICTIONS\n1 +default +….{4} +revoked .* never +none\n$/,
    );
    const disabled = await json(location, 'account', 'disable', 'ann@shop.example');
    assert.match(String(disabled.disabledAt), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    const accounts = await cardprice(location, 'account', 'list');
    assert.match(accounts.out, /\nann@shop\.example +trader +0 of 10,000 +disabled +no /);
  });

  it('restricts a key, and says what it may do', async () => {
    const { location, remove } = await createMigratedDatabase(label);
    after(remove);
    await cardprice(location, 'account', 'create', '--email', 'ann@shop.example');
    const create = ['key', 'create', '--account', 'ann@shop.example'];
    const restricted = await cardprice(
      location,
      ...[...create, '--scopes', 'bulk', '--limit', '1000', '--query', 'off'],
      ...['--addresses', '203.0.113.9/24, 2001:DB8::7'],
    );
    assert.deepEqual([restricted.code, restricted.err], [0, '']);
    assert.match(
      restricted.out,
      /valid until revoked, only for bulk, at most 1,000 requests a day, only from 203\.0\.113\.0\/24, 2001:db8::7\/128, only in the header\.\n/,
    );
    const listed = await cardprice(location, 'key', 'list', '--account', 'ann@shop.example');
    assert.match(listed.out, / never +only for bulk, at most 1,000 requests a day, /);
    const change = ['--scopes', 'all', '--limit', 'off', '--addresses', 'any', '--query', 'on'];
    const free = await json(location, 'key', 'update', '1', ...change);
    const { scopes, dailyRequests, addresses, inQuery } = free;
    assert.deepEqual([scopes, dailyRequests, addresses, inQuery], [null, null, null, true]);
    const ended = await cardprice(location, 'key', 'update', '1', '--expires', '2099-12-31');
    assert.equal(ended.out, 'Changed the key 1 ("default"): valid until 2100-01-01T00:00:00Z.\n');

    for (const [flag, value, message] of [
      [
        '--scopes',
        'write',
        /There is no scope "write"\. The scopes are read, bulk, alerts, webhooks, sheet, operator:read/,
      ],
      ['--limit', '0', /--limit "0" is not a whole number above 0/],
      ['--addresses', '10.0.0', /"10\.0\.0" is neither an address nor a network/],
    ] as const) {
      const refused = await cardprice(location, ...create, flag, value);
      assert.equal(refused.code, 1);
      assert.match(refused.err, message);
    }
    const settings = { CARDPRICE_DATABASE: location, CARDPRICE_KEY_DAYS: '30' };
    const lasting = await run(settings, [...create, '--expires', 'never', '--json']);
    assert.equal(JSON.parse(lasting.out).expiresAt, null);
    const { out } = await run(settings, [...create, '--json']);
    const days = (Date.parse(JSON.parse(out).expiresAt) - Date.now()) / 86_400_000;
    assert.ok(days > 30 && days <= 31, `${days} days`);
  });

  it('knows an account by both spellings of an international domain', async () => {
    const { location, remove } = await createMigratedDatabase(label);
    after(remove);
    const [unicode, ascii] = ['ann@bücher.example', 'ann@xn--bcher-kva.example'];
    const created = await json(location, 'account', 'create', '--email', unicode);
    assert.equal(created.email, ascii);
    for (const [email, plan] of [
      [unicode, 'trader'],
      [ascii, 'business'],
    ] as const) {
      const moved = await json(location, 'account', 'set-plan', email, plan);
      assert.deepEqual([moved.email, moved.plan], [ascii, plan]);
      const audit = await cardprice(location, 'audit', '--account', email, '--json');
      assert.equal(audit.err, '');
      assert.match(audit.out, new RegExp(`"plan-changed".*"subject": ?"${ascii}"`, 's'));
    }
    const again = await cardprice(location, 'account', 'create', '--email', ascii);
    assert.match(again.err, /There is already an account ann@xn--bcher-kva\.example\./);
  });

  it('creates an operator and prints a link that sets the password', async () => {
    const { location, remove } = await createMigratedDatabase(label);
    after(remove);
    const create = ['account', 'create', '--operator', '--email', 'Ann@shop.example'];
    const created = await cardprice(location, ...create);
    assert.deepEqual([created.code, created.err], [0, '']);
    const [first = '', second = '', link = ''] = created.out.split('\n');
    assert.match(first, /^Created the operator ann@shop\.example on the plan free, 200 requests/);
    assert.match(
      second,
      /^Set a password here\. The link works once, until \d{4}-\d\d-\d\dT[\d:]{8}Z:$/,
    );
    assert.match(link, /^ {2}http:\/\/127\.0\.0\.1:8080\/reset#[\w-]{43}$/);
    await setsPassword(location, link);

    const former = await cardprice(location, 'account', 'set-operator', 'ann@shop.example', 'off');
    assert.equal(former.out, 'ann@shop.example is no longer an operator.\n');
    const again = await json(location, 'account', 'set-operator', 'ann@shop.example', 'on');
    assert.equal(again.isOperator, true);
    const accounts = await cardprice(location, 'account', 'list');
    assert.match(accounts.out, /STATUS +OPERATOR +CREATED\nann@shop\.example .* active +yes +\d/);
    const bob = await json(location, ...create.slice(0, -1), 'bob@shop.example');
    assert.match(String(bob.resetLink), /\/reset#[\w-]{43}$/);
    assert.match(String(bob.resetLinkExpiresAt), /Z$/);
  });

  it('prints a link that begins with the address in the settings', async () => {
    const { location, remove } = await createMigratedDatabase(label);
    after(remove);
    await cardprice(location, 'account', 'create', '--email', 'ann@shop.example');
    const reset = ['account', 'reset-link', 'Ann@shop.example'];
    const shown = await cardprice(location, ...reset, '--host', '::', '--port', '9000');
    assert.match(shown.out, /\n {2}http:\/\/localhost:9000\/reset#[\w-]{43}\n$/);
    const settings = { CARDPRICE_DATABASE: location, CARDPRICE_URL: 'https://cards.example' };
    const { out } = await run(settings, [...reset, '--json']);
    const { email, link, expiresAt } = JSON.parse(out) as Record<string, string>;
    assert.equal(email, 'ann@shop.example');
    assert.match(link ?? '', /^https:\/\/cards\.example\/reset#[\w-]{43}$/);
    const hours = (Date.parse(expiresAt ?? '') - Date.now()) / 3_600_000;
    assert.ok(hours > 23.9 && hours <= 24, `${hours} hours`);
    await setsPassword(location, link ?? '');
  });

  it('removes the second factors of an account that has lost them', async () => {
    const { location, remove } = await createMigratedDatabase(label);
    after(remove);
    await cardprice(location, 'account', 'create', '--email', 'ann@shop.example');
    const store = await openStore(location);
    const totp = { account_id: 1, secret: 'A', created_at: 1, confirmed_at: 1, last_step: 1 };
    await store.accounts.db.insertInto('totp').values(totp).execute();
    await store.close();
    const command = ['account', 'remove-second-factor', 'Ann@shop.example'];
    const { out } = await cardprice(location, ...command);
    assert.equal(out, 'Removed 1 second factor of ann@shop.example.\n');
    assert.deepEqual(await json(location, ...command), { email: 'ann@shop.example', removed: 0 });
  });

  it('confirms somebody who signed up', async () => {
    const { location, remove } = await createMigratedDatabase(label);
    after(remove);
    const email = 'ann@shop.example';
    const password = 'correct horse battery';
    const store = await openStore(location);
    const signUp = { isOpen: true, invitationCode: '' };
    const { signUps } = new SelfService(store, Date.now, { signUp });
    const entered = { email, password, invitation: '', address: '' };
    await signUps.add(await signUps.check(entered));
    assert.match((await cardprice(location, 'account', 'list')).out, /ann@shop.* waiting /);
    const key = await cardprice(location, 'key', 'create', '--account', email);
    assert.match(key.err, /not confirmed yet\. `cardprice account confirm \S+` confirms it/);
    const confirmed = await cardprice(location, 'account', 'confirm', 'Ann@shop.example');
    assert.equal(confirmed.out, `Confirmed ${email}. Its owner can now sign in.\n`);
    await new SelfService(store, Date.now, { signUp }).signIn({ email, password, address: '' });
    await store.close();
  });

  it('deletes an account only with --yes', async () => {
    const { location, remove } = await createMigratedDatabase(label);
    after(remove);
    await cardprice(location, 'account', 'create', '--email', 'ann@shop.example');
    await cardprice(location, 'key', 'create', '--account', 'ann@shop.example');
    const unconfirmed = await cardprice(location, 'account', 'delete', 'Ann@shop.example');
    assert.deepEqual([unconfirmed.code, unconfirmed.out], [1, '']);
    assert.match(
      unconfirmed.err,
      /would permanently delete ann@shop\.example, its keys \(1, 1 active\), .* --yes/,
    );
    const deleted = await cardprice(location, 'account', 'delete', 'ann@shop.example', '--yes');
    assert.deepEqual([deleted.code, deleted.err], [0, '']);
    assert.match(deleted.out, /^Deleted ann@shop\.example: 1 key\(s\), 0 session\(s\), /);
    const gone = await cardprice(location, 'account', 'delete', 'ann@shop.example', '--yes');
    assert.match(gone.err, /no account ann@shop\.example/);
  });
});

/** Sets the password that a link is for. */
async function setsPassword(database: string, link: string): Promise<void> {
  const store = await openStore(database);
  const signUp = { isOpen: false, invitationCode: '' };
  const members = new SelfService(store, Date.now, { signUp });
  const [, token = ''] = link.split('#');
  const { email } = await members.reset(token, 'correct horse battery', '');
  await members.signIn({ email, password: 'correct horse battery', address: '' });
  await store.close();
}

it('prints one clear line and ends with 1 when the operator can correct the mistake', async () => {
  const { location, remove } = await createMigratedDatabase('SQLite');
  after(remove);
  const folder = fileURLToPath(new URL('.', import.meta.url));
  const cases: [RegExp, ...string[]][] = [
    [
      /no plan "gold"\. The plans are free/,
      'account',
      'create',
      '--email',
      'a@b.c',
      '--plan',
      'gold',
    ],
    [/no account a@b\.c/, 'key', 'create', '--account', 'a@b.c'],
    [/no account a@b\.c/, 'account', 'reset-link', 'a@b.c'],
    [/no account a@b\.c/, 'account', 'set-operator', 'a@b.c', 'on'],
    [/no account a@b\.c/, 'account', 'delete', 'a@b.c'],
    [/no account a@b\.c/, 'account', 'remove-second-factor', 'a@b.c'],
    [/no key with the id "7"/, 'key', 'revoke', '7'],
    [/is a folder/, 'account', 'list', '--database', folder],
    [/--database is not allowed/, '--database', 'mysql://u:secret@h/d', 'account', 'list'],
  ];
  for (const [message, ...args] of cases) {
    const { code, out, err } = await cardprice(location, ...args);
    assert.match(err, message);
    assert.match(err, /^cardprice: [^\n]+\n$/);
    assert.doesNotMatch(err, /secret/);
    assert.deepEqual([code, out], [1, '']);
  }
});

it('prints help and ends with 2 when the command line is wrong', async () => {
  const unknown = await cardprice('', 'acount');
  const missing = await cardprice('', 'account', 'create');
  const neither = await cardprice('', 'account', 'set-operator', 'ann@shop.example', 'yes');
  const version = await cardprice('', '--version');
  assert.equal(unknown.code, 2);
  assert.match(
    unknown.err,
    /^cardprice: Unknown command 'acount' \(Did you mean account\?\)\. See `cardprice --help`\.\n$/,
  );
  assert.equal(missing.code, 2);
  assert.match(missing.err, /'--email <address>' not specified/);
  assert.equal(neither.code, 2);
  assert.match(neither.err, /'yes' is invalid.*Allowed choices are on, off/);
  const manifest = JSON.parse(readFileSync(new URL('package.json', ROOT), 'utf8'));
  assert.deepEqual(version, { code: 0, out: `${manifest.version}\n`, err: '' });
});

it('exits with 70 on an unexpected error, and prints details when debugging', async () => {
  const { location, remove } = await createMigratedDatabase('SQLite');
  after(remove);
  const store = await openStore(location);
  await store.accounts.db.schema.dropTable('accounts').execute();
  await store.close();
  const list = (level: string) => {
    return run({ CARDPRICE_DATABASE: location, CARDPRICE_LOG_LEVEL: level }, ['account', 'list']);
  };
  const short = await list('info');
  const long = await list('debug');
  assert.equal(short.code, 70);
  assert.match(
    short.err,
    /^cardprice: Unexpected error: no such table: accounts\nSet CARDPRICE_LOG_L/,
  );
  assert.doesNotMatch(short.err, /\n +at /);
  assert.equal(long.code, 70);
  assert.match(long.err, /\n +at /);
});

it('ends quietly when nobody reads its output', async () => {
  const { location, remove } = await createMigratedDatabase('SQLite');
  after(remove);
  const env = { ...process.env, CARDPRICE_DATABASE: location };
  const child = spawn(process.execPath, [MAIN, 'account', 'list'], { env });
  child.stdout.destroy();
  const [err, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
  assert.deepEqual([code, err], [0, '']);
});

it('the version is said without loading any command', async () => {
  const refusing = `import { registerHooks } from 'node:module';
    registerHooks({ resolve(specifier, context, next) {
      if (specifier === './serve.ts') throw new Error('serve was loaded');
      return next(specifier, context);
    } });`;
  const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(refusing)}`;
  for (const flag of ['--version', '-V']) {
    const { code, out } = await runProgram([flag], { env: { NODE_OPTIONS } });
    assert.equal(code, 0);
    assert.match(out, /^\d+\.\d+\.\d+\n$/);
  }
});
