import { type Kysely, sql } from 'kysely';
import type { Millis } from '../../domain/day.ts';
import type { AccountLimits } from '../../domain/plans.ts';
import type { AccountDatabase } from '../../store/accounts/schema.ts';
import type { Engine } from '../../store/engine/engine.ts';
import { LIMITS } from '../quota/plan-sql.ts';

/** SQL of sessions, and of browsers that have signed in before. */

type Db = Kysely<AccountDatabase>;

/** The account of a session. */
export interface SessionHolder {
  readonly accountId: number;
  readonly email: string;
  readonly plan: string;
  /** The account's differences from its plan; null for none. */
  readonly limits: AccountLimits | null;
  /** The version of the table of plans. */
  readonly plansVersion: number;
  readonly isOperator: boolean;
  /** When the account was created. */
  readonly createdAt: Millis;
  readonly credentialVersion: number;
  readonly lastUsedAt: Millis;
  readonly authenticatedAt: Millis;
}

type HolderRow = Omit<SessionHolder, 'limits' | 'isOperator'> & {
  limits: string | null;
  operator: number;
};

/** The earliest last use of a session that still works, for operators and for others. */
export interface UsedSince {
  readonly operators: Millis;
  readonly others: Millis;
}

/**
 * Returns the account of a session; undefined if the session has expired or was idle for too long,
 * if the account is disabled, or if its credentials have changed since they were verified.
 */
export type FindHolder = (
  tokenHash: string,
  now: Millis,
  usedSince: UsedSince,
) => Promise<SessionHolder | undefined>;

/** Prepares the statement that every request of the dashboard waits for. */
export function prepareHolder(engine: Engine): FindHolder {
  const holder = engine.prepare<HolderRow>(`
    select a.id as "accountId", a.email, a.plan, a.limits, a.operator,
      (select version from plan_version) as "plansVersion", a.created_at as "createdAt",
      s.credential_version as "credentialVersion", s.last_used_at as "lastUsedAt",
      s.authenticated_at as "authenticatedAt"
    from sessions s join accounts a on a.id = s.account_id
    where s.token_hash = $1 and s.expires_at > $2 and a.disabled_at is null
      and s.credential_version = a.credential_version
      and s.last_used_at > case when a.operator = 1 then cast($3 as bigint)
        else cast($4 as bigint) end`);
  return async (tokenHash, now, { operators, others }) => {
    const [row] = await holder([tokenHash, now, operators, others]);
    if (!row) return undefined;
    const { operator, limits, ...found } = row;
    return { ...found, limits: LIMITS.read(limits), isOperator: operator === 1 };
  };
}

/** A session to add, starting `now`. */
export interface NewSession {
  /** SHA-256 of the token, in hexadecimal. */
  readonly tokenHash: string;
  readonly accountId: number;
  readonly credentialVersion: number;
  readonly now: Millis;
  readonly expiresAt: Millis;
  readonly address: string;
  readonly userAgent: string;
}

/** Adds a session, deletes an expired one, and deletes the account's oldest beyond `most`. */
export async function insertSession(
  db: Db,
  { tokenHash, accountId, now, ...session }: NewSession,
  most: number,
): Promise<void> {
  const row = {
    token_hash: tokenHash,
    account_id: accountId,
    credential_version: session.credentialVersion,
    created_at: now,
    expires_at: session.expiresAt,
    last_used_at: now,
    authenticated_at: now,
    address: session.address,
    user_agent: session.userAgent,
  };
  await db.insertInto('sessions').values(row).execute();
  await deleteOldest(db, 'sessions', now + 1);
  await deleteSurplus(db, 'sessions', accountId, most);
}

/** Records that a session is used, unless a use after `before` is recorded. */
export type MarkUsed = (
  tokenHash: string,
  use: { readonly now: Millis; readonly before: Millis },
) => Promise<void>;

export function prepareMarkUsed(engine: Engine): MarkUsed {
  const mark = engine.prepareCounter(`
    update sessions set last_used_at = $1
    where token_hash = $2 and last_used_at <= $3 returning 1 as marked`);
  return async (tokenHash, { now, before }) => {
    await mark([now, tokenHash, before]);
  };
}

/**
 * Records that the owner of a session has proved who they are, and replaces the token of the
 * session. Returns false if no session has this token and version.
 */
