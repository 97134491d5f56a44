import assert from 'node:assert/strict';
import { it } from 'node:test';
import { forEachEngine } from '../support/engines.ts';
import { addAccount, chargeTogether, identified, refusal, visit, wire } from './fixtures.ts';

forEachEngine((_label, open) => {
  it('creates accounts by their e-mail address in lower case', async () => {
    const { accounts, clock } = wire(await open());
    const account = await accounts.create('Ann@Shop.Example', 'trader');
    assert.equal(account.email, 'ann@shop.example');
    assert.equal(account.plan.name, 'trader');
    assert.equal(account.createdAt, clock.now);
    assert.equal(account.disabledAt, null);
    assert.deepEqual(await accounts.find('ANN@shop.example'), account);
    await assert.rejects(
      accounts.create('ann@SHOP.example', 'free'),
      refusal(/already an account ann@shop\.example/),
    );
  });

  it('refuses texts that are not e-mail addresses', async () => {
    const { accounts } = wire(await open());
    for (const email of [
      '',
      'ann',
      '@shop',
      'ann@',
      'a b@c',
      'a@b@c',
      'a\0@b',
      `${'a'.repeat(250)}@b.cd`,
    ]) {
      await assert.rejects(accounts.create(email, 'free'), refusal(/not an e-mail address/));
    }
    assert.deepEqual(await accounts.list(), []);
  });

  it('lists the plans for an unknown plan, and names an unknown account', async () => {
    const { accounts } = wire(await open());
    await accounts.create('ann@shop.example', 'free');
    const noPlan = refusal(/no plan "gold".*free, trader, business/);
    await assert.rejects(accounts.create('bob@shop.example', 'gold'), noPlan);
    await assert.rejects(accounts.setPlan('ann@shop.example', 'gold'), noPlan);
    const nobody = refusal(/no account nobody@shop\.example/);
    await assert.rejects(accounts.find('nobody@shop.example'), nobody);
    await assert.rejects(accounts.setPlan('Nobody@shop.example', 'free'), nobody);
    await assert.rejects(accounts.disable('nobody@shop.example'), nobody);
    await assert.rejects(accounts.enable('nobody@shop.example'), nobody);
  });

  it('changes plan and state, and lists all by e-mail address with the usage of today', async () => {
    const wiring = wire(await open());
    const { accounts, clock, authenticator } = wiring;
    const key = await addAccount(wiring, 'bob@shop.example');
    await accounts.create('ann@shop.example', 'free');
    await chargeTogether(authenticator, await identified(authenticator, key), 3);
    await accounts.setPlan('bob@shop.example', 'business');
    await accounts.disable('ann@shop.example');

    const listed = (await accounts.list()).map((account) => [
      account.email,
      account.plan.name,
      account.disabledAt,
      account.usedToday,
    ]);
    assert.deepEqual(listed, [
      ['ann@shop.example', 'free', clock.now, 0],
      ['bob@shop.example', 'business', null, 3],
    ]);
    assert.equal((await accounts.enable('ann@shop.example')).disabledAt, null);
    clock.toNextDay();
    assert.deepEqual(
      (await accounts.list()).map((account) => account.usedToday),
      [0, 0],
    );
  });

  it('makes operators, and takes that away again', async () => {
    const { accounts } = wire(await open());
    const ann = await accounts.create('ann@shop.example', 'free', { isOperator: true });
    assert.equal(ann.isOperator, true);
    assert.equal((await accounts.create('bob@shop.example', 'free')).isOperator, false);
    const again = accounts.create('bob@shop.example', 'free', { isOperator: true });
    await assert.rejects(again, refusal(/already .*`cardprice account set-operator bob@\S+ on`/));
    assert.equal((await accounts.setOperator('Bob@shop.example', true)).isOperator, true);
    assert.equal((await accounts.setOperator('ann@shop.example', false)).isOperator, false);
    assert.deepEqual(
      (await accounts.list()).map(({ isOperator }) => isOperator),
      [false, true],
    );
  });

  it('pages through the accounts whose address contains a text', async () => {
    const { accounts } = wire(await open());
    for (const name of ['dora', 'carl', 'bob_1', 'bobx1', 'ann']) {
      await accounts.create(`${name}@shop.example`, 'free');
    }
    const page = async (q: string | undefined, limit = 10, offset = 0) => {
      const found = await accounts.page({ ...(q === undefined ? {} : { q }), limit, offset });
      return [...found.accounts.map(({ email }) => email.split('@')[0]), found.total];
    };
    assert.deepEqual(await page(undefined, 2), ['ann', 'bob_1', 5]);
    assert.deepEqual(await page('', 2, 4), ['dora', 5]);
    assert.deepEqual(await page('BOB'), ['bob_1', 'bobx1', 2]);
    assert.deepEqual(await page('b_1'), ['bob_1', 1]);
    assert.deepEqual(await page('%'), [0]);
    assert.deepEqual(await page('\\'), [0]);
    assert.deepEqual(await page('a\0b'), [0]);
    const all = await accounts.page({ limit: 10, offset: 0 });
    assert.deepEqual(all.accounts, await accounts.list());
  });

  it('ends the sessions of a disabled account for good', async () => {
    const wiring = wire(await open());
    const { accounts, sessions } = wiring;
    const { token, email } = await visit(wiring);
    await accounts.disable(email);
    assert.equal(await sessions.identify(token), undefined);
    await accounts.enable(email);
    assert.equal(await sessions.identify(token), undefined);
  });

  it('deletes an account with all of its rows, and no row of another account', async () => {
    const store = await open();
    const wiring = wire(store);
    const { accounts, authenticator, keys, selfService, sessions } = wiring;
    const ann = await visit(wiring);
    const bob = await visit(wiring, 'bob@shop.example');
    for (const { accountId, email } of [ann, bob]) {
      const { id, key } = await keys.create(email);
      await chargeTogether(authenticator, await identified(authenticator, key), 3);
      await selfService.resetToken(email, 1000);
      const use = { key_id: id, at: 1, address: '' };
      await store.accounts.db.insertInto('key_uses').values(use).execute();
      const count = { account_id: accountId, day: 1, endpoint: '', status_class: 2, count: 1 };
      await store.accounts.db.insertInto('request_counts').values(count).execute();
      const shown = { account_id: accountId, day: 1, used: 1 };
      await store.accounts.db.insertInto('page_usage').values(shown).execute();
    }
    await accounts.delete('Ann@shop.example');
    await assert.rejects(accounts.delete(ann.email), refusal(/no account ann@shop\.example/));
    assert.equal(await sessions.identify(ann.token), undefined);
    for (const table of [
      ...(['accounts', 'api_keys', 'password_resets', 'sessions', 'usage', 'page_usage'] as const),
      ...(['key_uses', 'request_counts'] as const),
    ]) {
      assert.equal(
        (await store.accounts.db.selectFrom(table).selectAll().execute()).length,
        1,
        table,
      );
    }
    assert.ok(await sessions.identify(bob.token));
    assert.notEqual((await accounts.create(ann.email, 'free')).id, ann.accountId);
  });

  it('charges a request whose account is deleted while it is answered', async () => {
    const wiring = wire(await open());
    const caller = await identified(wiring.authenticator, await addAccount(wiring));
    await wiring.accounts.delete('ann@shop.example');
    const { granted, remaining } = await wiring.authenticator.charge(caller);
    assert.deepEqual({ granted, remaining }, { granted: true, remaining: 199 });
  });
});
