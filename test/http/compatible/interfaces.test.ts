import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { LightMyRequestResponse } from 'fastify';
import { shareService } from '../../support/app.ts';
import { bodyOf } from '../expect.ts';

const TCGPRICELOOKUP = '/compatible/tcgpricelookup/v1';

/** Returns the sentence of a refused request, in the hosted service's form. */
function sentence(answer: LightMyRequestResponse, status: number): string {
  const { error, ...others } = bodyOf<{ error: string }>(answer, status);
  assert.deepEqual(others, {});
  assert.match(error, /^\S.*\.$/);
  return error;
}

describe('compatible addresses', () => {
  const shared = shareService('SQLite', {
    corsOrigins: ['https://shop.example'],
    keyBurst: { requests: 20, seconds: 60 },
  });

  it('require an API key, also for unknown paths', async () => {
    for (const path of ['/games', '/nothing', '']) {
      const missing = await shared.service.get(TCGPRICELOOKUP + path);
      assert.equal(
        sentence(missing, 401),
        'An API key is required. Send it in the X-API-Key header.',
      );
      assert.equal(missing.headers['x-ratelimit-limit'], '0');
      sentence(await shared.service.get(TCGPRICELOOKUP + path, { 'x-api-key': 'x' }), 401);
    }
  });

  it('charge the same quota as /v1, and refuse requests beyond it', async () => {
    const caller = await shared.service.caller('free');
    const first = await caller.get(`${TCGPRICELOOKUP}/games`);
    assert.equal(first.headers['x-ratelimit-limit'], '200');
    assert.equal(first.headers['x-ratelimit-remaining'], '199');
    const unknown = await caller.get(`${TCGPRICELOOKUP}/nothing`);
    assert.match(sentence(unknown, 404), /nothing at \/compatible\/tcgpricelookup\/v1\/nothing/);
    assert.equal(unknown.headers['x-ratelimit-remaining'], '198');
    assert.equal((await caller.get('/v1/games')).headers['x-ratelimit-remaining'], '197');
    await caller.spend(197);
    for (const path of ['/games', '/sets?limit=3', '/nothing']) {
      const refused = await caller.get(TCGPRICELOOKUP + path);
      assert.match(sentence(refused, 429), /daily quota of 200 requests is used up/);
      assert.equal(refused.headers['x-ratelimit-remaining'], '0');
    }
  });

  it('refuse a charge that exceeds the quota, in their own form', async () => {
    const caller = await shared.service.caller('free');
    await caller.spend(199);
    const answers = await Promise.all([1, 2].map(() => caller.get(`${TCGPRICELOOKUP}/nothing`)));
    assert.deepEqual(answers.map(({ statusCode }) => statusCode).sort(), [404, 429]);
    for (const answer of answers) sentence(answer, answer.statusCode);
  });

  it('share the burst limits of /v1', async () => {
    const caller = await shared.service.caller();
    for (let sent = 0; sent < 20; sent++) await caller.get('/v1/games');
    assert.match(sentence(await caller.get(`${TCGPRICELOOKUP}/sets`), 429), /Too fast/);
  });

  it('refuse other methods and malformed parameters', async () => {
    const caller = await shared.service.caller();
    const posted = await caller.post(`${TCGPRICELOOKUP}/games`, '{');
    assert.equal(posted.headers.allow, 'GET, HEAD');
    assert.match(sentence(posted, 405), /POST is not allowed/);
    assert.match(sentence(await caller.get(`${TCGPRICELOOKUP}/sets?limit=201`), 400), /^limit: /);
    assert.match(sentence(await caller.get(`${TCGPRICELOOKUP}/sets?game=go`), 400), /^game: /);
  });

  it('are counted under their own names', async () => {
    const caller = await shared.service.caller();
    await caller.get(`${TCGPRICELOOKUP}/games`);
    await shared.service.usageRecorder.write();
    const rows = await shared.service.store.accounts.db
      .selectFrom('request_counts')
      .select('endpoint')
      .execute();
    assert.ok(rows.some(({ endpoint }) => endpoint === `GET ${TCGPRICELOOKUP}/games`));
  });

  it('answer preflights of allowed origins', async () => {
    const answer = await shared.service.app.inject({
      method: 'OPTIONS',
      url: `${TCGPRICELOOKUP}/games`,
      headers: { origin: 'https://shop.example', 'access-control-request-method': 'GET' },
    });
    assert.equal(answer.statusCode, 204);
    assert.equal(answer.headers['access-control-allow-origin'], 'https://shop.example');
  });

  it('are not in the OpenAPI document', async () => {
    const { paths } = bodyOf<{ paths: object }>(await shared.service.get('/openapi.json'));
    assert.ok(!Object.keys(paths).some((path) => path.startsWith('/compatible')));
  });
});
