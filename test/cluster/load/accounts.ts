import { Accounts } from '../../../src/accounts/accounts.ts';
import { AccountKeys } from '../../../src/accounts/keys/account-keys.ts';
import { Webhooks } from '../../../src/accounts/webhooks/webhooks.ts';
import { openStore, type Store } from '../../../src/store/connect.ts';
import type { Caller } from './client.ts';

/** A caller with a quota. */
export interface Account extends Caller {
  readonly isTrader: boolean;
  readonly quota: number;
}

/** Who sends the load, and the operator who makes and revokes keys. */
export interface Cast {
  readonly accounts: readonly Account[];
  readonly operator: Caller;
}

const ACCOUNTS = 20;

/** Requests a day of every fourth account: used up at once, within minutes, later, or never. */
const QUOTAS = [20, 700, 2500, 100_000];

/** Makes the accounts in a database, each with a key. */
export function makeCast(database: string): Promise<Cast> {
  return withStore(database, async (store) => {
    const accounts: Account[] = [];
    for (let at = 0; at < ACCOUNTS; at += 1) accounts.push(await makeAccount(store, at));
    return { accounts, operator: await makeOperator(store) };
  });
}

async function makeAccount(store: Store, at: number): Promise<Account> {
  const account = `account-${at}@shop.example`;
  const accounts = new Accounts(store, Date.now);
  const quota = QUOTAS[at % QUOTAS.length] ?? 0;
  const isTrader = at % QUOTAS.length > 0;
  await accounts.create(account, isTrader ? 'business' : 'free');
  await accounts.setLimits(account, { dailyRequests: quota });
  const { id, key } = await new AccountKeys(store, Date.now).create(account);
  return { account, keyId: String(id), key, isTrader, quota };
}

async function makeOperator(store: Store): Promise<Caller> {
  const account = 'operator@shop.example';
  const accounts = new Accounts(store, Date.now);
  await accounts.create(account, 'business');
  await accounts.setOperator(account, true);
  const scopes = ['operator:read', 'operator:write'] as const;
  const { id, key } = await new AccountKeys(store, Date.now).create(account, { scopes });
  return { account, keyId: String(id), key };
}

/** Gives an account a webhook on this machine. */
export async function addWebhook(database: string, account: string, url: string): Promise<void> {
  await withStore(database, async (store) => {
    const { id } = await new Accounts(store, store.clock).find(account);
    await new Webhooks(store, store.clock, ['127.0.0.0/8']).add(id, { url });
  });
}

/** Works with the store of a database, and closes it. */
export async function withStore<Result>(
  database: string,
  work: (store: Store) => Promise<Result>,
): Promise<Result> {
  const store = await openStore(database);
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}
