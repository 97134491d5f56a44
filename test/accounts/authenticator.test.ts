import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createApiKey } from '../../src/accounts/api-key.ts';
import { Authenticator } from '../../src/accounts/authenticator.ts';
import type { Store } from '../../src/store/connect.ts';
import type { Engine } from '../../src/store/engine.ts';
import { forEachEngine } from '../support/engines.ts';
import { addAccount, chargeTogether, identified, wire } from './fixtures.ts';

const REFUSED = { granted: false, remaining: 0 };

forEachEngine((_label, open) => {
  it('identifies the caller behind a key, with the usage of today', async () => {
    const wiring = wire(await open());
    const key = await addAccount(wiring, 'ann@shop.example', 'trader');
    const fresh = await identified(wiring.gate, key);
    assert.equal(fresh.plan.name, 'trader');
    assert.equal(fresh.usedToday, 0);

    await chargeTogether(wiring.gate, fresh, 3);
    assert.equal((await identified(wiring.gate, key)).usedToday, 3);
    wiring.clock.toNextDay();
    assert.equal((await identified(wiring.gate, key)).usedToday, 0);
  });

  it('knows nobody behind a malformed, unknown, expired, revoked or disabled key', async () => {
    const { accounts, clock, gate, keys } = wire(await open());
    await accounts.create('ann@shop.example', 'free');
    const expiring = await keys.create('ann@shop.example', { expires: '2026-01-28' });
    const revoked = await keys.create('ann@shop.example');
    const good = await keys.create('ann@shop.example');

    assert.equal(await gate.identify('cp_live_nonsense'), undefined);
    assert.equal(await gate.identify(createApiKey()), undefined);
    assert.ok(await gate.identify(revoked.key));
    await keys.revoke(String(revoked.id));
    assert.equal(await gate.identify(revoked.key), undefined);
    assert.ok(await gate.identify(expiring.key));
    clock.toNextDay();
    assert.equal(await gate.identify(expiring.key), undefined);
    assert.ok(await gate.identify(good.key));
    await accounts.disable('ann@shop.example');
    assert.equal(await gate.identify(good.key), undefined);
    await accounts.enable('ann@shop.example');
    assert.ok(await gate.identify(good.key));
  });

  it('charges one after the other, down to exactly none', async () => {
    const wiring = wire(await open());
    const caller = await identified(wiring.gate, await addAccount(wiring));
    const first = await chargeTogether(wiring.gate, caller, 190);
    assert.deepEqual(first.map(remainingOf), descending(199, 10));

    const last = await chargeTogether(wiring.gate, caller, 20);
    assert.deepEqual(last.slice(0, 10).map(remainingOf), descending(9, 0));
    assert.deepEqual(last.slice(10), Array(10).fill(REFUSED));
    assert.deepEqual(await wiring.gate.charge(caller), REFUSED);
  });

  it('grants as many as the quota even when more wait from the start', async () => {
    const wiring = wire(await open());
    const caller = await identified(wiring.gate, await addAccount(wiring));
    const charges = await chargeTogether(wiring.gate, caller, 300);
    assert.equal(charges.filter((charge) => charge.granted).length, 200);
  });

  it('decides each account by itself when many wait at once', async () => {
    const wiring = wire(await open());
    const ann = await identified(wiring.gate, await addAccount(wiring, 'ann@shop.example'));
    const bob = await identified(wiring.gate, await addAccount(wiring, 'bob@shop.example'));
    const eve = await identified(wiring.gate, await addAccount(wiring, 'eve@x.example', 'trader'));
    await chargeTogether(wiring.gate, ann, 199);
    const [anns, bobs, eves] = await Promise.all(
      [ann, bob, eve].map((caller) => chargeTogether(wiring.gate, caller, 3)),
    );
    assert.deepEqual(anns, [{ granted: true, remaining: 0 }, REFUSED, REFUSED]);
    assert.deepEqual(bobs?.map(remainingOf), descending(199, 197));
    assert.deepEqual(eves?.map(remainingOf), descending(9_999, 9_997));
  });

  it('counts a charge on the day of the charge, not of the identification', async () => {
    const wiring = wire(await open());
    const caller = await identified(wiring.gate, await addAccount(wiring));
    await chargeTogether(wiring.gate, caller, 200);
    wiring.clock.toNextDay();
    assert.deepEqual(await wiring.gate.charge(caller), { granted: true, remaining: 199 });
  });

  it('measures the next request by a changed plan', async () => {
    const wiring = wire(await open());
    const key = await addAccount(wiring);
    const before = await identified(wiring.gate, key);
    await chargeTogether(wiring.gate, before, 200);
    await wiring.accounts.setPlan('ann@shop.example', 'trader');
    const raised = await identified(wiring.gate, key);
    assert.equal(raised.plan.name, 'trader');
    // A request that was let in under the old plan may still be waiting.
    const [old, next] = await Promise.all(
      [before, raised].map((caller) => wiring.gate.charge(caller)),
    );
    assert.deepEqual(old, REFUSED);
    assert.deepEqual(next, { granted: true, remaining: 9_799 });

    await wiring.accounts.setPlan('ann@shop.example', 'free');
    const lowered = await identified(wiring.gate, key);
    assert.deepEqual(await wiring.gate.charge(lowered), REFUSED);
    assert.equal(await wiring.gate.remaining(lowered), 0);
  });

  it('tells what remains without charging', async () => {
    const wiring = wire(await open());
    const caller = await identified(wiring.gate, await addAccount(wiring));
    assert.equal(await wiring.gate.remaining(caller), 200);
    await chargeTogether(wiring.gate, caller, 5);
    assert.equal(await wiring.gate.remaining(caller), 195);
    assert.equal(await wiring.gate.remaining(caller), 195);
  });

  it('asks the store once for all that wait at the same moment, and never for garbage', async () => {
    const store = await open();
    const wiring = wire(store);
    const keys = [await addAccount(wiring), await addAccount(wiring, 'bob@shop.example')];
    const { gate, log } = observe(store, wiring.clock.read);
    const callers = await Promise.all(
      Array.from({ length: 64 }, (_, index) => identified(gate, keys[index % 2] ?? '')),
    );
    assert.equal(log.statements, 1);
    await Promise.all(callers.map((caller) => gate.charge(caller)));
    assert.equal(log.statements, 2);
    await Promise.all(callers.map((caller) => gate.remaining(caller)));
    assert.equal(log.statements, 3);
    await Promise.all([gate.identify(''), gate.identify('x'.repeat(1_000_000))]);
    assert.equal(log.statements, 3);
  });

  it('rejects all that wait when the store fails, charges none of them, and recovers', async () => {
    const store = await open();
    const wiring = wire(store);
    const key = await addAccount(wiring);
    const { gate, log } = observe(store, wiring.clock.read);
    const caller = await identified(gate, key);

    log.failure = new Error('the disk is gone');
    const waiting = [
      gate.charge(caller),
      gate.charge(caller),
      gate.identify(key),
      gate.remaining(caller),
    ];
    for (const outcome of await Promise.allSettled(waiting)) {
      assert.equal(outcome.status, 'rejected');
      assert.equal(outcome.reason, log.failure);
    }
    log.failure = undefined;
    assert.deepEqual(await gate.charge(caller), { granted: true, remaining: 199 });
  });

  it('keeps those charged that were, when the store fails over the rest', async () => {
    const store = await open();
    const wiring = wire(store);
    const ann = await identified(wiring.gate, await addAccount(wiring));
    const bob = await identified(wiring.gate, await addAccount(wiring, 'bob@shop.example'));
    await chargeTogether(wiring.gate, ann, 199);
    const { gate, log } = observe(store, wiring.clock.read);
    const waiting = [gate.charge(ann), gate.charge(ann), gate.charge(bob)];
    log.failAfter(1, new Error('the disk is gone'));
    const outcomes = await Promise.allSettled(waiting);
    assert.deepEqual(
      outcomes.map(({ status }) => status),
      ['rejected', 'rejected', 'fulfilled'],
    );
    log.failure = undefined;
    assert.equal(await gate.remaining(ann), 1);
    assert.equal(await gate.remaining(bob), 199);
  });
});

