import assert from 'node:assert/strict';
import { it } from 'node:test';
import { AccountKeys } from '../../../src/accounts/keys/account-keys.ts';
import { Authenticator, type CallerCharge } from '../../../src/accounts/keys/authenticator.ts';
import { dayOf } from '../../../src/domain/day.ts';
import { forEachEngine } from '../../support/engines.ts';
import { addAccount, chargeTogether, identified, refused, type Wiring, wire } from '../fixtures.ts';

const EMAIL = 'ann@shop.example';
const granted = (charges: readonly CallerCharge[]) => charges.filter((charge) => charge.granted);

/** An account with a key that has a limit, and one that has none. */
async function limited(parts: Wiring, dailyRequests: number, plan = 'free') {
  const free = await addAccount(parts, EMAIL, plan);
  return { free, ...(await parts.keys.create(EMAIL, { dailyRequests })) };
}

forEachEngine((_label, open) => {
  it('serves exactly the limit of a key, however many processes ask at once', async () => {
    const store = await open();
    const parts = wire(store);
    const { key } = await limited(parts, 30);
    const authenticators = [
      parts.authenticator,
      new Authenticator(await store.reopen(), parts.clock.read),
    ];
    const charges = await Promise.all(
      authenticators.map(async (authenticator) => {
        const caller = await identified(authenticator, key);
        return chargeTogether(authenticator, caller, 25);
      }),
    );
    assert.equal(granted(charges.flat()).length, 30);
    const refusals = charges.flat().filter((charge) => !charge.granted);
    assert.ok(refusals.every(({ isKeyLimit, remaining }) => isKeyLimit && remaining >= 170));
    const { keyUsedToday, usedToday } = await identified(parts.authenticator, key);
    assert.deepEqual([keyUsedToday, usedToday], [30, 30], 'a refusal costs the account nothing');
  });

  it('limits no other key of the account, and resets at midnight UTC', async () => {
    const parts = wire(await open());
    const { key, free } = await limited(parts, 5);
    const caller = await identified(parts.authenticator, key);
    assert.equal(granted(await chargeTogether(parts.authenticator, caller, 9)).length, 5);
    const other = await identified(parts.authenticator, free);
    assert.equal(granted(await chargeTogether(parts.authenticator, other, 9)).length, 9);
    parts.clock.toNextDay();
    const tomorrow = await identified(parts.authenticator, key);
    assert.equal(tomorrow.keyUsedToday, 0);
    assert.equal(granted(await chargeTogether(parts.authenticator, tomorrow, 9)).length, 5);
  });

  it('charges several requests at once to key and account, or to neither', async () => {
    const parts = wire(await open());
    const { key } = await limited(parts, 10);
    const { authenticator } = parts;
    const caller = await identified(authenticator, key);
    const costs = [6, 5, 4, 1];
    const charges = await Promise.all(costs.map((cost) => authenticator.charge(caller, cost)));
    assert.deepEqual(
      charges.map((charge) => charge.granted),
      [true, false, true, false],
    );
    assert.equal((await identified(authenticator, key)).usedToday, 10);
  });

  it('takes back from the key what the quota of the account refuses', async () => {
    const parts = wire(await open());
    const { key, free, id } = await limited(parts, 150);
    const { authenticator } = parts;
    const other = await identified(authenticator, free);
    await chargeTogether(authenticator, other, 100);
    const caller = await identified(authenticator, key);
    const charges = await chargeTogether(authenticator, caller, 150);
    assert.equal(granted(charges).length, 100);
    assert.ok(charges.every(({ isKeyLimit }) => !isKeyLimit));
    const [, listed] = await parts.keys.list(EMAIL);
    assert.deepEqual([listed?.id, listed?.usedToday], [id, 100]);
    await parts.accounts.setPlan(EMAIL, 'trader');
    const upgraded = await identified(authenticator, key);
    assert.equal(granted(await chargeTogether(authenticator, upgraded, 150)).length, 50);
  });

  it('takes it back only from this key, and only from this day', async () => {
    const store = await open();
    const parts = wire(store);
    const { key, id } = await limited(parts, 150);
    const second = await parts.keys.create(EMAIL, { dailyRequests: 150 });
    const { authenticator } = parts;
    await authenticator.charge(await identified(authenticator, key), 7);
    parts.clock.toNextDay();
    await authenticator.charge(await identified(authenticator, second.key), 150);
    const refusal = await authenticator.charge(await identified(authenticator, key), 60);
    assert.equal(refusal.granted, false);
    const rows = await store.accounts.db
      .selectFrom('key_usage')
      .orderBy(['day', 'key_id'])
      .select(['key_id', 'used'])
      .execute();
    assert.deepEqual(
      rows.map((row) => [row.key_id, row.used]),
      [
        [id, 7],
        [id, 0],
        [second.id, 150],
      ],
    );
  });

  it('counts nothing of a key without a limit', async () => {
    const store = await open();
    const parts = wire(store);
    const key = await addAccount(parts, EMAIL);
    await parts.keys.create(EMAIL, { scopes: ['read'] });
    const caller = await identified(parts.authenticator, key);
    assert.equal(caller.access, null);
    await parts.authenticator.charge(caller);
    assert.deepEqual(await store.accounts.db.selectFrom('key_usage').selectAll().execute(), []);
    assert.deepEqual(
      (await parts.keys.list(EMAIL)).map(({ usedToday }) => usedToday),
      [null, null],
    );
  });

  it('changes what a key may do from its next request on, and keeps the rest', async () => {
    const parts = wire(await open());
    const { key, id } = await limited(parts, 10);
    const changed = await parts.keys.update(String(id), { scopes: ['bulk', 'bulk'], name: 'shop' });
    assert.deepEqual([changed.scopes, changed.dailyRequests, changed.name], [['bulk'], 10, 'shop']);
    const dated = await parts.keys.update(String(id), { expires: '2099-12-31' });
    assert.deepEqual([dated.name, dated.expiresAt], ['shop', Date.UTC(2100, 0, 1)]);
    const { access } = await identified(parts.authenticator, key);
    assert.deepEqual(
      [access?.scopes, access?.dailyRequests, access?.inQuery],
      [['bulk'], 10, true],
    );
    const addresses = ['203.0.113.0/24'];
    await parts.keys.update(String(id), { addresses, dailyRequests: null, inQuery: false });
    const next = (await identified(parts.authenticator, key)).access;
    assert.deepEqual(
      [next?.addresses, next?.dailyRequests, next?.inQuery],
      [addresses, null, false],
    );
    const all = ['read', 'bulk', 'alerts', 'webhooks', 'sheet'];
    await parts.keys.update(String(id), { scopes: all, addresses: [], inQuery: true });
    assert.equal((await identified(parts.authenticator, key)).access, null);
  });

  it('leaves out scopes that no longer exist, and never lifts the restriction', async () => {
    const store = await open();
    const parts = wire(store);
    const { key, id } = await limited(parts, 10);
    const { db } = store.accounts;
    for (const [stored, scopes] of [
      [['tables', 'charts'], []],
      [['read', 'tables'], ['read']],
      [
        ['read', 'bulk', 'charts'],
        ['read', 'bulk'],
      ],
      [['charts', 'operator:read'], ['operator:read']],
    ] as const) {
      const others = { dailyRequests: null, addresses: null, inQuery: true };
      const restrictions = JSON.stringify({ scopes: stored, ...others });
      await db.updateTable('api_keys').set({ restrictions }).where('id', '=', id).execute();
      const read = async () => (await identified(parts.authenticator, key)).access?.scopes;
      assert.deepEqual(await read(), scopes);
      assert.deepEqual((await parts.keys.update(String(id), { name: 'old' })).scopes, scopes);
      assert.deepEqual(await read(), scopes);
    }
  });

  it('keeps the restrictions of a key that is regenerated', async () => {
    const parts = wire(await open());
    const { id } = await limited(parts, 10);
    const { key, dailyRequests } = await parts.keys.regenerate(String(id));
    assert.equal(dailyRequests, 10);
    assert.equal((await identified(parts.authenticator, key)).access?.dailyRequests, 10);
  });

  it('takes the largest and the smallest limit, and 20 networks', async () => {
    const parts = wire(await open());
    const { id } = await limited(parts, 1);
    const addresses = Array.from({ length: 20 }, (_, index) => `10.0.${index}.0/24`);
    const dailyRequests = 999_999_999;
    const changed = await parts.keys.update(String(id), { dailyRequests, addresses });
    assert.deepEqual([changed.dailyRequests, changed.addresses], [dailyRequests, addresses]);
  });

  it('refuses restrictions that make no sense', async () => {
    const parts = wire(await open());
    const { id } = await limited(parts, 10);
    const networks = Array.from({ length: 21 }, (_, index) => `10.0.${index}.0/24`);
    for (const [options, reason] of [
      [{ scopes: [] }, /at least one scope/],
      [{ scopes: ['admin'] }, /There is no scope "admin"/],
      [{ dailyRequests: 0 }, /whole number of requests a day/],
      [{ dailyRequests: 1.5 }, /whole number of requests a day/],
      [{ dailyRequests: 1e9 }, /whole number of requests a day/],
      [{ addresses: ['10.0.0.0/8', 'shop.example'] }, /"shop\.example" is neither/],
      [{ addresses: networks }, /at most 20/],
      [{ expires: '2026-01-01' }, /in the past/],
    ] as const) {
      await assert.rejects(parts.keys.create(EMAIL, options), refused('REFUSED', reason));
      await assert.rejects(parts.keys.update(String(id), options), refused('REFUSED', reason));
    }
    await parts.keys.revoke(String(id));
    const late = parts.keys.update(String(id), { name: 'late' });
    await assert.rejects(late, refused('REFUSED', /was revoked/));
  });

  it('gives scopes of operators to keys of operators only', async () => {
    const parts = wire(await open());
    const { id } = await limited(parts, 10);
    const scopes = ['read', 'operator:read'];
    const reason = /^Only keys of operators may have the scope operator:read\.$/;
    await assert.rejects(parts.keys.create(EMAIL, { scopes }), refused('REFUSED', reason));
    await assert.rejects(parts.keys.update(String(id), { scopes }), refused('REFUSED', reason));
    await parts.accounts.setOperator(EMAIL, true);
    assert.deepEqual((await parts.keys.update(String(id), { scopes })).scopes, scopes);
    assert.deepEqual((await parts.keys.create(EMAIL, { scopes })).scopes, scopes);
  });

  it('lets other keys change no key with a scope of operators', async () => {
    const parts = wire(await open());
    await parts.accounts.create(EMAIL, 'free', { isOperator: true });
    const { id, hint } = await parts.keys.create(EMAIL, { scopes: ['operator:write'] });
    const plain = String((await parts.keys.create(EMAIL, { scopes: ['read'] })).id);
    const by = { isOrdinary: true };
    const reason = /has an operator scope: its owner changes it/;
    for (const change of [
      () => parts.keys.update(String(id), { name: 'free', dailyRequests: null }, by),
      () => parts.keys.regenerate(String(id), { ...by, hint }),
      () => parts.keys.revoke(String(id), by),
    ]) {
      await assert.rejects(change, refused('REFUSED', reason));
    }
    assert.equal((await parts.keys.update(plain, { name: 'shop' }, by)).name, 'shop');
    assert.equal((await parts.keys.revoke(plain, by)).status, 'revoked');
    assert.equal((await parts.keys.update(String(id), { name: 'own' })).name, 'own');
  });

  it('ends new keys after the days that the service sets, unless their owner says otherwise', async () => {
    const store = await open();
    const parts = wire(store);
    await parts.accounts.create(EMAIL, 'free');
    const keys = new AccountKeys(store, parts.clock.read, { keyDays: 90 });
    const { expiresAt } = await keys.create(EMAIL);
    assert.equal(dayOf(expiresAt ?? 0) - dayOf(parts.clock.now), 91, 'the 90th day is its last');
    assert.equal((await keys.create(EMAIL, { expires: 'never' })).expiresAt, null);
    const chosen = await keys.create(EMAIL, { expires: '2030-12-31' });
    assert.equal(chosen.expiresAt, Date.UTC(2031, 0, 1));
  });
});
