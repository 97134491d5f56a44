import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Caller } from '../../src/accounts/keys/authenticator.ts';
import { DEFAULT_PLANS } from '../../src/domain/plans.ts';
import { Admission } from '../../src/http/admission.ts';

const NOW = Date.UTC(2026, 0, 28, 12);

/** A caller whose account and key may make ten requests a day, after so many. */
function caller(usedToday: number, keyUsedToday: number): Caller {
  const plan = { ...DEFAULT_PLANS[0], dailyRequests: 10 };
  const access = { dailyRequests: 10 };
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
