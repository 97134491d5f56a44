import assert from 'node:assert/strict';
import { it } from 'node:test';
import { insertAccount } from '../../src/accounts/account-sql.ts';
import { insertApiKey, prepareHolders, revokeApiKey } from '../../src/accounts/keys/key-sql.ts';
import { prepareCharges, type Usage } from '../../src/accounts/quota/charge-sql.ts';
import { addDays, type Day } from '../../src/domain/day.ts';
import type { Store } from '../../src/store/connect.ts';
import { forEachEngine } from '../support/engines.ts';

const TODAY = 20_481 as Day;
const NOW = Date.UTC(2026, 0, 28, 12);

forEachEngine((_label, open) => {
  it('charges a number of requests as a whole or not at all', async () => {
    const store = await open();
    const ann = await addAccount(store, 'ann@shop.example');
    const { charge, usage } = prepareHolders(store.accounts.engine);
    assert.deepEqual(await charge([{ id: ann, cost: 8, quota: 10 }], TODAY), [
      { id: ann, used: 8 },
    ]);
    assert.deepEqual(await charge([{ id: ann, cost: 3, quota: 10 }], TODAY), []);
    assert.deepEqual(await usage([ann], TODAY), [{ id: ann, used: 8 }]);
    assert.deepEqual(await charge([{ id: ann, cost: 2, quota: 10 }], TODAY), [
      { id: ann, used: 10 },
    ]);
  });

  it('charges many accounts at once, each for its own usage of the day', async () => {
    const store = await open();
    const ann = await addAccount(store, 'ann@shop.example');
    const bob = await addAccount(store, 'bob@shop.example');
    const { charge, usage } = prepareHolders(store.accounts.engine);
    await charge([{ id: bob, cost: 10, quota: 10 }], TODAY);
    const both = [
      { id: bob, cost: 1, quota: 10 },
      { id: ann, cost: 4, quota: 10 },
    ];
    assert.deepEqual(await charge(both, TODAY), [{ id: ann, used: 4 }]);
    const tomorrow = addDays(TODAY, 1);
    assert.equal((await charge(both, tomorrow)).length, 2);
    const byAccount = (await usage([ann, bob], tomorrow)).sort((a, b) => a.used - b.used);
    assert.deepEqual(byAccount, [
      { id: bob, used: 1 },
      { id: ann, used: 4 },
    ]);
  });

  it('charges accounts with different quotas, each within its own', async () => {
    const { charge } = prepareCharges((await open()).accounts.engine, 'account');
    const rowsOf = (cost: number) =>
      [11, 300, 5, 10].map((quota, index) => ({ id: 2000 - index, cost, quota }));
    assert.equal((await charge(rowsOf(5), TODAY)).length, 4);
    assert.deepEqual(usedById(await charge(rowsOf(5), TODAY)), { 1997: 10, 1999: 10, 2000: 10 });
    assert.deepEqual(usedById(await charge(rowsOf(1), TODAY)), { 1999: 11, 2000: 11 });
    assert.deepEqual(usedById(await charge(rowsOf(1), TODAY)), { 1999: 12 });
  });

  it('accepts empty lists of accounts and API keys', async () => {
    const { charge, holders, usage } = prepareHolders((await open()).accounts.engine);
    assert.deepEqual(await charge([], TODAY), []);
    assert.deepEqual(await holders([], TODAY, NOW), []);
    assert.deepEqual(await usage([], TODAY), []);
  });

  it('finds the holders of valid API keys, and leaves out the others', async () => {
    const store = await open();
    const ann = await addAccount(store, 'ann@shop.example');
    const good = await addKey(store, ann, 'good', null);
    await addKey(store, ann, 'ends-now', NOW);
    const endsNext = await addKey(store, ann, 'ends-next', NOW + 1);
    const revoked = await addKey(store, ann, 'revoked', null);
    await revokeApiKey(store.accounts.db, revoked, NOW);
    const statements = prepareHolders(store.accounts.engine);
    await statements.charge([{ id: ann, cost: 7, quota: 10 }], TODAY);

    const hashes = ['good', 'ends-now', 'ends-next', 'revoked', 'unknown', '"\\\'"'];
    const found = await statements.holders(hashes, TODAY, NOW);
    const restrictions = { restrictions: null, keyUsed: 0, limits: null, plansVersion: 1 };
    const holder = { accountId: ann, plan: 'free', used: 7, ...restrictions };
    assert.deepEqual(
      found.sort((a, b) => a.hash.localeCompare(b.hash)),
      [
        { hash: 'ends-next', keyId: endsNext, ...holder },
        { hash: 'good', keyId: good, ...holder },
      ],
    );
  });

  it('allows one account per e-mail address and one API key per hash', async () => {
    const store = await open();
    const ann = await addAccount(store, 'ann@shop.example');
    const again = { email: 'ann@shop.example', plan: 'trader', createdAt: NOW };
    assert.equal(await insertAccount(store.accounts.db, again), undefined);
    await addKey(store, ann, 'digest', null);
    await assert.rejects(addKey(store, ann, 'digest', null), /unique/i);
  });
});

async function addAccount(store: Store, email: string): Promise<number> {
  const row = await insertAccount(store.accounts.db, {
    email,
    plan: 'free',
    createdAt: NOW,
  });
  assert.ok(row);
  return row.id;
}

async function addKey(
  store: Store,
  accountId: number,
  hash: string,
  expiresAt: number | null,
): Promise<number> {
  const row = await insertApiKey(store.accounts.db, {
    accountId,
    hash,
    hint: 'abcd',
    name: 'default',
    createdAt: NOW,
    expiresAt,
    restrictions: null,
  });
  return row.id;
}

function usedById(usages: readonly Usage[]): Record<number, number> {
  return Object.fromEntries(usages.map(({ id, used }) => [id, used]));
}
