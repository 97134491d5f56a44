import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { LightMyRequestResponse } from 'fastify';
import { type AppChanges, shareService } from '../support/app.ts';
import { forEachEngine } from '../support/engines.ts';
import { bodyOf, errorOf, remainingOf } from './expect.ts';

const MIDNIGHT = Date.UTC(2026, 0, 30);
const CHARIZARD = '/v1/cards/pokemon-bs-charizard-004';

const statusOf = ({ statusCode }: LightMyRequestResponse) => statusCode;
const failing: AppChanges['history'] = async () => {
  throw new Error('the disk is gone');
};

forEachEngine((label) => {
  const shared = shareService(label);

  /** Moves the clock for the length of some work, and back. */
  const at = async <Result>(moment: number, work: () => Promise<Result>): Promise<Result> => {
    const { now } = shared.service;
    shared.service.now = moment;
    try {
      return await work();
    } finally {
      shared.service.now = now;
    }
  };

  describe('The quota', () => {
    it('is charged for every admitted request, also for a 404', async () => {
      const caller = await shared.service.caller('free');
      const statuses: number[] = [];
      for (const path of ['games', 'cards/x', 'search', 'nothing', 'sets?limit=0', 'sets']) {
        const answer = await caller.get(`/v1/${path}`);
        statuses.push(statusOf(answer));
        assert.equal(remainingOf(answer), 200 - statuses.length);
      }
      assert.deepEqual(statuses, [200, 404, 400, 404, 400, 200]);
    });

    it('is not charged for a 304, a 403, a 429 or an internal error', async () => {
      const broken = await shared.service.another(shared.location, { history: failing });
      const caller = await shared.service.caller('trader');
      const free = await shared.service.caller('free');
      const headers = { 'if-none-match': await shared.service.etagOf('/v1/games') };
      const unchanged = await caller.get('/v1/games', headers);
      const failed = await caller.at(broken).get(`${CHARIZARD}/history`);
      const restricted = await free.get(`${CHARIZARD}/history`);
      assert.deepEqual([unchanged, failed, restricted].map(statusOf), [304, 500, 403]);
      assert.deepEqual([unchanged, failed, restricted].map(remainingOf), [10_000, 10_000, 200]);
      await broken.close();

      await free.spend(200);
      errorOf(await free.get('/v1/games'), 'RATE_LIMIT_EXCEEDED');
      await shared.service.accounts.setPlan(free.email, 'trader');
      assert.equal(remainingOf(await free.get('/v1/games')), 9_799);
    });

    it('is exactly the number of the plan, and a 429 says when to retry', async () => {
      const caller = await shared.service.caller('free');
      await caller.spend(198);
      assert.equal(remainingOf(await caller.get('/v1/games')), 1);
      assert.equal(remainingOf(await caller.get('/v1/games')), 0);
      const answer = await caller.get('/v1/games');
      assert.equal(
        errorOf(answer, 'RATE_LIMIT_EXCEEDED').message,
        'The daily quota of 200 requests is used up. It resets at midnight UTC.',
      );
      assert.equal(answer.headers['retry-after'], String(12 * 3600));
      assert.equal(answer.headers['x-ratelimit-reset'], String(MIDNIGHT / 1000));
    });

    it('is shared by all keys of an account', async () => {
      const caller = await shared.service.caller('free');
      const { key } = await shared.service.keys.create(caller.email);
      await caller.get('/v1/games');
      const answer = await shared.service.get('/v1/games', { 'x-api-key': key });
      assert.equal(remainingOf(answer), 198);
    });

    it('is reset at midnight UTC, not a moment before', async () => {
      const caller = await shared.service.caller('free');
      await caller.spend(200);
      await at(MIDNIGHT - 1, async () => {
        const answer = await caller.get('/v1/games');
        errorOf(answer, 'RATE_LIMIT_EXCEEDED');
        assert.equal(answer.headers['retry-after'], '1');
      });
      await at(MIDNIGHT - 1500, async () => {
        assert.equal((await caller.get('/v1/games')).headers['retry-after'], '2');
      });
      await at(MIDNIGHT, async () => {
        const answer = await caller.get('/v1/games');
        assert.equal(remainingOf(answer), 199);
        assert.equal(answer.headers['x-ratelimit-reset'], String(MIDNIGHT / 1000 + 86_400));
      });
    });

    it('follows a change of the plan from the next request on', async () => {
      const caller = await shared.service.caller('free');
      const { accounts } = shared.service;
      await caller.spend(200);
      await accounts.setPlan(caller.email, 'trader');
      const raised = await caller.get(`${CHARIZARD}/history`);
      assert.equal(raised.headers['x-ratelimit-limit'], '10000');
      assert.equal(remainingOf(raised), 9_799);
      await accounts.setPlan(caller.email, 'free');
      const lowered = await caller.get('/v1/games');
      errorOf(lowered, 'RATE_LIMIT_EXCEEDED');
      assert.equal(lowered.headers['x-ratelimit-limit'], '200');
      errorOf(await caller.get(`${CHARIZARD}/history`), 'PLAN_RESTRICTION');
    });

    it('never rises within a day', async () => {
      const caller = await shared.service.caller('trader');
      const paths = ['games', 'cards/x', 'search', 'sets'];
      const etag = await shared.service.etagOf('/v1/games');
      const answers = await Promise.all(
        Array.from({ length: 40 }, async (_, index) => {
          const headers = { 'if-none-match': index % 3 === 0 ? etag : '*' };
          return caller.get(`/v1/${paths[index % 4]}`, headers);
        }),
      );
      const charged = answers.filter((answer) => statusOf(answer) !== 304);
      const values = charged.map(remainingOf);
      assert.deepEqual(new Set(values).size, charged.length);
      assert.equal(Math.min(...values), 10_000 - charged.length);
      assert.equal(remainingOf(await caller.get('/v1/games')), 10_000 - charged.length - 1);
    });

    it('is exact when 64 requests at two processes want the last ten', async () => {
      const other = await shared.service.another(shared.location);
      const caller = await shared.service.caller('trader');
      await caller.spend(9_990);
      const answers = await Promise.all(
        Array.from({ length: 64 }, (_, index) => {
          const process = index % 2 === 0 ? caller : caller.at(other);
          return index % 4 < 2 ? process.get('/v1/games') : process.get('/v1/cards/x');
        }),
      );
      const served = answers.filter((answer) => statusOf(answer) !== 429);
      const left = served.map(remainingOf).sort((a, b) => a - b);
      assert.deepEqual(left, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
      for (const answer of answers) {
        if (statusOf(answer) !== 429) continue;
        errorOf(answer, 'RATE_LIMIT_EXCEEDED');
        assert.equal(remainingOf(answer), 0);
        assert.equal(answer.headers.etag, undefined);
        assert.equal(answer.headers['retry-after'], String(12 * 3600));
      }
      await other.close();
    });
  });

  describe('A key', () => {
    const games = (key: string) => shared.service.get('/v1/games', { 'x-api-key': key });

    it('fails from the request after its revocation, in every process', async () => {
      const other = await shared.service.another(shared.location);
      const caller = await shared.service.caller('free');
      bodyOf(await caller.get('/v1/games'));
      bodyOf(await caller.at(other).get('/v1/games'));
      await shared.service.keys.revoke(caller.keyId);
      errorOf(await caller.get('/v1/games'), 'INVALID_API_KEY');
      errorOf(await caller.at(other).get('/v1/games'), 'INVALID_API_KEY');
      await other.close();
    });

    it('is replaced at once when it is regenerated', async () => {
      const caller = await shared.service.caller('free');
      bodyOf(await caller.get('/v1/games'));
      const { key } = await shared.service.keys.regenerate(caller.keyId);
      errorOf(await caller.get('/v1/games'), 'INVALID_API_KEY');
      assert.equal(remainingOf(await games(key)), 198);
    });

    it('fails from the moment at which it expires', async () => {
      const { email } = await shared.service.caller('free');
      const { key } = await shared.service.keys.create(email, { expires: '2026-01-29' });
      await at(MIDNIGHT - 1, async () => bodyOf(await games(key)));
      await at(MIDNIGHT, async () => errorOf(await games(key), 'INVALID_API_KEY'));
    });

    it('fails while its account is disabled', async () => {
      const caller = await shared.service.caller('free');
      await shared.service.accounts.disable(caller.email);
      errorOf(await caller.get('/v1/games'), 'INVALID_API_KEY');
      await shared.service.accounts.enable(caller.email);
      bodyOf(await caller.get('/v1/games'));
    });
  });
});
