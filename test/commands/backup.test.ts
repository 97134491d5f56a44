import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { before, describe, test } from 'node:test';
import { importFixtures } from '../support/app.ts';
import { type Outcome, run, temporaryFolder } from '../support/cli.ts';

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
