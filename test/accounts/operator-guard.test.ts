import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { ActingOperator } from '../../src/accounts/accounts.ts';
import { Accounts } from '../../src/accounts/accounts.ts';
import { AccountError } from '../../src/domain/errors.ts';
import { forEachEngine } from '../support/engines.ts';
import { ADDRESS, PASSWORD, refused, visit, type Wiring, wire } from './fixtures.ts';

/** The ways in which an operator takes the access of an account away. */
const WAYS = {
  demote: (accounts: Accounts, email: string, by: ActingOperator) =>
    accounts.setOperator(email, false, by),
  disable: (accounts: Accounts, email: string, by: ActingOperator) => accounts.disable(email, by),
  delete: (accounts: Accounts, email: string, by: ActingOperator) => accounts.delete(email, by),
};

/** An operator who has a password. */
async function addOperator(parts: Wiring, email: string) {
  const session = await visit(parts, email);
  await parts.accounts.setOperator(email, true);
  return session;
}

forEachEngine((_label, open) => {
  for (const [name, take] of Object.entries(WAYS)) {
    it(`lets an operator ${name} others, but neither themself nor the last operator`, async () => {
      const parts = wire(await open());
      const { accounts } = parts;
      const ann = await addOperator(parts, 'ann@shop.example');
      const bob = await addOperator(parts, 'bob@shop.example');
      await visit(parts, 'eve@shop.example');
      await take(accounts, 'eve@shop.example', ann);
      await assert.rejects(take(accounts, ann.email, ann), refused('REFUSED', /your own account/));
      await take(accounts, ann.email, bob);
      await assert.rejects(take(accounts, bob.email, bob), refused('REFUSED', /your own account/));
      const gone = take(accounts, bob.email, ann);
      await assert.rejects(gone, (error) => {
        assert.ok(error instanceof AccountError);
        return name === 'disable' ? error.code === 'REFUSED' : error.code === 'FORBIDDEN';
      });
    });

    it(`leaves one of two operators who ${name} each other at once`, async () => {
      const store = await open();
      const parts = wire(store);
      const others = [
        parts.accounts,
        new Accounts(await store.reopen(), parts.clock.read),
      ] as const;
      for (let round = 0; round < 5; round += 1) {
        const ann = await addOperator(parts, `ann-${round}@shop.example`);
        const bob = await addOperator(parts, `bob-${round}@shop.example`);
        const outcomes = await Promise.allSettled([
          take(others[0], bob.email, ann),
          take(others[1], ann.email, bob),
        ]);
        assert.deepEqual(outcomes.map(({ status }) => status).toSorted(), [
          'fulfilled',
          'rejected',
        ]);
        const left = await parts.accounts.page({ q: `-${round}@`, limit: 10, offset: 0 });
        const able = left.accounts.filter((one) => one.isOperator && one.disabledAt === null);
        assert.equal(able.length, 1);
        await parts.accounts.setOperator(able[0]?.email ?? '', false);
      }
    });
  }

  it('counts only operators who can sign in as others', async () => {
    const parts = wire(await open());
    const ann = await addOperator(parts, 'ann@shop.example');
    const robot = await parts.accounts.create('robot@shop.example', 'free', { isOperator: true });
    const by = { accountId: robot.id };
    for (const take of Object.values(WAYS)) {
      await assert.rejects(
        take(parts.accounts, ann.email, by),
        refused('REFUSED', /last operator/),
      );
    }
    await parts.accounts.setOperator('robot@shop.example', false, ann);
  });

  it('refuses an operator the deletion of the own account, and others not', async () => {
    const parts = wire(await open());
    const ann = await addOperator(parts, 'ann@shop.example');
    const proof = { password: PASSWORD, address: ADDRESS };
    await assert.rejects(
      parts.selfService.remove(ann, proof),
      refused('REFUSED', /^Operators cannot delete/),
    );
    await parts.accounts.setOperator(ann.email, false);
    await parts.selfService.remove(ann, proof);
  });
});
