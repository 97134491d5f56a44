import assert from 'node:assert/strict';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { after, describe, it } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import { Accounts } from '../../src/accounts/accounts.ts';
import { AccountKeys } from '../../src/accounts/keys/account-keys.ts';
import { Authenticator } from '../../src/accounts/keys/authenticator.ts';
import { OperatorError } from '../../src/domain/errors.ts';
import { ACCOUNT_SCHEMA } from '../../src/store/accounts/migrations.ts';
import { backUp, pruneBackups } from '../../src/store/backup/backup.ts';
import { restore } from '../../src/store/backup/restore.ts';
import { partsOf, type Tables } from '../../src/store/backup/tables.ts';
import { CATALOGUE_SCHEMA } from '../../src/store/catalogue/migrations.ts';
import { openStore, type Store } from '../../src/store/connect.ts';
import { importFixtures } from '../support/app.ts';
import { cleanUp } from '../support/cleanup.ts';
import { eventually, Program, temporaryFolder } from '../support/cli.ts';
import { CuttableProxy } from '../support/cuttable-proxy.ts';
import {
  createDatabase,
  type EngineLabel,
  forEachEngine,
  type TestStore,
} from '../support/engines.ts';

const NOW = Date.UTC(2026, 10, 22, 3, 15);
const ANN = 'ann@shop.example';
const ENGINES = ['SQLite', 'PostgreSQL'] as const;
const clock = () => NOW;

/** A script that holds the unfinished folder of a backup, as the process of a backup does. */
const HOLD = `
  const { holdFile } = await import('${new URL('../../src/store/engine/sqlite-file.ts', import.meta.url)}');
  globalThis.release = holdFile(process.argv[1] + '/lock');
  console.log('held');
  setInterval(() => {}, 1000);`;

/** A database with the catalogue of the fixtures and an account with a key. */
async function filled(open: () => Promise<TestStore>) {
  const store = await open();
  await importFixtures(store.location);
  await new Accounts(store, clock).create('gone@shop.example', 'free');
  await new Accounts(store, clock).create(ANN, 'trader');
  const { key } = await new AccountKeys(store, clock).create(ANN);
  const caller = await new Authenticator(store, clock).identify(key);
  assert.ok(caller);
  await new Authenticator(store, clock).charge(caller, 7);
  return { store, key };
}

const makeBackup = (store: TestStore, to: string, now = NOW) =>
  backUp(store.location, { to, version: '1.2.3', now });

const WIDENED = ['9000-wider', '9000-wider'];

/** Migrates a database as a newer version would. */
async function widen({ db, accounts }: Store): Promise<void> {
  for (const [part, table, { records }] of [
    [db as unknown as Kysely<Tables>, 'sets', CATALOGUE_SCHEMA],
    [accounts.db as unknown as Kysely<Tables>, 'plans', ACCOUNT_SCHEMA],
  ] as const) {
    await part.schema.alterTable(table).addColumn('wider', 'text').execute();
    const migration = { name: '9000-wider', timestamp: new Date(NOW).toISOString() };
    await part.insertInto(records.migrationTableName).values(migration).execute();
  }
}

/** All rows of all tables, in an order that does not depend on the engine. */
async function contentOf(store: Store): Promise<Record<string, string[]>> {
  const content: Record<string, string[]> = {};
  for (const { db, tables } of partsOf(store)) {
    for (const table of tables) {
      const rows = await db.selectFrom(table).selectAll().execute();
      content[table] = rows.map((row) => JSON.stringify(row, bytesAsText)).sort();
    }
  }
  return content;
}

function bytesAsText(_key: string, value: unknown): unknown {
  if (value !== null && typeof value === 'object' && !Array.isArray(value)) {
    return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
  }
  return value;
}

async function emptyDatabase(label: EngineLabel): Promise<string> {
  const { location, remove } = await createDatabase(label);
  after(remove);
  return location;
}