function remainingOf({ granted, remaining }: { granted: boolean; remaining: number }): number {
  assert.ok(granted);
  return remaining;
}

function descending(from: number, to: number): number[] {
  return Array.from({ length: from - to + 1 }, (_, index) => from - index);
}

/** Counts a gate's statements, and fails them on demand. */
class StatementLog {
  statements = 0;
  failure: Error | undefined;
  #failAt = Number.POSITIVE_INFINITY;
  #nextFailure: Error | undefined;

  failAfter(statements: number, failure: Error): void {
    this.#failAt = this.statements + statements;
    this.#nextFailure = failure;
  }

  async run<Row>(statement: () => Promise<Row[]>): Promise<Row[]> {
    if (this.statements === this.#failAt) this.failure = this.#nextFailure;
    this.statements += 1;
    if (this.failure) throw this.failure;
    return statement();
  }
}

function observe(store: Store, clock: () => number): { gate: Authenticator; log: StatementLog } {
  const log = new StatementLog();
  const engine: Engine = {
    ...store.engine,
    prepare<Row>(text: string) {
      const statement = store.engine.prepare<Row>(text);
      return (parameters: Parameters<typeof statement>[0]) => log.run(() => statement(parameters));
    },
  };
  return { gate: new Authenticator({ ...store, engine }, clock), log };
}
