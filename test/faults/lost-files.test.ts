import assert from 'node:assert/strict';
import { copyFileSync, readdirSync, renameSync, rmSync, truncateSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import Sqlite from 'better-sqlite3';
import { importFixtures, Service } from '../support/app.ts';
import { cleanUp } from '../support/cleanup.ts';
import { eventually, run } from '../support/cli.ts';
import { createDatabase } from '../support/engines.ts';
import { Serving } from './support/serving.ts';

const CARD = '/v1/cards/pokemon-bs-charizard-004';
/** Answered from memory once the caller is known. */
const MEMORY = ['/v1/games', CARD, '/v1/search?q=charizard'];
/** Read from the file of the catalogue. */
const FILE = [`${CARD}/history`, `${CARD}/explain`];
/** The files of a database, with those that SQLite keeps next to open ones. */
const FILES = ['', '-accounts', '-usage'];
const ENDINGS = ['', '-wal', '-shm'];

/** Longer than a request waits for a lock, and for the one before it, in milliseconds. */
const SOME_SECONDS = 15_000;

interface Original {
  readonly location: string;
  readonly key: string;
  /** Of somebody who is signed in. */
  readonly cookie: string;
}

/** A database that every test copies, and its accounts. */
async function makeOriginal(): Promise<Original> {
  const { location, remove } = await createDatabase('SQLite');
  cleanUp(remove);
  await importFixtures(location);
  const service = await Service.open(location, {}, { now: Date.now() });
  const { key } = await service.caller('business');
  const { cookie } = await service.signedInBrowser();
  await service.close();
  return { location, key, cookie };
}

const original = await makeOriginal();

/** Three SQLite files that a process serves, and a key. */
class Served {
  readonly location: string;
  readonly serving: Serving;

  private constructor(location: string, serving: Serving) {
    this.location = location;
    this.serving = serving;
  }

  static async start(): Promise<Served> {
    const { location, remove } = await createDatabase('SQLite');
    cleanUp(remove);
    for (const file of FILES) copyFileSync(original.location + file, location + file);
    return new Served(location, await Serving.start(location));
  }

  /** The same files, served by another process. */
  async restart(): Promise<Served> {
    return new Served(this.location, await Serving.start(this.location));
  }

  /** The status of an answer; every 503 says when to ask again. */
  async status(path: string): Promise<number> {
    const headers = { 'x-api-key': original.key };
    const answer = await fetch(this.serving.url + path, { headers });
    await answer.arrayBuffer();
    assert.equal(answer.headers.get('retry-after'), answer.status === 503 ? '5' : null);
    return answer.status;
  }

  /** The status of an answer to somebody who is signed in and makes a key. */
  async makeKey(): Promise<number> {
    const type = { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' };
    const headers = { ...type, cookie: original.cookie };
    const url = `${this.serving.url}/dashboard/keys`;
    const answer = await fetch(url, { method: 'POST', headers, body: '{}' });
    await answer.arrayBuffer();
    return answer.status;
  }

  statuses(paths: readonly string[]): Promise<number[]> {
    return Promise.all(paths.map((path) => this.status(path)));
  }

  /** Waits until the paths are answered so, all of them. */
  async answers(status: number, paths: readonly string[]): Promise<void> {
    await eventually(async () => (await this.statuses(paths)).every((one) => one === status));
  }

  /** The log's reason and remedy for the lost database. */
  async advice(): Promise<string> {
    await eventually(() => this.serving.errors.length > 0);
    return this.serving.errors.map(({ reason, remedy = '' }) => `${reason}; ${remedy}`).join('\n');
  }

  /** Gives files another name. */
  move(from: string, to: string): void {
    for (const ending of ENDINGS) {
      renameSync(this.location + from + ending, this.location + to + ending);
    }
  }
}

// Each test has a process; more of them at once only wait for each other.
describe('While it is served', { concurrency: 4, timeout: 120_000 }, () => {
  it('a catalogue that is removed leaves the answers from memory, and is found again', async () => {
    const served = await Served.start();
    served.move('', '.gone');
    await served.answers(503, FILE);
    assert.deepEqual(await served.statuses(MEMORY), [200, 200, 200]);
    assert.match(await served.advice(), /test\.db was removed or replaced .* restart the service/);
    assert.equal(await served.status('/healthz'), 200);
    served.move('.gone', '');
    await served.answers(200, [...MEMORY, ...FILE]);
  });

  it('a catalogue that another one replaces is served again by a new process', async () => {
    const served = await Served.start();
    served.move('', '.gone');
    copyFileSync(`${served.location}.gone`, served.location);
    await served.answers(503, FILE);
    await served.serving.stop();
    assert.deepEqual(await (await served.restart()).statuses(FILE), [200, 200]);
  });

  it('a catalogue that is cut leaves the answers from memory, and can be put back', async () => {
    const served = await Served.start();
    const { location } = served;
    copyFileSync(location, `${location}.whole`);
    truncateSync(location, 8192);
    await served.answers(503, [`${CARD}/explain`]);
    assert.deepEqual(await served.statuses(MEMORY), [200, 200, 200]);
    assert.match(
      await served.advice(),
      /malformed; .* damaged: stop the service, restore a backup/,
    );
    copyFileSync(`${location}.whole`, location);
    await served.answers(200, [...MEMORY, ...FILE]);
  });

  it('accounts that are removed or replaced let nobody in, until they are back', async () => {
    const served = await Served.start();
    served.move('-accounts', '-accounts.gone');
    await served.answers(503, [...MEMORY, ...FILE]);
    // A command creates new files without accounts.
    const { out } = await run(['--database', served.location, 'account', 'list']);
    assert.match(out, /no accounts yet/);
    await served.answers(503, [...MEMORY, ...FILE, '/readyz']);
    assert.match(await served.advice(), /test\.db-accounts was removed or replaced/);
    served.move('-accounts.gone', '-accounts');
    await served.answers(200, [...MEMORY, ...FILE]);
  });

  it('accounts that are cut are 503 until a backup is restored and the service restarted', async () => {
    const served = await Served.start();
    const { location } = served;
    const backups = join(dirname(location), 'backups');
    const { code, err } = await run(['--database', location, 'backup', '--output', backups]);
    assert.equal(code, 0, err);
    truncateSync(`${location}-accounts`, 0);
    rmSync(`${location}-accounts-wal`);
    await served.answers(503, MEMORY);
    await served.serving.stop();
    const [backup = ''] = readdirSync(backups);
    const args = ['--database', location, 'restore', join(backups, backup), '--replace'];
    const restored = await run(args);
    assert.equal(restored.code, 0, restored.err);
    assert.deepEqual(
      await (await served.restart()).statuses([...MEMORY, ...FILE]),
      Array(5).fill(200),
    );
  });

  it('a usage file that is removed gives way to a new one, which other processes see', async () => {
    const served = await Served.start();
    const usage = `${served.location}-usage`;
    for (const ending of ENDINGS) rmSync(usage + ending);
    await eventually(async () => {
      assert.equal(await served.status('/v1/games'), 200);
      return served.serving.err.includes('-usage was removed or replaced');
    });
    const other = new Sqlite(usage);
    cleanUp(() => other.close());
    const used = other.prepare('select used from usage').pluck();
    const before = Number(used.get());
    await served.answers(200, MEMORY);
    assert.equal(used.get(), before + MEMORY.length);
  });

  it('a locked usage file is 503 after some seconds, and recovers by itself', async () => {
    const served = await Served.start();
    const other = new Sqlite(`${served.location}-usage`);
    cleanUp(() => other.close());
    other.exec('begin immediate');
    const started = performance.now();
    const asked = served.statuses(MEMORY);
    assert.equal(await served.status('/healthz'), 200);
    assert.deepEqual(await asked, [503, 503, 503]);
    assert.ok(performance.now() - started < SOME_SECONDS);
    assert.match(await served.advice(), /locked; Another program keeps one of its files locked/);
    other.exec('rollback');
    assert.deepEqual(await served.statuses(MEMORY), [200, 200, 200]);
  });

  it('a catalogue that is locked delays nobody who asks', async () => {
    const served = await Served.start();
    const other = new Sqlite(served.location);
    cleanUp(() => other.close());
    other.exec('begin immediate');
    const paths = [...MEMORY, ...FILE, '/healthz', '/readyz'];
    assert.deepEqual(await served.statuses(paths), Array(paths.length).fill(200));
    assert.equal(await served.makeKey(), 201);
    assert.deepEqual(served.serving.errors, []);
    other.exec('rollback');
  });

  it('accounts that are locked delay only what writes to them, for some seconds', async () => {
    const served = await Served.start();
    const other = new Sqlite(`${served.location}-accounts`);
    cleanUp(() => other.close());
    other.exec('begin immediate');
    const started = performance.now();
    const asked = served.makeKey();
    const paths = [...MEMORY, ...FILE, '/healthz'];
    assert.deepEqual(await served.statuses(paths), Array(paths.length).fill(200));
    assert.equal(await asked, 503);
    assert.ok(performance.now() - started < SOME_SECONDS);
    assert.match(await served.advice(), /locked; Another program keeps one of its files locked/);
    other.exec('rollback');
    assert.equal(await served.makeKey(), 201);
  });
});
