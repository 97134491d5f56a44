import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { brotliDecompressSync } from 'node:zlib';
import { PAGES } from '../../src/dashboard/pages.ts';
import { errorOf } from '../http/expect.ts';
import { shareService } from '../support/app.ts';

const HTML = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
const SCRIPT = '/assets/app-4f2a.js';

describe('A page', () => {
  const shared = shareService('SQLite');
  const get = (url: string, headers = {}) => shared.service.get(url, headers);

  it('is the same app at each path, for anybody', async () => {
    for (const path of Object.values(PAGES)) {
      const page = await get(path.replace(':id', 'pokemon-bs-charizard-004'));
      assert.equal(page.statusCode, 200, path);
      assert.equal(page.headers['content-type'], 'text/html; charset=utf-8');
      assert.match(page.body, /<title>Cardprice<\/title>/);
    }
    const head = await shared.service.app.inject({ method: 'HEAD', url: '/' });
    assert.equal(head.statusCode, 200);
  });

  it('may load only from this server, and nothing inline', async () => {
    for (const url of ['/', '/nothing']) {
      const { headers } = await get(url, HTML);
      assert.equal(
        headers['content-security-policy'],
        "default-src 'none';script-src 'self';style-src 'self';img-src 'self';" +
          "connect-src 'self';manifest-src 'self';form-action 'self';base-uri 'none';frame-ancestors 'none'",
      );
      assert.equal(headers['x-content-type-options'], 'nosniff');
      assert.equal(headers['referrer-policy'], 'no-referrer');
      assert.equal(headers['strict-transport-security'], undefined);
    }
  });

  it('has scripts and icons that may load nothing if they are opened as a document', async () => {
    for (const url of [SCRIPT, '/icon.svg']) {
      const { headers } = await get(url, HTML);
      const policy = "default-src 'none';base-uri 'none';frame-ancestors 'none'";
      assert.equal(headers['content-security-policy'], policy);
      assert.equal(headers['x-content-type-options'], 'nosniff');
      assert.equal(headers['referrer-policy'], 'no-referrer');
    }
  });

  it('is revalidated every time, its assets never', async () => {
    const page = await get('/');
    assert.equal(page.headers['cache-control'], 'no-cache');
    const again = await get('/sets', { 'if-none-match': String(page.headers.etag) });
    assert.equal(again.statusCode, 304);
    const { headers } = await get(SCRIPT);
    assert.equal(headers['cache-control'], 'public, max-age=31536000, immutable');
    assert.match(String(headers['content-type']), /javascript; charset=utf-8$/);
    const icon = await get('/icon.svg');
    assert.equal(icon.headers['cache-control'], 'public, max-age=86400');
  });

  it('comes with the licences of what it is bundled with', async () => {
    const notices = await get('/third-party-notices.txt');
    assert.equal(notices.statusCode, 200);
    assert.equal(notices.headers['content-type'], 'text/plain; charset=utf-8');
    assert.match(notices.body, /^## preact/m);
  });

  it('has assets that come compressed as they were built', async () => {
    const plain = await get(SCRIPT);
    assert.equal(plain.headers['content-encoding'], undefined);
    const packed = await get(SCRIPT, { 'accept-encoding': 'gzip, deflate, br' });
    assert.equal(packed.headers['content-encoding'], 'br');
    assert.match(String(packed.headers.vary), /accept-encoding/i);
    assert.equal(packed.headers['content-type'], plain.headers['content-type']);
    assert.equal(String(brotliDecompressSync(packed.rawPayload)), plain.body);
  });

  it('has one address: with a slash at its end it leads to the one without', async () => {
    for (const [url, to] of [
      ['/keys/', '/keys'],
      ['/sets/pokemon/?q=a%2Fb/', '/sets/pokemon?q=a%2Fb/'],
      ['/cards/%5C%5Cevil.example/', '/cards/%5C%5Cevil.example'],
    ]) {
      const answer = await get(String(url), HTML);
      assert.deepEqual([answer.statusCode, answer.headers.location], [301, to]);
    }
    for (const url of ['//evil.example/', '/\\evil.example/']) {
      assert.equal((await get(url, HTML)).headers.location, undefined, url);
    }
  });

  it('that does not exist is the app for browsers and JSON for programs', async () => {
    for (const url of ['/nothing', '/cards/a/b', '/v2/games', '/docs/nothing', '/%zz']) {
      const page = await get(url, HTML);
      assert.equal(page.statusCode, 404, url);
      assert.equal(page.headers['cache-control'], 'no-cache');
      assert.match(page.body, /<title>Cardprice<\/title>/);
      errorOf(await get(url, { accept: 'application/json' }), 'NOT_FOUND');
      errorOf(await get(url), 'NOT_FOUND');
      const posted = await shared.service.app.inject({ method: 'POST', url, headers: HTML });
      errorOf(posted, 'NOT_FOUND');
    }
  });

  it('that does not exist is never a 304', async () => {
    const { headers } = await get('/');
    const page = await get('/nothing', { ...HTML, 'if-none-match': String(headers.etag) });
    assert.equal(page.statusCode, 404);
    assert.match(page.body, /<title>/);
  });

  it('is not the answer of unknown paths of the API and the calls', async () => {
    errorOf(await get('/v1/nothing', HTML), 'MISSING_API_KEY');
    assert.equal((await get('/dashboard/nothing', HTML)).statusCode, 401);
  });

  it('has only the files of the build', async () => {
    for (const path of [
      '../index.html',
      '%2e%2e/index.html',
      '..%2findex.html',
      '%2e%2e%2f%2e%2e%2fpackage.json',
      '/etc/passwd',
      '.env',
      'app-4f2a.js/',
      'app-4f2a.js%00',
      '',
    ]) {
      errorOf(await get(`/assets/${path}`), 'NOT_FOUND');
    }
  });
});

describe('Pages that are not built', () => {
  const shared = shareService('SQLite', {
    dashboard: { pages: new URL('../fixtures/no-such-pages/', import.meta.url) },
  });

  it('answer how to build them, and the API works without them', async () => {
    for (const url of ['/', '/sets', '/nothing']) {
      const page = await shared.service.get(url, HTML);
      assert.equal(page.statusCode, 503);
      assert.match(page.body, /not built\. `npm run build:web` makes them/);
    }
    errorOf(await shared.service.get(SCRIPT), 'NOT_FOUND');
    errorOf(await shared.service.get('/icon.svg'), 'NOT_FOUND');
    const caller = await shared.service.caller();
    assert.equal((await caller.get('/v1/games')).statusCode, 200);
    const warnings = shared.service.log.filter((line) => JSON.parse(line).level === 40);
    assert.equal(warnings.length, 1);
    assert.match(String(warnings[0]), /npm run build:web/);
  });
});
