import type { Kysely, Selectable } from 'kysely';
import type { Day, Millis } from '../../domain/day.ts';
import type { AccountLimits } from '../../domain/plans.ts';
import type { AccountDatabase, ApiKeyRow } from '../../store/accounts/schema.ts';
import type { Engine } from '../../store/engine/engine.ts';
import { jsonSet } from '../../store/engine/id-lists.ts';
import { type ChargeStatements, prepareCharges } from '../quota/charge-sql.ts';
import { LIMITS } from '../quota/plan-sql.ts';

/** SQL of API keys. */

type Db = Kysely<AccountDatabase>;

/** An API key as stored in the database, without its digest. */
export interface KeyRecord {
  readonly id: number;
  readonly accountId: number;
  /** The last characters of the secret. */
  readonly hint: string;
  readonly name: string;
  readonly createdAt: Millis;
  readonly expiresAt: Millis | null;
  readonly revokedAt: Millis | null;
  /** Written by `storedRestrictions`; null for none. */
  readonly restrictions: string | null;
}

/** The secret of an API key. */
export interface KeySecret {
  /** SHA-256 in hexadecimal. */
  readonly hash: string;
  readonly hint: string;
  readonly createdAt: Millis;
}

/** An API key to add. */
export type NewKeyRecord = Omit<KeyRecord, 'id' | 'revokedAt'> & KeySecret;

/** An API key with its usage. */
export interface UsedKey extends KeyRecord {
  /** When and from which network address it was last used; null for never. */
  readonly lastUse: { readonly at: Millis; readonly address: string } | null;
  /** Requests charged to the key on one day; null if there were none or the key has no limit. */
  readonly used: number | null;
}

