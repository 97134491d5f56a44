import type { Kysely } from 'kysely';
import type { Millis } from '../domain/day.ts';
import type { AccountRow, Database, PasswordResetRow } from './schema.ts';

type Db = Kysely<Database>;

/**
 * Sets the password of an account, whose links to set one end with that. False, and nothing
 * changes, when it has another password by now than `instead`.
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

/** Adds a link; those of the account that have ended go. */
export async function insertReset(db: Db, reset: PasswordResetRow, now: Millis): Promise<void> {
  await db
    .deleteFrom('password_resets')
    .where('account_id', '=', reset.account_id)
    .where('expires_at', '<=', now)
    .execute();
  await db.insertInto('password_resets').values(reset).execute();
}

/** The account that a link is for; undefined when it does not work. */
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
 * Sets the password that a link allows, and ends every link of the account. Undefined, and nothing
 * changes, when the link does not work: of two who use it at the same moment one comes too late.
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

async function deleteResets(db: Db, accountId: number): Promise<void> {
  await db.deleteFrom('password_resets').where('account_id', '=', accountId).execute();
}

/**
 * Removes an account and everything of it. What requests write goes by itself, since it may be in
 * another file: whoever is killed on the way leaves rows that belong to nobody, as ids are never
 * used again.
 */
export async function deleteAccount(db: Db, id: number): Promise<void> {
  await db
    .deleteFrom('key_uses')
    .where('key_id', 'in', (key) =>
      key.selectFrom('api_keys').select('id').where('account_id', '=', id),
    )
    .execute();
  await db.transaction().execute(async (transaction) => {
    await transaction.deleteFrom('api_keys').where('account_id', '=', id).execute();
    await deleteResets(transaction, id);
    await transaction.deleteFrom('accounts').where('id', '=', id).execute();
  });
  for (const table of ['sessions', 'usage', 'request_counts'] as const) {
    await db.deleteFrom(table).where('account_id', '=', id).execute();
  }
}
