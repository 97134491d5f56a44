import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { PictureCache } from '../../src/dashboard/picture-cache.ts';
import { typeOfPicture } from '../../src/dashboard/picture-types.ts';
import { Pictures, pictureAddresses } from '../../src/dashboard/pictures.ts';
import { errorOf } from '../http/expect.ts';
import { shareService } from '../support/app.ts';
import { temporaryFolder } from '../support/cli.ts';
import { PictureServer, PNG, QUIET } from '../support/picture-server.ts';

describe('Pictures', () => {
  it('are passed on unchanged and cached', async () => {
    const server = await PictureServer.start();
    const reader = server.reader();
    for (let count = 0; count < 3; count += 1) {
      assert.deepEqual(await reader.read(`${server.url}/good`, 'large'), {
        type: 'image/png',
        bytes: PNG,
      });
    }
    assert.equal(server.asked.length, 1);
    const { headers } = server.asked[0] ?? {};
    assert.equal(headers?.['user-agent'], 'cardprice/1.2.3');
    assert.equal(headers?.cookie, undefined);
    assert.deepEqual((await reader.read(`${server.url}/text`, 'large'))?.type, 'image/png');
  });

  it('are undefined if the server has none or sends something else', async () => {
    const server = await PictureServer.start();
    const reader = server.reader();
    for (const path of ['svg', 'html', 'none', 'moved', 'broken', 'cut', 'large', 'script']) {
      assert.equal(await reader.read(`${server.url}/${path}`, 'large'), undefined, path);
    }
    assert.ok(!server.asked.some(({ url }) => url === '/good'), 'no redirect is followed');
    assert.equal(await reader.read('not an address', 'large'), undefined);
    assert.equal(await reader.read('http://127.0.0.1:1/refused', 'large'), undefined);
    assert.ok(
      await reader.read(`${server.url}/good`, 'large'),
      'one that fails leaves the others be',
    );
  });

  it('are requested in the size of the server, otherwise as the source has them', async () => {
    const server = await PictureServer.start();
    const reader = server.reader();
    assert.ok(await reader.read(`${server.url}/good-large`, 'thumb'));
    assert.ok(await reader.read(`${server.url}/only-large`, 'small'));
    assert.deepEqual(server.paths, ['/good-thumb', '/only-small', '/only-large']);
  });

  it('are fetched once for all who ask at the same time', async () => {
    const server = await PictureServer.start();
    const reader = server.reader();
    const reading = Array.from({ length: 100 }, () => reader.read(`${server.url}/held`, 'large'));
    server.held.resolve();
    const pictures = await Promise.all(reading);
    assert.ok(pictures.every((picture) => picture?.bytes.equals(PNG)));
    assert.deepEqual(server.paths, ['/held']);
  });

  it('are not asked for again at once when they could not be fetched', async () => {
    const server = await PictureServer.start();
    const reader = server.reader();
    for (let count = 0; count < 3; count += 1) {
      assert.equal(await reader.read(`${server.url}/broken`, 'large'), undefined);
    }
    assert.deepEqual(server.paths, ['/broken']);
  });

  it('survive a restart on the disk', async () => {
    const server = await PictureServer.start();
    const folder = join(temporaryFolder(), 'pictures');
    for (let start = 0; start < 3; start += 1) {
      const cache = new PictureCache({ folder, logger: QUIET, clock: Date.now });
      const picture = await server.reader(cache).read(`${server.url}/good`, 'large');
      assert.deepEqual(picture, { type: 'image/png', bytes: PNG });
    }
    assert.deepEqual(server.paths, ['/good']);
  });

  it('have the type by which their files begin', () => {
    const beginnings = {
      'image/jpeg': Buffer.from('ffd8ffe000104a464946', 'hex'),
      'image/png': PNG,
      'image/webp': Buffer.from('RIFF\x10\x20\n\0WEBPVP8 ', 'latin1'),
      'image/avif': Buffer.from('\0\0\0\x20ftypavif\0', 'latin1'),
      'image/gif': Buffer.from('GIF89a', 'latin1'),
    };
    for (const [type, bytes] of Object.entries(beginnings)) {
      assert.equal(typeOfPicture(bytes), type);
      assert.equal(typeOfPicture(bytes.subarray(1)), undefined, type);
    }
    for (const text of ['', '<svg>', '<!doctype html>', '%PDF-1.7', ' GIF89a']) {
      assert.equal(typeOfPicture(Buffer.from(text)), undefined, text);
    }
  });

  it('are given up after 5 seconds', async () => {
    const server = await PictureServer.start();
    const started = performance.now();
    assert.equal(await server.reader().read(`${server.url}/silent`, 'large'), undefined);
    const waited = performance.now() - started;
    assert.ok(waited > 4900 && waited < 7000, String(waited));
  });

  it('are fetched eight at a time', async () => {
    const server = await PictureServer.start();
    const reader = server.reader();
    const reading = Array.from({ length: 30 }, (_, index) =>
      reader.read(`${server.url}/held?${index}`, 'large'),
    );
    while (server.asked.length < 8) await sleep(1);
    await sleep(50);
    assert.equal(server.asked.length, 8);
    server.held.resolve();
    const pictures = await Promise.all(reading);
    assert.ok(pictures.every((picture) => picture?.bytes.equals(PNG)));
    assert.equal(server.asked.length, 30);
  });

  it('wait up to a number, and no longer than a fetch may take', async () => {
    const server = await PictureServer.start();
    const reader = server.reader();
    const started = performance.now();
    const waiting = Array.from({ length: 64 }, (_, index) =>
      reader.read(`${server.url}/held?${index}`, 'large'),
    );
    await assert.rejects(reader.read(`${server.url}/good`, 'large'), {
      code: 'TOO_MANY_ATTEMPTS',
      message: 'Too many pictures are being fetched. Try again in a few seconds.',
      retryAfter: 5,
    });
    assert.deepEqual(new Set(await Promise.all(waiting)), new Set([undefined]));
    assert.ok(performance.now() - started < 7000);
    assert.ok(await reader.read(`${server.url}/good`, 'large'), 'the places are free again');
  });

  it('are not fetched from this machine, even if the name of a server resolves to it', async () => {
    const server = await PictureServer.start();
    const { port } = new URL(server.url);
    const hosts = [{ prefix: 'http://' }];
    const reader = new Pictures({ userAgent: 'test', logger: QUIET, hosts });
    for (const host of ['localhost', '127.0.0.1', '[::ffff:127.0.0.1]']) {
      assert.equal(await reader.read(`http://${host}:${port}/good`, 'large'), undefined);
    }
    assert.deepEqual(server.asked, []);
  });

  it('are fetched only from the servers of the sources, over TLS', () => {
    for (const address of [
      'https://tcgplayer-cdn.tcgplayer.com/product/42346_in_1000x1000.jpg',
      'https://cards.scryfall.io/large/front/a/9/a9738cda.jpg?1717012345',
      'https://storage.googleapis.com/fabmaster/media/images/1HP001.width-450.png',
    ]) {
      assert.notDeepEqual(pictureAddresses(address, 'thumb'), [], address);
    }
    for (const address of [
      'http://tcgplayer-cdn.tcgplayer.com/product/1.jpg',
      'https://tcgplayer-cdn.tcgplayer.com:8443/product/1.jpg',
      'https://x@tcgplayer-cdn.tcgplayer.com/product/1.jpg',
      'https://tcgplayer-cdn.tcgplayer.com@evil.example/1.jpg',
      'https://tcgplayer-cdn.tcgplayer.com.evil.example/1.jpg',
      'https://storage.googleapis.com/others/1.png',
      'https://storage.googleapis.com/fabmaster/%2e%2e/others/1.png',
      'https://127.0.0.1/1.png',
      'https://evil.example/1.png',
      'file:///etc/passwd',
      'data:image/png;base64,iVBORw0KGgo=',
    ]) {
      assert.deepEqual(pictureAddresses(address, 'thumb'), [], address);
    }
  });
});

