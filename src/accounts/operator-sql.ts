import type { Kysely } from 'kysely';
import type { AccountDatabase } from '../store/accounts/schema.ts';

/** An account that may see and change all accounts. */
export interface OperatorRow {
  readonly id: number;
  /** Whether it has a password, is confirmed and is not disabled. */
  readonly canSignIn: boolean;
}

/**
 * Returns every operator, and keeps their rows from being changed by others until the end of the
 * transaction.
 */
export async function lockOperators(transaction: Kysely<AccountDatabase>): Promise<OperatorRow[]> {
  // An update locks rows on both engines; it changes nothing.
  const rows = await transaction
    .updateTable('accounts')
    .set({ operator: 1 })
    .where('operator', '=', 1)
    .returning(['id', 'disabled_at', 'verified_at', 'password_hash'])
    .execute();
  return rows.map(({ id, disabled_at, verified_at, password_hash }) => {
    return {
      id,
      canSignIn: disabled_at === null && verified_at !== null && password_hash !== null,
    };
  });
}

/** Counts all accounts, and the operators that have a password to sign in with. */
export async function countAccounts(
  db: Kysely<AccountDatabase>,
): Promise<{ readonly all: number; readonly operators: number }> {
  const { all, operators } = await db
    .selectFrom('accounts')
    .select(({ fn, eb }) => [
      fn.countAll().as('all'),
      fn
        .countAll()
        .filterWhere(eb.and([eb('operator', '=', 1), eb('password_hash', 'is not', null)]))
        .as('operators'),
    ])
    .executeTakeFirstOrThrow();
  return { all: Number(all), operators: Number(operators) };
}
