import assert from 'node:assert/strict';
import { it } from 'node:test';
import { forEachEngine } from '../support/engines.ts';
import { addAccount, chargeTogether, identified, refusal, wire } from './fixtures.ts';

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

  it('refuses what is no e-mail address', async () => {
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

  it('names the plans when there is no such plan, and the account when there is none', async () => {
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
    const { accounts, clock, gate } = wiring;
    const key = await addAccount(wiring, 'bob@shop.example');
    await accounts.create('ann@shop.example', 'free');
    await chargeTogether(gate, await identified(gate, key), 3);
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
});
