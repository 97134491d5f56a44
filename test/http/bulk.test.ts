import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import { writeBulk } from '../../src/commands/bulk/write.ts';
import type { BulkFile } from '../../src/domain/bulk.ts';
import { type Caller, shareService } from '../support/app.ts';
import { temporaryFolder } from '../support/cli.ts';
import { bodyOf, errorOf } from './expect.ts';

describe('GET /v1/bulk', () => {
  const bulkFolder = temporaryFolder();
  const shared = shareService('SQLite', { bulkFolder, corsOrigins: ['https://shop.example'] });
  let key = '';
  before(async () => {
    const { store } = shared.service;
    await writeBulk(store, bulkFolder, { sources: ['tcgcsv'], key: '', keepDays: 7 });
    mkdirSync(join(bulkFolder, '.partial-x'));
    writeFileSync(join(bulkFolder, '.partial-x', 'cards.parquet'), 'half');
    writeFileSync(join(bulkFolder, 'notes.txt'), 'private');
    key = (await shared.service.caller('business')).key;
  });

  const list = async (caller?: Caller) => {
    const asker = caller ?? (await shared.service.caller());
    return bodyOf<{ data: BulkFile[] }>(await asker.get('/v1/bulk')).data;
  };
  const fileOf = async (type: string, format = 'csv') => {
    const found = (await list()).find((file) => file.type === type && file.format === format);
    return found ?? assert.fail(`no ${type}`);
  };
  const get = (url: string, headers: Readonly<Record<string, string>> = {}) => {
    return shared.service.app.inject({ url, headers: { 'x-api-key': key, ...headers } });
  };

  it('lists the files on every plan, each with a path', async () => {
    const files = await list(await shared.service.caller('free'));
    assert.ok(files.length > 30);
    for (const { url } of files) assert.match(url, /^\/v1\/bulk\/(?:\d+-[0-9a-f]{16}|history)\//);
  });

  it('has the cursor of the publication of the files', async () => {
    const caller = await shared.service.caller('free');
    const { cursor } = bodyOf<{ cursor: string }>(await caller.get('/v1/bulk'));
    const now = bodyOf<{ nextCursor: string }>(await caller.get('/v1/changes'));
    assert.equal(cursor, now.nextCursor);
  });

  it('is named by the 410 of a cursor that is not kept, for all and for a game', async () => {
    const caller = await shared.service.caller('business');
    for (const [query, game] of [
      ['', ''],
      ['&game=pokemon', 'pokemon'],
    ]) {
      const gone = await caller.get(`/v1/changes?since=1.00000000${query}`);
      const { message } = errorOf(gone, 'CURSOR_EXPIRED');
      const [path = assert.fail(message)] =
        /\/v1\/bulk\/\S+\/cards\S*\.ndjson\.gz/.exec(message) ?? [];
      assert.ok(path.includes(game ?? ''), path);
      assert.equal((await get(path)).statusCode, 200);
    }
  });

  it('serves the bytes of each file, for caches to keep', async () => {
    const { url, bytes, sha256 } = await fileOf('cards', 'parquet');
    const { statusCode, rawPayload, headers } = await get(url);
    assert.equal(statusCode, 200);
    assert.equal(rawPayload.length, bytes);
    assert.equal(createHash('sha256').update(rawPayload).digest('hex'), sha256);
    assert.equal(headers['cache-control'], 'private, max-age=31536000, immutable');
    assert.equal(headers['content-encoding'], undefined);
    assert.ok(headers.etag);
  });

  it('serves a range of bytes, to pages of allowed origins as well', async () => {
    const { url, bytes } = await fileOf('cards', 'parquet');
    const origin = { origin: 'https://shop.example' };
    const { statusCode, rawPayload, headers } = await get(url, { range: 'bytes=-4', ...origin });
    assert.deepEqual([statusCode, rawPayload.toString()], [206, 'PAR1']);
    assert.equal(headers['content-range'], `bytes ${bytes - 4}-${bytes - 1}/${bytes}`);
    assert.equal(headers['access-control-allow-origin'], 'https://shop.example');
    assert.match(String(headers['access-control-expose-headers']), /Content-Range/);
  });

  it('answers a file that the caller has with 304, which costs nothing', async () => {
    const { url } = await fileOf('prices');
    const { headers } = await get(url);
    const again = await get(url, { 'if-none-match': String(headers.etag) });
    assert.equal(again.statusCode, 304);
    assert.equal(again.headers['x-ratelimit-remaining'], headers['x-ratelimit-remaining']);
  });

  it('charges a file like any other request, and needs a key', async () => {
    const { url } = await fileOf('sets');
    const first = await get(url);
    const second = await get(url);
    const left = ({ headers }: typeof first) => Number(headers['x-ratelimit-remaining']);
    assert.equal(left(first) - left(second), 1);
    errorOf(await shared.service.app.inject({ url }), 'MISSING_API_KEY');
  });

  it('gives history only to plans that include its days', async () => {
    const { url } = await fileOf('history');
    assert.equal((await get(url)).statusCode, 200);
    const free = await shared.service.caller('free');
    errorOf(await free.get(url), 'PLAN_RESTRICTION');
  });

  it('serves the list as it was written, which may change', async () => {
    const { statusCode, headers, body } = await get('/v1/bulk/bulk.json');
    assert.equal(statusCode, 200);
    assert.equal(headers['cache-control'], 'private, no-cache');
    assert.equal(JSON.parse(body).data.length, (await list()).length);
  });

  for (const path of [
    '.partial-x/cards.parquet',
    'notes.txt',
    '',
    '%2e%2e/%2e%2e/etc/passwd',
    '1-0123456789abcdef/cards/cards.parquet',
    '1-0123456789abcdef/../notes.txt',
    'history/game=pokemon/month=2026-01/0123456789abcdef.parquet',
    'history/game=../month=2026-01/0123456789abcdef.parquet',
    'bulk.json/x',
    'bulk.json%00',
  ]) {
    it(`has nothing at /v1/bulk/${path}`, async () => {
      const answer = await get(`/v1/bulk/${path}`);
      errorOf(answer, 'NOT_FOUND');
    });
  }
});

describe('GET /v1/bulk without a folder', () => {
  const shared = shareService('SQLite');

  it('lists nothing', async () => {
    const caller = await shared.service.caller();
    assert.deepEqual(bodyOf(await caller.get('/v1/bulk')), { data: [], cursor: null });
    errorOf(await caller.get('/v1/bulk/bulk.json'), 'NOT_FOUND');
  });
});
