import { type Kysely, sql } from 'kysely';
import type { Millis } from '../../domain/day.ts';
import type { AccountDatabase, PasskeyRow } from '../../store/accounts/schema.ts';
import { deleteOldest } from './session-sql.ts';

/** SQL of authenticator apps, passkeys, recovery codes and challenges. */

type Db = Kysely<AccountDatabase>;

/** The number of second factors of an account. */
export interface FactorCounts {
  /** 1 with a confirmed authenticator app, otherwise 0. */
  readonly totp: number;
  readonly passkeys: number;
  /** Unused recovery codes. */
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
 * Changes second factors and ends the account's sessions in one transaction. Returns false, and
 * changes nothing, if the account's credentials no longer have this version.
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

/** Raises the version of one session, so it survives {@link changeFactors}. */
export async function keepSession(db: Db, tokenHash: string, version: number): Promise<void> {
  await db
    .updateTable('sessions')
    .set({ credential_version: version + 1 })
    .where('token_hash', '=', tokenHash)
    .where('credential_version', '=', version)
    .execute();
}

/** An authenticator app. */
export interface TotpRecord {
  readonly accountId: number;
  /** In Base32. */
  readonly secret: string;
  /** When its owner first sent a code of it; null before, when it is not a second factor yet. */
  readonly confirmedAt: Millis | null;
}

export function findTotp(db: Db, accountId: number): Promise<TotpRecord | undefined> {
  return db
    .selectFrom('totp')
    .select(['account_id as accountId', 'secret', 'confirmed_at as confirmedAt'])
    .where('account_id', '=', accountId)
    .executeTakeFirst();
}

/**
 * Adds an unconfirmed authenticator app, in place of another unconfirmed one. Returns false if the
 * account has a confirmed one.
 */
export async function insertTotp(
  db: Db,
  { accountId, secret }: Pick<TotpRecord, 'accountId' | 'secret'>,
  now: Millis,
): Promise<boolean> {
  const totp = { secret, created_at: now, last_step: 0 };
  const row = await db
    .insertInto('totp')
    .values({ ...totp, account_id: accountId, confirmed_at: null })
    .onConflict((conflict) =>
      conflict.column('account_id').doUpdateSet(totp).where('totp.confirmed_at', 'is', null),
    )
    .returning('account_id')
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Uses up the codes up to a time step. Returns false if that step is already used up. If several
 * requests send one code at the same moment, in any process, only one succeeds.
 */
export async function useTotpStep(
  db: Db,
  { accountId, secret }: TotpRecord,
  step: number,
): Promise<boolean> {
  const row = await db
    .updateTable('totp')
    .set({ last_step: step })
    .where('account_id', '=', accountId)
    .where('secret', '=', secret)
    .where('last_step', '<', step)
    .returning('account_id')
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Makes an authenticator app a second factor, and uses up the code of a time step. Returns false,
 * and changes nothing, if the account has another secret or a confirmed one.
 */
export async function confirmTotp(
  db: Db,
  { accountId, secret }: TotpRecord,
  { step, now }: { readonly step: number; readonly now: Millis },
): Promise<boolean> {
  const row = await db
    .updateTable('totp')
    .set({ confirmed_at: now, last_step: step })
    .where('account_id', '=', accountId)
    .where('secret', '=', secret)
    .where('confirmed_at', 'is', null)
    .returning('account_id')
    .executeTakeFirst();
  return row !== undefined;
}

/** Deletes the authenticator app of an account; returns whether it was confirmed. */
export async function deleteTotp(db: Db, accountId: number): Promise<boolean> {
  const row = await db
    .deleteFrom('totp')
    .where('account_id', '=', accountId)
    .returning('confirmed_at')
    .executeTakeFirst();
  return typeof row?.confirmed_at === 'number';
}

/** A new passkey from a browser. */
export interface Credential {
  /** The credential id of WebAuthn, in base64url. */
  readonly credentialId: string;
  /** COSE in base64url. */
  readonly publicKey: string;
  /** The authenticator's own count of its signatures; 0 if it does not count. */
  readonly counter: number;
  /** How browsers reach it, such as `internal`. */
  readonly transports: readonly string[];
}

/** A passkey of an account. */
export interface PasskeyRecord extends Credential {
  readonly id: number;
  readonly accountId: number;
  readonly name: string;
  readonly createdAt: Millis;
  /** Null for never. */
  readonly lastUsedAt: Millis | null;
}

function passkeyRecord(row: PasskeyRow): PasskeyRecord {
  return {
    id: row.id,
    accountId: row.account_id,
    credentialId: row.credential_id,
    publicKey: row.public_key,
    counter: row.counter,
    transports: row.transports === '' ? [] : row.transports.split(','),
    name: row.name,
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at,
  };
}

/** Returns the passkeys of an account, oldest first. */
export async function listPasskeys(db: Db, accountId: number): Promise<PasskeyRecord[]> {
  const rows = await db
    .selectFrom('passkeys')
    .selectAll()
    .where('account_id', '=', accountId)
    .orderBy('id')
    .execute();
  return rows.map(passkeyRecord);
}

export async function findPasskey(
  db: Db,
  credentialId: string,
): Promise<PasskeyRecord | undefined> {
  const row = await db
    .selectFrom('passkeys')
    .selectAll()
    .where('credential_id', '=', credentialId)
    .executeTakeFirst();
  return row && passkeyRecord(row);
}

/** Adds a passkey; returns false if one with its credential id exists. */
export async function insertPasskey(
  db: Db,
  passkey: Omit<PasskeyRecord, 'id' | 'lastUsedAt'>,
): Promise<boolean> {
  const row = await db
    .insertInto('passkeys')
    .values({
      account_id: passkey.accountId,
      credential_id: passkey.credentialId,
      public_key: passkey.publicKey,
      counter: passkey.counter,
      transports: passkey.transports.join(','),
      name: passkey.name,
      created_at: passkey.createdAt,
      last_used_at: null,
    })
    .onConflict((conflict) => conflict.column('credential_id').doNothing())
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Records that a passkey was used. Returns false, and changes nothing, if its counter has reached
 * `counter`: then the passkey, or a copy of it, was used elsewhere.
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

/** Deletes a passkey of an account; returns whether there was one. */
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

/** Uses up a recovery code; returns false if the account has no unused one with this hash. */
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

/** Deletes all second factors of an account, its recovery codes and its challenges. */
export async function deleteSecondFactors(db: Db, accountId: number): Promise<void> {
  for (const table of ['totp', 'passkeys', 'recovery_codes', 'challenges'] as const) {
    await db.deleteFrom(table).where('account_id', '=', accountId).execute();
  }
}

/** The holder of a challenge. */
export interface ChallengeHolder {
  /** Null for a challenge to a passkey whose account is not known yet. */
  readonly accountId: number | null;
  /** The version of the account's credentials when the challenge was made. */
  readonly credentialVersion: number;
}

/** A challenge by its token and what it is for. */
export interface ChallengeKey {
  /** SHA-256 of the token, in hexadecimal. */
  readonly tokenHash: string;
  readonly purpose: string;
}

/** Adds a challenge, and deletes an expired one. */
export async function insertChallenge(
  db: Db,
  { tokenHash, purpose }: ChallengeKey,
  { accountId, credentialVersion }: ChallengeHolder,
  { now, expiresAt }: { readonly now: Millis; readonly expiresAt: Millis },
): Promise<void> {
  const row = {
    token_hash: tokenHash,
    purpose,
    account_id: accountId,
    credential_version: credentialVersion,
    expires_at: expiresAt,
  };
  await db.insertInto('challenges').values(row).execute();
  await deleteOldest(db, 'challenges', now);
}

/** Returns the holder of a challenge; undefined if it is unknown or has expired. */
export function findChallenge(
  db: Db,
  { tokenHash, purpose }: ChallengeKey,
  now: Millis,
): Promise<ChallengeHolder | undefined> {
  return db
    .selectFrom('challenges')
    .select(['account_id as accountId', 'credential_version as credentialVersion'])
    .where('token_hash', '=', tokenHash)
    .where('purpose', '=', purpose)
    .where('expires_at', '>', now)
    .executeTakeFirst();
}

/**
 * Returns the holder like {@link findChallenge} and deletes the challenge, so only one caller gets
 * it.
 */
export function takeChallenge(
  db: Db,
  { tokenHash, purpose }: ChallengeKey,
  now: Millis,
): Promise<ChallengeHolder | undefined> {
  return db
    .deleteFrom('challenges')
    .where('token_hash', '=', tokenHash)
    .where('purpose', '=', purpose)
    .where('expires_at', '>', now)
    .returning(['account_id as accountId', 'credential_version as credentialVersion'])
    .executeTakeFirst();
}
