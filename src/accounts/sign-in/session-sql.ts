import type { Insertable, Kysely } from 'kysely';
import type { Millis } from '../../domain/day.ts';
import type { AccountDatabase, SessionRow } from '../../store/accounts/schema.ts';
import type { Engine } from '../../store/engine/engine.ts';
import { deleteOldest } from './expiry-sql.ts';

/** SQL of browsers that are signed in. */

type Db = Kysely<AccountDatabase>;

/** The account of a session. */
export interface SessionHolder {
  readonly accountId: number;
  readonly email: string;
  readonly plan: string;
  /** As in `KeyHolder`. */
  readonly limits: string | null;
  readonly plansVersion: number;
  readonly operator: number;
  /** When the account was created. */
  readonly createdAt: Millis;
  readonly credentialVersion: number;
  readonly lastUsedAt: Millis;
  readonly authenticatedAt: Millis;
}

/** From when on a session must have been used to go on, for operators and for others. */
export interface UsedSince {
  readonly operators: Millis;
  readonly others: Millis;
}

/**
 * Returns the account of a session; undefined if the session has expired or was not used for too
 * long, the account is disabled, or its credentials have changed since they were verified.
 */
export type FindHolder = (
  tokenHash: string,
  now: Millis,
  usedSince: UsedSince,
) => Promise<SessionHolder | undefined>;

/** Prepares the statement that every request of the dashboard waits for. */
export function prepareHolder(engine: Engine): FindHolder {
  const holder = engine.prepare<SessionHolder>(`
    select a.id as "accountId", a.email, a.plan, a.limits, a.operator,
      (select version from plan_version) as "plansVersion", a.created_at as "createdAt",
      s.credential_version as "credentialVersion", s.last_used_at as "lastUsedAt",
      s.authenticated_at as "authenticatedAt"
    from sessions s join accounts a on a.id = s.account_id
    where s.token_hash = $1 and s.expires_at > $2 and a.disabled_at is null
      and s.credential_version = a.credential_version
      and s.last_used_at > case when a.operator = 1 then cast($3 as bigint)
        else cast($4 as bigint) end`);
  return async (tokenHash, now, { operators, others }) =>
    (await holder([tokenHash, now, operators, others]))[0];
}

export async function insertSession(
  db: Db,
  session: Insertable<AccountDatabase['sessions']>,
): Promise<void> {
  await db.insertInto('sessions').values(session).execute();
}

/** Records that a session is used, unless that was recorded after `before` already. */
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
 * Records that the owner of a session has proved who they are, and gives it another token. Returns
 * whether there was such a session of this version.
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

/** Deletes one session that has expired: see `deleteOldest`. */
export function deleteExpiredSession(db: Db, now: Millis): Promise<void> {
  return deleteOldest(db, 'sessions', now + 1);
}

/** Deletes the newest of an account's sessions after the `kept` newest ones. */
export async function deleteSurplusSession(db: Db, accountId: number, kept: number): Promise<void> {
  await db
    .deleteFrom('sessions')
    .where('token_hash', '=', (surplus) =>
      surplus
        .selectFrom('sessions')
        .select('token_hash')
        .where('account_id', '=', accountId)
        .orderBy('created_at', 'desc')
        .orderBy('token_hash')
        .limit(1)
        .offset(kept),
    )
    .execute();
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

export async function deleteSessions(db: Db, accountId: number): Promise<void> {
  await db.deleteFrom('sessions').where('account_id', '=', accountId).execute();
}

/** Deletes every session of an account but one. */
export async function deleteOtherSessions(
  db: Db,
  accountId: number,
  tokenHash: string,
): Promise<void> {
  await db
    .deleteFrom('sessions')
    .where('account_id', '=', accountId)
    .where('token_hash', '!=', tokenHash)
    .execute();
}

/** Returns the sessions of an account that work, the one that was used last first. */
export function listSessions(
  db: Db,
  accountId: number,
  now: Millis,
  usedSince: UsedSince,
): Promise<SessionRow[]> {
  return db
    .selectFrom('sessions')
    .innerJoin('accounts', 'accounts.id', 'sessions.account_id')
    .selectAll('sessions')
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
