import type { Insertable, Kysely } from 'kysely';
import type { Millis } from '../domain/day.ts';
import type { AccountDatabase } from './account-schema.ts';
import type { Engine } from './engine.ts';
import { deleteOldest } from './expiry.ts';

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
}

/** Returns the account of a session; undefined if it has expired or the account is disabled. */
export type FindHolder = (tokenHash: string, now: Millis) => Promise<SessionHolder | undefined>;

/** Prepares the statement that every request of the dashboard waits for. */
export function prepareHolder(engine: Engine): FindHolder {
  const holder = engine.prepare<SessionHolder>(`
    select a.id as "accountId", a.email, a.plan, a.limits, a.operator,
      (select version from plan_version) as "plansVersion", a.created_at as "createdAt"
    from sessions s join accounts a on a.id = s.account_id
    where s.token_hash = $1 and s.expires_at > $2 and a.disabled_at is null`);
  return async (tokenHash, now) => (await holder([tokenHash, now]))[0];
}

export async function insertSession(
  db: Db,
  session: Insertable<AccountDatabase['sessions']>,
): Promise<void> {
  await db.insertInto('sessions').values(session).execute();
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

export async function deleteSessions(db: Db, accountId: number): Promise<void> {
  await db.deleteFrom('sessions').where('account_id', '=', accountId).execute();
}

/** Returns how many sessions of an account have not expired. */
export async function countSessions(db: Db, accountId: number, now: Millis): Promise<number> {
  const { count } = await db
    .selectFrom('sessions')
    .select((session) => session.fn.countAll<number>().as('count'))
    .where('account_id', '=', accountId)
    .where('expires_at', '>', now)
    .executeTakeFirstOrThrow();
  return count;
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
