import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Caller, shareService } from '../support/app.ts';
import { forEachEngine } from '../support/engines.ts';
import { bodyOf, errorOf, remainingOf } from './expect.ts';

const PATH = '/v1/resolve';

forEachEngine((label) => {
  describe('What POST /v1/resolve costs', () => {
    const shared = shareService(label);
    const items = (count: number) => ({ items: Array(count).fill('Forest') });
    /** A caller with this much left of the quota. */
    const callerWith = async (remaining: number): Promise<Caller> => {
      const caller = await shared.service.caller('trader');
      await caller.spend(10_000 - remaining);
      return caller;
    };

    it('is one request for every begun 20 items', async () => {
      const caller = await shared.service.caller('trader');
      let remaining = 10_000;
      for (const [count, cost] of [
        [1, 1],
        [20, 1],
        [21, 2],
        [40, 2],
        [41, 3],
        [500, 25],
      ] as const) {
        const answer = await caller.post(PATH, items(count));
        bodyOf(answer);
        remaining -= cost;
        assert.equal(remainingOf(answer), remaining, String(count));
      }
    });

    it('is one request for every begun 100 candidates that the items may have', async () => {
      const caller = await shared.service.caller('trader');
      let remaining = 10_000;
      for (const [count, maxCandidates, cost] of [
        [1, 1, 1],
        [100, 1, 1],
        [1, 100, 1],
        [1, 101, 2],
        [20, 6, 2],
        [1, 2500, 25],
      ] as const) {
        const answer = await caller.post(PATH, { ...items(count), maxCandidates });
        bodyOf(answer);
        remaining -= cost;
        assert.equal(remainingOf(answer), remaining, `${count} × ${maxCandidates}`);
      }
    });

    it('is nothing when fewer requests are left, and the rest can be spent', async () => {
      const caller = await callerWith(24);
      const refused = await caller.post(PATH, items(500));
      assert.equal(
        errorOf(refused, 'RATE_LIMIT_EXCEEDED').message,
        'This costs 25 requests, and fewer are left of the daily quota of 10000 requests. It resets ' +
          'at midnight UTC.',
      );
      assert.equal(refused.headers['retry-after'], String(12 * 3600));
      assert.equal(remainingOf(refused), 24);
      const answer = await caller.post(PATH, items(480));
      bodyOf(answer);
      assert.equal(remainingOf(answer), 0);
      errorOf(await caller.post(PATH, items(1)), 'RATE_LIMIT_EXCEEDED');
    });

    it('is the same for an answer that the caller already has', async () => {
      const caller = await shared.service.caller('trader');
      const headers = { 'if-none-match': await shared.service.etagOf(PATH, items(40)) };
      const again = await caller.post(PATH, items(40), headers);
      bodyOf(again);
      assert.equal(remainingOf(again), 9998);
    });

    it('is nothing for a 403 and an internal error', async () => {
      const caller = await shared.service.caller('trader');

      const free = await shared.service.caller('free');
      const restricted = await free.post(PATH, items(40));
      const { message } = errorOf(restricted, 'PLAN_RESTRICTION');
      assert.equal(message, 'The resolver requires the Trader plan or above.');
      assert.equal(remainingOf(restricted), 200);

      const resolver = { resolveAny: () => Promise.reject(new Error('the disk is gone')) };
      const broken = await shared.service.another(shared.location, { resolver });
      const failed = await caller.at(broken).post(PATH, items(40));
      errorOf(failed, 'INTERNAL_ERROR');
      assert.equal(remainingOf(failed), 10_000);
      await broken.close();
    });

    it('is exact when large and small requests at two processes want the last of the quota', async () => {
      const other = await shared.service.another(shared.location);
      const caller = await callerWith(100);
      const counts = Array.from(
        { length: 40 },
        (_, index) => [500, 1, 130, 20, 41][index % 5] ?? 1,
      );
      const answers = await Promise.all(
        counts.map(async (count, index) => {
          const process = index % 2 === 0 ? caller : caller.at(other);
          return { cost: Math.ceil(count / 20), answer: await process.post(PATH, items(count)) };
        }),
      );
      const served = answers.filter(({ answer }) => answer.statusCode === 200);
      let left = 100;
      for (const { cost, answer } of served.sort(
        (a, b) => remainingOf(b.answer) - remainingOf(a.answer),
      )) {
        left -= cost;
        assert.equal(remainingOf(answer), left);
      }
      for (const { cost, answer } of answers) {
        if (answer.statusCode === 200) continue;
        errorOf(answer, 'RATE_LIMIT_EXCEEDED');
        assert.ok(remainingOf(answer) < cost);
        assert.equal(answer.headers.etag, undefined);
      }
      // The cheapest request of which one was refused: what is left does not pay for it.
      const refused = answers.filter(({ answer }) => answer.statusCode !== 200);
      assert.ok(left < Math.min(...refused.map(({ cost }) => cost)));
      await other.close();
    });
  });
});

describe('The burst limit', () => {
  const shared = shareService('SQLite', {
    burst: { trader: { requests: 2, seconds: 4 } },
  });

  it('counts a resolver request as what it costs, once it is let in', async () => {
    const caller = await shared.service.caller('trader');
    bodyOf(await caller.post(PATH, { items: Array(60).fill('Forest') }));
    const refused = await caller.get('/v1/games');
    errorOf(refused, 'RATE_LIMIT_EXCEEDED');
    assert.equal(refused.headers['retry-after'], '4');
    shared.service.now += 4000;
    bodyOf(await caller.get('/v1/games'));
  });
});
