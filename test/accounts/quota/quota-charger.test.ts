import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { describe, it } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import fc from 'fast-check';
import { Authenticator } from '../../../src/accounts/keys/authenticator.ts';
import {
  type AccountCharge,
  type ChargeStatements,
  prepareCharges,
} from '../../../src/accounts/quota/charge-sql.ts';
import {
  type Charge,
  QuotaCharger,
  secondsToReset,
} from '../../../src/accounts/quota/quota-charger.ts';
import { addDays, dayOf, startOfDay } from '../../../src/domain/day.ts';
import { isUnavailable } from '../../../src/store/engine/unavailable.ts';
import { forEachEngine } from '../../support/engines.ts';
import {
  addAccount,
  type CostedCharge,
  chargeCosts,
  chargeTogether,
  decided,
  identified,
  wire,
} from '../fixtures.ts';

const QUOTA = 200;
const CHARGER = fileURLToPath(new URL('charging-process.ts', import.meta.url));

/**
 * Requests that come to one authenticator at the same moment, and whether others wait for the next
 * turn.
 */
const arrival = fc.record({
  authenticator: fc.nat(2),
  count: fc.integer({ min: 1, max: 60 }),
  pause: fc.boolean(),
});

/** As above, of any costs: small ones often, and now and then more than the whole quota. */
const costlyArrival = fc.record({
  authenticator: fc.nat(2),
  costs: fc.array(
    fc.oneof(
      { weight: 4, arbitrary: fc.integer({ min: 1, max: 25 }) },
      { weight: 1, arbitrary: fc.integer({ min: 26, max: QUOTA + 10 }) },
    ),
    { minLength: 1, maxLength: 20 },
  ),
  pause: fc.boolean(),
});

/** The accounts of mixed charges. */
const IDS = [1, 2, 3, 4];

/** A charge to one of several accounts, whose callers may know its former quota or its new one. */
const mixedArrival = fc.record({
  charger: fc.nat(2),
  id: fc.constantFrom(...IDS),
  quota: fc.constantFrom(10, 11, 25, 40),
  cost: fc.integer({ min: 1, max: 12 }),
  pause: fc.boolean(),
});

const clock = () => Date.UTC(2026, 0, 29, 12);

/** Statements over counts in memory, which fail after many rounds. */
function counted(start = 0) {
  const usedById = new Map<number, number>();
  const usedOf = (id: number) => usedById.get(id) ?? start;
  const calls = { charge: 0, usage: 0 };
  const chargeRow = ({ id, cost, quota }: AccountCharge) => {
    if (usedOf(id) + cost > quota) return [];
    usedById.set(id, usedOf(id) + cost);
    return [{ id, used: usedOf(id) }];
  };
  return {
    calls,
    charge: async (rows: readonly AccountCharge[]) => {
      calls.charge += 1;
      if (calls.charge > 200) throw new Error('charged in too many rounds');
      return rows.flatMap(chargeRow);
    },
    usage: async (ids: Iterable<number>) => {
      calls.usage += 1;
      return [...ids].map((id) => ({ id, used: usedOf(id) }));
    },
  };
}

/** Charges costs that arrive together to one account, with the remaining quota after each. */
async function chargeAll(charger: QuotaCharger, quota: number, costs: readonly number[]) {
  const charges = await decided(costs.map((cost) => charger.charge(1, quota, cost)));
  return charges.map(({ granted, remaining }) => [granted, remaining]);
}

