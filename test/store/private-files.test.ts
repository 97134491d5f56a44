import assert from 'node:assert/strict';
import { chmodSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { openStore } from '../../src/store/connect.ts';
import { temporaryFolder } from '../support/cli.ts';

const modeOf = (file: string) => statSync(file).mode & 0o777;

it('makes files that nobody else can read, under any umask', async () => {
  const folder = temporaryFolder();
  const umask = process.umask(0);
  try {
    const store = await openStore(join(folder, 'cards.db'));
    await store.accounts.db.deleteFrom('usage').execute();
    const files = readdirSync(folder);
    for (const name of ['cards.db', 'cards.db-accounts', 'cards.db-usage', 'cards.db-wal']) {
      assert.ok(files.includes(name), name);
    }
    for (const name of files) assert.equal(modeOf(join(folder, name)), 0o600, name);
    await store.close();
  } finally {
    process.umask(umask);
  }
});

it('makes older files inaccessible except to their owner and group', async () => {
  const folder = temporaryFolder();
  const files = ['cards.db', 'cards.db-usage'].map((name) => join(folder, name));
  for (const [index, file] of files.entries()) {
    writeFileSync(file, '');
    chmodSync(file, index === 0 ? 0o644 : 0o664);
  }
  await (await openStore(join(folder, 'cards.db'))).close();
  assert.deepEqual(files.map(modeOf), [0o640, 0o660]);
});
