import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createApiKey } from '../../src/accounts/keys/api-key.ts';
import { ENDPOINTS } from '../../src/http/v1/routes.ts';
import { type Caller, shareService } from '../support/app.ts';
import { bodyOf, errorOf, remainingOf } from './expect.ts';

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;
const CHARIZARD = 'pokemon-bs-charizard-004';
const JSON_TYPE = { 'content-type': 'application/json' };

describe('Paths and methods', () => {
  const shared = shareService('SQLite');

  it('answer 404 for an unknown path, and name it without its query', async () => {
    const caller = await shared.service.caller('free');
    for (const path of ['/v1', '/v1/', '/v1/card', '/v1/search/', '/v1/cards/a/b/c', '/v1/Games']) {
      const { message } = errorOf(await caller.get(`${path}?secret=1`), 'NOT_FOUND');
      assert.equal(message, `There is nothing at ${path}. See /docs for the endpoints.`);
    }
  });

  it('answer 404 for any body that is sent to an unknown path', async () => {
    const caller = await shared.service.caller('free');
    errorOf(await caller.send('POST', '/v1/nothing', JSON_TYPE, '{'), 'NOT_FOUND');
    errorOf(await caller.send('PUT', '/v1/nothing', {}, 'x'.repeat(100_000)), 'NOT_FOUND');
  });

  it('answer 405 for the other methods of an endpoint, and list those it has', async () => {
    const caller = await shared.service.caller('trader');
    for (const [path, all] of Map.groupBy(ENDPOINTS, (endpoint) => endpoint.path)) {
      const allowed: readonly string[] = all.flatMap(({ method }) => {
        return method === 'GET' ? ['GET', 'HEAD'] : [method];
      });
      for (const other of METHODS.filter((name) => name !== 'HEAD' && !allowed.includes(name))) {
        const answer = await caller.send(other, path.replace(':id', CHARIZARD));
        const { message } = errorOf(answer, 'METHOD_NOT_ALLOWED');
        const template = path.replace(/:(\w+)/g, '{$1}');
        assert.equal(
          message,
          `${other} is not allowed for ${template}; allowed: ${allowed.join(', ')}.`,
        );
        assert.equal(answer.headers.allow, allowed.join(', '));
      }
    }
  });

  it('answer 405 for any body that is sent with another method', async () => {
    const caller = await shared.service.caller('free');
    for (const [headers, body] of [
      [JSON_TYPE, '{'],
      [JSON_TYPE, 'x'.repeat(100_000)],
      [{ 'content-type': 'application/xml' }, '<a/>'],
    ] as const) {
      errorOf(await caller.send('POST', '/v1/search?q=', headers, body), 'METHOD_NOT_ALLOWED');
    }
  });

  it('answer 404 without a key outside of /v1 only', async () => {
    errorOf(await shared.service.get('/v2/games'), 'NOT_FOUND');
    errorOf(await shared.service.get('/v1/nothing'), 'MISSING_API_KEY');
    errorOf(await shared.service.get('/v1'), 'MISSING_API_KEY');
  });
});

describe('HEAD', () => {
  const shared = shareService('SQLite');

  it('answers like GET without the body, and costs the same', async () => {
    const caller = await shared.service.caller('free');
    for (const path of ['/v1/games', '/v1/sets', '/v1/search?q=a', `/v1/cards/${CHARIZARD}`]) {
      const got = await caller.get(path);
      const head = await caller.send('HEAD', path);
      assert.equal(head.statusCode, 200);
      assert.equal(head.body, '');
      assert.equal(head.headers.etag, got.headers.etag);
      assert.equal(head.headers['content-length'], got.headers['content-length']);
      assert.equal(remainingOf(head), remainingOf(got) - 1);
    }
  });

  it('has the status of errors too', async () => {
    const caller = await shared.service.caller('free');
    assert.equal((await caller.send('HEAD', '/v1/cards/no-such-card')).statusCode, 404);
    assert.equal((await caller.send('HEAD', '/v1/cards/batch')).statusCode, 405);
    assert.equal((await shared.service.app.inject({ method: 'HEAD', url: '/v1' })).statusCode, 401);
  });
});