describe('GET /dashboard/pictures/{id}', () => {
  const shared = shareService('SQLite');
  const CHARIZARD = 'pokemon-bs-charizard-004';

  it('is the picture of the card, which browsers cache for a day', async () => {
    const asked: (readonly [address: string, size: string])[] = [];
    const pictures = {
      async read(address: string, size: string) {
        asked.push([address, size]);
        return { type: 'image/png' as const, bytes: PNG };
      },
    };
    const service = await shared.service.another(shared.location, { dashboard: { pictures } });
    const browser = (await shared.service.signedInBrowser()).at(service);
    const answer = await browser.get(`/dashboard/pictures/${CHARIZARD}`);
    assert.equal(answer.statusCode, 200);
    assert.deepEqual(answer.rawPayload, PNG);
    assert.equal(answer.headers['content-type'], 'image/png');
    assert.equal(answer.headers['cache-control'], 'private, max-age=86400');
    assert.equal(answer.headers['x-content-type-options'], 'nosniff');
    const image = service.catalog.card(CHARIZARD)?.image ?? '';
    for (const size of ['thumb', 'small']) {
      await browser.get(`/dashboard/pictures/${CHARIZARD}?size=${size}`);
    }
    assert.deepEqual(asked, [
      [image, 'large'],
      [image, 'thumb'],
      [image, 'small'],
    ]);
    errorOf(await browser.get('/dashboard/pictures/x'), 'CARD_NOT_FOUND');
    const strange = await browser.get(`/dashboard/pictures/${CHARIZARD}?size=9999`);
    assert.equal(errorOf(strange, 'INVALID_PARAMETER').status, 400);
    await service.close();
  });

  it('is refused with a 429 when too many are waited for', async () => {
    let asked = 0;
    const server = await PictureServer.start();
    const own = server.reader();
    const pictures = { read: () => own.read(`${server.url}/held?${asked++}`, 'large') };
    const service = await shared.service.another(shared.location, { dashboard: { pictures } });
    const browser = (await shared.service.signedInBrowser()).at(service);
    const waiting = Array.from({ length: 64 }, () => pictures.read());
    const answer = await browser.get(`/dashboard/pictures/${CHARIZARD}`);
    assert.equal(errorOf(answer, 'TOO_MANY_ATTEMPTS').status, 429);
    assert.equal(answer.headers['retry-after'], '5');
    server.held.resolve();
    await Promise.all(waiting);
    await service.close();
  });

  it('is a 404, which is not cached, without a picture or when pictures are off', async () => {
    const pictures = { read: async () => undefined };
    const service = await shared.service.another(shared.location, { dashboard: { pictures } });
    const signedIn = await shared.service.signedInBrowser();
    for (const browser of [signedIn.at(service), signedIn]) {
      const answer = await browser.get(`/dashboard/pictures/${CHARIZARD}`);
      assert.equal(errorOf(answer, 'NOT_FOUND').message, 'There is no picture of this card.');
      assert.equal(answer.headers['cache-control'], 'no-store');
    }
    await service.close();
  });
});
