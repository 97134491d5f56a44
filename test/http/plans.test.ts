import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Plans } from '../../src/accounts/quota/plans.ts';
import type { Cents } from '../../src/domain/money.ts';
import { type Plan, UNLIMITED } from '../../src/domain/plans.ts';
import { shareService } from '../support/app.ts';
import { forEachEngine } from '../support/engines.ts';
import { bodyOf, errorOf } from './expect.ts';

const HOBBY: Plan = {
  name: 'hobby',
  label: 'Hobby',
  dailyRequests: 3,
  price: 4_99 as Cents,
  burst: null,
  historyDays: 30,
  alerts: 100,
  howToGet: '',
  features: ['history'],
};
const CARD = '/v1/cards/pokemon-bs-charizard-004';
const limitOf = (answer: { headers: Record<string, unknown> }) =>
  Number(answer.headers['x-ratelimit-limit']);

forEachEngine((label) => {
  const shared = shareService(label);

  describe('Plans of the operator', () => {
    it('hold from the next request on, in every process', async () => {
      const { service } = shared;
      const elsewhere = new Plans(service.store);
      await elsewhere.create(HOBBY);
      const caller = await service.caller('hobby');
      const first = await caller.get(CARD);
      assert.deepEqual([first.statusCode, limitOf(first)], [200, 3]);
      await elsewhere.change('hobby', { dailyRequests: 5 });
      const second = await caller.get(CARD);
      assert.deepEqual([second.statusCode, limitOf(second)], [200, 5]);
      assert.equal(second.headers['x-ratelimit-remaining'], '3');
    });

    it('serve exactly as many requests as they say', async () => {
      const { service } = shared;
      await new Plans(service.store).create({ ...HOBBY, name: 'three' });
      const caller = await service.caller('three');
      const answers = await Promise.all(Array.from({ length: 9 }, () => caller.get(CARD)));
      const statuses = answers.map(({ statusCode }) => statusCode).sort();
      assert.deepEqual(statuses, [200, 200, 200, 429, 429, 429, 429, 429, 429]);
    });

    it('include as many days of history as they say', async () => {
      const { service } = shared;
      await new Plans(service.store).create({ ...HOBBY, name: 'month', dailyRequests: 100 });
      const caller = await service.caller('month');
      for (const query of ['/history', '/history?period=30d', '/prices', '/prices?days=30']) {
        assert.equal((await caller.get(`${CARD}${query}`)).statusCode, 200, query);
      }
      for (const query of ['/history?period=90d', '/history?period=all', '/prices?days=31']) {
        const error = errorOf(await caller.get(`${CARD}${query}`), 'PLAN_RESTRICTION');
        assert.match(error.message, /includes the last 30 days of history/);
      }
      errorOf(await caller.get(`${CARD}/prices?days=many`), 'INVALID_PARAMETER');
    });

    it('are checked for the history asked for before quota, burst limit, parameters and card', async () => {
      const { service } = shared;
      const burst = { requests: 1, seconds: 60 };
      await new Plans(service.store).create({ ...HOBBY, name: 'order', dailyRequests: 1, burst });
      const caller = await service.caller('order');
      const refuse = async (state: string) => {
        for (const card of [CARD, '/v1/cards/no-such-card']) {
          for (const query of ['history?period=1y', 'history?period=all', 'prices?days=91']) {
            for (const printing of ['', '&printing=x', '&printing=x&printing=y']) {
              const answer = await caller.get(`${card}/${query}${printing}`);
              const { message } = errorOf(answer, 'PLAN_RESTRICTION');
              assert.match(message, /includes the last 30 days of history/, `${state} ${query}`);
            }
          }
        }
      };
      await refuse('before the first request');
      const answer = await caller.get(CARD);
      assert.deepEqual([answer.statusCode, answer.headers['x-ratelimit-remaining']], [200, '0']);
      errorOf(await caller.get(CARD), 'RATE_LIMIT_EXCEEDED');
      await refuse('with nothing left');
    });

    it('name the cheapest plan that has what another lacks', async () => {
      const { service } = shared;
      const plans = new Plans(service.store);
      await plans.create({ ...HOBBY, name: 'cheap', label: 'Cheap', price: 1 as Cents });
      const caller = await service.caller('free');
      const { message } = errorOf(await caller.get(`${CARD}/history`), 'PLAN_RESTRICTION');
      assert.equal(message, 'Price history requires the Cheap plan or above.');
      await plans.delete('cheap');
    });

    it('can have a burst limit, which wins over the one in the settings', async () => {
      const { service } = shared;
      const burst = { requests: 1, seconds: 60 };
      await new Plans(service.store).create({ ...HOBBY, name: 'slow', burst });
      const caller = await service.caller('slow');
      assert.equal((await caller.get(CARD)).statusCode, 200);
      assert.equal((await caller.get(CARD)).statusCode, 429);
    });
  });

  describe('Limits of an account', () => {
    it('win over the limits of its plan, until they are removed', async () => {
      const { service } = shared;
      const caller = await service.caller('free');
      await service.accounts.setLimits(caller.email, {
        dailyRequests: UNLIMITED,
        features: ['history'],
      });
      const unlimited = await caller.get(`${CARD}/history`);
      assert.deepEqual([unlimited.statusCode, limitOf(unlimited)], [200, UNLIMITED]);
      assert.equal(Number(unlimited.headers['x-ratelimit-remaining']), UNLIMITED - 1);
      await service.accounts.setLimits(caller.email, {});
      assert.equal(limitOf(await caller.get(CARD)), 200);
      bodyOf(await caller.get(CARD), 200);
    });
  });
});
