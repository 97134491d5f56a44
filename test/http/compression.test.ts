import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import { encodingOf } from '../../src/http/compression.ts';
import { type Caller, shareService } from '../support/app.ts';
import { bodyOf, remainingOf } from './expect.ts';

const LONG = '/v1/search?q=a&limit=100';
const SHORT = '/v1/games?game=none';
const DECOMPRESSED = { zstd: zstdDecompressSync, br: brotliDecompressSync, gzip: gunzipSync };

describe('Accept-Encoding', () => {
  it('is answered with the fastest encoding of the highest quality', () => {
    for (const [header, expected] of [
      [undefined, undefined],
      ['', undefined],
      ['gzip', 'gzip'],
      ['gzip, deflate', 'gzip'],
      ['gzip, deflate, br', 'br'],
      ['gzip, deflate, br, zstd', 'zstd'],
      ['GZIP', 'gzip'],
      ['br;q=0.5, gzip;q=0.8', 'gzip'],
      ['br;q=0, gzip', 'gzip'],
      ['gzip;q=0', undefined],
      ['identity, gzip;q=0.5', undefined],
      ['*', 'zstd'],
      ['deflate, compress', undefined],
    ] as const) {
      assert.equal(encodingOf({ 'accept-encoding': header }), expected, header);
    }
  });
});

describe('Answers of /v1', () => {
  const shared = shareService('SQLite');
  const ask = (caller: Caller, path: string, encoding: string) => {
    return caller.get(path, { 'accept-encoding': encoding });
  };

  it('are compressed from a kilobyte on, the first time and later', async () => {
    const caller = await shared.service.caller('trader');
    const plain = await caller.get(LONG);
    assert.equal(plain.headers['content-encoding'], undefined);
    for (const encoding of ['zstd', 'br', 'gzip'] as const) {
      for (const time of ['first', 'second']) {
        const answer = await ask(caller, LONG, encoding);
        assert.equal(answer.headers['content-encoding'], encoding, time);
        assert.equal(answer.headers['content-length'], String(answer.rawPayload.length));
        assert.ok(answer.rawPayload.length < plain.body.length / 2);
        assert.equal(DECOMPRESSED[encoding](answer.rawPayload).toString(), plain.body);
      }
    }
    assert.equal(remainingOf(plain) - remainingOf(await caller.get(LONG)), 7, 'each costs one');
    const short = await ask(caller, SHORT, 'gzip');
    assert.equal(short.headers['content-encoding'], undefined);
    bodyOf(short);
  });

  it('are compressed if they are not kept: batches and POSTs', async () => {
    const caller = await shared.service.caller('trader');
    const body = { items: Array.from({ length: 20 }, () => 'Charizard 4/102') };
    const plain = await caller.post('/v1/resolve', body);
    const answer = await caller.post('/v1/resolve', body, { 'accept-encoding': 'br' });
    assert.equal(DECOMPRESSED.br(answer.rawPayload).toString(), plain.body);
  });

  it('have the length of the compressed body in answers to HEAD', async () => {
    const caller = await shared.service.caller();
    const { headers } = await ask(caller, LONG, 'br');
    const head = await caller.send('HEAD', LONG, { 'accept-encoding': 'br' });
    assert.equal(head.headers['content-length'], headers['content-length']);
    assert.equal(head.headers.etag, headers.etag);
    assert.equal(head.body, '');
  });

  it('have an ETag for each encoding, and are unchanged by any of them', async () => {
    const caller = await shared.service.caller();
    const tags = new Map<string, string>();
    for (const encoding of ['identity', ...Object.keys(DECOMPRESSED)]) {
      tags.set(encoding, String((await ask(caller, LONG, encoding)).headers.etag));
    }
    assert.equal(new Set(tags.values()).size, tags.size);
    for (const sent of tags.values()) {
      for (const [encoding, etag] of tags) {
        const headers = { 'if-none-match': sent, 'accept-encoding': encoding };
        const answer = await caller.get(LONG, headers);
        assert.equal(answer.statusCode, 304);
        assert.equal(answer.headers.etag, etag, 'as the 200 would have');
        assert.equal(answer.headers['content-encoding'], undefined);
      }
    }
    const other = String(tags.get('br')).replace('.br', '.deflate');
    assert.equal((await caller.get(LONG, { 'if-none-match': other })).statusCode, 200);
  });

  it('are errors as they are', async () => {
    const caller = await shared.service.caller('free');
    for (const path of [`/v1/${'x'.repeat(2000)}`, '/v1/search']) {
      const answer = await ask(caller, path, 'br');
      assert.equal(answer.headers['content-encoding'], undefined);
      assert.ok(answer.json().error);
    }
  });
});