export async function renewSession(
  db: Db,
  tokenHash: string,
  { version, now, ...renewed }: { tokenHash: string; version: number; now: Millis },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('sessions')
    .set({ token_hash: renewed.tokenHash, authenticated_at: now })
    .where('token_hash', '=', tokenHash)
    .where('credential_version', '=', version)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export async function deleteSession(db: Db, tokenHash: string): Promise<void> {
  await db.deleteFrom('sessions').where('token_hash', '=', tokenHash).execute();
}

/** Deletes a session of an account; returns whether there was one. */
export async function deleteSessionOf(
  db: Db,
  accountId: number,
  tokenHash: string,
): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('sessions')
    .where('account_id', '=', accountId)
    .where('token_hash', '=', tokenHash)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Deletes every session of an account, except the one with the digest `kept`. */
export async function deleteSessions(db: Db, accountId: number, kept = ''): Promise<void> {
  await db
    .deleteFrom('sessions')
    .where('account_id', '=', accountId)
    .where('token_hash', '!=', kept)
    .execute();
}

/** A session in the list of its account. */
export interface SessionEntry {
  /**
   * SHA-256 of the token, in hexadecimal. It identifies the session, but nobody can sign in with
   * it.
   */
  readonly id: string;
  readonly createdAt: Millis;
  /** When it was last used, to the minute. */
  readonly lastUsedAt: Millis;
  /** The network address that started it. */
  readonly address: string;
  /** The browser's name for itself; `''` for none. */
  readonly userAgent: string;
}

/** Returns the working sessions of an account, the last used first. */
export function listSessions(
  db: Db,
  accountId: number,
  now: Millis,
  usedSince: UsedSince,
): Promise<SessionEntry[]> {
  return db
    .selectFrom('sessions')
    .innerJoin('accounts', 'accounts.id', 'sessions.account_id')
    .select(['token_hash as id', 'sessions.created_at as createdAt', 'last_used_at as lastUsedAt'])
    .select(['address', 'user_agent as userAgent'])
    .where('account_id', '=', accountId)
    .where('expires_at', '>', now)
    .whereRef('sessions.credential_version', '=', 'accounts.credential_version')
    .where((row) =>
      row.or([
        row('last_used_at', '>', usedSince.others).and('operator', '=', 0),
        row('last_used_at', '>', usedSince.operators).and('operator', '=', 1),
      ]),
    )
    .orderBy('last_used_at', 'desc')
    .orderBy('token_hash')
    .execute();
}

/** Returns how many sessions have not expired. */
export async function countAllSessions(db: Db, now: Millis): Promise<number> {
  const { count } = await db
    .selectFrom('sessions')
    .where('expires_at', '>', now)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** A browser that has signed in to an account. */
export interface Device {
  /** SHA-256 of its token, in hexadecimal. */
  readonly tokenHash: string;
  readonly accountId: number;
}

/** Returns whether a browser has signed in to an account after `since`. */
export async function hasDevice(
  db: Db,
  { tokenHash, accountId }: Device,
  since: Millis,
): Promise<boolean> {
  const row = await db
    .selectFrom('devices')
    .select('token_hash')
    .where('token_hash', '=', tokenHash)
    .where('account_id', '=', accountId)
    .where('last_used_at', '>', since)
    .executeTakeFirst();
  return row !== undefined;
}

/** Adds a browser or records its use, and deletes the account's least recent one beyond `most`. */
export async function saveDevice(
  db: Db,
  { tokenHash, accountId }: Device,
  { now, most }: { readonly now: Millis; readonly most: number },
): Promise<void> {
  await db
    .insertInto('devices')
    .values({ token_hash: tokenHash, account_id: accountId, last_used_at: now })
    .onConflict((conflict) => conflict.column('token_hash').doUpdateSet({ last_used_at: now }))
    .execute();
  await deleteSurplus(db, 'devices', accountId, most);
}

/**
 * The tables in which an account keeps a limited number of rows, with the moment that orders them.
 */
const LIMITED = { sessions: 'created_at', devices: 'last_used_at' } as const;

/**
 * Deletes an account's newest row beyond its `most` newest. Called for every added row, it keeps
 * that many.
 */
async function deleteSurplus(
  db: Db,
  table: keyof typeof LIMITED,
  accountId: number,
  most: number,
): Promise<void> {
  const rows = sql.table(table);
  const surplus = sql`select token_hash from ${rows} where account_id = ${accountId}
    order by ${sql.ref(LIMITED[table])} desc, token_hash limit 1 offset ${most}`;
  await sql`delete from ${rows} where token_hash = (${surplus})`.execute(db);
}

/** The tables whose rows expire, with their primary key and the moment that decides. */
const EXPIRING = {
  sessions: { key: 'token_hash', moment: 'expires_at' },
  attempts: { key: 'subject', moment: 'last_at' },
  challenges: { key: 'token_hash', moment: 'expires_at' },
} as const;

/**
 * Deletes the row with the oldest moment, if that is before `before`. Called for every added row,
 * it bounds the table. It locks a single row, so calls never deadlock.
 */
export async function deleteOldest(
  db: Db,
  table: keyof typeof EXPIRING,
  before: Millis,
): Promise<void> {
  const rows = sql.table(table);
  const key = sql.ref(EXPIRING[table].key);
  const moment = sql.ref(EXPIRING[table].moment);
  const oldest = sql`select ${key} from ${rows} where ${moment} < ${before}
    order by ${moment} limit 1`;
  await sql`delete from ${rows} where ${key} = (${oldest})`.execute(db);
}