describe('A charge', () => {
  it('takes one statement if it fits, and no more than it needs if it does not', async () => {
    for (const [start, costs, expected, calls] of [
      [0, [5], [[true, 0]], { charge: 1, usage: 0 }],
      [0, [2], [[true, 3]], { charge: 1, usage: 0 }],
      [4, [1], [[true, 0]], { charge: 1, usage: 0 }],
      [
        3,
        [2, 1],
        [
          [true, 0],
          [false, 0],
        ],
        { charge: 2, usage: 2 },
      ],
      [5, [1], [[false, 0]], { charge: 1, usage: 1 }],
      [0, [6], [[false, 5]], { charge: 1, usage: 1 }],
    ] as const) {
      const statements = counted(start);
      const charger = new QuotaCharger(statements, clock);
      assert.deepEqual(await chargeAll(charger, 5, costs), expected);
      assert.deepEqual(statements.calls, calls, `${costs} on ${start}`);
    }
  });

  it('is granted with others that arrive together, in their order, as far as they fit', async () => {
    const statements = counted(2);
    const charger = new QuotaCharger(statements, clock);
    assert.deepEqual(await chargeAll(charger, 10, [3, 4, 1, 2, 1]), [
      [true, 5],
      [true, 1],
      [true, 0],
      [false, 0],
      [false, 0],
    ]);
    assert.ok(statements.calls.charge <= 4, `${statements.calls.charge} rounds`);
  });

  it('shares a statement with charges of accounts that have other quotas', async () => {
    const statements = counted();
    const charger = new QuotaCharger(statements, clock);
    const ids = Array.from({ length: 40 }, (_, index) => index);
    const charges = await decided(ids.map((id) => charger.charge(id, 10 + id, 2)));
    assert.deepEqual(
      charges.map(({ granted, remaining }) => [granted, remaining]),
      ids.map((id) => [true, 8 + id]),
    );
    assert.deepEqual(statements.calls, { charge: 1, usage: 0 });
  });

  it('that arrives alone while a statement runs is decided after it', async () => {
    const { charge, usage } = counted();
    const later: Charge[] = [];
    const statements: ChargeStatements = {
      charge: async (rows) => {
        if (later.length === 0 && rows[0]?.id === 1) {
          charger.charge(2, 5, 1).then((decision) => later.push(decision), assert.fail);
        }
        return charge(rows);
      },
      usage,
    };
    const charger = new QuotaCharger(statements, clock);
    await charger.charge(1, 5, 1);
    for (let more = 0; more < 5; more += 1) await turn();
    assert.deepEqual(
      later.map(({ granted }) => granted),
      [true],
    );
  });

  it('is decided by its own quota when the quota of the account changes', async () => {
    for (const [quotas, expected] of [
      [
        [5, 5, 8],
        [true, true, true],
      ],
      [
        [8, 8, 5],
        [true, true, false],
      ],
      [
        [3, 3, 8],
        [true, false, true],
      ],
    ] as const) {
      const charger = new QuotaCharger(counted(), clock);
      const charges = await decided(quotas.map((quota) => charger.charge(1, quota, 2)));
      assert.deepEqual(
        charges.map(({ granted }) => granted),
        expected,
        String(quotas),
      );
    }
  });

  it('leaves nothing running once it is decided', async () => {
    let reads = 0;
    const charger = new QuotaCharger(counted(), () => {
      reads += 1;
      return clock();
    });
    await chargeAll(charger, 5, [1]);
    for (let more = 0; more < 5; more += 1) await turn();
    assert.equal(reads, 1);
    assert.deepEqual(await chargeAll(charger, 5, [1]), [[true, 3]], 'and the next one starts it');
  });

  it('fails as unavailable if it fits and the database keeps refusing it', async () => {
    let rounds = 0;
    const statements = {
      charge: async () => {
        rounds += 1;
        if (rounds > 300) throw new Error('charged in too many rounds');
        return [];
      },
      usage: async () => [],
    };
    const charger = new QuotaCharger(statements, clock);
    for (const expected of [100, 200]) {
      await assert.rejects(chargeAll(charger, 100, [5]), isUnavailable);
      assert.equal(rounds, expected);
    }
  });

  it('is made as usual after a failed one', async () => {
    const failures = [new Error('gone')];
    const { charge, usage } = counted();
    const statements: ChargeStatements = {
      charge: async (rows) => {
        const failure = failures.pop();
        if (failure) throw failure;
        return charge(rows);
      },
      usage,
    };
    const charger = new QuotaCharger(statements, clock);
    await assert.rejects(chargeAll(charger, 100, [1]), /gone/);
    assert.deepEqual(await chargeAll(charger, 100, [1]), [[true, 99]]);
  });
});

