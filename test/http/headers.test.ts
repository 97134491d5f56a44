import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { LightMyRequestResponse } from 'fastify';
import { createApiKey } from '../../src/accounts/keys/api-key.ts';
import { type Service, shareService } from '../support/app.ts';
import { assertCommonHeaders, bodyOf, remainingOf, VARY } from './expect.ts';

const CHARIZARD = '/v1/cards/pokemon-bs-charizard-004';
describe('The headers', () => {
  const shared = shareService('SQLite');

  it('are on every answer to a caller, with the remaining quota', async () => {
    const caller = await shared.service.caller('trader');
    const json = { 'content-type': 'application/json' };
    const etag = await shared.service.etagOf('/v1/games');
    const answers: readonly (readonly [number, LightMyRequestResponse])[] = [
      [200, await caller.get('/v1/games')],
      [200, await caller.send('HEAD', '/v1/games')],
      [200, await caller.get('/v1/games', { 'if-none-match': '*' })],
      [304, await caller.get('/v1/games', { 'if-none-match': etag })],
      [400, await caller.get('/v1/search')],
      [400, await caller.send('POST', '/v1/cards/batch', json, '{')],
      [404, await caller.get('/v1/cards/x')],
      [404, await caller.get('/v1/nothing')],
      [405, await caller.send('DELETE', '/v1/games')],
      [413, await caller.post('/v1/cards/batch', 'x'.repeat(70_000))],
      [415, await caller.post('/v1/cards/batch', '{}', { 'content-type': 'text/csv' })],
    ];
    let remaining = 10_000;
    for (const [status, answer] of answers) {
      if (status !== 304) remaining -= 1;
      assert.equal(answer.statusCode, status);
      assertCommonHeaders(answer);
      assert.equal(answer.headers['x-ratelimit-limit'], '10000');
      assert.equal(remainingOf(answer), remaining, String(status));
    }
  });

  it('are on a 403 and a 429', async () => {
    const caller = await shared.service.caller('free');
    const restricted = await caller.get(`${CHARIZARD}/history`);
    assert.equal(restricted.statusCode, 403);
    await caller.spend(200);
    const exhausted = await caller.get('/v1/games');
    assert.equal(exhausted.statusCode, 429);
    for (const answer of [restricted, exhausted]) {
      assertCommonHeaders(answer);
      assert.equal(answer.headers['x-ratelimit-limit'], '200');
    }
    assert.deepEqual([restricted, exhausted].map(remainingOf), [200, 0]);
  });

  it('are 0 of 0 without a valid key', async () => {
    for (const headers of [{}, { 'x-api-key': 'x' }, { 'x-api-key': createApiKey() }]) {
      for (const path of ['/v1/games', '/v1/nothing', '/v1']) {
        const answer = await shared.service.get(path, headers);
        assert.equal(answer.statusCode, 401);
        assertCommonHeaders(answer);
        assert.equal(answer.headers['x-ratelimit-limit'], '0');
        assert.equal(remainingOf(answer), 0);
      }
    }
  });

  it('have a new request id for each request, never the one that the caller sent', async () => {
    const ids = new Set<unknown>();
    const caller = await shared.service.caller('free');
    for (let count = 0; count < 10; count += 1) {
      const answer = await caller.get('/v1/games', { 'request-id': 'x', 'x-request-id': 'x' });
      ids.add(answer.headers['x-request-id']);
    }
    assert.equal(ids.size, 10);
    assert.ok(!ids.has('x'));
  });
});

