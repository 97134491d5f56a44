import assert from 'node:assert/strict';
import {
  chmodSync,
  closeSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  openSync,
  statSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, it } from 'node:test';
import Sqlite from 'better-sqlite3';
import { AuditLog, COMMAND_LINE } from '../../src/accounts/audit/audit.ts';
import { MS_PER_DAY } from '../../src/domain/day.ts';
import { readCheck, writeCheck } from '../../src/store/catalogue/sync.ts';
import { openStore, type Store } from '../../src/store/connect.ts';
import { SteppedClock } from '../faults/support/stepped.ts';
import { cleanUp } from '../support/cleanup.ts';
import { type Outcome, run, type Surroundings, temporaryFolder } from '../support/cli.ts';
import { createDatabase, type EngineLabel, forEachEngine } from '../support/engines.ts';
import { MAIN } from '../support/main-module.ts';

interface Examination extends Surroundings {
  readonly flags?: readonly string[];
  /** Whether the program is one whose pages are built. */
  readonly hasPages?: boolean;
}

/** Runs `cardprice doctor` of a program whose pages are built, or not. */
function doctor(database: string, examination: Examination = {}): Promise<Outcome> {
  const { flags = [], hasPages = true, env } = examination;
  const command = [process.execPath, '--preserve-symlinks', '--preserve-symlinks-main'];
  const main = join(programFolder(hasPages), relative('.', MAIN));
  const environment = { CARDPRICE_DATABASE: database, ...env };
  return run(['doctor', ...flags], { command: [...command, main], env: environment });
}

/** A folder with the installed program, without its data. */
function programFolder(hasPages: boolean): string {
  const folder = temporaryFolder();
  copyFileSync('package.json', join(folder, 'package.json'));
  for (const part of ['src', '.cache', 'node_modules']) {
    symlinkSync(resolve(part), join(folder, part));
  }
  mkdirSync(join(folder, 'web'));
  if (hasPages) symlinkSync(resolve('test/fixtures/pages'), join(folder, 'web/dist'));
  return folder;
}

/** A healthy database, after `change`. */
async function healthy(
  label: EngineLabel,
  change: (store: Store) => Promise<unknown> = async () => {},
): Promise<string> {
  const { location, remove } = await createDatabase(label);
  cleanUp(remove);
  const store = await openStore(location);
  const now = store.clock();
  const operator = { email: 'ann@shop.example', plan: 'free', created_at: now, operator: 1 };
  await store.accounts.db
    .insertInto('accounts')
    .values({ ...operator, password_hash: '$argon2id$' })
    .execute();
  await writeCheck(store, { ...(await readCheck(store.db, 'tcgcsv', now)), succeededAt: now });
  await new AuditLog(store, () => now).record('backed-up', COMMAND_LINE);
  await change(store);
  await store.close();
  return location;
}

/** Parses findings: a mark and a sentence, with its fix. */
function findings({ out }: Outcome): [finding: string, fix: string][] {
  const found = out.matchAll(/^((?:WRONG|WARNING) .+)\n {8}→ (.+)$/gm);
  return [...found].map(([, finding = '', fix = '']) => [finding.replace(/ +/, ' '), fix]);
}

/** Asserts that these were found. A full disk of this machine is also found. */
function assertFound(outcome: Outcome, expected: readonly (readonly [RegExp, string])[]): void {
  const found = findings(outcome);
  for (const [finding, fix] of expected) {
    const [, actual] = found.find(([text]) => finding.test(text)) ?? [];
    assert.equal(actual, fix, `${finding}\n${outcome.out}${outcome.err}`);
  }
  const known = [...expected.map(([finding]) => finding), / GB free/];
  const others = found.filter(([text]) => !known.some((finding) => finding.test(text)));
  assert.deepEqual(others, []);
}

