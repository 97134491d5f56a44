import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { QuotaCharger } from '../../../src/accounts/quota/quota-charger.ts';
import { isUnavailable } from '../../../src/store/engine/unavailable.ts';

const clock = () => Date.UTC(2026, 0, 29, 12);

describe('A charge', () => {
  it('that the database refuses for ever, although it fits, fails as unavailable', async () => {
    let rounds = 0;
    const statements = {
      charge: async () => {
        rounds += 1;
        return [];
      },
      usage: async () => [],
    };
    const charger = new QuotaCharger(statements, clock);
    await assert.rejects(charger.charge(1, 100), isUnavailable);
    const before = rounds;
    await assert.rejects(charger.charge(1, 100, 5), isUnavailable);
    assert.ok(before <= 100 && rounds <= 200, `${rounds}`);
  });

  it('after one that failed is made as ever', async () => {
    const failures = [new Error('gone')];
    const statements = {
      charge: async (costs: ReadonlyMap<number, number>) => {
        const failure = failures.pop();
        if (failure) throw failure;
        return [...costs].map(([id, used]) => ({ id, used }));
      },
      usage: async () => [],
    };
    const charger = new QuotaCharger(statements, clock);
    await assert.rejects(charger.charge(1, 100), /gone/);
    assert.deepEqual(await charger.charge(1, 100), {
      granted: true,
      remaining: 99,
      day: (await charger.charge(1, 100)).day,
    });
  });
});