forEachEngine((label, open) => {
  for (const target of ENGINES) {
    it(`is restored into ${target} with every row, and accepts new rows`, async () => {
      const { store, key } = await filled(open);
      const { folder, manifest } = await makeBackup(store, temporaryFolder());
      assert.equal(manifest.rows.accounts, 2);
      const location = await emptyDatabase(target);
      await restore(folder, location, { replace: false, now: NOW });
      const restored = await openStore(location);
      assert.deepEqual(await contentOf(restored), await contentOf(store));
      const caller = await new Authenticator(restored, clock).identify(key);
      assert.equal(caller?.usedToday, 7);
      const added = await new Accounts(restored, clock).create('new@shop.example', 'free');
      assert.equal(added.id, 3);
      await restored.close();
    });
  }

  it('is restored whole when the server is lost in the middle', async () => {
    const { store } = await filled(open);
    const { folder } = await makeBackup(store, temporaryFolder());
    const location = await emptyDatabase('PostgreSQL');
    const { proxy, url } = await CuttableProxy.to(location);
    cleanUp(() => proxy.cut());
    const restoring = proxy.cutAt('insert into "printings"').then(() => proxy.restore());
    let outages = 0;
    const onOutage = () => {
      outages += 1;
    };
    await restore(folder, url, { replace: false, now: NOW, onOutage });
    await restoring;
    assert.equal(outages, 1);
    const restored = await openStore(location);
    assert.deepEqual(await contentOf(restored), await contentOf(store));
    await restored.close();
  });

  it('is consistent while others write', async () => {
    const { store } = await filled(open);
    let isDone = false;
    const accounts = new Accounts(await store.reopen(), clock);
    const writing = (async () => {
      for (let index = 0; !isDone; index += 1) {
        await accounts.create(`${index}@shop.example`, 'free');
        await setImmediate();
      }
    })();
    const { folder, manifest } = await makeBackup(store, temporaryFolder());
    isDone = true;
    await writing;
    const location = await emptyDatabase('SQLite');
    await restore(folder, location, { replace: false, now: NOW });
    const restored = await openStore(location);
    const { total } = await new Accounts(restored, clock).page({ limit: 1, offset: 0 });
    assert.equal(total, manifest.rows.accounts);
    await restored.close();
  });

  it('has a separate name, even if another one was made in the same second', async () => {
    const { store } = await filled(open);
    const to = temporaryFolder();
    const made = [await makeBackup(store, to), await makeBackup(store, to)];
    assert.deepEqual(
      made.map(({ folder }) => basename(folder)),
      ['cardprice-20261122T031500Z', 'cardprice-20261122T031501Z'],
    );
  });

  it('leaves out what only a newer version knows, and says so', async () => {
    const { store } = await filled(open);
    const former = await contentOf(store);
    await widen(store);
    const { folder, leftOut } = await makeBackup(store, temporaryFolder());
    assert.deepEqual(leftOut, label === 'SQLite' ? [] : WIDENED);
    const location = await emptyDatabase('PostgreSQL');
    const restored = await restore(folder, location, { replace: false, now: NOW });
    assert.deepEqual(restored.leftOut, label === 'SQLite' ? WIDENED : []);
    const copy = await openStore(location);
    assert.deepEqual(await contentOf(copy), former);
    await copy.close();
  });

  it('removes what a killed backup left, and nothing of one that is still running', async () => {
    const { store } = await filled(open);
    const to = temporaryFolder();
    const [killed = '', running = ''] = ['20261120T031500Z', '20261121T031500Z'].map((stamp) => {
      return join(to, `cardprice-${stamp}.unfinished`);
    });
    const holders = [killed, running].map((folder) => {
      mkdirSync(folder);
      writeFileSync(join(folder, 'cards.db'), 'half');
      return new Program([], { command: [process.execPath, '--eval', HOLD, folder] });
    });
    for (const holder of holders) await eventually(() => holder.out === 'held\n');
    await holders[0]?.send('SIGKILL').ended();
    const { folder } = await makeBackup(store, to);
    assert.deepEqual(readdirSync(to).sort(), [basename(running), basename(folder)]);
    assert.ok(!existsSync(join(folder, 'lock')));
    await holders[1]?.send('SIGKILL').ended();
    const next = await makeBackup(store, to, NOW + 1000);
    assert.deepEqual(readdirSync(to).sort(), [basename(folder), basename(next.folder)]);
  });

  it('replaces a database only on request, and keeps its files', async () => {
    const { store } = await filled(open);
    const { folder } = await makeBackup(store, temporaryFolder());
    const location = await emptyDatabase(label);
    const other = await openStore(location);
    await new Accounts(other, clock).create('bob@shop.example', 'free');
    await other.close();
    await assert.rejects(
      restore(folder, location, { replace: false, now: NOW }),
      /There is a database at .* already\. Add --replace/,
    );
    const { kept } = await restore(folder, location, { replace: true, now: NOW });
    const restored = await openStore(location);
    assert.deepEqual(await contentOf(restored), await contentOf(store));
    await restored.close();
    if (label === 'PostgreSQL') return;
    assert.equal(kept.length, 3);
    const again = await restore(folder, location, { replace: true, now: NOW });
    assert.equal(new Set([...kept, ...again.kept]).size, 6);
    assert.ok([...kept, ...again.kept].every((file) => existsSync(file)));
  });
});

