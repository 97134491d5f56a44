import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { QuotaCharger, secondsToReset } from '../../../src/accounts/quota/quota-charger.ts';
import { dayOf, startOfDay } from '../../../src/domain/day.ts';
import { isUnavailable } from '../../../src/store/engine/unavailable.ts';

const clock = () => Date.UTC(2026, 0, 29, 12);

/** Statements over one count in memory, which charge at most `rounds` times. */
function counted(rounds: number, start = 0) {
  let used = start;
  let left = rounds;
  return {
    charge: async (costs: ReadonlyMap<number, number>, _day: number, quota: number) => {
      left -= 1;
      if (left < 0) throw new Error('charged in too many rounds');
      return [...costs].flatMap(([id, cost]) => {
        if (used + cost > quota) return [];
        used += cost;
        return [{ id, used }];
      });
    },
    usage: async () => [{ id: 1, used }],
  };
}

describe('A charge', () => {
  it('of exactly what is left is granted in one round, and one more is refused', async () => {
    const { day } = await new QuotaCharger(counted(1), clock).charge(1, 5);
    for (const [start, cost] of [
      [0, 5],
      [4, 1],
      [2, 3],
    ] as const) {
      const charger = new QuotaCharger(counted(start === 0 ? 1 : 2, start), clock);
      const granted = { granted: true, remaining: 0, day };
      assert.deepEqual(await charger.charge(1, 5, cost), granted);
    }
    const full = new QuotaCharger(counted(2, 5), clock);
    assert.deepEqual(await full.charge(1, 5), { granted: false, remaining: 0, day });
  });

  it('is granted with others that arrive together, in their order, as far as they fit', async () => {
    const charger = new QuotaCharger(counted(4, 2), clock);
    const charges = await Promise.all([3, 4, 1, 2, 1].map((cost) => charger.charge(1, 10, cost)));
    assert.deepEqual(
      charges.map(({ granted, remaining }) => [granted, remaining]),
      [
        [true, 5],
        [true, 1],
        [true, 0],
        [false, 0],
        [false, 0],
      ],
    );
  });

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
    const { charge, usage } = counted(2);
    const statements = {
      charge: async (costs: ReadonlyMap<number, number>, day: number, quota: number) => {
        const failure = failures.pop();
        if (failure) throw failure;
        return charge(costs, day, quota);
      },
      usage,
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

describe('The reset of a quota', () => {
  it('is the next midnight UTC, in whole seconds rounded up, at least one', () => {
    const day = dayOf(clock());
    const midnight = startOfDay(day) + 86_400_000;
    for (const [before, seconds] of [
      [43_200_000, 43_200],
      [1001, 2],
      [1000, 1],
      [1, 1],
      [0, 1],
      [-5, 1],
    ] as const) {
      assert.equal(secondsToReset(day, midnight - before), seconds);
    }
  });
});
