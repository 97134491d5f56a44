import assert from 'node:assert/strict';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import Sqlite from 'better-sqlite3';
import { sql } from 'kysely';
import { shareService } from '../support/app.ts';
import { bodyOf } from './expect.ts';

/** How long each lock is held at least, in milliseconds. */
const HELD_MS = 300;
/**
 * How long the event loop may stand still: far more than it does, and far less than an import holds
 * a lock. Of some rounds the best counts, because the machine may stand still as well.
 */
const STANDSTILL_MS = 100;
const ROUNDS = 5;
/** SQLite waits in the thread of the event loop. */
const SQLITE_WAIT_MS = 10;

/** The files of a database, and what waits for a lock of each: all else is answered meanwhile. */
const FILES = [
  { file: '', waiting: [] },
  { file: '-accounts', waiting: ['key'] },
  { file: '-usage', waiting: ['card'] },
];

describe('While another process has a file locked', () => {
  const shared = shareService('SQLite');

  for (const { file, waiting } of FILES) {
    it(`cards.db${file}, the others are used, and the event loop does not stand still`, async () => {
      const other = new Sqlite(shared.location + file);
      const standstills: number[] = [];
      for (let round = 0; round < ROUNDS; round += 1) standstills.push(await hold(other, waiting));
      other.close();
      assert.ok(Math.min(...standstills) < STANDSTILL_MS, standstills.join(' '));
    });
  }

  /** Locks, asks for everything, unlocks; returns how long the event loop stood still. */
  async function hold(other: Sqlite.Database, waiting: readonly string[]): Promise<number> {
    const { service } = shared;
    const [caller, browser] = [await service.caller(), await service.signedInBrowser()];
    const answered: string[] = [];
    const note = <Answer>(name: string, answer: Promise<Answer>) => {
      return answer.finally(() => answered.push(name));
    };
    const delay = monitorEventLoopDelay({ resolution: 5 });
    other.exec('begin immediate');
    delay.enable();
    const key = note('key', browser.post('/dashboard/keys', {}));
    const card = note('card', caller.get('/v1/games'));
    const until = performance.now() + HELD_MS;
    while (performance.now() < until || answered.length + waiting.length < 2) {
      assert.equal((await service.get('/healthz')).statusCode, 200);
      await sleep(5);
    }
    delay.disable();
    assert.deepEqual(
      ['card', 'key'].filter((name) => !answered.includes(name)),
      waiting,
    );
    other.exec('rollback');
    bodyOf(await key, 201);
    bodyOf(await card);
    return delay.max / 1e6;
  }

  it('SQLite itself waits no longer than the event loop can spare', async () => {
    const { db, accounts } = shared.service.store;
    for (const file of [db, accounts.db]) {
      const { rows } = await sql<{ timeout: number }>`pragma busy_timeout`.execute(file);
      assert.ok(Number(rows[0]?.timeout) <= SQLITE_WAIT_MS);
    }
  });
});
