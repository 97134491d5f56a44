import { type Insertable, type Kysely, sql } from 'kysely';
import type { Millis } from '../../domain/day.ts';
import type {
  AccountDatabase,
  AccountRow,
  PasskeyRow,
  TotpRow,
} from '../../store/accounts/schema.ts';

/** SQL of authenticator apps, passkeys and recovery codes. */

type Db = Kysely<AccountDatabase>;

/** How many second factors an account has. */
export interface FactorCounts {
  /** 1 with an authenticator app that is confirmed, else 0. */
  readonly totp: number;
  readonly passkeys: number;
  /** Recovery codes that are not used. */
  readonly recoveryCodes: number;
}

export async function countFactors(db: Db, accountId: number): Promise<FactorCounts> {
  const { rows } = await sql<FactorCounts>`select
    (select count(*) from totp where account_id = ${accountId} and confirmed_at is not null)
      as totp,
    (select count(*) from passkeys where account_id = ${accountId}) as passkeys,
    (select count(*) from recovery_codes where account_id = ${accountId} and used_at is null)
      as "recoveryCodes"`.execute(db);
  return rows[0] ?? { totp: 0, passkeys: 0, recoveryCodes: 0 };
}

/**
 * Changes second factors and ends the sessions of the account in one transaction. Returns false, and
 * changes nothing, if the credentials of the account are of another version by now.
 */
export function changeFactors(
  db: Db,
  { accountId, version }: { readonly accountId: number; readonly version: number },
  change: (transaction: Db) => Promise<void>,
): Promise<boolean> {
  return db.transaction().execute(async (transaction) => {
    const row = await transaction
      .updateTable('accounts')
      .set({ credential_version: version + 1 })
      .where('id', '=', accountId)
      .where('credential_version', '=', version)
      .returning('id')
      .executeTakeFirst();
    if (row) await change(transaction);
    return row !== undefined;
  });
}

export function findAccountById(db: Db, id: number): Promise<AccountRow | undefined> {
  return db.selectFrom('accounts').selectAll().where('id', '=', id).executeTakeFirst();
}

/** Raises the version of one session by one, so that it goes on after {@link changeFactors}. */
export async function keepSession(db: Db, tokenHash: string, version: number): Promise<void> {
  await db
    .updateTable('sessions')
    .set({ credential_version: version + 1 })
    .where('token_hash', '=', tokenHash)
    .where('credential_version', '=', version)
    .execute();
}

export function findTotp(db: Db, accountId: number): Promise<TotpRow | undefined> {
  return db.selectFrom('totp').selectAll().where('account_id', '=', accountId).executeTakeFirst();
}

/**
 * Adds an authenticator app that is not confirmed yet, in place of another such one. Returns false
 * when the account has one that is confirmed.
 */
