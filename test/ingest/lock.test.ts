import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { hostname } from 'node:os';
import { test } from 'node:test';
import { LockTaken, nameHolder, takeLock } from '../../src/ingest/lock.ts';
import {
  freeImportLock,
  importLockHolder,
  takeImportLock,
} from '../../src/store/catalogue/imports.ts';
import { forEachEngine } from '../support/engines.ts';
import { NOW } from '../support/tcgcsv.ts';

const HOUR = 3_600_000;

/** The number of a process of this machine that has ended. */
function endedPid(): number {
  return spawnSync(process.execPath, ['--version']).pid;
}

forEachEngine((_label, open) => {
  test('a second import at once is refused with who holds the lock since when', async () => {
    const store = await open();
    await takeImportLock(store.db, 'elsewhere:1', NOW, NOW + HOUR);
    await assert.rejects(
      takeLock(store, () => NOW),
      {
        name: 'OperatorError',
        message: /running \(process 1 on elsewhere since 2027-01-28T12:00:00/,
      },
    );
  });

  test('a lock that was freed, or has expired, can be taken', async () => {
    const store = await open();
    const lock = await takeLock(store, () => NOW);
    await lock.free();
    await takeImportLock(store.db, 'elsewhere:1', NOW, NOW + 1000);
    await (await takeLock(store, () => NOW + HOUR)).free();
  });

  test('a lock of a process of this machine that has ended can be taken at once', async () => {
    const store = await open();
    await takeImportLock(store.db, nameHolder(endedPid()), NOW, NOW + HOUR);
    await (await takeLock(store, () => NOW)).free();
  });

  test('a container of the same name keeps its lock for all of its processes', async () => {
    const store = await open();
    for (const pid of [process.pid, endedPid()]) {
      const holder = `${hostname()}:${pid}:elsewhere:1`;
      await takeImportLock(store.db, holder, NOW, NOW + HOUR);
      await assert.rejects(
        takeLock(store, () => NOW),
        LockTaken,
      );
      await freeImportLock(store.db, holder);
    }
  });

  test('two imports of one process take turns', async () => {
    const store = await open();
    const lock = await takeLock(store, () => NOW);
    await assert.rejects(
      takeLock(store, () => NOW),
      LockTaken,
    );
    await lock.renew();
    await lock.free();
    await (await takeLock(store, () => NOW)).free();
  });

  test('renewing a lock that another process has taken fails', async () => {
    const store = await open();
    let now = NOW;
    const lock = await takeLock(store, () => now);
    now += HOUR;
    await takeImportLock(store.db, 'elsewhere:1', now, now + HOUR);
    await assert.rejects(lock.renew(), /was lost/);
  });

  test('a lock is renewed while its holder does something long', async (context) => {
    const store = await open();
    let now = NOW;
    context.mock.timers.enable({ apis: ['setInterval'] });
    const lock = await takeLock(store, () => now);
    const pass = async () => {
      now += 20_000;
      context.mock.timers.tick(20_000);
      // The statement that the timer sends comes before this one.
      return importLockHolder(store.db);
    };
    for (let i = 0; i < 5; i += 1) await pass();
    await lock.renew();
    await freeImportLock(store.db, (await importLockHolder(store.db))?.holder ?? '');
    await takeImportLock(store.db, 'elsewhere:1', now, now + HOUR);
    await pass();
    await assert.rejects(lock.renew(), /was lost/);
  });
});
