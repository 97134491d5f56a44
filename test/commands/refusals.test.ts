import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { chmod } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { after, describe, it } from 'node:test';
import { openStore } from '../../src/store/connect.ts';
import { type Outcome, occupiedPort, run, temporaryFolder } from '../support/cli.ts';
import { createDatabase, forEachEngine } from '../support/engines.ts';

const SERVE = ['serve', '--create', '--port', '0'];

/** Asserts that the program ended with one line for the operator and served nothing. */
function assertRefused({ code, out, err }: Outcome, message: RegExp): void {
  assert.match(err, message);
  assert.match(err, /^cardprice: [^\n]+\n$/);
  assert.deepEqual({ code, out }, { code: 1, out: '' });
}

describe('serve refuses, in one line and with exit code 1,', () => {
  it('a port that is in use', async () => {
    const port = String(await occupiedPort());
    const database = join(temporaryFolder(), 'a.db');
    const outcome = await run(['--database', database, 'serve', '--create', '--port', port]);
    assertRefused(outcome, new RegExp(`127\\.0\\.0\\.1:${port} is in use\\. .* --port`));
  });

  it('a port that is in use, with one message for all workers', async () => {
    const port = String(await occupiedPort());
    const database = join(temporaryFolder(), 'a.db');
    const serve = ['--database', database, 'serve', '--create', '--port', port, '--workers', '3'];
    const { code, out, err } = await run(serve);
    assert.equal(code, 1);
    assert.match(err, /^cardprice: [^\n]+ is in use\. [^\n]+\n$/);
    assert.match(out, /^\{.*"code":1,.*"msg":"a worker died"\}\n$/);
  });

  const HOSTS = [
    ['an unknown host', 'no-such-host.invalid', /no-such-host\.invalid (is not|cannot be)/],
    [
      'an address of another machine',
      '192.0.2.1',
      /192\.0\.2\.1 is not an address of this machine/,
    ],
    ['an invalid host', 'http://x/', /--host "http:\/\/x\/" is not allowed/],
  ] as const;
  for (const [what, host, message] of HOSTS) {
    it(what, async () => {
      const database = join(temporaryFolder(), 'a.db');
      assertRefused(await run(['--database', database, ...SERVE, '--host', host]), message);
    });
  }

  it('an invalid setting, without showing a value that may contain a password', async () => {
    const workers = await run(['serve'], { env: { CARDPRICE_WORKERS: '0' } });
    const location = 'mysql://ann:s3cret@db/cards';
    const database = await run(['serve'], { env: { CARDPRICE_DATABASE: location } });
    assertRefused(workers, /CARDPRICE_WORKERS "0" is not allowed; .* from 1 to 64/);
    assertRefused(database, /CARDPRICE_DATABASE is not allowed; .* a postgres:\/\/ URL/);
    assert.doesNotMatch(database.err, /s3cret/);
  });

  it('a file of aliases that is missing or wrong, with one message for all workers', async () => {
    const folder = temporaryFolder();
    const files = { 'wrong.csv': 'game,alias,means\nmagic,bob,x\n', 'latin.csv': '\xe9' };
    for (const [name, text] of Object.entries(files)) {
      writeFileSync(join(folder, name), text, 'latin1');
    }
    const serve = ['--database', join(folder, 'a.db'), ...SERVE];
    const refused = (name: string, ...flags: string[]) => {
      const env = { CARDPRICE_ALIASES: join(folder, name) };
      return run([...serve, ...flags], { env });
    };
    assertRefused(await refused('none.csv'), /none\.csv: .* \(ENOENT\)\. .* CARDPRICE_ALIASES/);
    assertRefused(await refused('latin.csv'), /latin\.csv: It is not UTF-8 text\./);
    const outcome = await refused('wrong.csv', '--workers', '2');
    assertRefused(outcome, /wrong\.csv: Line 2 .*: begin it with one of pokemon, /);
  });

  it('a database in a folder that does not exist', async () => {
    const folder = join(temporaryFolder(), 'none');
    const outcome = await run(['--database', join(folder, 'a.db'), ...SERVE]);
    assertRefused(outcome, /The folder \S+none of the database does not exist/);
  });

  it('a folder as database', async () => {
    const outcome = await run(['--database', temporaryFolder(), ...SERVE]);
    assertRefused(outcome, /is a folder; the database must be a file/);
  });

  it('a file that is not a database, and does not change it', async () => {
    const file = join(temporaryFolder(), 'notes.txt');
    const notes = 'Call the shop about the Charizard.\n'.repeat(100);
    writeFileSync(file, notes);
    const outcome = await run(['--database', file, ...SERVE]);
    assertRefused(outcome, /notes\.txt cannot be opened as a SQLite database: file is not a data/);
    assert.equal(readFileSync(file, 'utf8'), notes);
  });

  it('a database file that this user may not read', async () => {
    const { location, remove } = await createDatabase('SQLite');
    after(remove);
    writeFileSync(location, '', { mode: 0o000 });
    await chmod(dirname(location), 0o755);
    assert.match(await refusalOfNobody(location), /test\.db cannot be read and written by this/);
  });

  it('a database in a folder that this user may not write', async () => {
    const { location, remove } = await createDatabase('SQLite');
    after(remove);
    writeFileSync(location, '');
    await chmod(location, 0o666);
    await chmod(dirname(location), 0o755);
    const refusal = await refusalOfNobody(location);
    assert.match(
      refusal,
      /The folder \S+ cannot be written by this user\. SQLite makes files in it/,
    );
  });
});

