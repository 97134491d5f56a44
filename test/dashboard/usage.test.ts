import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Static } from 'typebox';
import type { RequestsView, UsageView } from '../../src/dashboard/views.ts';
import { DEFAULT_PLANS } from '../../src/domain/plans.ts';
import { bodyOf, errorOf } from '../http/expect.ts';
import { type Service, shareService } from '../support/app.ts';
import { forEachEngine } from '../support/engines.ts';

const CHARIZARD = '/v1/cards/pokemon-bs-charizard-004';

/** Somebody with a session and a key. */
async function member(service: Service, plan: 'free' | 'trader' = 'free') {
  const browser = await service.signedInBrowser(plan);
  const { key } = await service.keys.create(browser.email);
  const ask = (url: string, headers = {}, method: 'GET' | 'HEAD' | 'POST' | 'DELETE' = 'GET') =>
    service.app.inject({ method, url, headers: { 'x-api-key': key, ...headers } });
  const usage = async () => {
    await service.usageRecorder.write();
    const answer = await browser.get('/dashboard/usage');
    return bodyOf<{ data: Static<typeof UsageView> }>(answer).data;
  };
  return { browser, ask, usage };
}

forEachEngine((label) => {
  const shared = shareService(label);

  it('Requests with a key are counted by endpoint and status class', async () => {
    const { ask, usage } = await member(shared.service);
    await ask('/v1/games');
    await ask('/v1/games?api_key=x');
    await ask('/v1/games', {}, 'HEAD');
    await ask('/v1/games', { 'if-none-match': await shared.service.etagOf('/v1/games') });
    await ask(CHARIZARD);
    await ask('/v1/cards/x');
    await ask(`${CHARIZARD}/history`);
    await ask('/v1/search?limit=0');
    await ask('/v1/nothing');
    await ask('/v1/games', {}, 'DELETE');
    const { days, limits: _, ...today } = await usage();
    assert.deepEqual(days.at(-1), {
      date: '2026-01-29',
      requests: [
        { endpoint: 'GET /v1/cards/{id}', statusClass: 2, count: 1 },
        { endpoint: 'GET /v1/cards/{id}', statusClass: 4, count: 1 },
        { endpoint: 'GET /v1/cards/{id}/history', statusClass: 4, count: 1 },
        { endpoint: 'GET /v1/games', statusClass: 2, count: 3 },
        { endpoint: 'GET /v1/games', statusClass: 3, count: 1 },
        { endpoint: 'GET /v1/search', statusClass: 4, count: 1 },
        { endpoint: 'other', statusClass: 4, count: 2 },
      ],
    });
    assert.equal(days.length, 30);
    assert.deepEqual(today, {
      limit: 200,
      used: 8,
      remaining: 192,
      resetAt: '2026-01-30T00:00:00Z',
      now: '2026-01-29T12:00:00Z',
    });
  });

  it('Requests with a key are listed with their ids, and counted by endpoint and error', async () => {
    const { ask, browser, usage } = await member(shared.service);
    const ids: string[] = [];
    for (const url of ['/v1/games?secret=words', CHARIZARD, `${CHARIZARD}/history`, '/v1/x/y']) {
      shared.service.now += 1;
      ids.unshift(String((await ask(url)).headers['x-request-id']));
    }
    await usage();
    const { data } = bodyOf<{ data: Static<typeof RequestsView> }>(
      await browser.get('/dashboard/requests'),
    );
    assert.deepEqual(
      data.recent.map(({ requestId }) => requestId),
      ids,
    );
    assert.deepEqual(
      data.recent.map(({ endpoint, status, code, keyName }) => [endpoint, status, code, keyName]),
      [
        ['other', 404, 'NOT_FOUND', 'default'],
        ['GET /v1/cards/{id}/history', 403, 'PLAN_RESTRICTION', 'default'],
        ['GET /v1/cards/{id}', 200, null, 'default'],
        ['GET /v1/games', 200, null, 'default'],
      ],
    );
    assert.deepEqual(
      data.counts.map(({ endpoint, code, count }) => [endpoint, code, count]),
      [
        ['GET /v1/cards/{id}', null, 1],
        ['GET /v1/cards/{id}/history', 'PLAN_RESTRICTION', 1],
        ['GET /v1/games', null, 1],
        ['other', 'NOT_FOUND', 1],
      ],
    );
    assert.doesNotMatch(JSON.stringify(data), /secret|words|charizard|127\.0/);
    const other = await member(shared.service);
    assert.deepEqual(bodyOf(await other.browser.get('/dashboard/requests')), {
      data: { counts: [], recent: [] },
    });
  });

  it('An account sees its limits: its own, otherwise those of its plan', async () => {
    const { browser, usage } = await member(shared.service, 'trader');
    const burst = { requests: 3, seconds: 1 };
    await shared.service.accounts.setLimits(browser.email, { burst, historyDays: 90 });
    const { limits } = await usage();
    assert.deepEqual([limits.burst, limits.keyBurst, limits.historyDays], [burst, null, 90]);
    assert.ok(limits.features.includes('history'));
  });

  it('An operator sees the limits of the own plan, although no session of operators has limits', async () => {
    const browser = await shared.service.signedInBrowser('free');
    await shared.service.accounts.setOperator(browser.email, true);
    const answer = await browser.get('/dashboard/usage');
    const { limits } = bodyOf<{ data: Static<typeof UsageView> }>(answer).data;
    const plan = DEFAULT_PLANS.find(({ name }) => name === 'free');
    assert.deepEqual(limits.features, plan?.features);
  });

  it('Requests over the quota and internal errors are counted as well', async () => {
    const history = () => Promise.reject(new Error('the disk is gone'));
    const service = await shared.service.another(shared.location, { history });
    const { ask, usage } = await member(service, 'trader');
    assert.equal((await ask(`${CHARIZARD}/history`)).statusCode, 500);
    const free = await member(service);
    await Promise.all(Array.from({ length: 203 }, () => free.ask('/v1/games')));
    const [failed] = (await usage()).days.at(-1)?.requests ?? [];
    assert.deepEqual([failed?.statusClass, failed?.count], [5, 1]);
    const { days, used, remaining } = await free.usage();
    assert.deepEqual(days.at(-1)?.requests, [
      { endpoint: 'GET /v1/games', statusClass: 2, count: 200 },
      { endpoint: 'GET /v1/games', statusClass: 4, count: 3 },
    ]);
    assert.deepEqual([used, remaining], [200, 0]);
    const { counts } = bodyOf<{ data: Static<typeof RequestsView> }>(
      await free.browser.get('/dashboard/requests'),
    ).data;
    assert.deepEqual(
      counts.map(({ code, count }) => [code, count]),
      [
        [null, 200],
        ['RATE_LIMIT_EXCEEDED', 3],
      ],
    );
    await service.close();
  });

  it('Requests without a valid key are not counted', async () => {
    const { usage } = await member(shared.service);
    errorOf(await shared.service.get('/v1/games'), 'MISSING_API_KEY');
    errorOf(await shared.service.get('/v1/games', { 'x-api-key': 'x' }), 'INVALID_API_KEY');
    assert.deepEqual((await usage()).days.at(-1)?.requests, []);
  });

  it('Calls of the dashboard cost no quota and are not counted', async () => {
    const { browser, usage } = await member(shared.service, 'trader');
    for (const path of [
      '/v1/search?q=charizard',
      '/v1/games',
      CHARIZARD,
      `${CHARIZARD}/history`,
      '/usage',
      '/keys',
      '/session',
      '/v1/rarities?game=pokemon',
    ]) {
      bodyOf(await browser.get(`/dashboard${path}`));
    }
    const { used, days } = await usage();
    assert.equal(used, 0);
    assert.deepEqual(days.at(-1)?.requests, []);
  });
});
