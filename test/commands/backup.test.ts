import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { before, describe, test } from 'node:test';
import { sql } from 'kysely';
import { CATALOGUE_SCHEMA } from '../../src/store/catalogue/migrations.ts';
import { openStore } from '../../src/store/connect.ts';
import { importFixtures } from '../support/app.ts';
import { type Outcome, run, temporaryFolder } from '../support/cli.ts';
import { freshDatabase } from '../support/prepared.ts';

describe('cardprice backup and restore', () => {
  const folder = temporaryFolder();
  const database = join(folder, 'cards.db');
  const backups = join(folder, 'backups');

  const cardprice = async (...args: readonly string[]): Promise<Outcome> => {
    const outcome = await run(['--database', database, ...args]);
    assert.equal(outcome.code, 0, outcome.err);
    return outcome;
  };

  before(() => importFixtures(database));

  test('say what was copied and where it is', async () => {
    const { out } = await cardprice('backup', '--output', backups);
    const [backup = ''] = readdirSync(backups);
    assert.match(
      out,
      /^Backed up \d+ cards, \d+ printings and 0 accounts \(\d+\.\d MB\), and verified them, in \d+\.\d s:\n/,
    );
    assert.equal(out.split('\n')[1], `  ${join(backups, backup)}`);
    const restored = ['restore', join(backups, backup), '--replace'];
    assert.match(
      (await cardprice(...restored)).out,
      /^Restored \d+ cards and 0 accounts, as they were at .+Z\.\nKept the previous database: /,
    );
  });

  test('say what only a newer version could copy to another engine', async () => {
    const newer = join(folder, 'newer.db');
    const store = await openStore(newer);
    await sql`insert into ${sql.table(CATALOGUE_SCHEMA.records.migrationTableName)}
      values ('9000-wider', '2026-11-22')`.execute(store.db);
    await store.close();
    const made = await run(['--database', newer, 'backup', '--output', join(folder, 'newer')]);
    assert.deepEqual([made.code, made.err], [0, '']);
    const [name = ''] = readdirSync(join(folder, 'newer'));
    const server = await freshDatabase('PostgreSQL');
    const restored = ['--database', server, 'restore', join(folder, 'newer', name)];
    assert.match(
      (await cardprice(...restored)).err,
      /^cardprice: A newer version has migrated the database \(9000-wider\)\. What only that version knows is not in the copy: use that version to copy everything\.\n$/,
    );
  });

  test('print JSON for programs', async () => {
    const earlier = readdirSync(backups);
    const { out } = await cardprice('backup', '--output', backups, '--keep', '1', '--json');
    const backup = JSON.parse(out);
    assert.ok(backup.rows.cards > 0);
    assert.deepEqual(
      backup.deleted.map((older: string) => basename(older)),
      earlier,
    );
    assert.deepEqual(readdirSync(backups), [basename(backup.folder)]);
    const restored = await cardprice('restore', backup.folder, '--replace', '--json');
    assert.deepEqual(JSON.parse(restored.out).rows, backup.rows);
  });
});
