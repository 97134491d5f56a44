import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Day, Millis } from '../domain/day.ts';
import type { AccountDatabase, AccountRow, ApiKeyRow } from './account-schema.ts';
import type { Engine } from './engine.ts';
import { deleteResets, nextVersion } from './passwords.ts';

/** SQL of accounts, API keys and quotas. */

type Db = Kysely<AccountDatabase>;

/** An account with the requests charged to it on one day. */
export type AccountWithUsage = AccountRow & { used: number };

/** Adds an account; returns undefined when the e-mail address is taken. */
export function insertAccount(
  db: Db,
  account: Pick<AccountRow, 'email' | 'plan' | 'created_at'> &
    Partial<Pick<AccountRow, 'password_hash' | 'operator' | 'verified_at'>>,
): Promise<AccountRow | undefined> {
  return db
    .insertInto('accounts')
    .values({ ...account, disabled_at: null })
    .onConflict((conflict) => conflict.column('email').doNothing())
    .returningAll()
    .executeTakeFirst();
}

export function findAccount(db: Db, email: string): Promise<AccountRow | undefined> {
  return db.selectFrom('accounts').selectAll().where('email', '=', email).executeTakeFirst();
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

/** Returns all accounts in the order of their e-mail addresses, with their usage of `day`. */
export function listAccounts(db: Db, day: Day): Promise<AccountWithUsage[]> {
  return accountsWithUsage(db, day).execute();
}

/** Which accounts are listed. */
interface AccountChoice {
  /** In their e-mail address, in lower case. */
  readonly part: string;
  /** Only those that nobody has confirmed yet. */
  readonly isWaiting: boolean;
}

/** Returns a page of the chosen accounts. */
export function pageAccounts(
  db: Db,
  day: Day,
  { limit, offset, ...choice }: AccountChoice & { limit: number; offset: number },
): Promise<AccountWithUsage[]> {
  return accountsWithUsage(db, day).where(isChosen(choice)).limit(limit).offset(offset).execute();
}

/** Returns how many accounts are chosen. */
export async function countAccounts(db: Db, choice: AccountChoice): Promise<number> {
  const { count } = await db
    .selectFrom('accounts')
    .select((account) => account.fn.countAll<number>().as('count'))
    .where(isChosen(choice))
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

function isChosen({ part, isWaiting }: AccountChoice): RawBuilder<boolean> {
  const pattern = `%${part.replace(/[\\%_]/g, '\\$&')}%`;
  const contains = sql<boolean>`accounts.email like ${pattern} escape '\\'`;
  return isWaiting ? sql`${contains} and accounts.verified_at is null` : contains;
}

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

/**
 * Deletes an account and everything that belongs to it. The tables of the usage file are outside of
 * the transaction: if the process is killed before they are done, rows without an account remain,
 * which is harmless, as ids are never reused.
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
    await transaction.deleteFrom('devices').where('account_id', '=', id).execute();
    await transaction.deleteFrom('accounts').where('id', '=', id).execute();
  });
  for (const table of ['sessions', 'usage', 'page_usage', 'request_counts'] as const) {
    await db.deleteFrom(table).where('account_id', '=', id).execute();
  }
}

export function insertApiKey(
  db: Db,
  key: Omit<ApiKeyRow, 'id' | 'revoked_at'>,
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

/** An API key with its last use, or nulls if it was never used. */
export type ApiKeyWithUse = ApiKeyRow & { used_at: number | null; used_from: string | null };

/** Returns all API keys of an account, oldest first. */
export function listApiKeys(db: Db, accountId: number): Promise<ApiKeyWithUse[]> {
  return keysWithUse(db).where('account_id', '=', accountId).orderBy('id').execute();
}

export function findApiKey(db: Db, id: number): Promise<ApiKeyWithUse | undefined> {
  return keysWithUse(db).where('id', '=', id).executeTakeFirst();
}

function keysWithUse(db: Db) {
  return db
    .selectFrom('api_keys')
    .leftJoin('key_uses', 'key_uses.key_id', 'api_keys.id')
    .selectAll('api_keys')
    .select(['key_uses.at as used_at', 'key_uses.address as used_from']);
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
}

export interface Usage {
  readonly accountId: number;
  readonly used: number;
}

/** The statements that charge accounts. Each takes many of them at once. */
export interface ChargeStatements {
  /** Returns the usage of accounts on `day`; accounts without any are left out. */
  usage(accountIds: Iterable<number>, day: Day): Promise<Usage[]>;
  /**
   * Charges each account its number of requests on `day`, and returns the new usage. An account
   * whose usage would exceed `quota` is charged nothing and left out. No number of requests may
   * itself exceed `quota`.
   */
  charge(counts: ReadonlyMap<number, number>, day: Day, quota: number): Promise<Usage[]>;
}

/** The statements that requests wait for. Each takes many API keys or accounts at once. */
export interface UsageStatements extends ChargeStatements {
  /** Returns the holders of the API keys that are valid at `now`; others are left out. */
  holders(hashes: Iterable<string>, day: Day, now: Millis): Promise<KeyHolder[]>;
}

/**
 * Prepares the statements. A set of values is passed as the names of one JSON object, because both
 * engines have a `json_each` that reads it.
 */
export function prepareUsage(engine: Engine): UsageStatements {
  // SQLite 3.54 takes 4 µs for this statement with subqueries, and 20 µs with joins.
  const holders = engine.prepare<KeyHolder>(`
    select k.hash, k.id as "keyId", k.account_id as "accountId",
      (select a.plan from accounts a where a.id = k.account_id) as plan,
      (select a.limits from accounts a where a.id = k.account_id) as limits,
      (select version from plan_version) as "plansVersion",
      coalesce((select u.used from usage u where u.account_id = k.account_id and u.day = $2), 0)
        as used
    from api_keys k
    where k.hash in (select key from json_each($1))
      and k.revoked_at is null and (k.expires_at is null or k.expires_at > $3)
      and (select a.disabled_at from accounts a where a.id = k.account_id) is null`);
  return {
    holders: (hashes, day, now) => holders([jsonSet(hashes), day, now]),
    ...prepareCharging(engine, 'usage'),
  };
}

/**
 * Prepares the statements that charge accounts. `usage` has the requests to the API, `page_usage`
 * the priced cards that pages have shown.
 */
export function prepareCharging(engine: Engine, table: 'usage' | 'page_usage'): ChargeStatements {
  const usage = engine.prepare<Usage>(`
    select account_id as "accountId", used from ${table}
    where account_id in (select cast(key as integer) from json_each($1)) and day = $2`);
  // `order by` locks the rows in the same order in every process, which prevents deadlocks.
  const charge = engine.prepare<Usage>(`
    insert into ${table} (account_id, day, used)
    select cast(key as integer), cast($2 as integer), cast(cast(value as text) as integer)
    from json_each($1) where true order by 1
    on conflict (account_id, day) do update set used = ${table}.used + excluded.used
    where ${table}.used + excluded.used <= cast($3 as integer)
    returning account_id as "accountId", used`);
  return {
    usage: (accountIds, day) => usage([jsonSet(accountIds), day]),
    charge: (counts, day, quota) =>
      charge([JSON.stringify(Object.fromEntries(counts)), day, quota]),
  };
}

function jsonSet(values: Iterable<string | number>): string {
  const members: Record<string, 1> = {};
  for (const value of values) members[value] = 1;
  return JSON.stringify(members);
}
