import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Day, Millis } from '../domain/day.ts';
import type { Engine } from './engine.ts';
import type { AccountRow, ApiKeyRow, Database } from './schema.ts';

type Db = Kysely<Database>;

/** An account with the requests charged to it on one day. */
export type AccountWithUsage = AccountRow & { used: number };

/** Adds an account; undefined when the e-mail address is taken. */
export function insertAccount(
  db: Db,
  account: Pick<AccountRow, 'email' | 'plan' | 'created_at'> &
    Partial<Pick<AccountRow, 'password_hash' | 'operator'>>,
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

/** Every account by e-mail address, with its usage of `day`. */
export function listAccounts(db: Db, day: Day): Promise<AccountWithUsage[]> {
  return accountsWithUsage(db, day).execute();
}

/** Some accounts by e-mail address, with their usage of `day`: of those whose address has `part`. */
export function pageAccounts(
  db: Db,
  day: Day,
  { part, limit, offset }: { part: string; limit: number; offset: number },
): Promise<AccountWithUsage[]> {
  return accountsWithUsage(db, day).where(emailHas(part)).limit(limit).offset(offset).execute();
}

/** How many accounts have `part`, in lower case, in their e-mail address. */
export async function countAccounts(db: Db, part: string): Promise<number> {
  const { count } = await db
    .selectFrom('accounts')
    .select((account) => account.fn.countAll<number>().as('count'))
    .where(emailHas(part))
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

/** The condition that a text, in lower case, is part of an e-mail address. */
function emailHas(part: string): RawBuilder<boolean> {
  const pattern = `%${part.replace(/[\\%_]/g, '\\$&')}%`;
  return sql`accounts.email like ${pattern} escape '\\'`;
}

/** Changes an account; undefined when there is none of this id. */
export function updateAccount(
  db: Db,
  id: number,
  change: Partial<Pick<AccountRow, 'plan' | 'disabled_at' | 'operator'>>,
): Promise<AccountRow | undefined> {
  return db
    .updateTable('accounts')
    .set(change)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst();
}

export function insertKey(db: Db, key: Omit<ApiKeyRow, 'id' | 'revoked_at'>): Promise<ApiKeyRow> {
  return db
    .insertInto('api_keys')
    .values({ ...key, revoked_at: null })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Removes a key as if it had never been. */
export async function deleteKey(db: Db, id: number): Promise<void> {
  await db.deleteFrom('api_keys').where('id', '=', id).execute();
}

/** A key with its last use; null where there is none. */
export type KeyWithUse = ApiKeyRow & { used_at: number | null; used_from: string | null };

/** Every key of an account, oldest first. */
export function listKeys(db: Db, accountId: number): Promise<KeyWithUse[]> {
  return keysWithUse(db).where('account_id', '=', accountId).orderBy('id').execute();
}

export function findKey(db: Db, id: number): Promise<KeyWithUse | undefined> {
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
 * Puts a new secret in the place of the one of a key that ends in `hint`; undefined when that is
 * not its secret any more, or it does not work.
 */
export function replaceKey(
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

/** Revokes a key, for good: the first moment stays. */
export async function revokeKey(db: Db, id: number, now: Millis): Promise<void> {
  await db
    .updateTable('api_keys')
    .set((key) => ({ revoked_at: key.fn.coalesce('revoked_at', key.val(now)) }))
    .where('id', '=', id)
    .execute();
}

/** What a working key leads to. */
export interface KeyHolder {
  readonly hash: string;
  readonly keyId: number;
  readonly accountId: number;
  readonly plan: string;
  /** Requests charged so far on the day asked about. */
  readonly used: number;
}

export interface Usage {
  readonly accountId: number;
  readonly used: number;
}

/** The statements that requests wait for, each over many keys or accounts at once. */
export interface UsageStatements {
  /** The holders of those keys that work at `now`; what does not work is left out. */
  holders(hashes: Iterable<string>, day: Day, now: Millis): Promise<KeyHolder[]>;
  /** The accounts' usage of `day`; an account without any is left out. */
  usage(accountIds: Iterable<number>, day: Day): Promise<Usage[]>;
  /**
   * Charges each account its number of requests on `day`, all of them or none: an account whose
   * usage would come over `quota` is left out of the answer, and nothing was charged to it.
   * No number may itself be over `quota`.
   */
  charge(counts: ReadonlyMap<number, number>, day: Day, quota: number): Promise<Usage[]>;
}

/**
 * Prepares the statements. A set of values travels as the keys of one JSON object, because
 * `json_each` is what both engines read it with, spelled alike.
 */
export function prepareUsage(engine: Engine): UsageStatements {
  // Subqueries instead of joins: SQLite 3.54 takes 4 µs for the statement this way, else 20.
  const holders = engine.prepare<KeyHolder>(`
    select k.hash, k.id as "keyId", k.account_id as "accountId",
      (select a.plan from accounts a where a.id = k.account_id) as plan,
      coalesce((select u.used from usage u where u.account_id = k.account_id and u.day = $2), 0)
        as used
    from api_keys k
    where k.hash in (select key from json_each($1))
      and k.revoked_at is null and (k.expires_at is null or k.expires_at > $3)
      and (select a.disabled_at from accounts a where a.id = k.account_id) is null`);
  const usage = engine.prepare<Usage>(`
    select account_id as "accountId", used from usage
    where account_id in (select cast(key as integer) from json_each($1)) and day = $2`);
  // Rows are locked in the order of the accounts, so that two processes never wait in a circle.
  const charge = engine.prepare<Usage>(`
    insert into usage (account_id, day, used)
    select cast(key as integer), cast($2 as integer), cast(cast(value as text) as integer)
    from json_each($1) where true order by 1
    on conflict (account_id, day) do update set used = usage.used + excluded.used
    where usage.used + excluded.used <= cast($3 as integer)
    returning account_id as "accountId", used`);
  return {
    holders: (hashes, day, now) => holders([jsonSet(hashes), day, now]),
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