export async function insertApiKey(db: Db, key: NewKeyRecord): Promise<KeyRecord> {
  const row = await db
    .insertInto('api_keys')
    .values({
      account_id: key.accountId,
      hash: key.hash,
      hint: key.hint,
      name: key.name,
      created_at: key.createdAt,
      expires_at: key.expiresAt,
      restrictions: key.restrictions,
      revoked_at: null,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  return keyRecord(row);
}

/** Deletes an API key without a trace; {@link revokeApiKey} keeps it. */
export async function deleteApiKey(db: Db, id: number): Promise<void> {
  await db.deleteFrom('api_keys').where('id', '=', id).execute();
}

/** Returns all API keys of an account, oldest first, with their usage on `day`. */
export async function listApiKeys(db: Db, accountId: number, day: Day): Promise<UsedKey[]> {
  const rows = await keysWithUse(db, day)
    .where('account_id', '=', accountId)
    .orderBy('api_keys.id')
    .execute();
  return rows.map(usedKey);
}

export async function findApiKey(db: Db, id: number, day: Day): Promise<UsedKey | undefined> {
  const row = await keysWithUse(db, day).where('api_keys.id', '=', id).executeTakeFirst();
  return row && usedKey(row);
}

function keysWithUse(db: Db, day: Day) {
  return db
    .selectFrom('api_keys')
    .leftJoin('key_uses', 'key_uses.key_id', 'api_keys.id')
    .leftJoin('key_usage', (join) =>
      join.onRef('key_usage.key_id', '=', 'api_keys.id').on('key_usage.day', '=', day),
    )
    .selectAll('api_keys')
    .select(['key_uses.at as used_at', 'key_uses.address as used_from', 'key_usage.used']);
}

type KeyUseColumns = { used_at: number | null; used_from: string | null; used: number | null };

function usedKey({ used_at: at, used_from: address, used, ...row }: ApiKeyRow & KeyUseColumns) {
  return {
    ...keyRecord(row),
    lastUse: at === null || address === null ? null : { at, address },
    used,
  };
}

function keyRecord(row: Selectable<AccountDatabase['api_keys']>): KeyRecord {
  return {
    id: row.id,
    accountId: row.account_id,
    hint: row.hint,
    name: row.name,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    revokedAt: row.revoked_at,
    restrictions: row.restrictions,
  };
}

/** Changes an API key. Returns undefined, and changes nothing, if it was revoked or has expired. */
export async function updateApiKey(
  db: Db,
  id: number,
  { name, expiresAt, restrictions }: Partial<KeyRecord>,
  now: Millis,
): Promise<KeyRecord | undefined> {
  const row = await workingKey(db, id, now)
    .set({
      ...(name !== undefined && { name }),
      ...(expiresAt !== undefined && { expires_at: expiresAt }),
      ...(restrictions !== undefined && { restrictions }),
    })
    .returningAll()
    .executeTakeFirst();
  return row && keyRecord(row);
}

/**
 * Replaces the secret of an API key. Returns undefined, and changes nothing, if its secret no
 * longer ends in `hint`, or if the key was revoked or has expired.
 */
export async function replaceApiKey(
  db: Db,
  { id, hint }: Pick<KeyRecord, 'id' | 'hint'>,
  secret: KeySecret,
): Promise<KeyRecord | undefined> {
  const row = await workingKey(db, id, secret.createdAt)
    .set({ hash: secret.hash, hint: secret.hint, created_at: secret.createdAt })
    .where('hint', '=', hint)
    .returningAll()
    .executeTakeFirst();
  return row && keyRecord(row);
}

/** The update of a key, unless it was revoked or has expired by `now`. */
function workingKey(db: Db, id: number, now: Millis) {
  return db
    .updateTable('api_keys')
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .where((key) => key.or([key('expires_at', 'is', null), key('expires_at', '>', now)]));
}

/** Revokes an API key for good. Repeating it keeps the first moment. */
export async function revokeApiKey(db: Db, id: number, now: Millis): Promise<void> {
  await db
    .updateTable('api_keys')
    .set((key) => ({ revoked_at: key.fn.coalesce('revoked_at', key.val(now)) }))
    .where('id', '=', id)
    .execute();
}

/** The account of a valid API key. */
export interface KeyHolder {
  /** The digest of the key. */
  readonly hash: string;
  readonly keyId: number;
  readonly accountId: number;
  readonly plan: string;
  /** The account's differences from its plan; null for none. */
  readonly limits: AccountLimits | null;
  /** The version of the table of plans. */
  readonly plansVersion: number;
  /** Requests charged to the account on the day in question. */
  readonly used: number;
  /** Written by `storedRestrictions`; null for none. */
  readonly restrictions: string | null;
  /** Requests charged to the key on that day; 0 for a key without restrictions. */
  readonly keyUsed: number;
}

/** The statements that requests wait for. Each takes many API keys or accounts at once. */
export interface HolderStatements extends ChargeStatements {
  /** Returns the holders of the API keys that are valid at `now`. */
  holders(hashes: Iterable<string>, day: Day, now: Millis): Promise<KeyHolder[]>;
}

/** Prepares the statements. */
export function prepareHolders(engine: Engine): HolderStatements {
  // SQLite 3.54 takes 4 µs for this statement with subqueries, and 20 µs with joins.
  const holders = engine.prepare<Omit<KeyHolder, 'limits'> & { limits: string | null }>(`
    select k.hash, k.id as "keyId", k.account_id as "accountId",
      (select a.plan from accounts a where a.id = k.account_id) as plan,
      (select a.limits from accounts a where a.id = k.account_id) as limits,
      (select version from plan_version) as "plansVersion",
      coalesce((select u.used from usage u where u.account_id = k.account_id and u.day = $2), 0)
        as used,
      k.restrictions,
      case when k.restrictions is null then 0 else coalesce(
        (select u.used from key_usage u where u.key_id = k.id and u.day = $2), 0) end as "keyUsed"
    from api_keys k
    where k.hash in (select key from json_each($1))
      and k.revoked_at is null and (k.expires_at is null or k.expires_at > $3)
      and (select a.disabled_at from accounts a where a.id = k.account_id) is null`);
  return {
    ...prepareCharges(engine, 'account'),
    async holders(hashes, day, now) {
      const rows = await holders([jsonSet(hashes), day, now]);
      return rows.map((row) => ({ ...row, limits: LIMITS.read(row.limits) }));
    },
  };
}