describe('The order of checks', () => {
  const shared = shareService('SQLite');
  const HISTORY = '/v1/cards/no-such-card/history?period=x';

  const usedUp = async (plan: 'free' | 'trader', quota: number): Promise<Caller> => {
    const caller = await shared.service.caller(plan);
    await caller.spend(quota);
    return caller;
  };

  it('is key, plan, quota, parameters, lookup', async () => {
    errorOf(await shared.service.get(HISTORY), 'MISSING_API_KEY');
    errorOf(await shared.service.get(HISTORY, { 'x-api-key': 'x' }), 'INVALID_API_KEY');
    const free = await usedUp('free', 200);
    errorOf(await free.get(HISTORY), 'PLAN_RESTRICTION');
    const trader = await usedUp('trader', 10_000);
    errorOf(await trader.get(HISTORY), 'RATE_LIMIT_EXCEEDED');
    const caller = await shared.service.caller('trader');
    errorOf(await caller.get(HISTORY), 'INVALID_PARAMETER');
    errorOf(await caller.get('/v1/cards/no-such-card/history'), 'CARD_NOT_FOUND');
  });

  it('checks key, plan and quota before the body', async () => {
    const { app } = shared.service;
    const url = '/v1/cards/batch';
    const payload = 'x'.repeat(100_000);
    for (const headers of [JSON_TYPE, { 'content-type': 'text/plain' }, {}]) {
      errorOf(await app.inject({ method: 'POST', url, headers, payload }), 'MISSING_API_KEY');
      const free = await shared.service.caller('free');
      errorOf(await free.send('POST', url, headers, payload), 'PLAN_RESTRICTION');
      const trader = await usedUp('trader', 10_000);
      errorOf(await trader.send('POST', url, headers, payload), 'RATE_LIMIT_EXCEEDED');
    }
  });

  it('checks key and quota before an unknown path and a wrong method', async () => {
    const { app } = shared.service;
    const free = await usedUp('free', 200);
    for (const [method, url] of [
      ['GET', '/v1/nothing'],
      ['DELETE', '/v1/games'],
    ] as const) {
      errorOf(await app.inject({ method, url }), 'MISSING_API_KEY');
      errorOf(await free.send(method, url), 'RATE_LIMIT_EXCEEDED');
    }
  });
});

describe('A key is sent', () => {
  const shared = shareService('SQLite');
  const get = (url: string, headers = {}) => shared.service.get(url, headers);

  it('in the header or in the query', async () => {
    const { key } = await shared.service.caller('free');
    bodyOf(await get('/v1/games', { 'x-api-key': key }));
    bodyOf(await get('/v1/games', { 'X-API-KEY': key }));
    bodyOf(await get(`/v1/games?api_key=${key}`));
    bodyOf(await get(`/v1/search?q=a&api_key=${encodeURIComponent(key)}`));
  });

  it('as a bearer token', async () => {
    const { key } = await shared.service.caller('free');
    for (const authorization of [`Bearer ${key}`, `bearer  ${key}`]) {
      bodyOf(await get('/v1/games', { authorization }));
    }
    errorOf(await get('/v1/games', { authorization: 'Bearer x' }), 'INVALID_API_KEY');
  });

  it('as a bearer token and otherwise, and then X-API-Key wins, and the token over the query', async () => {
    const { key } = await shared.service.caller('free');
    const token = { authorization: `Bearer ${key}` };
    bodyOf(await get('/v1/games', { 'x-api-key': key, authorization: 'Bearer x' }));
    bodyOf(await get('/v1/games', { 'x-api-key': '', ...token }));
    bodyOf(await get('/v1/games?api_key=x', token));
    errorOf(await get('/v1/games', { 'x-api-key': 'x', ...token }), 'INVALID_API_KEY');
    errorOf(
      await get(`/v1/games?api_key=${key}`, { authorization: 'Bearer x' }),
      'INVALID_API_KEY',
    );
  });

  it('in both, and then the header wins', async () => {
    const { key } = await shared.service.caller('free');
    bodyOf(await get('/v1/games?api_key=x', { 'x-api-key': key }));
    bodyOf(await get('/v1/games?api_key=x&api_key=y', { 'x-api-key': key }));
    errorOf(await get(`/v1/games?api_key=${key}`, { 'x-api-key': 'x' }), 'INVALID_API_KEY');
    bodyOf(await get(`/v1/games?api_key=${key}`, { 'x-api-key': '' }));
  });

  it('nowhere, which is the error of a missing key', async () => {
    for (const url of [
      '/v1/games',
      '/v1/games?api_key=',
      '/v1/games?apikey=x',
      '/v1/games?API_KEY=x',
    ]) {
      const { message } = errorOf(await get(url), 'MISSING_API_KEY');
      assert.equal(message, 'An API key is required. Send it in the X-API-Key header.');
    }
    errorOf(await get('/v1/games', { 'x-api-key': '' }), 'MISSING_API_KEY');
    for (const authorization of ['', 'Bearer', 'Bearer ', 'Basic eDp5', 'Bearer x y']) {
      errorOf(await get('/v1/games', { authorization }), 'MISSING_API_KEY');
    }
  });

  it('twice, which is the error of an invalid key', async () => {
    const { key } = await shared.service.caller('free');
    errorOf(await get(`/v1/games?api_key=${key}&api_key=${key}`), 'INVALID_API_KEY');
    errorOf(await get('/v1/games', { 'x-api-key': `${key}, ${key}` }), 'INVALID_API_KEY');
  });

  it('as a text that is not a key, which is the error of an invalid key', async () => {
    const { key } = await shared.service.caller('free');
    const wrong = [
      'x',
      `${key}x`,
      key.slice(1),
      key.toUpperCase(),
      `${key} ${key}`,
      createApiKey(),
    ];
    for (const text of [...wrong, 'x'.repeat(10_000), "' or 1=1 --", '__proto__']) {
      const { message } = errorOf(await get('/v1/games', { 'x-api-key': text }), 'INVALID_API_KEY');
      assert.equal(message, 'The API key is invalid or expired.');
      errorOf(await get(`/v1/games?api_key=${encodeURIComponent(text)}`), 'INVALID_API_KEY');
    }
    for (const text of [`%20${key}`, `${key}%00`, `%zz`, '%ED%A0%80']) {
      errorOf(await get(`/v1/games?api_key=${text}`), 'INVALID_API_KEY');
    }
  });
});

