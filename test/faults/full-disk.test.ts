import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { describe, it } from 'node:test';
import { type Kysely, sql } from 'kysely';
import type { AccountDatabase } from '../../src/store/accounts/schema.ts';
import { openStore } from '../../src/store/connect.ts';
import { importFixtures, Service } from '../support/app.ts';
import { cleanUp } from '../support/cleanup.ts';
import { run } from '../support/cli.ts';
import { createDatabase, createMigratedDatabase, type EngineLabel } from '../support/engines.ts';
import { Serving } from './support/serving.ts';
import { versionWithTable } from './support/versions.ts';

const KEYS = 30;
const PATHS = ['/v1/games', '/v1/cards/pokemon-bs-charizard-004/history', '/v1/nothing'];

/** A disk that can be full for a process and its database. */
interface Disk {
  fill(): Promise<void>;
  empty(): Promise<void>;
}

/** The limits of the system make every write fail that a process makes to a file. */
function diskOf({ pid }: Serving): Disk {
  const limit = (size: string) => execFileSync('prlimit', [`--pid=${pid}`, `--fsize=${size}:`]);
  return { fill: async () => void limit('0'), empty: async () => void limit('unlimited') };
}

/** What a server reports whose disk is full. */
function diskOfServer(location: string): Disk {
  const change = async (change: (db: Kysely<AccountDatabase>) => Promise<unknown>) => {
    const { accounts, close } = await openStore(location);
    await change(accounts.db).finally(close);
  };
  return {
    fill: () =>
      change(async (db) => {
        await sql`create function full_disk() returns trigger language plpgsql as
          $$ begin raise 'could not extend file' using errcode = '53100'; end $$`.execute(db);
        await sql`create trigger full_disk before insert or update on usage
          execute function full_disk()`.execute(db);
      }),
    empty: () => change((db) => sql`drop trigger full_disk on usage`.execute(db)),
  };
}

/** Asks with each key at once; returns how many answers were of each status. */
async function ask(url: string, keys: readonly string[]): Promise<Record<number, number>> {
  const counts: Record<number, number> = {};
  const asked = keys.flatMap((key) => {
    return PATHS.map(async (path) => {
      const { status, headers } = await fetch(url + path, { headers: { 'x-api-key': key } });
      counts[status] = (counts[status] ?? 0) + 1;
      assert.equal(headers.get('retry-after'), status === 503 ? '5' : null);
    });
  });
  await Promise.all(asked);
  return counts;
}

async function readiness(url: string): Promise<[status: number, said: string]> {
  const answer = await fetch(`${url}/readyz`);
  const { status } = (await answer.json()) as { status: string };
  return [answer.status, status];
}

/** All requests that are charged to accounts. */
async function charged(location: string): Promise<number> {
  const { accounts, close } = await openStore(location);
  const rows = await accounts.db.selectFrom('usage').select('used').execute();
  await close();
  return rows.reduce((sum, { used }) => sum + used, 0);
}

async function makeKeys(location: string): Promise<string[]> {
  const service = await Service.open(location, {}, { now: Date.now() });
  const keys: string[] = [];
  for (let made = 0; made < KEYS; made += 1) keys.push((await service.caller('business')).key);
  await service.close();
  return keys;
}

describe('A full disk', { skip: process.platform !== 'linux', timeout: 120_000 }, () => {
  for (const label of ['SQLite', 'PostgreSQL'] satisfies EngineLabel[]) {
    it(`is 503 for every request that cannot be charged, until there is room (${label})`, async () => {
      const { location, remove } = await createDatabase(label);
      cleanUp(remove);
      await importFixtures(location);
      const keys = await makeKeys(location);
      const serving = await Serving.start(location);
      const disk = label === 'SQLite' ? diskOf(serving) : diskOfServer(location);
      const answered = { 200: 2 * KEYS, 404: KEYS };
      assert.deepEqual(await ask(serving.url, keys), answered);
      await disk.fill();
      assert.deepEqual(await ask(serving.url, keys), { 503: 3 * KEYS });
      assert.deepEqual(await readiness(serving.url), [503, 'no charges']);
      assert.equal((await fetch(`${serving.url}/healthz`)).status, 200);
      const [{ reason, remedy } = {}] = serving.errors;
      assert.match(
        `${reason}; ${remedy}`,
        /disk I\/O error; Its disk is full|extend file; Free space/,
      );
      await disk.empty();
      assert.deepEqual(await readiness(serving.url), [200, 'ready'], 'without any request');
      assert.deepEqual(await ask(serving.url, keys), answered);
      assert.equal(await charged(location), 2 * PATHS.length * KEYS);
    });
  }

  it('ends a migration, which leaves the database as it was, and can be repeated', async () => {
    const { location, remove } = await createMigratedDatabase('SQLite');
    cleanUp(remove);
    const store = await openStore(location);
    const ann = { email: 'ann@shop.example', plan: 'free', created_at: 0 };
    await store.accounts.db.insertInto('accounts').values(ann).execute();
    await store.close();
    const list = ['--database', location, 'account', 'list'];
    const [node = '', main = ''] = versionWithTable();
    const command = [node, '--import', './test/support/full-disk.ts', main];
    const failed = await run(list, { command });
    assert.equal(failed.code, 1, failed.out);
    assert.match(failed.err, /^cardprice: .*database or disk is full\n$/);
    const { code, out } = await run(list, { command: [node, main] });
    assert.equal(code, 0);
    assert.match(out, /ann@shop\.example/);
  });
});
