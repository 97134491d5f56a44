import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Day, parseDay } from '../../src/domain/day.ts';
import { ResponseCache } from '../../src/http/response-cache.ts';

const EDITION = { publication: 'a', day: parseDay('2026-01-28') as Day };

const PARTS = {
  link: undefined,
  historyDays: 0,
  needs: { scope: undefined, features: [], historyDays: 0 },
  endpoint: 0,
  route: '/a',
  etag: '"a"',
};

/** Adds a body of so many characters, with its URL and link, and returns the cache. */
function add(cache: ResponseCache, url: string, length: number): void {
  const link = '<next>';
  const payload = 'x'.repeat(length - url.length - link.length);
  cache.add(url, EDITION, { ...PARTS, payload, link, historyDays: 7 });
}

describe('The response cache', () => {
  it('keeps ten million characters of URLs, bodies and links, those used last', () => {
    for (const [length, kept] of [
      [5_000_000, [true, true]],
      [5_000_001, [false, true]],
    ] as const) {
      const cache = new ResponseCache();
      cache.get('/a', EDITION);
      for (const url of ['/a', '/b']) add(cache, url, length);
      const found = ['/a', '/b'].map((url) => cache.get(url, EDITION) !== undefined);
      assert.deepEqual(found, kept, `${length} each`);
    }
  });

  it('keeps bodies until the next publication, and until midnight', () => {
    for (const [next, isKept] of [
      [{ ...EDITION }, true],
      [{ ...EDITION, publication: 'b' }, false],
      [{ ...EDITION, day: parseDay('2026-01-29') as Day }, false],
    ] as const) {
      const cache = new ResponseCache();
      cache.get('/a', EDITION);
      add(cache, '/a', 100);
      assert.equal(cache.get('/a', EDITION)?.historyDays, 7);
      assert.equal(cache.get('/a', next) !== undefined, isKept);
      assert.equal(cache.get('/a', EDITION) !== undefined, isKept, 'and an older one is gone');
    }
  });

  it('keeps no body of an edition that ended while it was made, and none with an API key', () => {
    const cache = new ResponseCache();
    cache.get('/a', EDITION);
    cache.get('/b', { ...EDITION, publication: 'b' });
    add(cache, '/a', 100);
    assert.equal(cache.get('/a', EDITION), undefined);
    add(cache, '/a?api_key=x', 100);
    assert.equal(cache.get('/a?api_key=x', EDITION), undefined);
  });

  it('sends ASCII as Latin-1, and everything else as UTF-8 with the right length', () => {
    const cache = new ResponseCache();
    cache.get('/a', EDITION);
    for (const [payload, encoding, bytes] of [
      ['{"name":"Pikachu"}', 'latin1', 18],
      ['{"name":"Pok\u00e9mon"}', 'utf8', 19],
      ['{"name":"\u30d4\u30ab"}', 'utf8', 17],
    ] as const) {
      const response = cache.add('/a', EDITION, { ...PARTS, payload });
      assert.equal(response.encoding, encoding);
      assert.equal(/^content-length: (.*)\r$/m.exec(response.lines)?.[1], String(bytes));
    }
  });

  it('compresses the kept body of a URL once, and sends bytes as characters', async () => {
    const cache = new ResponseCache();
    cache.get('/a', EDITION);
    const payload = JSON.stringify({ name: 'Pok\u00e9mon'.repeat(200) });
    cache.add('/a', EDITION, { ...PARTS, payload });
    assert.equal(cache.get('/a', EDITION, 'gzip'), undefined, 'not compressed yet');
    const text = { payload, encoding: 'gzip' } as const;
    const bytes = await cache.compressed('/a', EDITION, text);
    const kept = cache.get('/a', EDITION, 'gzip');
    assert.deepEqual(Buffer.from(kept?.payload ?? '', kept?.encoding), bytes);
    assert.match(
      kept?.lines ?? '',
      /^etag: "a\.gzip"\r\ncontent-length: \d+\r\ncontent-encoding: gzip\r/,
    );
    assert.deepEqual(await cache.compressed('/a', EDITION, text), bytes);
    assert.equal(cache.get('/a', EDITION, 'gzip'), kept);
    assert.equal(cache.get('/a', EDITION, 'br'), undefined, 'another encoding');
    assert.equal(cache.get('/a', { ...EDITION, publication: 'b' }, 'gzip'), undefined);
  });

  it('keeps a compressed body, which is small, when the body itself makes room', async () => {
    const cache = new ResponseCache();
    cache.get('/a', EDITION);
    add(cache, '/a', 2000);
    const { payload = '' } = cache.get('/a', EDITION) ?? {};
    await cache.compressed('/a', EDITION, { payload, encoding: 'zstd' });
    add(cache, '/b', 10_000_000);
    assert.equal(cache.get('/a', EDITION), undefined);
    assert.equal(cache.get('/a', EDITION, 'zstd')?.route, '/a');
  });

  it('keeps no compressed body of another text, of an ended edition, or of few bytes', async () => {
    const cache = new ResponseCache();
    cache.get('/a', EDITION);
    add(cache, '/a', 2000);
    const other = { payload: 'y'.repeat(2000), encoding: 'br' } as const;
    await cache.compressed('/a', EDITION, other);
    assert.equal(cache.get('/a', EDITION, 'br'), undefined);
    const { payload = '' } = cache.get('/a', EDITION) ?? {};
    const late = cache.compressed('/a', EDITION, { payload, encoding: 'br' });
    cache.get('/a', { ...EDITION, publication: 'b' });
    await late;
    assert.equal(cache.get('/a', { ...EDITION, publication: 'b' }, 'br'), undefined);
    add(cache, '/short', 100);
    cache.get('/short', EDITION);
    add(cache, '/short', 100);
    assert.equal(cache.get('/short', EDITION, 'br')?.encoding, 'latin1', 'as it is');
    assert.equal(cache.get('/short', EDITION, 'br'), cache.get('/short', EDITION));
  });

  it('makes a part of bodies once for an edition', () => {
    const cache = new ResponseCache();
    let made = 0;
    const make = () => {
      made += 1;
      return `{"made":${made}}`;
    };
    const first = cache.fragment('card', EDITION, make);
    assert.equal(cache.fragment('card', EDITION, make), first);
    const next = cache.fragment('card', { ...EDITION, publication: 'b' }, make);
    assert.deepEqual([first.payload, next.payload], ['{"made":1}', '{"made":2}']);
    assert.notEqual(first.etag, next.etag);
  });
});