forEachEngine((label) => {
  it('finds nothing wrong with a database that is well, and ends with 0', async () => {
    const outcome = await doctor(await healthy(label));
    assertFound(outcome, []);
    assert.match(outcome.out, /^Cardprice \S+ on Node v\d+/);
    for (const about of [
      'settings',
      'pages',
      'database',
      'memory',
      'accounts',
      'clock',
      'sources',
    ]) {
      assert.match(outcome.out, new RegExp(`^ok {6}${about}: `, 'm'));
    }
    assert.equal(outcome.code, 0, outcome.err);
  });

  it('warns of problems that can wait, shows how to fix them, and exits with 0', async () => {
    const database = await healthy(label, async ({ db, accounts, ...store }) => {
      await accounts.db.updateTable('accounts').set({ operator: 0 }).execute();
      const check = await readCheck(db, 'tcgcsv', store.clock());
      await writeCheck({ db, accounts, ...store }, { ...check, error: 'It is away.' });
      const finding = { rule: 'price-jump', detail: 'It jumped.', quarantined_at: 0 };
      const row = { source: 'tcgcsv', game: 'mtg' as const, decision: null };
      await db
        .insertInto('quarantine')
        .values({ ...row, ...finding })
        .execute();
    });
    const env = { CARDPRICE_PROT: '1', CARDPRICE_HOST: '0.0.0.0' };
    const outcome = await doctor(database, { env });
    assertFound(outcome, [
      [
        /^WARNING settings: CARDPRICE_PROT is set, but is not a setting\.$/,
        '`cardprice config --all` lists the settings; unset this one.',
      ],
      [
        /^WARNING settings: The service listens on 0\.0\.0\.0, and CARDPRICE_URL is not set\.$/,
        'Set it to the address at which people open the dashboard: links and cookies need it.',
      ],
      [
        /^WARNING settings: API keys are accepted in URLs, which end up in logs and browser hist/,
        'Set CARDPRICE_QUERY_KEYS=off once all callers send the X-API-Key header.',
      ],
      [
        /^WARNING accounts: No operator can sign in\.$/,
        'Run `cardprice account set-operator E on`, then `cardprice account reset-link E`.',
      ],
      [/^WARNING sources: The last update of tcgcsv failed: It is away\.$/, '`cardprice status`'],
      [/^WARNING sources: 1 quarantined prices await a decision\.$/, '`cardprice quarantine list`'],
    ]);
    assert.equal(outcome.code, 0);
  });

  it('names errors, shows how to fix them, and exits with 1', async () => {
    const database = await healthy(label, async ({ db, accounts, clock }) => {
      await accounts.db.deleteFrom('accounts').execute();
      await db.deleteFrom('source_checks').execute();
      const entry = { at: clock() + MS_PER_DAY, action: 'account-created', actor: 'command' };
      await accounts.db.insertInto('audit').values(entry).execute();
    });
    const outcome = await doctor(database, { hasPages: false });
    const machine = label === 'SQLite' ? 'this machine' : 'the PostgreSQL server';
    assertFound(outcome, [
      [/^WRONG pages: The pages of the dashboard are not built\.$/, 'npm run build:web'],
      [
        /^WARNING accounts: There are no accounts\.$/,
        '`cardprice account create --operator --email you@shop.example`',
      ],
      [
        /^WRONG clock: It is \S+ by the clock of .+, but the database has entries from \S+\.$/,
        `Set the clock of ${machine}: \`timedatectl\` shows whether it is synchronised.`,
      ],
      [
        /^WRONG sources: tcgcsv never succeeded\.$/,
        'Run `cardprice sync`, then `cardprice status`.',
      ],
    ]);
    assert.equal(outcome.code, 1);
  });
});

describe('With PostgreSQL', () => {
  const AHEAD = [MS_PER_DAY, -MS_PER_DAY];
  for (const ahead of AHEAD) {
    it(`it compares the clock of the server with one that is ${ahead} ms ahead`, async () => {
      const clock = new SteppedClock();
      await clock.step(ahead);
      const outcome = await doctor(await healthy('PostgreSQL'), { env: clock.env });
      const day = (at: number) => new Date(at).toISOString().slice(0, 10);
      const [here, there] = [day(clock.now), day(Date.now())];
      assertFound(outcome, [
        [
          new RegExp(
            `^WRONG clock: It is ${here}\\S+ here, and ${there}\\S+ by the clock of .+\\.$`,
          ),
          'Set the clock that is wrong: `timedatectl` shows whether a machine is synchronised.',
        ],
      ]);
      assert.equal(outcome.code, 1);
    });
  }

  it('it says that a server is away, without the password', async () => {
    const outcome = await doctor('postgres://ann:S3CRET@127.0.0.1:1/cards');
    const [[finding = '', fix] = []] = findings(outcome);
    assert.match(finding, /^WRONG database: .*127\.0\.0\.1:1/);
    assert.equal(fix, 'The message says what to do.');
    assert.doesNotMatch(outcome.out + outcome.err, /S3CRET/);
    assert.equal(outcome.code, 1);
  });
});

