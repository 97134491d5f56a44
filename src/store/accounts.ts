import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Day, Millis } from '../domain/day.ts';
import type { AccountDatabase, AccountRow, ApiKeyRow } from './account-schema.ts';
import { insertAccountEvent } from './billing.ts';
import { type ChargeStatements, jsonSet, prepareCharges } from './charges.ts';
import type { Engine } from './engine.ts';

/** SQL of accounts, API keys and quotas. */

type Db = Kysely<AccountDatabase>;

/** An account with the requests charged to it on one day. */
export type AccountWithUsage = AccountRow & { used: number };

/** Adds an account; returns undefined when the e-mail address is taken. */
export function insertAccount(
  db: Db,
  account: Pick<AccountRow, 'email' | 'plan' | 'created_at'> &
    Partial<Pick<AccountRow, 'password_hash' | 'operator'>>,
): Promise<AccountRow | undefined> {
  return db.transaction().execute(async (transaction) => {
    const row = await transaction
      .insertInto('accounts')
      .values({ ...account, disabled_at: null })
      .onConflict((conflict) => conflict.column('email').doNothing())
      .returningAll()
      .executeTakeFirst();
    const at = account.created_at;
    if (row) await insertAccountEvent(transaction, 'account.created', row, { at });
    return row;
  });
}

export function findAccount(db: Db, email: string): Promise<AccountRow | undefined> {
  return db.selectFrom('accounts').selectAll().where('email', '=', email).executeTakeFirst();
}

export function findAccountById(db: Db, id: number): Promise<AccountRow | undefined> {
  return db.selectFrom('accounts').selectAll().where('id', '=', id).executeTakeFirst();
}

/** Returns all accounts in the order of their e-mail addresses, with their usage of `day`. */
export function listAccounts(db: Db, day: Day): Promise<AccountWithUsage[]> {
  return accountsWithUsage(db, day).execute();
}

/** Returns a page of the accounts whose e-mail address contains `part`, which is in lower case. */
export function pageAccounts(
  db: Db,
  day: Day,
  { part, limit, offset }: { part: string; limit: number; offset: number },
): Promise<AccountWithUsage[]> {
  return accountsWithUsage(db, day)
    .where(emailContains(part))
    .limit(limit)
    .offset(offset)
    .execute();
}

/** Returns how many accounts have `part`, in lower case, in their e-mail address. */
export async function countAccounts(db: Db, part: string): Promise<number> {
  const { count } = await db
    .selectFrom('accounts')
    .select((account) => account.fn.countAll<number>().as('count'))
    .where(emailContains(part))
    .executeTakeFirstOrThrow();
  return count;
}

function accountsWithUsage(db: Db, day: Day) {
  return db
    .selectFrom('accounts')
    .leftJoin('usage', (join) =>
      join.onRef('usage.account_id', '=', 'accounts.id').on('usage.day', '=', day),
    )
    .selectAll('accounts')
    .select((column) => column.fn.coalesce('usage.used', sql<number>`0`).as('used'))
    .orderBy('accounts.email');
}

/** The condition that an e-mail address contains a text, which is in lower case. */
function emailContains(part: string): RawBuilder<boolean> {
  const pattern = `%${part.replace(/[\\%_]/g, '\\$&')}%`;
  return sql`accounts.email like ${pattern} escape '\\'`;
}

/** Changes an account; returns undefined when there is none with this id. */
export function updateAccount(
  db: Db,
  id: number,
  change: Partial<Pick<AccountRow, 'plan' | 'disabled_at' | 'operator' | 'limits'>>,
): Promise<AccountRow | undefined> {
  return db
    .updateTable('accounts')
    .set(change)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst();
}

