import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { machineHealth } from '../../src/commands/serve-dashboard.ts';
import { readConfig } from '../../src/config/config.ts';
import { openStore } from '../../src/store/connect.ts';

const NOW = Date.UTC(2026, 0, 28, 12);

describe('the health of the machine', () => {
  it('has the files of the database, its room, the newest backup and the next sync', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'cardprice-health-'));
    const database = join(folder, 'cards.db');
    await (await openStore(database)).close();
    await writeFile(join(folder, 'another.db'), 'x');
    const config = readConfig({ database, syncAt: '21:30' }, {});
    const context = { clock: () => NOW };
    const before = await machineHealth(context, config, { isSyncing: false });
    assert.deepEqual([before.backupAt, before.nextSyncAt], [null, null]);

    for (const [name, hours] of [
      ['20260127T030000Z', 33],
      ['20260128T030000Z', 9],
    ] as const) {
      const backup = join(folder, 'backups', `cardprice-${name}`);
      await mkdir(backup, { recursive: true });
      await utimes(backup, (NOW - hours * 3_600_000) / 1000, (NOW - hours * 3_600_000) / 1000);
    }
    const health = await machineHealth(context, config, { isSyncing: true });
    assert.equal(health.backupAt, NOW - 9 * 3_600_000);
    assert.equal(health.nextSyncAt, Date.UTC(2026, 0, 28, 21, 30));
    const names = health.files.map(({ name }) => name);
    assert.ok(names.includes('cards.db') && names.includes('cards.db-usage'));
    assert.ok(!names.includes('another.db') && !names.includes('backups'));
    assert.ok((health.freeBytes ?? 0) > 0);
    const about = health.findings.map((finding) => finding.about);
    assert.ok(about.includes('database') && about.includes('disk') && about.includes('accounts'));
    await rm(folder, { recursive: true });
  });
});
