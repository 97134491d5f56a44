import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { it } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import fc from 'fast-check';
import { Authenticator } from '../../../src/accounts/keys/authenticator.ts';
import { prepareCharges } from '../../../src/accounts/quota/charge-sql.ts';
import type { Charge } from '../../../src/accounts/quota/quota-charger.ts';
import { dayOf } from '../../../src/domain/day.ts';
import { forEachEngine } from '../../support/engines.ts';
import {
  addAccount,
  type CostedCharge,
  chargeCosts,
  chargeTogether,
  identified,
  wire,
} from '../fixtures.ts';

const QUOTA = 200;
const CHARGER = fileURLToPath(new URL('charging-process.ts', import.meta.url));

/** Requests that come to one authenticator at the same moment, and whether others wait for the next turn. */
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
      { numRuns: 25 },
    );
  });

  it('grants exactly the quota to several processes', async () => {
    const store = await open();
    const key = await addAccount(wire(store));
    const charges = (await chargeInProcesses(store.location, key, 150, [1])).flat();
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
      { numRuns: 40 },
    );
  });

  it('charges costs whole or not at all to several processes', async () => {
    const store = await open();
    const wiring = wire(store);
    const key = await addAccount(wiring);
    const byProcess = await chargeInProcesses(store.location, key, 60, [7, 1, 25, 3]);
    const { usedToday } = await identified(wiring.authenticator, key);
    checkCosts(byProcess, usedToday);
    assert.equal(usedToday, QUOTA, 'single requests use what larger ones leave');
  });

  it('refuses what costs more than is left, and tells what is left', async () => {
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

/** Two processes charge the same account at the same time. */
async function chargeInProcesses(
  location: string,
  key: string,
  requests: number,
  costs: readonly number[],
): Promise<CostedCharge[][]> {
  const sent = [CHARGER, location, key, String(requests), JSON.stringify(costs)];
  const runs = [1, 2].map(() => promisify(execFile)(process.execPath, sent));
  const outputs = await Promise.all(runs);
  return outputs.map(({ stdout }) => JSON.parse(stdout) as CostedCharge[]);
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

/** `granted` in all, each with a value of its own, falling at every authenticator; nothing after a refusal. */
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