describe('The second form of the 401', () => {
  const shared = shareService('SQLite', { authErrors: 'unauthorized' });

  it('has the code unauthorized and no status', async () => {
    for (const [headers, message] of [
      [{}, 'An API key is required. Send it in the X-API-Key header.'],
      [{ 'x-api-key': 'x' }, 'The API key is invalid or expired.'],
    ] as const) {
      const body = bodyOf(await shared.service.get('/v1/games', headers), 401);
      assert.deepEqual(body, { error: { code: 'unauthorized', message } });
    }
  });

  it('leaves all other errors as they are', async () => {
    const caller = await shared.service.caller('free');
    errorOf(await caller.get('/v1/cards/x'), 'CARD_NOT_FOUND');
    errorOf(await caller.get('/v1/cards/x/history'), 'PLAN_RESTRICTION');
    await caller.spend(200);
    errorOf(await caller.get('/v1/games'), 'RATE_LIMIT_EXCEEDED');
  });
});

describe('An API key never appears', () => {
  const shared = shareService('SQLite');

  it('in an error or a log, wherever it was sent', async () => {
    const { service } = shared;
    const { key } = await service.caller('free');
    const secret = key.slice(10, 40);
    const answers = [
      await service.get(`/v1/games?api_key=${key}`),
      await service.get(`/v1/nothing?api_key=${key}`),
      await service.get(`/v1/games?api_key=${key}x`),
      await service.get(`/v2?api_key=${key}`),
      await service.get(`/v1/search?limit=${key}&api_key=${key}`),
      await service.get(`/v1/cards/${key}?api_key=${key}`),
      await service.get(`/v1/${key}/%zz?api_key=${key}`),
      await service.get(`/v1/cards/x?api_key=%zz${key}`, { 'x-api-key': key }),
      await service.get('/v1/cards/x/history', { 'x-api-key': key, referer: `/?api_key=${key}` }),
    ];
    for (const { body, headers } of answers) {
      assert.ok(!body.includes(secret), body);
      assert.ok(!JSON.stringify(headers).includes(secret));
    }
    const log = service.log.join('');
    assert.ok(service.log.length >= answers.length);
    assert.ok(!log.includes(secret), log);
    assert.ok(!log.includes('api_key'));
  });
});
