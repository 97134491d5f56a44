import type { Kysely } from 'kysely';
import type { Millis } from '../domain/day.ts';
import type { AccountDatabase } from '../store/accounts/schema.ts';

/** SQL of answers kept for repeated requests. */

type Db = Kysely<AccountDatabase>;

/** The reserved row for the answer to a request. */
export interface ReplayRecord {
  /** Derived from the sender and the key of the request, hexadecimal. */
  readonly id: string;
  readonly accountId: number;
  readonly expiresAt: Millis;
}

/**
 * Reserves the row for an answer, which {@link keepAnswer} fills in the same transaction. Returns
 * false if another request has reserved it. Waits for any transaction that is about to.
 */
export async function claimReplay(
  db: Db,
  { id, accountId, expiresAt }: ReplayRecord,
  now: Millis,
): Promise<boolean> {
  const claimed = await db
    .insertInto('replays')
    .values({ id, account_id: accountId, answer: '', expires_at: expiresAt })
    .onConflict((conflict) =>
      conflict
        .column('id')
        .doUpdateSet({ answer: '', expires_at: expiresAt })
        .where('replays.expires_at', '<=', now),
    )
    .returning('id')
    .executeTakeFirst();
  return claimed !== undefined;
}

export async function keepAnswer(db: Db, id: string, answer: string): Promise<void> {
  await db.updateTable('replays').set({ answer }).where('id', '=', id).execute();
}

/** Returns the answer kept under an id; undefined for none. */
export async function findAnswer(db: Db, id: string, now: Millis): Promise<string | undefined> {
  const row = await db
    .selectFrom('replays')
    .select('answer')
    .where('id', '=', id)
    .where('expires_at', '>', now)
    .executeTakeFirst();
  return row?.answer;
}

export async function deleteExpiredReplays(db: Db, now: Millis): Promise<void> {
  await db.deleteFrom('replays').where('expires_at', '<=', now).execute();
}
