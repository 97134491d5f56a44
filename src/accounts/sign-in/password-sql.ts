import type { ExpressionBuilder, Kysely } from 'kysely';
import type { Millis } from '../../domain/day.ts';
import type { AccountDatabase, AccountRow, PasswordResetRow } from '../../store/accounts/schema.ts';
import { insertAccountEvent } from '../billing/billing-sql.ts';

/** SQL of passwords and of the links by which they are set. */

type Db = Kysely<AccountDatabase>;

/**
 * Replaces the password hash `instead` of an account, which ends its sessions, and deletes the
 * account's reset links. Returns undefined, and changes nothing, if the account has another hash by
 * now.
 */
export function setPassword(
  db: Db,
  id: number,
  hash: string,
  instead: string | null,
): Promise<AccountRow | undefined> {
  return db.transaction().execute(async (transaction) => {
    const row = await transaction
      .updateTable('accounts')
      .set((account) => ({ password_hash: hash, ...nextVersion(account) }))
      .where('id', '=', id)
      .where('password_hash', instead === null ? 'is' : '=', instead)
      .returningAll()
      .executeTakeFirst();
    if (row) await deleteResets(transaction, id);
    return row;
  });
}

/**
 * Replaces a password hash by one of the same password that costs more to guess. Sessions go on.
 * It changes nothing if the account has another hash by now.
 */
export async function replaceHash(db: Db, id: number, hash: string, instead: string) {
  await db
    .updateTable('accounts')
    .set({ password_hash: hash })
    .where('id', '=', id)
    .where('password_hash', '=', instead)
    .execute();
}

/** The part of an update of an account that ends every session which began before it. */
export function nextVersion(account: ExpressionBuilder<AccountDatabase, 'accounts'>) {
  return { credential_version: account('credential_version', '+', 1) };
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

/**
 * Returns the account of a reset link, with how many of its API keys are not revoked; undefined when
 * the link has expired or does not exist.
 */
export function findReset(
  db: Db,
  tokenHash: string,
  now: Millis,
): Promise<(AccountRow & { keys: number }) | undefined> {
  return db
    .selectFrom('password_resets')
    .innerJoin('accounts', 'accounts.id', 'password_resets.account_id')
    .selectAll('accounts')
    .select((row) =>
      row
        .selectFrom('api_keys')
        .select((key) => key.fn.countAll<number>().as('count'))
        .whereRef('api_keys.account_id', '=', 'accounts.id')
        .where('revoked_at', 'is', null)
        .where((key) => key.or([key('expires_at', 'is', null), key('expires_at', '>', now)]))
        .$asScalar()
        .$notNull()
        .as('keys'),
    )
    .where('token_hash', '=', tokenHash)
    .where('expires_at', '>', now)
    .executeTakeFirst();
}

/**
 * Sets the password of a reset link's account, which ends its sessions and verifies its address,
 * revokes its API keys unless they are kept, and deletes all links of the account. Returns undefined, and changes nothing, when the link has
 * expired or does not exist: it works only once, even if two requests use it at the same moment.
 */
export function useReset(
  db: Db,
  tokenHash: string,
  { hash, now, keepsKeys }: { hash: string; now: Millis; keepsKeys: boolean },
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
    await transaction.deleteFrom('devices').where('account_id', '=', reset.account_id).execute();
    if (!keepsKeys) await revokeKeys(transaction, reset.account_id, now);
    const before = await transaction
      .selectFrom('accounts')
      .select('verified_at')
      .where('id', '=', reset.account_id)
      .executeTakeFirst();
    const row = await transaction
      .updateTable('accounts')
      .set((account) => ({
        password_hash: hash,
        verified_at: account.fn.coalesce('verified_at', account.val(now)),
        ...nextVersion(account),
      }))
      .where('id', '=', reset.account_id)
      .returningAll()
      .executeTakeFirst();
    if (row && before?.verified_at === null) {
      await insertAccountEvent(transaction, 'account.created', row, { at: now });
    }
    return row;
  });
}

async function revokeKeys(db: Db, accountId: number, now: Millis): Promise<void> {
  await db
    .updateTable('api_keys')
    .set({ revoked_at: now })
    .where('account_id', '=', accountId)
    .where('revoked_at', 'is', null)
    .execute();
}

/** Deletes all reset links of an account. */
export async function deleteResets(db: Db, accountId: number): Promise<void> {
  await db.deleteFrom('password_resets').where('account_id', '=', accountId).execute();
}
