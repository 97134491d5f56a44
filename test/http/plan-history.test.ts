import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fastify from 'fastify';
import { Type } from 'typebox';
import { Plans } from '../../src/accounts/quota/plans.ts';
import { defaultPrinting } from '../../src/domain/card.ts';
import type { Cents } from '../../src/domain/money.ts';
import { Admission } from '../../src/http/admission.ts';
import { errorHandler } from '../../src/http/errors.ts';
import { ApiHooks } from '../../src/http/hooks.ts';
import { IdParameter } from '../../src/http/parameters.ts';
import { ResponseCache } from '../../src/http/response-cache.ts';
import { One } from '../../src/http/schemas.ts';
import { requireCard } from '../../src/http/v1/card.ts';
import { defineEndpoint } from '../../src/http/v1/endpoint.ts';
import { editionOf, registerEndpoints } from '../../src/http/v1/routes.ts';
import { historyReader } from '../../src/store/history/index.ts';
import { type Service, shareService } from '../support/app.ts';
import { bodyOf, errorOf } from './expect.ts';

/** An endpoint whose author thought of no plan: it names no feature and no limit. */
const recent = defineEndpoint({
  method: 'GET',
  path: '/v1/cards/:id/recent',
  errors: ['CARD_NOT_FOUND'],
  schema: {
    operationId: 'getRecent',
    summary: 'Count the days of the last 90 with a price',
    description: 'Counts them.',
    params: IdParameter,
    response: { 200: One(Type.Object({ days: Type.Number() })) },
  },
  isCacheable: () => true,
  async answer({ catalog }, { params }, history) {
    const card = requireCard(catalog, params.id);
    const { rowId = 0 } = defaultPrinting(card) ?? {};
    const days = await history.last(90, catalog.asOf(card.set.game) ?? assert.fail(), rowId);
    return { data: { days: days.length } };
  },
});

const URL = '/v1/cards/pokemon-bs-charizard-004/recent';

describe('An endpoint that sets no limit of history', () => {
  const shared = shareService('SQLite');

  it('serves a plan no more days than it includes, also from the cache, and charges nothing', async () => {
    const { service } = shared;
    const app = await appWith(service);
    const plan = {
      dailyRequests: 9,
      price: 0 as Cents,
      burst: null,
      features: ['history'] as const,
      alerts: 100,
      howToGet: '',
    };
    const plans = new Plans(service.store);
    await plans.create({ ...plan, name: 'month', label: 'Month', historyDays: 30 });
    await plans.create({ ...plan, name: 'quarter', label: 'Quarter', historyDays: 90 });
    const month = await service.caller('month');
    const quarter = await service.caller('quarter');
    const free = await service.caller('free');
    const ask = ({ key }: { key: string }) =>
      app.inject({ url: URL, headers: { 'x-api-key': key } });
    for (const state of ['read', 'cached']) {
      const refused = await ask(month);
      assert.match(errorOf(refused, 'PLAN_RESTRICTION').message, /last 30 days/, state);
      assert.equal(refused.headers['x-ratelimit-remaining'], '9', state);
      assert.equal(refused.headers.etag, undefined, state);
      const { message } = errorOf(await ask(free), 'PLAN_RESTRICTION');
      assert.match(message, /^Price history requires the /, state);
      bodyOf(await ask(quarter));
    }
  });
});

describe('An endpoint with a cost', () => {
  const shared = shareService('SQLite');

  it('cannot be cacheable, because a cached body is charged as one request', async () => {
    const costly = { ...recent, cost: () => 2 };
    await assert.rejects(appWith(shared.service, costly), /has a cost, so it cannot be cacheable/);
  });
});

/** Returns an app with the hooks of `/v1` and one endpoint alone. */
async function appWith(
  { store, catalog, authenticator, usageRecorder }: Service,
  endpoint = recent,
) {
  const app = fastify();
  app.setErrorHandler(errorHandler('standard'));
  const clock = () => Date.parse('2026-01-29T12:00:00Z');
  const cache = new ResponseCache();
  new ApiHooks({
    catalog,
    authenticator,
    clock,
    usageRecorder,
    authErrors: 'standard',
    queryKeys: false,
    cache,
    edition: () => editionOf({ catalog, clock }),
    admission: new Admission({ burst: {}, keyBurst: null, clock }),
  }).addTo(app);
  const resources = { catalog, clock, history: historyReader(store) };
  registerEndpoints(app, resources as never, {
    endpoints: [endpoint],
    cache,
    isDocumented: false,
    callerOf: ({ caller }) => caller,
  });
  return app;
}
