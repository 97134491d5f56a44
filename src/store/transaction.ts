import type { AccountTransaction, Store } from './connect.ts';

/**
 * Runs `work` in one transaction of accounts, and gives it a store that reads and writes in it.
 * Transactions that the store begins are part of this one. `work` must wait only for the database,
 * because on SQLite all requests of a process share the connection.
 */
export function inTransaction<Result>(
  store: Store,
  work: (store: Store) => Promise<Result>,
): Promise<Result> {
  return store.accounts.db.transaction().execute((transaction) => {
    return work({ ...store, accounts: { ...store.accounts, db: joining(transaction) } });
  });
}

/** The transaction, in which nested transactions join it. Kysely would refuse them. */
function joining(transaction: AccountTransaction): AccountTransaction {
  const joined: AccountTransaction = new Proxy(transaction, {
    get(target, name) {
      if (name === 'transaction') return () => ({ execute: runIn });
      const member: unknown = Reflect.get(target, name);
      return typeof member === 'function' ? member.bind(target) : member;
    },
  });
  const runIn = <Result>(work: (db: AccountTransaction) => Promise<Result>) => work(joined);
  return joined;
}
