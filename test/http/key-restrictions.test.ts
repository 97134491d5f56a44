import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { LightMyRequestResponse } from 'fastify';
import type { KeyOptions } from '../../src/accounts/keys/account-keys.ts';
import { hashApiKey } from '../../src/accounts/keys/api-key.ts';
import { ENDPOINTS } from '../../src/http/v1/routes.ts';
import { shareService } from '../support/app.ts';
import { forEachEngine } from '../support/engines.ts';
import { bodyOf, errorOf, remainingOf } from './expect.ts';

const CARD = 'pokemon-bs-charizard-004';

forEachEngine((label) => {
  const shared = shareService(label);

  /** A caller of the plan Trader, whose key may do less than the account. */
  async function restricted(options: KeyOptions) {
    const caller = await shared.service.caller('trader');
    const { key } = await shared.service.keys.create(caller.email, options);
    return { ...caller, key, caller };
  }

  function get(url: string, headers: Record<string, string>, remoteAddress = '203.0.113.7') {
    return shared.service.app.inject({ url, headers, remoteAddress });
  }

  describe('The scopes of a key', () => {
    const post = (path: string, key: string, body: object): Promise<LightMyRequestResponse> =>
      shared.service.app.inject({
        method: 'POST',
        url: path,
        headers: { 'x-api-key': key, 'content-type': 'application/json' },
        payload: JSON.stringify(body),
      });

    it('decide which endpoints it may ask', async () => {
      const read = await restricted({ scopes: ['read'] });
      const bulk = await restricted({ scopes: ['bulk'] });
      const bodies = { '/v1/cards/batch': { ids: [CARD] }, '/v1/resolve': { items: ['Pikachu'] } };
      for (const [path, body] of Object.entries(bodies)) {
        bodyOf(await post(path, bulk.key, body));
        const { message } = errorOf(await post(path, read.key, body), 'KEY_RESTRICTION');
        assert.equal(message, 'This request needs the scope "bulk", which the key does not have.');
      }
      for (const path of ['games', 'sets', 'search?q=pikachu', `cards/${CARD}/history`]) {
        bodyOf(await get(`/v1/${path}`, { 'x-api-key': read.key }));
        errorOf(await get(`/v1/${path}`, { 'x-api-key': bulk.key }), 'KEY_RESTRICTION');
      }
    });

    it('allow nothing once none of them exists', async () => {
      const { key, caller } = await restricted({ scopes: ['read'] });
      const none = { scopes: ['charts'], dailyRequests: null, addresses: null, inQuery: true };
      await shared.service.store.accounts.db
        .updateTable('api_keys')
        .set({ restrictions: JSON.stringify(none) })
        .where('hash', '=', hashApiKey(key))
        .execute();
      const [listed] = (await shared.service.keys.list(caller.email)).slice(-1);
      assert.deepEqual(listed?.scopes, []);
      for (const { method, path } of ENDPOINTS) {
        const headers = { 'x-api-key': key };
        const refused = await shared.service.app.inject({ method, url: path, headers });
        errorOf(refused, 'KEY_RESTRICTION');
      }
    });

    it('cost nothing where they refuse, and are checked before the plan', async () => {
      const { key, caller } = await restricted({ scopes: ['bulk'] });
      await shared.service.accounts.setPlan(caller.email, 'free');
      const refused = await get(`/v1/cards/${CARD}/history`, { 'x-api-key': key });
      errorOf(refused, 'KEY_RESTRICTION');
      assert.equal(remainingOf(refused), 200);
      errorOf(await get('/v1/nothing', { 'x-api-key': key }), 'NOT_FOUND');
    });
  });

  describe('The addresses of a key', () => {
    it('decide from where it works', async () => {
      const { key } = await restricted({ addresses: ['203.0.113.0/24', '2001:db8::/32'] });
      const headers = { 'x-api-key': key };
      for (const address of ['203.0.113.7', '::ffff:203.0.113.8', '2001:db8::1']) {
        bodyOf(await get('/v1/games', headers, address));
      }
      for (const address of ['203.0.114.7', '::1', '2001:db9::1']) {
        const { message } = errorOf(await get('/v1/games', headers, address), 'KEY_RESTRICTION');
        assert.equal(message, 'This key does not work from here.');
      }
      const forwarded = { ...headers, 'x-forwarded-for': '203.0.113.7' };
      errorOf(await get('/v1/games', forwarded, '192.0.2.1'), 'KEY_RESTRICTION');
    });

    it('are those that a trusted proxy reports', async () => {
      const proxied = await shared.service.another(shared.location, { trustProxy: ['10.0.0.1'] });
      const { key } = await restricted({ addresses: ['203.0.113.7'] });
      const ask = (forwarded: string) =>
        proxied.app.inject({
          url: '/v1/games',
          remoteAddress: '10.0.0.1',
          headers: { 'x-api-key': key, 'x-forwarded-for': forwarded },
        });
      bodyOf(await ask('203.0.113.7'));
      bodyOf(await ask('192.0.2.1, 203.0.113.7'));
      errorOf(await ask('203.0.113.7, 192.0.2.1'), 'KEY_RESTRICTION');
      await proxied.close();
    });
  });

  describe('The limit of a key', () => {
    it('is exact, and a 429 says when it resets', async () => {
      const { key } = await restricted({ dailyRequests: 3 });
      const headers = { 'x-api-key': key };
      const answers = await Promise.all(Array.from({ length: 8 }, () => get('/v1/games', headers)));
      assert.equal(answers.filter(({ statusCode }) => statusCode === 200).length, 3);
      const refused = await get('/v1/games', headers);
      const { message } = errorOf(refused, 'RATE_LIMIT_EXCEEDED');
      assert.equal(
        message,
        'The limit of 3 requests a day of this key is used up. It resets at midnight UTC.',
      );
      assert.equal(refused.headers['retry-after'], String(12 * 3600));
      assert.equal(refused.headers['x-ratelimit-limit'], '10000');
      assert.equal(remainingOf(refused), 9997, 'the quota is that of the account');
    });

    it('refuses an answer that costs more than is left of it before it is made', async () => {
      const { key } = await restricted({ dailyRequests: 2 });
      const items = Array.from({ length: 60 }, () => 'Charizard');
      const answer = await shared.service.app.inject({
        method: 'POST',
        url: '/v1/resolve',
        headers: { 'x-api-key': key, 'content-type': 'application/json' },
        payload: JSON.stringify({ items }),
      });
      const { message } = errorOf(answer, 'RATE_LIMIT_EXCEEDED');
      assert.match(message, /^This costs 3 requests, and fewer are left of the limit of 2 /);
      bodyOf(await get('/v1/games', { 'x-api-key': key }));
    });
  });

  describe('The query', () => {
    it('can be closed for one key', async () => {
      const { key, caller } = await restricted({ inQuery: false });
      bodyOf(await get('/v1/games', { 'x-api-key': key }));
      bodyOf(await get(`/v1/games?api_key=${key}`, { 'x-api-key': key }));
      const { message } = errorOf(await get(`/v1/games?api_key=${key}`, {}), 'KEY_RESTRICTION');
      assert.equal(message, 'This key works in the X-API-Key header only, not in the query.');
      bodyOf(await get(`/v1/games?api_key=${caller.key}`, {}));
    });

    it('can be closed for all keys, and the answer says to use the header', async () => {
      const strict = await shared.service.another(shared.location, { queryKeys: false });
      const { key } = await shared.service.caller();
      const { message } = errorOf(
        await strict.app.inject(`/v1/games?api_key=${key}`),
        'MISSING_API_KEY',
      );
      assert.match(message, /Send it in the X-API-Key header: it is not taken from the query/);
      bodyOf(await strict.get(`/v1/games?api_key=${key}`, { 'x-api-key': key }));
      await strict.close();
    });
  });
});
