import assert from 'node:assert/strict';
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import pino from 'pino';
import { PICTURE_LIFETIME, PictureCache } from '../../src/dashboard/picture-cache.ts';
import { pictureOf } from '../../src/dashboard/picture-types.ts';
import { temporaryFolder } from '../support/cli.ts';

const QUIET = pino({ level: 'silent' });
const START = Date.UTC(2026, 0, 30);
const KILOBYTE = 1024;

/** A picture of so many bytes. */
function picture(bytes: number) {
  return pictureOf(Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex')], bytes));
}

/** A cache of 100 kB with a clock that the test sets. */
function openCache(folder = join(temporaryFolder(), 'pictures')) {
  const clock = { now: START };
  const maxBytes = 100 * KILOBYTE;
  const cache = new PictureCache({ folder, logger: QUIET, clock: () => clock.now, maxBytes });
  return { cache, folder, clock };
}

function bytesIn(folder: string): number {
  const files = readdirSync(folder).map((name) => statSync(join(folder, name)).size);
  return files.reduce((sum, size) => sum + size, 0);
}

describe('The cache of pictures', () => {
  it('returns what was kept, also to another process and after a restart', async () => {
    const { cache, folder } = openCache();
    assert.equal(await cache.read('a'), undefined);
    await cache.write('a', picture(100));
    assert.deepEqual(await cache.read('a'), picture(100));
    assert.deepEqual(await openCache(folder).cache.read('a'), picture(100));
    assert.equal(await cache.read('b'), undefined);
  });

  it('has private files whose names reveal nothing of the key', async () => {
    const { cache, folder } = openCache();
    for (const key of ['../../x', '/etc/passwd', 'a\0b', 'x'.repeat(5000)]) {
      await cache.write(key, picture(20));
      assert.deepEqual(await cache.read(key), picture(20));
    }
    const names = readdirSync(folder);
    assert.equal(names.length, 4);
    for (const name of names) {
      assert.match(name, /^[0-9a-f]{64}$/);
      assert.equal(statSync(join(folder, name)).mode & 0o777, 0o600);
    }
    assert.equal(statSync(folder).mode & 0o777, 0o700);
  });

  it('forgets a picture after a week, however often it is read', async () => {
    const { cache, clock } = openCache();
    await cache.write('a', picture(100));
    clock.now += PICTURE_LIFETIME - 1;
    assert.ok(await cache.read('a'));
    clock.now += 1;
    assert.equal(await cache.read('a'), undefined);
  });

  it('stays below its limit, and keeps what was read last', async () => {
    const { cache, folder, clock } = openCache();
    for (let i = 0; i < 200; i++) {
      clock.now += 1000;
      await cache.write(`${i}`, picture(5 * KILOBYTE));
      assert.ok(await cache.read('0'), `the first one after ${i} more`);
    }
    assert.ok(bytesIn(folder) <= 107 * KILOBYTE, `${bytesIn(folder)}`);
    assert.ok(bytesIn(folder) > 60 * KILOBYTE, `${bytesIn(folder)}`);
    assert.ok(await cache.read('199'));
    assert.equal(await cache.read('1'), undefined);
  });

  it('stays below its limit with several processes that read and write at once', async () => {
    const { folder } = openCache();
    const processes = Array.from({ length: 4 }, () => openCache(folder).cache);
    const work = processes.map(async (cache, process) => {
      for (let i = 0; i < 60; i++) {
        await cache.write(`${(i * 7 + process) % 90}`, picture(4 * KILOBYTE));
        const read = await cache.read(`${i % 90}`);
        if (read) assert.deepEqual(read, picture(4 * KILOBYTE));
      }
    });
    await Promise.all(work);
    assert.ok(bytesIn(folder) <= (100 + 4 * 10) * KILOBYTE, `${bytesIn(folder)}`);
    assert.ok(
      readdirSync(folder).every((name) => /^[0-9a-f]{64}$/.test(name)),
      'nothing half',
    );
  });

  it('sweeps out what an earlier process left above the limit', async () => {
    const { cache, folder } = openCache();
    mkdirSync(folder, { recursive: true });
    for (let i = 0; i < 30; i++) writeFileSync(join(folder, `left${i}`), Buffer.alloc(10_000));
    await cache.write('a', picture(100));
    assert.ok(bytesIn(folder) <= 100 * KILOBYTE);
  });

  it('serves no file that is not a picture', async () => {
    const { cache, folder } = openCache();
    await cache.write('a', picture(100));
    const [name = ''] = readdirSync(folder);
    for (const text of ['', '<svg onload="alert(1)"/>', '<!doctype html>']) {
      writeFileSync(join(folder, name), text);
      assert.equal(await cache.read('a'), undefined, text);
    }
    await cache.write('a', picture(100));
    assert.ok(await cache.read('a'));
  });

  it('keeps working when somebody deletes its folder', async () => {
    const { cache, folder } = openCache();
    await cache.write('a', picture(100));
    rmSync(folder, { recursive: true });
    assert.equal(await cache.read('a'), undefined);
    await cache.write('a', picture(100));
    await cache.write('a', picture(100));
    assert.ok(await cache.read('a'));
  });

  it('keeps nothing where it cannot write, and says nothing', async () => {
    const file = join(temporaryFolder(), 'file');
    writeFileSync(file, '');
    const { cache } = openCache(join(file, 'pictures'));
    await cache.write('a', picture(100));
    assert.equal(await cache.read('a'), undefined);
  });

  it('does not follow a link in the place of its folder', async () => {
    const [elsewhere, parent] = [temporaryFolder(), temporaryFolder()];
    chmodSync(elsewhere, 0o777);
    symlinkSync(elsewhere, join(parent, 'pictures'));
    const { cache } = openCache(join(parent, 'pictures'));
    await cache.write('a', picture(100));
    assert.deepEqual(readdirSync(elsewhere), []);
  });
});