forEachEngine((label) => {
  it('a database from which a newer version has taken something away', async () => {
    const { location, remove } = await createDatabase(label);
    after(remove);
    const store = await openStore(location);
    const applied = { name: '9999-contract-tomorrow', timestamp: new Date().toISOString() };
    const db = store.db.withTables<{ kysely_migration: typeof applied }>();
    await db.insertInto('kysely_migration').values(applied).execute();
    await store.close();
    const outcome = await run(['--database', location, ...SERVE]);
    assertRefused(
      outcome,
      /newer version of cardprice .*9999-contract-tomorrow.*Upgrade cardprice/,
    );
  });
});

describe('serve reports a PostgreSQL that it cannot use, without showing the password:', () => {
  const SERVERS = [
    ['nothing listens', 'postgres://ann:s3cret@127.0.0.1:1/cards', /ann:\*\*\*@127.* ECONNREFUSED/],
    ['no such host', 'postgres://ann:s3cret@db.invalid/cards', /ann:\*\*\*@db\.invalid\/cards/],
  ] as const;
  for (const [what, database, message] of SERVERS) {
    it(what, async () => {
      const outcome = await run(SERVE, { env: { CARDPRICE_DATABASE: database } });
      assertRefused(outcome, message);
      assert.doesNotMatch(outcome.err, /s3cret/);
    });
  }

  it('the password is wrong', async () => {
    const { location, remove } = await createDatabase('PostgreSQL');
    after(remove);
    const wrong = new URL(location);
    wrong.password = 's3cret';
    const outcome = await run(SERVE, { env: { CARDPRICE_DATABASE: wrong.href } });
    assertRefused(outcome, /postgres:\*\*\*@.* password authentication failed/);
    assert.doesNotMatch(outcome.err, /s3cret/);
  });
});

/**
 * Returns the error message for a user without rights who opens a database. A superuser may read
 * everything, so the process gives up that right first; after that it cannot load our code.
 */
async function refusalOfNobody(location: string): Promise<string> {
  const connect = new URL('../../src/store/connect.ts', import.meta.url);
  const script = `
    const { openStore } = await import(${JSON.stringify(connect)});
    if (process.getuid() === 0) process.setuid(65534);
    await openStore(${JSON.stringify(location)}).catch(({ message }) => console.log(message));`;
  const command = [process.execPath, '--input-type=module', '--eval', script];
  const { out, err } = await run([], { command });
  assert.equal(err, '');
  return out;
}
