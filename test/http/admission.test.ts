import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Caller } from '../../src/accounts/keys/authenticator.ts';
import { DEFAULT_PLANS } from '../../src/domain/plans.ts';
import { Admission } from '../../src/http/admission.ts';
import { refusals } from '../../src/lib/counts.ts';

const NOW = Date.UTC(2026, 0, 28, 12);

/** A caller whose account and key may make ten requests a day, after so many. */
function caller(usedToday: number, keyUsedToday: number): Caller {
  const plan = { ...DEFAULT_PLANS[0], dailyRequests: 10 };
  const access = { dailyRequests: 10, scopes: null, inQuery: true, allows: () => true };
  const identified = { accountId: 1, keyId: 1, plan, usedToday, access, keyUsedToday, day: 0 };
  return identified as unknown as Caller;
}

describe('The cost of a request', () => {
  const admission = new Admission({ burst: {}, keyBurst: null, clock: () => NOW });
  const refusal = (...used: Parameters<typeof caller>) => {
    return admission.problemOfCost(caller(...used), 3)?.message;
  };

  it('is refused before it is charged if less than it is left of the day', () => {
    assert.equal(refusal(7, 0), undefined);
    assert.match(refusal(8, 0) ?? '', /fewer are left of the daily quota of 10 requests/);
  });

  it('is refused if less than it is left of the limit of the key', () => {
    assert.equal(refusal(0, 7), undefined);
    assert.match(
      refusal(0, 8) ?? '',
      /fewer are left of the limit of 10 requests a day of this key/,
    );
  });
});

/** Asks once, with an account and a key that have used nothing. */
function ask(admission: Admission, ofDay = 0, ofKey = 0) {
  const sender = { address: '203.0.113.1', isInQuery: false };
  const needs = { scope: undefined, features: [], historyDays: 0 };
  return admission.problemOf(caller(ofDay, ofKey), sender, needs);
}

describe('The burst limit', () => {
  const limits = (limit: { requests: number; seconds: number }) => {
    return [{ burst: { free: limit } }, { keyBurst: limit }].map((options) => {
      return new Admission({ burst: {}, keyBurst: null, clock: () => NOW, ...options });
    });
  };

  it('of a plan or a key admits its requests, then names whole seconds to wait, rounded up', () => {
    for (const admission of limits({ requests: 2, seconds: 3 })) {
      const waits = [1, 2, 3].map(() => ask(admission)?.retryAfter ?? 0);
      assert.deepEqual(waits, [0, 0, 2]);
    }
  });

  it('counts a request that costs three as three', () => {
    for (const admission of limits({ requests: 4, seconds: 4 })) {
      assert.equal(ask(admission), undefined);
      assert.equal(admission.problemOfCost(caller(0, 0), 3), undefined);
      const waits = [1, 2].map(() => ask(admission)?.retryAfter ?? 0);
      assert.deepEqual(waits, [0, 1]);
    }
  });
});

describe('A request beyond a limit', () => {
  const once = { requests: 1, seconds: 60 };
  for (const [limit, options, ofDay = 0, ofKey = 0] of [
    ['quota', {}, 10],
    ['key-limit', {}, 0, 10],
    ['plan-burst', { burst: { free: once } }],
    ['key-burst', { keyBurst: once }],
  ] as const) {
    it(`is refused and counted once, by its limit: ${limit}`, () => {
      const admission = new Admission({ burst: {}, keyBurst: null, clock: () => NOW, ...options });
      const before = new Map(refusals.entries());
      const problem = ask(admission, ofDay, ofKey) ?? ask(admission, ofDay, ofKey);
      assert.equal(problem?.code, 'RATE_LIMIT_EXCEEDED');
      const counts = [...refusals.entries()].map(([name, count]) => {
        return [name, count - (before.get(name) ?? 0)] as const;
      });
      assert.deepEqual(
        counts.filter(([, count]) => count !== 0),
        [[limit, 1]],
      );
    });
  }
});
