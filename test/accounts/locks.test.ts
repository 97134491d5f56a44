import assert from 'node:assert/strict';
import { it } from 'node:test';
import { Accounts } from '../../src/accounts/accounts.ts';
import { AccountKeys } from '../../src/accounts/keys/account-keys.ts';
import { SelfService } from '../../src/accounts/sign-in/self-service.ts';
import { forEachEngine } from '../support/engines.ts';

const NOW = Date.UTC(2026, 0, 29, 12);
const ANN = 'ann@shop.example';
const ADDRESS = '192.0.2.1';
/** Far less than a lock is waited for, and far more than any of this takes on a slow machine. */
const AT_MOST_MS = 1500;

forEachEngine((_label, open) => {
  it('does everything with accounts and keys while an import has the database locked', async () => {
    const store = await open();
    const serving = await store.reopen();
    const accounts = new Accounts(serving, () => NOW);
    const keys = new AccountKeys(serving, () => NOW);
    const own = new SelfService(serving, () => NOW, {
      signUp: { isOpen: true, invitationCode: '' },
    });
    await store.db.transaction().execute(async (transaction) => {
      await transaction.updateTable('catalog_state').set({ writing: 9 }).execute();
      const started = performance.now();
      await accounts.create(ANN, 'trader');
      const { id } = await keys.create(ANN);
      await keys.revoke(String(id));
      assert.ok(await own.requestReset(ANN, ADDRESS));
      assert.equal(await own.requestReset('nobody@shop.example', ADDRESS), undefined);
      await accounts.disable(ANN);
      await accounts.delete(ANN);
      assert.ok(performance.now() - started < AT_MOST_MS);
    });
  });
});
