import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { after, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { openStore } from '../../src/store/connect.ts';
import { createDatabase, forEachEngine } from '../support/engines.ts';

const ROOT = new URL('../../', import.meta.url);
const MAIN = fileURLToPath(new URL('src/main.ts', ROOT));

interface Outcome {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Runs the real command line. */
function cardprice(database: string, ...args: string[]): Promise<Outcome> {
  return run({ CARDPRICE_DATABASE: database }, args);
}

function run(settings: Record<string, string>, args: readonly string[]): Promise<Outcome> {
  const env = { ...process.env, ...settings };
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [MAIN, ...args], { env }, (_error, out, err) => {
      resolve({ code: child.exitCode ?? -1, out, err });
    });
  });
}

/** The last lines that a command printed as JSON. */
async function json(database: string, ...args: string[]): Promise<Record<string, unknown>> {
  const { code, out, err } = await cardprice(database, ...args, '--json');
  assert.equal(code, 0, err);
  return JSON.parse(out) as Record<string, unknown>;
}

forEachEngine((label) => {
  it('takes an account from its creation to its last key', async () => {
    const { location, remove } = await createDatabase(label);
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
    assert.match(notes.join(' '), /the key 1 .* shown this once/);
    const regenerated = await json(location, 'key', 'regenerate', '1');
    assert.notEqual(regenerated.key, key);
    const revoked = await json(location, 'key', 'revoke', '1');
    assert.equal(revoked.status, 'revoked');
    assert.ok(!('key' in revoked));

    const keys = await cardprice(location, 'key', 'list', '--account', 'ann@shop.example');
    assert.match(keys.out, /^ID +NAME +KEY +STATUS .*\n1 +default +….{4} +revoked /);
    const disabled = await json(location, 'account', 'disable', 'ann@shop.example');
    assert.match(String(disabled.disabledAt), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    const accounts = await cardprice(location, 'account', 'list');
    assert.match(accounts.out, /\nann@shop\.example +trader +0 of 10000 +disabled /);
  });
});

it('ends with one clear line and exit code 1 when the operator has something to mend', async () => {
  const { location, remove } = await createDatabase('SQLite');
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
    [/no key with the id "7"/, 'key', 'revoke', '7'],
    [/is a folder/, 'account', 'list', '--database', folder],
    [/--database is not allowed/, '--database', 'mysql://u:secret@h/d', 'account', 'list'],
  ];
  // The database is made first, so that the commands do not all make it at the same moment.
  await cardprice(location, 'account', 'list');
  await Promise.all(
    cases.map(async ([message, ...args]) => {
      const { code, out, err } = await cardprice(location, ...args);
      assert.match(err, message);
      assert.match(err, /^cardprice: [^\n]+\n$/);
      assert.doesNotMatch(err, /secret/);
      assert.deepEqual([code, out], [1, '']);
    }),
  );
});

it('ends with exit code 2 when the command line is wrong, and helps', async () => {
  const [unknown, missing, version] = await Promise.all([
    cardprice('', 'acount'),
    cardprice('', 'account', 'create'),
    cardprice('', '--version'),
  ]);
  assert.equal(unknown.code, 2);
  assert.match(unknown.err, /unknown command 'acount'\n\(Did you mean account\?\)/);
  assert.equal(missing.code, 2);
  assert.match(missing.err, /'--email <address>' not specified/);
  const manifest = JSON.parse(readFileSync(new URL('package.json', ROOT), 'utf8'));
  assert.deepEqual(version, { code: 0, out: `${manifest.version}\n`, err: '' });
});

it('ends with exit code 70 when it is at fault itself, and tells more when debugging', async () => {
  const { location, remove } = await createDatabase('SQLite');
  after(remove);
  const store = await openStore(location);
  await store.db.schema.dropTable('accounts').execute();
  await store.close();
  const [short, long] = await Promise.all(
    ['info', 'debug'].map((level) =>
      run({ CARDPRICE_DATABASE: location, CARDPRICE_LOG_LEVEL: level }, ['account', 'list']),
    ),
  );
  assert.equal(short?.code, 70);
  assert.match(
    short.err,
    /^cardprice: unexpected error: no such table: accounts\nSet CARDPRICE_LOG_L/,
  );
  assert.doesNotMatch(short.err, /\n +at /);
  assert.equal(long?.code, 70);
  assert.match(long.err, /\n +at /);
});

it('ends quietly when nobody reads its output', async () => {
  const { location, remove } = await createDatabase('SQLite');
  after(remove);
  const env = { ...process.env, CARDPRICE_DATABASE: location };
  const child = spawn(process.execPath, [MAIN, 'account', 'list'], { env });
  child.stdout.destroy();
  const [err, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
  assert.deepEqual([code, err], [0, '']);
});