describe('A check of charges', () => {
  it('writes nothing while charges work, and notices when they work again', async () => {
    const working = counted();
    let isFull = false;
    const statements: ChargeStatements = {
      charge: async (rows) => {
        const charged = await working.charge(rows);
        if (isFull) throw new Error('full');
        return charged;
      },
      usage: working.usage,
    };
    const charger = new QuotaCharger(statements, clock);
    await charger.check();
    assert.equal(working.calls.charge, 0);
    isFull = true;
    await charger.check();
    await assert.rejects(charger.charge(1, 10, 1), /full/);
    await assert.rejects(charger.check(), /full/);
    await assert.rejects(charger.check(), /full/);
    isFull = false;
    await charger.check();
    const { charge } = working.calls;
    await charger.check();
    assert.equal(working.calls.charge, charge);
  });

  it('charges nothing to anybody, also after a refusal, which writes nothing', async () => {
    const failures = [new Error('full')];
    const charged: AccountCharge[] = [];
    const statements: ChargeStatements = {
      charge: async (rows) => {
        const failure = failures.pop();
        if (failure) throw failure;
        charged.push(...rows);
        return [];
      },
      usage: async () => [],
    };
    const charger = new QuotaCharger(statements, clock);
    await assert.rejects(charger.charge(1, 10, 1), /full/);
    await charger.charge(1, 1, 2);
    await charger.check();
    assert.deepEqual(charged, [{ id: 0, cost: 0, quota: 0 }]);
  });

  it('passes without writing once a charge succeeds', async () => {
    const working = counted();
    const failures = [new Error('full')];
    const statements: ChargeStatements = {
      charge: async (rows) => {
        const failure = failures.pop();
        if (failure) throw failure;
        return working.charge(rows);
      },
      usage: working.usage,
    };
    const charger = new QuotaCharger(statements, clock);
    await assert.rejects(charger.charge(1, 10, 1), /full/);
    await charger.charge(1, 10, 1);
    await charger.check();
    assert.equal(working.calls.charge, 1);
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

forEachEngine((_label, open) => {
  it('grants exactly the quota when requests arrive at several authenticators', async () => {
    const store = await open();
    const wiring = wire(store);
    const key = await addAccount(wiring);
    const others = [await store.reopen(), await store.reopen()];
    const gates = [
      wiring.authenticator,
      ...others.map((other) => new Authenticator(other, wiring.clock.read)),
    ];

    await fc.assert(
      fc.asyncProperty(fc.array(arrival, { maxLength: 12 }), async (arrivals) => {
        wiring.clock.toNextDay();
        const waiting: Promise<Charge[]>[][] = gates.map(() => []);
        for (const { authenticator: index, count, pause } of arrivals) {
          const authenticator = gates[index] ?? wiring.authenticator;
          waiting[index]?.push(
            chargeTogether(authenticator, await identified(authenticator, key), count),
          );
          if (pause) await turn();
        }
        const byGate = await Promise.all(
          waiting.map(async (all) => (await Promise.all(all)).flat()),
        );
        const asked = arrivals.reduce((sum, { count }) => sum + count, 0);
        checkCharges(byGate, Math.min(asked, QUOTA));
      }),
      { numRuns: 25, endOnFailure: true },
    );
  });

  it('grants exactly the quota to several processes', async () => {
    const store = await open();
    const key = await addAccount(wire(store));
    const charges = (await chargeInProcesses(store.location, [key], 150, [1])).flat(2);
    const remaining = charges.flatMap((charge) => (charge.granted ? [charge.remaining] : []));
    assert.deepEqual(
      remaining.sort(ascending),
      Array.from({ length: QUOTA }, (_, n) => n),
    );
  });

  it('charges any costs whole or not at all when they arrive at several authenticators', async () => {
    const store = await open();
    const wiring = wire(store);
    const key = await addAccount(wiring);
    const others = [await store.reopen(), await store.reopen()];
    const gates = [
      wiring.authenticator,
      ...others.map((other) => new Authenticator(other, wiring.clock.read)),
    ];
    const { usage } = prepareCharges(store.accounts.engine, 'account');

    await fc.assert(
      fc.asyncProperty(fc.array(costlyArrival, { maxLength: 12 }), async (arrivals) => {
        wiring.clock.toNextDay();
        const waiting: Promise<CostedCharge[]>[][] = gates.map(() => []);
        for (const { authenticator: index, costs, pause } of arrivals) {
          const authenticator = gates[index] ?? wiring.authenticator;
          const caller = await identified(authenticator, key);
          waiting[index]?.push(chargeCosts(authenticator, caller, costs));
          if (pause) await turn();
        }
        const byGate = await Promise.all(
          waiting.map(async (all) => (await Promise.all(all)).flat()),
        );
        const { accountId } = await identified(wiring.authenticator, key);
        const [row] = await usage([accountId], dayOf(wiring.clock.now));
        checkCosts(byGate, row?.used ?? 0);
      }),
      { numRuns: 40, endOnFailure: true },
    );
  });

  it('charges costs whole or not at all to several processes', async () => {
    const store = await open();
    const wiring = wire(store);
    const key = await addAccount(wiring);
    const byProcess = await chargeInProcesses(store.location, [key], 60, [7, 1, 25, 3]);
    const { usedToday } = await identified(wiring.authenticator, key);
    checkCosts(byProcess.flat(), usedToday);
    assert.equal(usedToday, QUOTA, 'single requests use what larger ones leave');
  });

  it('grants exactly the quota of each account when the quotas differ', async () => {
    const store = await open();
    const stores = [store, await store.reopen(), await store.reopen()];
    const statements = stores.map(({ accounts }) => prepareCharges(accounts.engine, 'account'));
    let day = dayOf(clock());
    const chargers = statements.map((each) => new QuotaCharger(each, () => startOfDay(day)));

    await fc.assert(
      fc.asyncProperty(fc.array(mixedArrival, { maxLength: 40 }), async (arrivals) => {
        day = addDays(day, 1);
        const waiting: Promise<MixedCharge>[] = [];
        for (const { charger, id, quota, cost, pause } of arrivals) {
          waiting.push(chargeMixed(chargers[charger], id, quota, cost));
          if (pause) await turn();
        }
        const charges = await decided(waiting);
        const used = new Map(
          (await statements[0]?.usage(IDS, day))?.map((usage) => [usage.id, usage.used]),
        );
        for (const id of IDS) {
          checkMixed(
            charges.filter((charge) => charge.id === id),
            used.get(id) ?? 0,
          );
        }
      }),
      { numRuns: 60, endOnFailure: true },
    );
  });

  it('grants exactly the limit of each account to several processes', async () => {
    const store = await open();
    const wiring = wire(store);
    const keys: string[] = [];
    const limits = Array.from({ length: 12 }, (_, index) => 20 + 7 * index);
    for (const dailyRequests of limits) {
      const email = `limit-${dailyRequests}@shop.example`;
      keys.push(await addAccount(wiring, email));
      await wiring.accounts.setLimits(email, { dailyRequests });
    }
    const byProcess = await chargeInProcesses(store.location, keys, 60, [1]);
    const granted = keys.map((_key, index) => {
      const charges = byProcess.flatMap((byKey) => byKey[index] ?? []);
      return charges.filter((charge) => charge.granted).length;
    });
    assert.deepEqual(granted, limits);
    const callers = await Promise.all(keys.map((key) => identified(wiring.authenticator, key)));
    assert.deepEqual(
      callers.map(({ usedToday }) => usedToday),
      limits,
    );
  });

  it('refuses a cost above the remaining quota, and returns what remains', async () => {
    const wiring = wire(await open());
    const caller = await identified(wiring.authenticator, await addAccount(wiring));
    const charges = await chargeCosts(wiring.authenticator, caller, [180, 25, 19, 2, 1, 1]);
    const told = charges.map(({ granted, remaining }) => [granted, remaining]);
    assert.deepEqual(told, [
      [true, 20],
      [false, 20],
      [true, 1],
      [false, 1],
      [true, 0],
      [false, 0],
    ]);
    wiring.clock.toNextDay();
    const beyond = await chargeCosts(wiring.authenticator, caller, [201, 200]);
    assert.deepEqual(
      beyond.map(({ granted }) => granted),
      [false, true],
    );
  });
});

/**
 * Two processes charge the same accounts at the same time. Returns the charges of each process, by
 * key.
 */
async function chargeInProcesses(
  location: string,
  keys: readonly string[],
  requests: number,
  costs: readonly number[],
): Promise<CostedCharge[][][]> {
  const sent = [CHARGER, location, JSON.stringify(keys), String(requests), JSON.stringify(costs)];
  const runs = [1, 2].map(() => promisify(execFile)(process.execPath, sent));
  const outputs = await Promise.all(runs);
  return outputs.map(({ stdout }) => JSON.parse(stdout) as CostedCharge[][]);
}

/** A charge to one of several accounts, by the quota of its caller. */
interface MixedCharge extends CostedCharge {
  readonly id: number;
  readonly quota: number;
}

async function chargeMixed(
  charger: QuotaCharger | undefined,
  id: number,
  quota: number,
  cost: number,
): Promise<MixedCharge> {
  if (!charger) throw new Error('there are fewer chargers');
  return { ...(await charger.charge(id, quota, cost)), id, quota, cost };
}

/**
 * The charges of one account: what was granted adds up to what is used, each grant follows on
 * another without a gap and stays within its quota, and nothing that would have fit is refused.
 */
function checkMixed(charges: readonly MixedCharge[], used: number): void {
  const granted = charges.filter((charge) => charge.granted);
  const usedAfter = ({ quota, remaining }: MixedCharge) => quota - remaining;
  let sum = 0;
  for (const charge of granted.sort((a, b) => usedAfter(a) - usedAfter(b))) {
    sum += charge.cost;
    assert.equal(usedAfter(charge), sum);
    assert.ok(sum <= charge.quota);
  }
  assert.equal(used, sum);
  for (const { granted: isGranted, cost, remaining, quota } of charges) {
    assert.ok(isGranted || (cost > remaining && remaining >= Math.max(0, quota - used)));
  }
}

/**
 * What was granted adds up to what is used; each grant follows on another without a gap; nothing
 * that would have fit is refused; what is left never rises at any authenticator.
 */
function checkCosts(byGate: readonly CostedCharge[][], used: number): void {
  for (const charges of byGate) {
    const left = charges.map(({ remaining }) => remaining);
    assert.deepEqual(
      left,
      left.toSorted((a, b) => b - a),
    );
  }
  const all = byGate.flat();
  const granted = all.filter((charge) => charge.granted);
  let left = QUOTA;
  for (const charge of granted.sort((a, b) => b.remaining - a.remaining)) {
    left -= charge.cost;
    assert.equal(charge.remaining, left);
  }
  assert.equal(QUOTA - used, left);
  for (const charge of all) assert.ok(charge.granted || charge.cost > charge.remaining);
}

/**
 * `granted` in all, each with a different value, falling at every authenticator; nothing after a
 * refusal.
 */
function checkCharges(byGate: readonly Charge[][], granted: number): void {
  for (const charges of byGate) {
    const values = charges.map((charge) => (charge.granted ? charge.remaining : -1));
    assert.deepEqual(
      values,
      values.toSorted((a, b) => b - a),
    );
  }
  const values = byGate.flat().flatMap((charge) => (charge.granted ? [charge.remaining] : []));
  const expected = Array.from({ length: granted }, (_, index) => QUOTA - granted + index);
  assert.deepEqual(values.sort(ascending), expected);
}

function ascending(a: number, b: number): number {
  return a - b;
}
