import type { Kysely } from 'kysely';
import type { Day, Millis } from '../domain/day.ts';
import type { AccountDatabase, AccountRow, ApiKeyRow } from '../store/accounts/schema.ts';
import type { Engine } from '../store/engine/engine.ts';
import { insertAccountEvent } from './billing/billing-sql.ts';
import { type ChargeStatements, jsonSet, prepareCharges } from './quota/charge-sql.ts';
import { nextVersion } from './sign-in/password-sql.ts';

/** SQL of accounts, API keys and quotas. */

type Db = Kysely<AccountDatabase>;

/** Adds an account; returns undefined when the e-mail address is taken. */
export function insertAccount(
  db: Db,
  account: Pick<AccountRow, 'email' | 'plan' | 'created_at'> &
    Partial<Pick<AccountRow, 'password_hash' | 'operator' | 'verified_at'>>,
): Promise<AccountRow | undefined> {
  return db.transaction().execute(async (transaction) => {
    const row = await transaction
      .insertInto('accounts')
      .values({ ...account, disabled_at: null })
      .onConflict((conflict) => conflict.column('email').doNothing())
      .returningAll()
      .executeTakeFirst();
    const at = account.created_at;
    // An account that nobody has confirmed is told once somebody does.
    if (row?.verified_at) await insertAccountEvent(transaction, 'account.created', row, { at });
    return row;
  });
}

export function findAccount(db: Db, email: string): Promise<AccountRow | undefined> {
  return db.selectFrom('accounts').selectAll().where('email', '=', email).executeTakeFirst();
}

export function findAccountById(db: Db, id: number): Promise<AccountRow | undefined> {
  return db.selectFrom('accounts').selectAll().where('id', '=', id).executeTakeFirst();
}

/**
 * Returns some ids of accounts that nobody has confirmed: those made before `before`, and the oldest
 * of those that are more than `most`.
 */
export async function findForgottenSignUps(
  db: Db,
  { before, most }: { before: Millis; most: number },
): Promise<number[]> {
  const old = db.selectFrom('accounts').select('id').where('verified_at', 'is', null);
  const rows = [
    ...(await old.where('created_at', '<', before).limit(10).execute()),
    ...(await old.orderBy('created_at', 'desc').orderBy('id').offset(most).limit(10).execute()),
  ];
  return [...new Set(rows.map(({ id }) => id))];
}

/** Deletes an account that nobody has confirmed yet, with its reset links. */
export async function deleteUnverified(db: Db, id: number): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    const isUnverified = transaction
      .selectFrom('accounts')
      .select('id')
      .where('id', '=', id)
      .where('verified_at', 'is', null);
    await transaction
      .deleteFrom('password_resets')
      .where('account_id', 'in', isUnverified)
      .execute();
    await transaction
      .deleteFrom('accounts')
      .where('id', '=', id)
      .where('verified_at', 'is', null)
      .execute();
  });
}

/** Returns how many accounts nobody has confirmed yet. */
export async function countUnverified(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom('accounts')
    .select((account) => account.fn.countAll<number>().as('count'))
    .where('verified_at', 'is', null)
    .executeTakeFirstOrThrow();
  return count;
}

export {
  type AccountOrder,
  type AccountWithUsage,
  countAccounts,
  listAccounts,
  pageAccounts,
} from './account-list-sql.ts';

/** What can change of an account. */
export type AccountChange = Partial<
  Pick<AccountRow, 'plan' | 'disabled_at' | 'operator' | 'limits' | 'verified_at'>
>;

/** Changes an account; returns undefined when there is none with this id. */
export function updateAccount(
  db: Db,
  id: number,
  change: AccountChange,
): Promise<AccountRow | undefined> {
  return db
    .updateTable('accounts')
    .set(change)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst();
}

/** Disables an account and ends its sessions; returns undefined when there is none with this id. */
export function disableAccount(db: Db, id: number, now: Millis): Promise<AccountRow | undefined> {
  return db
    .updateTable('accounts')
    .set((account) => ({ disabled_at: now, ...nextVersion(account) }))
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
