import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { it } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import fc from 'fast-check';
import { Authenticator } from '../../src/accounts/authenticator.ts';
import type { Charge } from '../../src/accounts/quota-charger.ts';
import { forEachEngine } from '../support/engines.ts';
import { addAccount, chargeTogether, identified, wire } from './fixtures.ts';

const QUOTA = 200;
const CHARGER = fileURLToPath(new URL('charging-process.ts', import.meta.url));

/** Requests that come to one authenticator at the same moment, and whether others wait for the next turn. */
const arrival = fc.record({
  authenticator: fc.nat(2),
  count: fc.integer({ min: 1, max: 60 }),
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
    const outputs = await Promise.all(
      [1, 2].map(() =>
        promisify(execFile)(process.execPath, [CHARGER, store.location, key, '150']),
      ),
    );
    const remaining = outputs.flatMap(({ stdout }) => JSON.parse(stdout) as number[]);
    assert.deepEqual(
      remaining.sort(ascending),
      Array.from({ length: QUOTA }, (_, n) => n),
    );
  });
});

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