describe('A backup', () => {
  it('is private under any umask', async () => {
    const { location, remove } = await createDatabase('SQLite');
    after(remove);
    await (await openStore(location)).close();
    const umask = process.umask(0);
    const { folder } = await backUp(location, {
      to: join(temporaryFolder(), 'all'),
      version: '1',
      now: NOW,
    }).finally(() => process.umask(umask));
    assert.equal(statSync(folder).mode & 0o777, 0o700);
    assert.deepEqual(readdirSync(folder).sort(), [
      'cards.db',
      'cards.db-accounts',
      'cards.db-usage',
      'manifest.json',
    ]);
    for (const name of readdirSync(folder)) {
      assert.equal(statSync(join(folder, name)).mode & 0o777, 0o600, name);
    }
  });

  it('that is truncated, changed or not a backup is refused before any change', async () => {
    const { location, remove } = await createDatabase('SQLite');
    after(remove);
    const spoil: Record<string, (folder: string) => void> = {
      cut: (folder) => truncateSync(join(folder, 'cards.db'), 4096),
      changed: (folder) => {
        const file = join(folder, 'cards.db-accounts');
        const bytes = readFileSync(file);
        bytes[200] = (bytes[200] ?? 0) ^ 1;
        writeFileSync(file, bytes);
      },
      'without a manifest': (folder) => writeFileSync(join(folder, 'manifest.json'), '{}'),
    };
    await (await openStore(location)).close();
    for (const [what, damage] of Object.entries(spoil)) {
      const to = temporaryFolder();
      const { folder } = await backUp(location, { to, version: '1', now: NOW });
      damage(folder);
      const target = join(to, 'restored.db');
      const restoring = restore(folder, target, { replace: false, now: NOW });
      await assert.rejects(restoring, OperatorError, what);
      assert.ok(!existsSync(target), what);
    }
  });

  it('of a missing database does not create one', async () => {
    const to = temporaryFolder();
    const missing = join(to, 'missing.db');
    const making = backUp(missing, { to, version: '1', now: NOW });
    await assert.rejects(making, /There is no database .*missing\.db/);
    assert.deepEqual(readdirSync(to), []);
  });

  it('is not restored over files that are in use', async () => {
    const { location, remove } = await createDatabase('SQLite');
    const store = await openStore(location);
    after(async () => {
      await store.close();
      await remove();
    });
    const { folder } = await backUp(location, { to: temporaryFolder(), version: '1', now: NOW });
    const restoring = restore(folder, location, { replace: true, now: NOW });
    await assert.rejects(restoring, /is in use\. Stop the service first/);
    assert.deepEqual(await store.accounts.db.selectFrom('accounts').selectAll().execute(), []);
  });

  it('is deleted when there are enough newer ones, and only then', async () => {
    const { location, remove } = await createDatabase('SQLite');
    after(remove);
    await (await openStore(location)).close();
    const to = temporaryFolder();
    for (let day = 0; day < 4; day += 1) {
      await backUp(location, { to, version: '1', now: NOW + day * 86_400_000 });
    }
    writeFileSync(join(to, 'notes.txt'), '');
    assert.equal(pruneBackups(to, 2).length, 2);
    assert.deepEqual(readdirSync(to).sort(), [
      'cardprice-20261124T031500Z',
      'cardprice-20261125T031500Z',
      'notes.txt',
    ]);
  });
});