export function insertApiKey(
  db: Db,
  key: Omit<ApiKeyRow, 'id' | 'revoked_at' | 'restrictions'> & Partial<ApiKeyRow>,
): Promise<ApiKeyRow> {
  return db
    .insertInto('api_keys')
    .values({ ...key, revoked_at: null })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Deletes an API key without a trace; `revokeApiKey` keeps it. */
export async function deleteApiKey(db: Db, id: number): Promise<void> {
  await db.deleteFrom('api_keys').where('id', '=', id).execute();
}

/**
 * An API key with its last use, or nulls if it was never used, and the requests that were charged to
 * it on one day, which are counted of keys with a limit only.
 */
export type ApiKeyWithUse = ApiKeyRow & {
  used_at: number | null;
  used_from: string | null;
  used: number | null;
};

/** Returns all API keys of an account, oldest first, with their usage of `day`. */
export function listApiKeys(db: Db, accountId: number, day: Day): Promise<ApiKeyWithUse[]> {
  return keysWithUse(db, day).where('account_id', '=', accountId).orderBy('api_keys.id').execute();
}

export function findApiKey(db: Db, id: number, day: Day): Promise<ApiKeyWithUse | undefined> {
  return keysWithUse(db, day).where('api_keys.id', '=', id).executeTakeFirst();
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

/**
 * Changes an API key. Returns undefined, and changes nothing, if it is revoked or has expired by
 * `now`.
 */
export function updateApiKey(
  db: Db,
  id: number,
  change: Partial<Pick<ApiKeyRow, 'name' | 'expires_at' | 'restrictions'>>,
  now: Millis,
): Promise<ApiKeyRow | undefined> {
  return db
    .updateTable('api_keys')
    .set(change)
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .where((key) => key.or([key('expires_at', 'is', null), key('expires_at', '>', now)]))
    .returningAll()
    .executeTakeFirst();
}

/**
 * Replaces the secret of an API key, which ends in `hint`. Returns undefined, and changes nothing,
 * if the key has another secret by now, is revoked or has expired.
 */
export function replaceApiKey(
  db: Db,
  { id, hint }: Pick<ApiKeyRow, 'id' | 'hint'>,
  secret: Pick<ApiKeyRow, 'hash' | 'hint' | 'created_at'>,
): Promise<ApiKeyRow | undefined> {
  return db
    .updateTable('api_keys')
    .set(secret)
    .where('id', '=', id)
    .where('hint', '=', hint)
    .where('revoked_at', 'is', null)
    .where((key) =>
      key.or([key('expires_at', 'is', null), key('expires_at', '>', secret.created_at)]),
    )
    .returningAll()
    .executeTakeFirst();
}

/** Revokes an API key for good. Revoking it again keeps the first moment. */
export async function revokeApiKey(db: Db, id: number, now: Millis): Promise<void> {
  await db
    .updateTable('api_keys')
    .set((key) => ({ revoked_at: key.fn.coalesce('revoked_at', key.val(now)) }))
    .where('id', '=', id)
    .execute();
}

/** The account of a valid API key. */
export interface KeyHolder {
  readonly hash: string;
  readonly keyId: number;
  readonly accountId: number;
  readonly plan: string;
  /** What the account has otherwise than its plan: JSON, or null. */
  readonly limits: string | null;
  /** The version of the table of plans. */
  readonly plansVersion: number;
  /** Requests charged so far on the day in question. */
  readonly used: number;
  /** The restrictions of the key; null for none. */
  readonly restrictions: string | null;
  /** Requests charged to the key itself on that day; 0 for a key without restrictions. */
  readonly keyUsed: number;
}

/** The statements that requests wait for. Each takes many API keys or accounts at once. */
export interface UsageStatements extends ChargeStatements {
  /** Returns the holders of the API keys that are valid at `now`; others are left out. */
  holders(hashes: Iterable<string>, day: Day, now: Millis): Promise<KeyHolder[]>;
}

/** Prepares the statements. */
export function prepareUsage(engine: Engine): UsageStatements {
  // SQLite 3.54 takes 4 µs for this statement with subqueries, and 20 µs with joins.
  const holders = engine.prepare<KeyHolder>(`
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
    holders: (hashes, day, now) => holders([jsonSet(hashes), day, now]),
  };
}