describe('The ETag', () => {
  const shared = shareService('SQLite');
  const PATHS = [
    '/v1/games',
    '/v1/sets',
    '/v1/search?q=charizard',
    '/v1/autocomplete?q=cha',
    CHARIZARD,
    `${CHARIZARD}/history`,
    `${CHARIZARD}/prices`,
  ];

  it('is on every 200 and on no error', async () => {
    const caller = await shared.service.caller('trader');
    for (const path of PATHS) {
      assert.match(String((await caller.get(path)).headers.etag), /^"[\w-]{27}"$/);
    }
    const posted = await caller.post('/v1/cards/batch', { ids: [] });
    assert.match(String(posted.headers.etag), /^"[\w-]{27}"$/);
    for (const path of ['/v1/search', '/v1/cards/x', '/v1/nothing']) {
      assert.equal((await caller.get(path)).headers.etag, undefined);
    }
  });

  it('makes an unchanged answer a 304 without a body, which costs nothing', async () => {
    const caller = await shared.service.caller('trader');
    for (const path of PATHS) {
      const first = await caller.get(path);
      const etag = String(first.headers.etag);
      for (const header of [etag, `W/${etag}`, `"x", ${etag}`, `W/"x",${etag}`]) {
        const again = await caller.get(path, { 'if-none-match': header });
        assert.equal(again.statusCode, 304);
        assert.equal(again.body, '');
        assert.equal(again.headers.etag, etag);
        assert.equal(again.headers['content-type'], undefined);
        assert.equal(remainingOf(again), remainingOf(first));
      }
    }
  });

  it('also answers 304 to HEAD, with or without a body', async () => {
    const caller = await shared.service.caller('trader');
    for (const path of PATHS) {
      const { headers } = await caller.send('HEAD', path);
      const again = { 'if-none-match': String(headers.etag), 'content-type': 'application/json' };
      for (const body of [undefined, '{}', 'x'.repeat(3000)]) {
        const answer = await caller.send('HEAD', path, again, body);
        assert.equal(answer.statusCode, 304, path);
        assert.equal(answer.body, '');
        assert.equal(answer.headers.etag, headers.etag);
      }
    }
  });

  it('makes no POST a 304: its work is done, and it is charged', async () => {
    const caller = await shared.service.caller('trader');
    for (const [path, body] of [
      ['/v1/cards/batch', { ids: ['pokemon-bs-charizard-004'] }],
      ['/v1/resolve', { items: ['Charizard 4/102'] }],
    ] as const) {
      const first = await caller.post(path, body);
      const again = await caller.post(path, body, { 'if-none-match': String(first.headers.etag) });
      assert.deepEqual(bodyOf(again), bodyOf(first));
      assert.equal(remainingOf(again), remainingOf(first) - 1, path);
    }
  });

  it('of another version, none or any (*) gets the full answer, which is charged', async () => {
    const caller = await shared.service.caller('free');
    const games = await caller.get('/v1/games');
    const unquoted = String(games.headers.etag).replaceAll('"', '');
    let remaining = remainingOf(games);
    for (const header of ['"x"', 'x', '', '*', '"x", *', unquoted]) {
      const answer = await caller.get('/v1/games', { 'if-none-match': header });
      bodyOf(answer);
      remaining -= 1;
      assert.equal(remainingOf(answer), remaining, header);
    }
    bodyOf(await caller.get('/v1/sets', { 'if-none-match': String(games.headers.etag) }));
  });

  it('never makes an error a 304', async () => {
    const caller = await shared.service.caller('free');
    const headers = { 'if-none-match': '*' };
    assert.equal((await caller.get('/v1/cards/x', headers)).statusCode, 404);
    assert.equal((await shared.service.get('/v1/games', headers)).statusCode, 401);
    await caller.spend(199);
    assert.equal((await caller.get('/v1/games', headers)).statusCode, 429);
  });
});

describe('CORS', () => {
  const shared = shareService('SQLite');
  const SHOP = 'https://shop.example';
  const preflight = { 'access-control-request-method': 'GET', origin: SHOP };
  let open: Service;
  before(async () => {
    open = await shared.service.another(shared.location, { corsOrigins: [SHOP] });
  });
  after(() => open.close());

  const corsHeaders = ({ headers }: LightMyRequestResponse) =>
    Object.keys(headers).filter((name) => name.startsWith('access-control-'));

  it('is off by default', async () => {
    const caller = await shared.service.caller('free');
    assert.deepEqual(corsHeaders(await caller.get('/v1/games', { origin: SHOP })), []);
    const asked = await caller.send('OPTIONS', '/v1/games', preflight);
    assert.equal(asked.statusCode, 405);
    assert.deepEqual(corsHeaders(asked), []);
  });

  it('allows the pages of a named origin to call and to read the headers', async () => {
    const caller = (await shared.service.caller('free')).at(open);
    for (const path of ['/v1/games', '/v1/cards/x', '/v1/nothing']) {
      const { headers } = await caller.get(path, { origin: SHOP });
      assert.equal(headers['access-control-allow-origin'], SHOP);
      assert.equal(headers['access-control-allow-credentials'], undefined);
      const exposed = String(headers['access-control-expose-headers']).split(', ');
      for (const name of ['X-RateLimit-Remaining', 'RateLimit', 'RateLimit-Policy', 'Publication'])
        assert.ok(exposed.includes(name));
      assert.equal(headers.vary, `Origin, ${VARY}`);
    }
  });

  it('needs no key in a preflight, and does not charge it', async () => {
    for (const path of ['/v1/games', '/v1/cards/batch', '/v1/nothing']) {
      const answer = await open.app.inject({ method: 'OPTIONS', url: path, headers: preflight });
      assert.equal(answer.statusCode, 204);
      assert.equal(answer.headers['access-control-max-age'], '7200');
      assert.equal(answer.headers['access-control-allow-origin'], SHOP);
      const allowed = String(answer.headers['access-control-allow-headers']).split(', ');
      for (const name of ['X-API-Key', 'Authorization', 'If-Publication-At-Least'])
        assert.ok(allowed.includes(name));
    }
  });

  it('allows no other origin', async () => {
    const caller = (await shared.service.caller('free')).at(open);
    for (const origin of ['https://evil.example', 'null', `${SHOP}.evil.example`]) {
      const answer = await caller.get('/v1/games', { origin });
      assert.equal(answer.headers['access-control-allow-origin'], undefined);
      assert.equal(answer.headers.vary, `Origin, ${VARY}`);
    }
  });
});
