import type { Kysely } from 'kysely';
import type { Millis } from '../../domain/day.ts';
import type { AccountDatabase, ChallengeRow } from '../../store/accounts/schema.ts';
import { deleteOldest } from './expiry-sql.ts';

/** SQL of what browsers have to prove within minutes. */

type Db = Kysely<AccountDatabase>;

/** Adds a challenge, and deletes one that has expired. */
export async function insertChallenge(db: Db, challenge: ChallengeRow, now: Millis): Promise<void> {
  await db.insertInto('challenges').values(challenge).execute();
  await deleteOldest(db, 'challenges', now);
}

/** Returns a challenge; undefined when there is none for this purpose or it has expired. */
export function findChallenge(
  db: Db,
  { tokenHash, purpose }: { readonly tokenHash: string; readonly purpose: string },
  now: Millis,
): Promise<ChallengeRow | undefined> {
  return db
    .selectFrom('challenges')
    .selectAll()
    .where('token_hash', '=', tokenHash)
    .where('purpose', '=', purpose)
    .where('expires_at', '>', now)
    .executeTakeFirst();
}

/** Returns a challenge like {@link findChallenge} and deletes it: only one caller gets it. */
export function takeChallenge(
  db: Db,
  { tokenHash, purpose }: { readonly tokenHash: string; readonly purpose: string },
  now: Millis,
): Promise<ChallengeRow | undefined> {
  return db
    .deleteFrom('challenges')
    .where('token_hash', '=', tokenHash)
    .where('purpose', '=', purpose)
    .where('expires_at', '>', now)
    .returningAll()
    .executeTakeFirst();
}
