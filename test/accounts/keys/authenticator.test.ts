import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createApiKey } from '../../../src/accounts/keys/api-key.ts';
import {
  Authenticator,
  type Caller,
  requireOperatorKey,
} from '../../../src/accounts/keys/authenticator.ts';
import { addDays, dayOf } from '../../../src/domain/day.ts';
import type { OperatorScope } from '../../../src/domain/key-scopes.ts';
import type { Store } from '../../../src/store/connect.ts';
import type { Engine } from '../../../src/store/engine/engine.ts';
import { forEachEngine } from '../../support/engines.ts';
import { addAccount, chargeTogether, FixedClock, identified, wire } from '../fixtures.ts';

/** The day on which the clock stands. */
const TODAY = dayOf(new FixedClock().now);
const REFUSED = { granted: false, remaining: 0, day: TODAY };

forEachEngine((_label, open) => {
  it('accepts a key for operator calls only with the scope, while its account is an operator', async () => {
    const store = await open();
    const { accounts, keys, authenticator } = wire(store);
    await accounts.create('op@shop.example', 'free', { isOperator: true });
    const reading = await keys.create('op@shop.example', { scopes: ['operator:read'] });
    const plain = await keys.create('op@shop.example');
    const callers = [
      await identified(authenticator, reading.key),
      await identified(authenticator, plain.key),
    ] as const;
    const outcome = async (caller: Caller, scope: OperatorScope) => {
      return requireOperatorKey(store, caller, scope).then(
        ({ accountId }) => accountId,
        ({ code }) => code,
      );
    };
    assert.equal(await outcome(callers[0], 'operator:read'), callers[0].accountId);
    assert.equal(await outcome(callers[0], 'operator:write'), 'KEY_RESTRICTION');
    assert.equal(await outcome(callers[1], 'operator:read'), 'KEY_RESTRICTION');
    await accounts.create('other@shop.example', 'free', { isOperator: true });
    await accounts.setOperator('op@shop.example', false);
    assert.equal(await outcome(callers[0], 'operator:read'), 'FORBIDDEN');
  });

  it('identifies the caller of a key, with its usage of today', async () => {
    const wiring = wire(await open());
    const key = await addAccount(wiring, 'ann@shop.example', 'trader');
    const fresh = await identified(wiring.authenticator, key);
    assert.equal(fresh.plan.name, 'trader');
    assert.equal(fresh.usedToday, 0);

    await chargeTogether(wiring.authenticator, fresh, 3);
    assert.equal((await identified(wiring.authenticator, key)).usedToday, 3);
    wiring.clock.toNextDay();
    assert.equal((await identified(wiring.authenticator, key)).usedToday, 0);
  });

  it('identifies nobody by a malformed, unknown, expired, revoked or disabled key', async () => {
    const { accounts, clock, authenticator, keys } = wire(await open());
    await accounts.create('ann@shop.example', 'free');
    const expiring = await keys.create('ann@shop.example', { expires: '2026-01-28' });
    const revoked = await keys.create('ann@shop.example');
    const good = await keys.create('ann@shop.example');

    assert.equal(await authenticator.identify('cp_live_nonsense'), undefined);
    assert.equal(await authenticator.identify(createApiKey()), undefined);
    assert.ok(await authenticator.identify(revoked.key));
    await keys.revoke(String(revoked.id));
    assert.equal(await authenticator.identify(revoked.key), undefined);
    assert.ok(await authenticator.identify(expiring.key));
    clock.toNextDay();
    assert.equal(await authenticator.identify(expiring.key), undefined);
    assert.ok(await authenticator.identify(good.key));
    await accounts.disable('ann@shop.example');
    assert.equal(await authenticator.identify(good.key), undefined);
    await accounts.enable('ann@shop.example');
    assert.ok(await authenticator.identify(good.key));
  });

  it('charges request after request until exactly nothing remains', async () => {
    const wiring = wire(await open());
    const caller = await identified(wiring.authenticator, await addAccount(wiring));
    const first = await chargeTogether(wiring.authenticator, caller, 190);
    assert.deepEqual(first.map(remainingOf), descending(199, 10));

    const last = await chargeTogether(wiring.authenticator, caller, 20);
    assert.deepEqual(last.slice(0, 10).map(remainingOf), descending(9, 0));
    assert.deepEqual(last.slice(10), Array(10).fill(REFUSED));
    assert.deepEqual(await wiring.authenticator.charge(caller), REFUSED);
  });

  it('grants exactly the quota when more charges are pending from the start', async () => {
    const wiring = wire(await open());
    const caller = await identified(wiring.authenticator, await addAccount(wiring));
    const charges = await chargeTogether(wiring.authenticator, caller, 300);
    assert.equal(charges.filter((charge) => charge.granted).length, 200);
  });

  it('decides each account separately when charges of many are pending', async () => {
    const wiring = wire(await open());
    const ann = await identified(
      wiring.authenticator,
      await addAccount(wiring, 'ann@shop.example'),
    );
    const bob = await identified(
      wiring.authenticator,
      await addAccount(wiring, 'bob@shop.example'),
    );
    const eve = await identified(
      wiring.authenticator,
      await addAccount(wiring, 'eve@x.example', 'trader'),
    );
    await chargeTogether(wiring.authenticator, ann, 199);
    const [anns, bobs, eves] = await Promise.all(
      [ann, bob, eve].map((caller) => chargeTogether(wiring.authenticator, caller, 3)),
    );
    assert.deepEqual(anns, [{ granted: true, remaining: 0, day: TODAY }, REFUSED, REFUSED]);
    assert.deepEqual(bobs?.map(remainingOf), descending(199, 197));
    assert.deepEqual(eves?.map(remainingOf), descending(9_999, 9_997));
  });

  it('counts a charge on the day of the charge, not of the identification', async () => {
    const wiring = wire(await open());
    const caller = await identified(wiring.authenticator, await addAccount(wiring));
    await chargeTogether(wiring.authenticator, caller, 200);
    wiring.clock.toNextDay();
    const charge = await wiring.authenticator.charge(caller);
    assert.deepEqual(charge, { granted: true, remaining: 199, day: addDays(TODAY, 1) });
  });

  it('charges the next request to the quota of a changed plan', async () => {
    const wiring = wire(await open());
    const key = await addAccount(wiring);
    const before = await identified(wiring.authenticator, key);
    await chargeTogether(wiring.authenticator, before, 200);
    await wiring.accounts.setPlan('ann@shop.example', 'trader');
    const raised = await identified(wiring.authenticator, key);
    assert.equal(raised.plan.name, 'trader');
    // A request that was let in under the old plan may still be waiting.
    const [old, next] = await Promise.all(
      [before, raised].map((caller) => wiring.authenticator.charge(caller)),
    );
    assert.deepEqual(old, REFUSED);
    assert.deepEqual(next, { granted: true, remaining: 9_799, day: TODAY });

    await wiring.accounts.setPlan('ann@shop.example', 'free');
    const lowered = await identified(wiring.authenticator, key);
    assert.deepEqual(await wiring.authenticator.charge(lowered), REFUSED);
    assert.equal((await wiring.authenticator.remaining(lowered)).remaining, 0);
  });

  it('returns the remaining quota without a charge', async () => {
    const wiring = wire(await open());
    const caller = await identified(wiring.authenticator, await addAccount(wiring));
    assert.equal((await wiring.authenticator.remaining(caller)).remaining, 200);
    await chargeTogether(wiring.authenticator, caller, 5);
    assert.equal((await wiring.authenticator.remaining(caller)).remaining, 195);
    assert.equal((await wiring.authenticator.remaining(caller)).remaining, 195);
  });

  it('shares one statement between lookups of one tick, and skips texts that are not keys', async () => {
    const store = await open();
    const wiring = wire(store);
    const keys = [await addAccount(wiring), await addAccount(wiring, 'bob@shop.example')];
    const { authenticator, log } = observe(store, wiring.clock.read);
    const callers = await Promise.all(
      Array.from({ length: 64 }, (_, index) => identified(authenticator, keys[index % 2] ?? '')),
    );
    assert.equal(log.statements, 1);
    await Promise.all(callers.map((caller) => authenticator.charge(caller)));
    assert.equal(log.statements, 2);
    await Promise.all(callers.map((caller) => authenticator.remaining(caller)));
    assert.equal(log.statements, 3);
    await Promise.all([authenticator.identify(''), authenticator.identify('x'.repeat(1_000_000))]);
    assert.equal(log.statements, 3);
  });

  it('rejects every pending call when the store fails, charges none, and recovers', async () => {
    const store = await open();
    const wiring = wire(store);
    const key = await addAccount(wiring);
    const { authenticator, log } = observe(store, wiring.clock.read);
    const caller = await identified(authenticator, key);

    log.failure = new Error('the disk is gone');
    const waiting = [
      authenticator.charge(caller),
      authenticator.charge(caller),
      authenticator.identify(key),
      authenticator.remaining(caller),
    ];
    for (const outcome of await Promise.allSettled(waiting)) {
      assert.equal(outcome.status, 'rejected');
      assert.equal(outcome.reason, log.failure);
    }
    log.failure = undefined;
    const charge = await authenticator.charge(caller);
    assert.deepEqual(charge, { granted: true, remaining: 199, day: TODAY });
  });

  it('keeps granted charges when the store fails for the remaining ones', async () => {
    const store = await open();
    const wiring = wire(store);
    const ann = await identified(wiring.authenticator, await addAccount(wiring));
    const bob = await identified(
      wiring.authenticator,
      await addAccount(wiring, 'bob@shop.example'),
    );
    await chargeTogether(wiring.authenticator, ann, 199);
    const { authenticator, log } = observe(store, wiring.clock.read);
    const waiting = [
      authenticator.charge(ann),
      authenticator.charge(ann),
      authenticator.charge(bob),
    ];
    log.failAfter(1, new Error('the disk is gone'));
    const outcomes = await Promise.allSettled(waiting);
    assert.deepEqual(
      outcomes.map(({ status }) => status),
      ['rejected', 'rejected', 'fulfilled'],
    );
    log.failure = undefined;
    assert.equal((await authenticator.remaining(ann)).remaining, 1);
    assert.equal((await authenticator.remaining(bob)).remaining, 199);
  });
});

function remainingOf({ granted, remaining }: { granted: boolean; remaining: number }): number {
  assert.ok(granted);
  return remaining;
}

function descending(from: number, to: number): number[] {
  return Array.from({ length: from - to + 1 }, (_, index) => from - index);
}

/** Counts a authenticator's statements, and fails them on demand. */
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

function observe(
  store: Store,
  clock: () => number,
): { authenticator: Authenticator; log: StatementLog } {
  const log = new StatementLog();
  const engine: Engine = {
    ...store.accounts.engine,
    prepare<Row>(text: string) {
      const statement = store.accounts.engine.prepare<Row>(text);
      return (parameters: Parameters<typeof statement>[0]) => log.run(() => statement(parameters));
    },
  };
  return {
    authenticator: new Authenticator({ ...store, accounts: { ...store.accounts, engine } }, clock),
    log,
  };
}
