import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { shareService } from '../support/app.ts';
import { forEachEngine } from '../support/engines.ts';
import { bodyOf, errorOf, remainingOf } from './expect.ts';

interface Quota {
  readonly limit: number;
  readonly used: number;
  readonly remaining: number;
}

interface Usage extends Quota {
  readonly plan: string;
  readonly resetAt: string;
  readonly key: Quota | null;
  readonly days: readonly { date: string; requests: number; errors: number }[];
}

forEachEngine((label) => {
  describe('GET /v1/usage', () => {
    const shared = shareService(label);

    it('has the quota of today, which it is charged to itself', async () => {
      const caller = await shared.service.caller('trader');
      await caller.get('/v1/games');
      const answer = await caller.get('/v1/usage');
      const { days, ...quota } = bodyOf<{ data: Usage }>(answer).data;
      assert.deepEqual(quota, {
        plan: 'trader',
        limit: 10_000,
        used: 1,
        remaining: 9999,
        resetAt: '2026-01-30T00:00:00Z',
        key: null,
      });
      assert.equal(remainingOf(answer), 9998);
      assert.equal(days.length, 30);
    });

    it('has the requests of the last 30 days, with errors and those of other keys', async () => {
      const { service } = shared;
      const caller = await service.caller('trader');
      const other = await service.keys.create(caller.email);
      await service.get('/v1/games', { 'x-api-key': other.key });
      await caller.get('/v1/cards/no-such-card');
      await service.usageRecorder.write();
      const { days } = bodyOf<{ data: Usage }>(await caller.get('/v1/usage')).data;
      assert.deepEqual(days.at(-1), { date: '2026-01-29', requests: 2, errors: 1 });
      assert.deepEqual(days[0], { date: '2025-12-31', requests: 0, errors: 0 });
    });

    it('has the limit of a key that has one', async () => {
      const { service } = shared;
      const { email } = await service.caller('trader');
      const { key } = await service.keys.create(email, { dailyRequests: 3 });
      const ask = () => service.get('/v1/usage', { 'x-api-key': key });
      for (const used of [0, 1, 2]) {
        const { data } = bodyOf<{ data: Usage }>(await ask());
        assert.deepEqual(data.key, { limit: 3, used, remaining: 3 - used });
      }
      errorOf(await ask(), 'RATE_LIMIT_EXCEEDED');
    });

    it('is for API keys alone', async () => {
      const browser = await shared.service.signedInBrowser('trader');
      errorOf(await shared.service.get('/v1/usage'), 'MISSING_API_KEY');
      errorOf(await browser.get('/dashboard/v1/usage'), 'NOT_FOUND');
    });
  });
});
