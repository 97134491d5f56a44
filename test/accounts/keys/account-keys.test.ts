import assert from 'node:assert/strict';
import { it } from 'node:test';
import { AccountKeys } from '../../../src/accounts/keys/account-keys.ts';
import { forEachEngine } from '../../support/engines.ts';
import { refusal, refused, wire } from '../fixtures.ts';

const ANN = 'ann@shop.example';

forEachEngine((_label, open) => {
  async function withAnn() {
    const store = await open();
    const wiring = wire(store);
    await wiring.accounts.create(ANN, 'free');
    return { ...wiring, store };
  }

  it('creates a key, returns its secret once, and stores only a digest and a hint', async () => {
    const { clock, authenticator, keys, store } = await withAnn();
    const { key, ...created } = await keys.create('Ann@Shop.example', { name: 'shop' });
    assert.deepEqual(created, {
      id: 1,
      accountId: 1,
      name: 'shop',
      hint: key.slice(-4),
      status: 'active',
      createdAt: clock.now,
      expiresAt: null,
      revokedAt: null,
      lastUse: null,
      scopes: null,
      dailyRequests: null,
      addresses: null,
      inQuery: true,
      usedToday: null,
    });
    assert.ok(await authenticator.identify(key));
    assert.deepEqual(await keys.list(ANN), [created]);
    const rows = await store.accounts.db.selectFrom('api_keys').selectAll().execute();
    assert.ok(!JSON.stringify(rows).includes(key.slice('cp_live_'.length, -4)));
  });

  it('accepts a key until the end of its last day (UTC)', async () => {
    const { clock, keys } = await withAnn();
    const { expiresAt } = await keys.create(ANN, { expires: '2026-01-28' });
    assert.equal(expiresAt, Date.UTC(2026, 0, 29));
    clock.toNextDay();
    assert.deepEqual(
      (await keys.list(ANN)).map((key) => key.status),
      ['expired'],
    );
    await assert.rejects(keys.update('1', { name: 'late' }), refusal(/has expired/));
    await assert.rejects(keys.create(ANN, { expires: '2026-01-28' }), refusal(/in the past/));
  });

  it('refuses malformed and past expiry dates, bad names and unknown accounts', async () => {
    const { keys } = await withAnn();
    for (const expires of ['', 'tomorrow', '2026-02-30', '28.01.2027', '2026-1-28']) {
      await assert.rejects(keys.create(ANN, { expires }), refusal(/is not a date.*YYYY-MM-DD/));
    }
    await assert.rejects(keys.create(ANN, { expires: '2026-01-27' }), refusal(/in the past/));
    for (const name of ['', 'a\nb', 'x'.repeat(101)]) {
      await assert.rejects(keys.create(ANN, { name }), refusal(/1 to 100 characters/));
    }
    assert.equal((await keys.create(ANN, { name: 'x'.repeat(100) })).name.length, 100);
    await assert.rejects(keys.create('nobody@x.example'), refusal(/no account nobody@x\.example/));
    await assert.rejects(keys.list('nobody@x.example'), refusal(/no account nobody@x\.example/));
    assert.equal((await keys.list(ANN)).length, 1);
  });

  it('allows five active keys; revoked and expired ones do not count', async () => {
    const { clock, keys } = await withAnn();
    const first = await keys.create(ANN);
    await keys.create(ANN, { expires: '2026-01-28' });
    for (let more = 0; more < 3; more += 1) await keys.create(ANN);
    await assert.rejects(keys.create(ANN), refusal(/5 active keys/));
    assert.equal((await keys.list(ANN)).length, 5);

    await keys.revoke(String(first.id));
    await keys.create(ANN);
    await assert.rejects(keys.create(ANN), refusal(/5 active keys/));
    clock.toNextDay();
    await keys.create(ANN);
  });

  it('never has more than five active keys, even when many are created at the same moment', async () => {
    const { clock, keys, store } = await withAnn();
    const others = new AccountKeys(await store.reopen(), clock.read);
    const outcomes = await Promise.allSettled(
      Array.from({ length: 12 }, (_, index) => (index % 2 ? keys : others).create(ANN)),
    );
    const created = outcomes.filter(({ status }) => status === 'fulfilled').length;
    const listed = await keys.list(ANN);
    assert.ok(listed.length <= 5, `${listed.length} keys`);
    assert.equal(listed.length, created);
  });

  it('regenerates: the old key stops, the new one keeps id, name and expiry', async () => {
    const { authenticator, keys } = await withAnn();
    const old = await keys.create(ANN, { name: 'shop', expires: '2030-12-31' });
    const renewed = await keys.regenerate(String(old.id));
    assert.notEqual(renewed.key, old.key);
    assert.equal(renewed.hint, renewed.key.slice(-4));
    const kept = ({ id, name, expiresAt }: typeof old) => ({ id, name, expiresAt });
    assert.deepEqual(kept(renewed), kept(old));
    assert.equal(await authenticator.identify(old.key), undefined);
    assert.ok(await authenticator.identify(renewed.key));
  });

  it('refuses to regenerate a revoked or expired key', async () => {
    const { clock, keys } = await withAnn();
    const revoked = await keys.create(ANN);
    const expiring = await keys.create(ANN, { expires: '2026-01-28' });
    await keys.revoke(String(revoked.id));
    clock.toNextDay();
    await assert.rejects(keys.regenerate(String(revoked.id)), refusal(/was revoked/));
    await assert.rejects(keys.regenerate(String(expiring.id)), refusal(/has expired/));
  });

  it('revokes a key for good; revoking it again changes nothing', async () => {
    const { clock, keys } = await withAnn();
    const { id } = await keys.create(ANN);
    const revoked = await keys.revoke(String(id));
    assert.equal(revoked.status, 'revoked');
    assert.equal(revoked.revokedAt, clock.now);
    clock.toNextDay();
    assert.deepEqual(await keys.revoke(String(id)), revoked);
  });

  it('regenerates a key only if its hint is still the one that the caller saw', async () => {
    const { authenticator, keys } = await withAnn();
    const { id, hint } = await keys.create(ANN);
    const tabs = await Promise.allSettled([
      keys.regenerate(String(id), { hint }),
      keys.regenerate(String(id), { hint }),
    ]);
    assert.deepEqual(tabs.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
    const renewed = tabs.find((tab) => tab.status === 'fulfilled');
    assert.ok(await authenticator.identify(renewed?.value.key ?? ''));
    const late = keys.regenerate(String(id), { hint });
    await assert.rejects(late, refused('CONFLICT', /changed in the meantime/));
    await keys.regenerate(String(id), { hint: renewed?.value.hint ?? '' });
  });

  it('treats the keys of another account as unknown', async () => {
    const { accounts, authenticator, keys } = await withAnn();
    const { id, key } = await keys.create(ANN);
    const bob = await accounts.create('bob@shop.example', 'free');
    const ann = await accounts.find(ANN);
    const unknown = refused('REFUSED', /^There is no key with the id "1"\.$/);
    await assert.rejects(keys.regenerate(String(id), { accountId: bob.id }), unknown);
    await assert.rejects(keys.revoke(String(id), { accountId: bob.id }), unknown);
    assert.ok(await authenticator.identify(key));
    const revoked = await keys.revoke(String(id), { accountId: ann.id });
    assert.equal(revoked.status, 'revoked');
  });

  it('shows when and from where a key was last used, until it is regenerated', async () => {
    const { clock, keys, store } = await withAnn();
    const { id } = await keys.create(ANN);
    const use = { at: clock.now + 5, address: '203.0.113.9' };
    await store.accounts.db
      .insertInto('key_uses')
      .values({ key_id: id, ...use })
      .execute();
    const lastUses = async () => (await keys.list(ANN)).map(({ lastUse }) => lastUse);
    assert.deepEqual(await lastUses(), [use]);
    clock.now += 6;
    assert.equal((await keys.regenerate(String(id))).lastUse, null);
    assert.deepEqual(await lastUses(), [null]);
    assert.equal((await keys.revoke(String(id))).lastUse, null);
  });

  it('keeps the newest of the expired and revoked keys', async () => {
    const { keys, store } = await withAnn();
    for (let made = 0; made < 53; made += 1) {
      await keys.revoke(String((await keys.create(ANN, { name: `key ${made}` })).id));
    }
    await keys.create(ANN, { name: 'works' });
    const names = (await keys.list(ANN)).map(({ name }) => name);
    assert.deepEqual([names.length, names[0], names.at(-1)], [51, 'key 3', 'works']);
    assert.equal(
      (await store.accounts.db.selectFrom('api_keys').select('id').execute()).length,
      51,
    );
  });

  it('has error messages for owners that do not mention commands', async () => {
    const { clock, keys } = await withAnn();
    for (let more = 0; more < 5; more += 1) await keys.create(ANN, { expires: '2026-01-28' });
    await assert.rejects(
      keys.create(ANN),
      refused('REFUSED', /^The account has 5 .* first: "default" \(….{4}\) was never used\.$/),
    );
    await assert.rejects(keys.create(ANN), refusal(/`cardprice key revoke ID`/));
    clock.toNextDay();
    await assert.rejects(keys.regenerate('1'), refused('REFUSED', /^The key 1 has expired\.$/));
  });

  it('refuses an id that no key has', async () => {
    const { keys } = await withAnn();
    for (const id of ['1', '0', '-1', 'abc', '', '1.5', '99999999999999999999']) {
      await assert.rejects(keys.revoke(id), refusal(/no key with the id/));
      await assert.rejects(keys.regenerate(id), refusal(/no key with the id/));
    }
  });
});