export async function insertTotp(
  db: Db,
  totp: Pick<TotpRow, 'account_id' | 'secret' | 'created_at'>,
): Promise<boolean> {
  const row = await db
    .insertInto('totp')
    .values({ ...totp, confirmed_at: null, last_step: 0 })
    .onConflict((conflict) =>
      conflict
        .column('account_id')
        .doUpdateSet({ secret: totp.secret, created_at: totp.created_at, last_step: 0 })
        .where('totp.confirmed_at', 'is', null),
    )
    .returning('account_id')
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Uses up the code of a time step, and those before it. Returns false when it is used up already:
 * of requests that send one code at the same moment, in all processes, one succeeds.
 */
export async function useTotpStep(
  db: Db,
  { account_id, secret }: Pick<TotpRow, 'account_id' | 'secret'>,
  step: number,
): Promise<boolean> {
  const row = await db
    .updateTable('totp')
    .set({ last_step: step })
    .where('account_id', '=', account_id)
    .where('secret', '=', secret)
    .where('last_step', '<', step)
    .returning('account_id')
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Makes an authenticator app a second factor, and uses the code of a time step up. Returns false,
 * and changes nothing, when the account has another secret by now or it is confirmed already.
 */
export async function confirmTotp(
  db: Db,
  { account_id, secret }: Pick<TotpRow, 'account_id' | 'secret'>,
  { step, now }: { readonly step: number; readonly now: Millis },
): Promise<boolean> {
  const row = await db
    .updateTable('totp')
    .set({ confirmed_at: now, last_step: step })
    .where('account_id', '=', account_id)
    .where('secret', '=', secret)
    .where('confirmed_at', 'is', null)
    .returning('account_id')
    .executeTakeFirst();
  return row !== undefined;
}

/** Deletes the authenticator app of an account; returns whether it had one that is confirmed. */
export async function deleteTotp(db: Db, accountId: number): Promise<boolean> {
  const row = await db
    .deleteFrom('totp')
    .where('account_id', '=', accountId)
    .returning('confirmed_at')
    .executeTakeFirst();
  return typeof row?.confirmed_at === 'number';
}

/** Returns the passkeys of an account, oldest first. */
export function listPasskeys(db: Db, accountId: number): Promise<PasskeyRow[]> {
  return db
    .selectFrom('passkeys')
    .selectAll()
    .where('account_id', '=', accountId)
    .orderBy('id')
    .execute();
}

export function findPasskey(db: Db, credentialId: string): Promise<PasskeyRow | undefined> {
  return db
    .selectFrom('passkeys')
    .selectAll()
    .where('credential_id', '=', credentialId)
    .executeTakeFirst();
}

/** Adds a passkey; returns false when one with its credential id is there already. */
export async function insertPasskey(
  db: Db,
  passkey: Omit<Insertable<AccountDatabase['passkeys']>, 'id' | 'last_used_at'>,
): Promise<boolean> {
  const row = await db
    .insertInto('passkeys')
    .values({ ...passkey, last_used_at: null })
    .onConflict((conflict) => conflict.column('credential_id').doNothing())
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Notes that a passkey was used. Returns false, and changes nothing, when its counter has passed
 * `counter` meanwhile: then the passkey, or a copy of it, was used elsewhere.
 */
export async function usePasskey(
  db: Db,
  id: number,
  { counter, now }: { readonly counter: number; readonly now: Millis },
): Promise<boolean> {
  const row = await db
    .updateTable('passkeys')
    .set({ counter, last_used_at: now })
    .where('id', '=', id)
    .where((passkey) => passkey.or([passkey('counter', '<', counter), passkey('counter', '=', 0)]))
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

/** Deletes a passkey of an account; returns whether it had such a passkey. */
export async function deletePasskey(db: Db, accountId: number, id: number): Promise<boolean> {
  const row = await db
    .deleteFrom('passkeys')
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

/** Replaces all recovery codes of an account. */
export async function replaceRecoveryCodes(
  db: Db,
  accountId: number,
  hashes: readonly string[],
): Promise<void> {
  await db.deleteFrom('recovery_codes').where('account_id', '=', accountId).execute();
  const rows = hashes.map((hash) => ({ code_hash: hash, account_id: accountId, used_at: null }));
  if (rows.length > 0) await db.insertInto('recovery_codes').values(rows).execute();
}

/** Uses a recovery code up; returns false when the account has none with this hash, or no more. */
export async function useRecoveryCode(
  db: Db,
  accountId: number,
  hash: string,
  now: Millis,
): Promise<boolean> {
  const row = await db
    .updateTable('recovery_codes')
    .set({ used_at: now })
    .where('code_hash', '=', hash)
    .where('account_id', '=', accountId)
    .where('used_at', 'is', null)
    .returning('code_hash')
    .executeTakeFirst();
  return row !== undefined;
}

/** Deletes all second factors of an account, and its recovery codes. */
export async function deleteSecondFactors(db: Db, accountId: number): Promise<void> {
  for (const table of ['totp', 'passkeys', 'recovery_codes', 'challenges'] as const) {
    await db.deleteFrom(table).where('account_id', '=', accountId).execute();
  }
}
