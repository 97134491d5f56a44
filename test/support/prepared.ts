import { after } from 'node:test';
import { Accounts } from '../../src/accounts/accounts.ts';
import { AccountKeys } from '../../src/accounts/keys/account-keys.ts';
import { openStore } from '../../src/store/connect.ts';
import { createDatabase, type EngineLabel } from './engines.ts';

/** Creates an empty database for programs to open. It is removed after the tests. */
export async function freshDatabase(label: EngineLabel): Promise<string> {
  const { location, remove } = await createDatabase(label);
  after(remove);
  return location;
}

/** Creates an account on the Business plan in a database, and returns its API key. */
export async function createKey(database: string): Promise<string> {
  const store = await openStore(database);
  try {
    await new Accounts(store, Date.now).create('ann@shop.example', 'business');
    const { key } = await new AccountKeys(store, Date.now).create('ann@shop.example');
    return key;
  } finally {
    await store.close();
  }
}
