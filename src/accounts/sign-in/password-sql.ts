import type { Kysely } from 'kysely';
import type { Millis } from '../../domain/day.ts';
import type { AccountDatabase } from '../../store/accounts/schema.ts';
import { type AccountRecord, accountRecord, nextVersion } from '../account-sql.ts';
import { insertAccountEvent } from '../billing/billing-sql.ts';

/** SQL of passwords and of the links that set them. */

type Db = Kysely<AccountDatabase>;

/**
 * Replaces the password hash `instead` of an account, which ends its sessions, and deletes its
 * reset links. Returns undefined, and changes nothing, if the account no longer has that hash.
 */
export function setPassword(
  db: Db,
  id: number,
  hash: string,
  instead: string | null,
): Promise<AccountRecord | undefined> {
  return db.transaction().execute(async (transaction) => {
    const row = await transaction
      .updateTable('accounts')
      .set((account) => ({ password_hash: hash, ...nextVersion(account) }))
      .where('id', '=', id)
      .where('password_hash', instead === null ? 'is' : '=', instead)
      .returningAll()
      .executeTakeFirst();
    if (!row) return undefined;
    await deleteResets(transaction, id);
    return accountRecord(row);
  });
}

/**
 * Replaces a password hash by a costlier one of the same password. Sessions continue. Changes
 * nothing if the account no longer has the hash `instead`.
 */
export async function replaceHash(db: Db, id: number, hash: string, instead: string) {
  await db
    .updateTable('accounts')
    .set({ password_hash: hash })
    .where('id', '=', id)
    .where('password_hash', '=', instead)
    .execute();
}

/** A link that sets the password of an account, once. */
export interface ResetRecord {
  /** SHA-256 of its token, in hexadecimal. */
  readonly tokenHash: string;
  readonly accountId: number;
  readonly expiresAt: Millis;
}

/** Adds a reset link, and deletes the expired ones of its account. */
export async function insertReset(
  db: Db,
  { tokenHash, accountId, expiresAt }: ResetRecord,
  now: Millis,
): Promise<void> {
  await db
    .deleteFrom('password_resets')
    .where('account_id', '=', accountId)
    .where('expires_at', '<=', now)
    .execute();
  const row = { token_hash: tokenHash, account_id: accountId, expires_at: expiresAt };
  await db.insertInto('password_resets').values(row).execute();
}

/** Returns the account of a working reset link, and the number of its working API keys. */
export async function findReset(
  db: Db,
  tokenHash: string,
  now: Millis,
): Promise<(AccountRecord & { readonly keys: number }) | undefined> {
  const row = await db
    .selectFrom('password_resets')
    .innerJoin('accounts', 'accounts.id', 'password_resets.account_id')
    .selectAll('accounts')
    .select((reset) =>
      reset
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
  return row && { ...accountRecord(row), keys: row.keys };
}

/**
 * Sets the password of a reset link's account. Ends its sessions, confirms its address, deletes its
 * other links and its known browsers, and revokes its API keys unless they are kept. Returns
 * undefined, and changes nothing, if the link does not work. Of two simultaneous requests, only one
 * succeeds.
 */
export function useReset(
  db: Db,
  tokenHash: string,
  { hash, now, keepsKeys }: { hash: string; now: Millis; keepsKeys: boolean },
): Promise<AccountRecord | undefined> {
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
    if (!row) return undefined;
    const account = accountRecord(row);
    if (before?.verified_at === null) {
      await insertAccountEvent(transaction, 'account.created', account, { at: now });
    }
    return account;
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
async function deleteResets(db: Db, accountId: number): Promise<void> {
  await db.deleteFrom('password_resets').where('account_id', '=', accountId).execute();
}
