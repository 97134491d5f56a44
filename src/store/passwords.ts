import type { Kysely } from 'kysely';
import type { Millis } from '../domain/day.ts';
import type { AccountDatabase, AccountRow, PasswordResetRow } from './account-schema.ts';

/** SQL of passwords and of the links by which they are set. */

type Db = Kysely<AccountDatabase>;

/**
 * Replaces the password hash `instead` of an account, and deletes the account's reset links.
 * Returns false, and changes nothing, if the account has another hash by now.
 */
export function setPassword(
  db: Db,
  id: number,
  hash: string,
  instead: string | null,
): Promise<boolean> {
  return db.transaction().execute(async (transaction) => {
    const row = await transaction
      .updateTable('accounts')
      .set({ password_hash: hash })
      .where('id', '=', id)
      .where('password_hash', instead === null ? 'is' : '=', instead)
      .returning('id')
      .executeTakeFirst();
    if (row) await deleteResets(transaction, id);
    return row !== undefined;
  });
}

/** Adds a reset link, and deletes the expired ones of its account. */
export async function insertReset(db: Db, reset: PasswordResetRow, now: Millis): Promise<void> {
  await db
    .deleteFrom('password_resets')
    .where('account_id', '=', reset.account_id)
    .where('expires_at', '<=', now)
    .execute();
  await db.insertInto('password_resets').values(reset).execute();
}

/** Returns the account of a reset link; undefined when the link has expired or does not exist. */
export function findReset(db: Db, tokenHash: string, now: Millis): Promise<AccountRow | undefined> {
  return db
    .selectFrom('password_resets')
    .innerJoin('accounts', 'accounts.id', 'password_resets.account_id')
    .selectAll('accounts')
    .where('token_hash', '=', tokenHash)
    .where('expires_at', '>', now)
    .executeTakeFirst();
}

/**
 * Sets the password of a reset link's account, and deletes all links of the account. Returns
 * undefined, and changes nothing, when the link has expired or does not exist: it works only once,
 * even if two requests use it at the same moment.
 */
export function useReset(
  db: Db,
  tokenHash: string,
  hash: string,
  now: Millis,
): Promise<AccountRow | undefined> {
  return db.transaction().execute(async (transaction) => {
    const reset = await transaction
      .deleteFrom('password_resets')
      .where('token_hash', '=', tokenHash)
      .where('expires_at', '>', now)
      .returning('account_id')
      .executeTakeFirst();
    if (!reset) return undefined;
    await deleteResets(transaction, reset.account_id);
    return transaction
      .updateTable('accounts')
      .set({ password_hash: hash })
      .where('id', '=', reset.account_id)
      .returningAll()
      .executeTakeFirst();
  });
}

/** Deletes all reset links of an account. */
export async function deleteResets(db: Db, accountId: number): Promise<void> {
  await db.deleteFrom('password_resets').where('account_id', '=', accountId).execute();
}