describe('With SQLite', () => {
  it('it makes no database that is missing', async () => {
    const file = join(temporaryFolder(), 'cards.db');
    const outcome = await doctor(file);
    const fix = 'Create one: `cardprice sync`, or `cardprice start` for a demo.';
    assertFound(outcome, [[/^WRONG database: There is no database .+cards\.db\.$/, fix]]);
    assert.equal(outcome.code, 1);
    assert.ok(!existsSync(file));
  });

  it('it makes no folder that is missing', async () => {
    const folder = join(temporaryFolder(), 'none');
    const outcome = await doctor(join(folder, 'cards.db'));
    assertFound(outcome, [
      [/^WRONG disk: The folder .+none does not exist\.$/, `mkdir ${folder}`],
      [
        /^WRONG database: There is no database/,
        'Create one: `cardprice sync`, or `cardprice start` for a demo.',
      ],
    ]);
    assert.equal(outcome.code, 1);
  });

  it('suggests a backup for a file that is not a database', async () => {
    const file = join(temporaryFolder(), 'cards.db');
    writeFileSync(file, 'no database'.repeat(1000));
    const outcome = await doctor(file);
    const finding = /^WRONG database: .+ file is not a database\. See `cardprice restore --help`/;
    assertFound(outcome, [[finding, 'The message says what to do.']]);
    assert.equal(outcome.code, 1);
  });

  it('it finds a folder to which everybody may write', async () => {
    const database = await healthy('SQLite');
    const folder = dirname(database);
    chmodSync(folder, 0o777);
    const outcome = await doctor(database);
    assertFound(outcome, [[/^WRONG disk: Everyone can write to \S+\.$/, `chmod o-w ${folder}`]]);
    assert.equal(outcome.code, 1);
  });

  it('it warns when a second copy of the database would not fit', async () => {
    const full = `import fs from 'node:fs'; import { syncBuiltinESMExports } from 'node:module';
      fs.statfsSync = () => ({ bavail: 250_000, bsize: 4096 }); syncBuiltinESMExports();`;
    const preload = `data:text/javascript,${encodeURIComponent(full)}`;
    const outcome = await doctor(await healthy('SQLite'), {
      env: { NODE_OPTIONS: `--import ${preload}` },
    });
    assertFound(outcome, [
      [
        /^WARNING disk: 1\.0 GB free; the database takes \d+ MB\.$/,
        'Free some space. Imports and backups can need a second copy of the database.',
      ],
    ]);
    assert.equal(outcome.code, 0);
  });

  it('it warns when the memory is less than its processes need at their peak', async () => {
    const small = `import os from 'node:os'; import { syncBuiltinESMExports } from 'node:module';
      os.totalmem = () => 256 * 1024 * 1024; syncBuiltinESMExports();`;
    const preload = `data:text/javascript,${encodeURIComponent(small)}`;
    const env = { NODE_OPTIONS: `--import ${preload}`, CARDPRICE_WORKERS: '2' };
    const outcome = await doctor(await healthy('SQLite'), { env });
    assertFound(outcome, [
      [
        /^WARNING memory: 0\.3 GB, and 2 processes need up to 0\.4 GB to load 0 cards\.$/,
        'Add memory, or lower CARDPRICE_WORKERS.',
      ],
    ]);
    assert.equal(outcome.code, 0);
  });

  it('it reads every page with --deep, and names the file that is damaged', async () => {
    const database = await healthy('SQLite');
    const whole = await doctor(database, { flags: ['--deep'] });
    assert.equal(whole.out.match(/^ok .+ Every page of \S+ is intact\.$/gm)?.length, 3);
    damageLastPage(`${database}-accounts`);
    assert.equal((await doctor(database)).code, 0, 'only some pages are read');
    const outcome = await doctor(database, { flags: ['--deep'] });
    const finding = /^WRONG database: \S+-accounts is damaged: .+\.$/;
    assertFound(outcome, [[finding, 'Restore a backup: `cardprice restore`.']]);
    assert.equal(outcome.code, 1);
  });

  it('it prints the same as JSON, with the same exit code', async () => {
    const database = await healthy('SQLite', ({ db }) => db.deleteFrom('source_checks').execute());
    const outcome = await doctor(database, { flags: ['--json'] });
    const { version, node, findings: found } = JSON.parse(outcome.out);
    assert.match(version, /^\d+\.\d+\.\d+/);
    assert.equal(node, process.version);
    assert.deepEqual(
      found.filter(({ about }: { about: string }) => about === 'sources'),
      [
        {
          about: 'sources',
          state: 'wrong',
          says: 'tcgcsv never succeeded.',
          fix: 'Run `cardprice sync`, then `cardprice status`.',
        },
      ],
    );
    assert.equal(outcome.code, 1);
  });
});

/** Damages a page that nothing reads but an examination of all. */
function damageLastPage(file: string): void {
  const connection = new Sqlite(file);
  connection.exec('create table filler as select zeroblob(100000) as bytes');
  connection.pragma('wal_checkpoint(TRUNCATE)');
  connection.close();
  const descriptor = openSync(file, 'r+');
  writeSync(descriptor, Buffer.alloc(4096, 0xff), 0, 4096, statSync(file).size - 4096);
  closeSync(descriptor);
}
