import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import pino from 'pino';
import { createApiKey } from '../../src/accounts/keys/api-key.ts';
import { shareService } from '../support/app.ts';
import { requests } from '../support/log-lines.ts';
import { assertCommonHeaders, bodyOf, errorOf, remainingOf } from './expect.ts';

const { debug, info } = pino.levels.values;

describe('The burst limit of an API key', () => {
  const shared = shareService('SQLite', { keyBurst: { requests: 5, seconds: 10 } });

  it('counts answers that cost no quota, without any limit of the plan', async () => {
    const caller = await shared.service.caller('business');
    const headers = { 'if-none-match': await shared.service.etagOf('/v1/games') };
    for (let count = 0; count < 5; count += 1) {
      assert.equal((await caller.get('/v1/games', headers)).statusCode, 304);
    }
    const refused = await caller.get('/v1/games', headers);
    const { message } = errorOf(refused, 'RATE_LIMIT_EXCEEDED');
    assert.equal(message, 'Too fast: an API key may send 5 request(s) within 10 s.');
    assert.equal(refused.headers['retry-after'], '2');
    assert.equal(remainingOf(refused), 100_000);
    // A part of a second is a whole one, or the retry would come too early.
    shared.service.now += 500;
    assert.equal((await caller.get('/v1/games', headers)).headers['retry-after'], '2');
    shared.service.now += 1500;
    assert.equal((await caller.get('/v1/games', headers)).statusCode, 304);
    errorOf(await caller.get('/v1/games', headers), 'RATE_LIMIT_EXCEEDED');
  });

  it('counts a request of many items as many', async () => {
    const caller = await shared.service.caller('business');
    const items = Array(100).fill('charizard');
    bodyOf(await caller.post('/v1/resolve', { items }));
    errorOf(await caller.get('/v1/games'), 'RATE_LIMIT_EXCEEDED');
  });

  it('counts a request of 21 items as two, the request itself included', async () => {
    const caller = await shared.service.caller('business');
    bodyOf(await caller.post('/v1/resolve', { items: Array(21).fill('charizard') }));
    for (let more = 0; more < 3; more += 1) bodyOf(await caller.get('/v1/games'));
    errorOf(await caller.get('/v1/games'), 'RATE_LIMIT_EXCEEDED');
  });

  it('applies to each key separately', async () => {
    const [one, other] = [await shared.service.caller(), await shared.service.caller()];
    for (let count = 0; count < 5; count += 1) bodyOf(await one.get('/v1/games'));
    errorOf(await one.get('/v1/games'), 'RATE_LIMIT_EXCEEDED');
    bodyOf(await other.get('/v1/games'));
  });
});

describe('The burst limit of a network address', () => {
  const shared = shareService('SQLite', { addressBurst: { requests: 5, seconds: 10 } });

  const ask = (remoteAddress: string, url = '/v1/games', headers = {}) =>
    shared.service.app.inject({ url, remoteAddress, headers });

  it('also counts requests without a valid key and requests of pages', async () => {
    const address = '203.0.113.1';
    errorOf(await ask(address), 'MISSING_API_KEY');
    errorOf(await ask(address, '/v1/games', { 'x-api-key': createApiKey() }), 'INVALID_API_KEY');
    assert.equal((await ask(address, '/dashboard/session')).statusCode, 200);
    assert.equal((await ask(address, '/docs')).statusCode, 200);
    errorOf(await ask(address, '/nothing'), 'NOT_FOUND');
    const refused = await ask(address);
    const { message } = errorOf(refused, 'RATE_LIMIT_EXCEEDED');
    assert.equal(message, 'Too fast: a network address may send 5 request(s) within 10 s.');
    assert.equal(refused.headers['retry-after'], '2');
    assertCommonHeaders(refused);
    for (const url of ['/dashboard/session', '/docs', '/assets/app-4f2a.js', '/nothing']) {
      errorOf(await ask(address, url), 'RATE_LIMIT_EXCEEDED');
    }
    assert.equal((await ask(address, '/healthz')).statusCode, 200);
    errorOf(await ask('203.0.113.2'), 'MISSING_API_KEY');
  });

  it('logs a bounded number of a flood, counts the rest, and leaves room for others', async () => {
    const service = await shared.service.another(shared.location, {
      addressBurst: { requests: 1, seconds: 10 },
    });
    const send = (remoteAddress: string) => service.app.inject({ url: '/v1/games', remoteAddress });
    for (let count = 0; count < 151; count += 1) await send('203.0.113.1');
    await send('203.0.113.2');
    await service.close();
    const lines = requests(service.log);
    const logged = lines.filter(({ status, level }) => status === 429 && level === info).length;
    assert.ok(logged >= 100 && logged < 150, `${logged} lines`);
    assert.equal(lines.filter(({ level }) => level === debug).length, 150 - logged);
    assert.deepEqual([lines.at(-1)?.status, lines.at(-1)?.level], [401, info]);
    const rest = service.log
      .map((line) => JSON.parse(line))
      .find(({ msg }) => msg === 'lines were left out of the log');
    assert.equal(rest?.lines, 150 - logged);
  });

  it('counts the addresses of one IPv6 network together', async () => {
    for (let host = 1; host <= 5; host += 1) {
      errorOf(await ask(`2001:db8:0:1::${host}`), 'MISSING_API_KEY');
    }
    errorOf(await ask('2001:db8:0:1:ffff::1'), 'RATE_LIMIT_EXCEEDED');
    errorOf(await ask('2001:db9:0:1::1'), 'MISSING_API_KEY');
    for (let count = 0; count < 5; count += 1) {
      errorOf(await ask('::ffff:203.0.113.9'), 'MISSING_API_KEY');
    }
    errorOf(await ask('203.0.113.9'), 'RATE_LIMIT_EXCEEDED');
  });

  it('believes the proxy only where it is trusted', async () => {
    const trusting = await shared.service.another(shared.location, {
      addressBurst: { requests: 5, seconds: 10 },
      trustProxy: ['203.0.113.4'],
    });
    for (let host = 0; host < 20; host += 1) {
      const headers = { 'x-forwarded-for': `198.51.100.${host}` };
      const sent = { url: '/v1/games', remoteAddress: '203.0.113.4', headers };
      errorOf(await trusting.app.inject(sent), 'MISSING_API_KEY');
      const answer = await shared.service.app.inject(sent);
      errorOf(answer, host < 5 ? 'MISSING_API_KEY' : 'RATE_LIMIT_EXCEEDED');
    }
    await trusting.close();
  });
});
