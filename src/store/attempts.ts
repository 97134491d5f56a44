import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Millis } from '../domain/day.ts';
import type { AttemptsRow, Database } from './schema.ts';

type Db = Kysely<Database>;

/** How attempts at one subject slow down. Moments and waits are in milliseconds. */
export interface AttemptRule {
  /** So many may fail before there is a wait. */
  readonly free: number;
  /** The waits before each further one; the last holds for all that follow. */
  readonly waits: readonly Millis[];
  /** After so long without an attempt the count begins anew. */
  readonly forgottenAfter: Millis;
}

/**
 * Counts an attempt as a failure, unless the wait since the last one is not over. One guarded
 * statement decides it: of those that come at the same moment, in whatever process, no more are
 * counted than the rule lets through. Returns the failures, or undefined when it is too early.
 */
export async function countAttempt(
  db: Db,
  subject: string,
  rule: AttemptRule,
  now: Millis,
): Promise<number | undefined> {
  const row = await db
    .insertInto('attempts')
    .values({ subject, failures: 1, last_at: now })
    .onConflict((conflict) =>
      conflict
        .column('subject')
        .doUpdateSet({ failures: countOn(rule, now), last_at: now })
        .where(isOver(rule, now)),
    )
    .returning('failures')
    .executeTakeFirst();
  return row?.failures;
}

function countOn({ forgottenAfter }: AttemptRule, now: Millis): RawBuilder<number> {
  return sql`case when attempts.last_at <= ${now - forgottenAfter} then 1
    else attempts.failures + 1 end`;
}

/** A moment that no wait can reach was written by a clock that was wrong. */
function isOver({ free, waits }: AttemptRule, now: Millis): RawBuilder<boolean> {
  const longest = waits.at(-1) ?? 0;
  const steps = waits.map(
    (wait, index) => sql`when ${sql.lit(free + index)} then ${sql.lit(wait)}`,
  );
  return sql`attempts.failures < ${sql.lit(free)} or attempts.last_at > ${now + longest}
    or attempts.last_at + (case attempts.failures ${sql.join(steps, sql` `)}
      else ${sql.lit(longest)} end) <= ${now}`;
}

export function findAttempts(db: Db, subject: string): Promise<AttemptsRow | undefined> {
  return db.selectFrom('attempts').selectAll().where('subject', '=', subject).executeTakeFirst();
}

/** Forgets every attempt at a subject. */
export async function deleteAttempts(db: Db, subject: string): Promise<void> {
  await db.deleteFrom('attempts').where('subject', '=', subject).execute();
}

/** Takes one attempt back, which was no failure after all. */
export async function uncountAttempt(db: Db, subject: string): Promise<void> {
  await db
    .updateTable('attempts')
    .set((attempts) => ({ failures: attempts('failures', '-', 1) }))
    .where('subject', '=', subject)
    .where('failures', '>', 0)
    .execute();
}

/**
 * Removes one subject that was last tried before `since`. Called whenever one is added, it keeps
 * the table from growing, and as it locks a single row, calls never wait in a circle.
 */
export async function deleteOldAttempts(db: Db, since: Millis): Promise<void> {
  await db
    .deleteFrom('attempts')
    .where('subject', '=', (old) =>
      old
        .selectFrom('attempts')
        .select('subject')
        .where('last_at', '<', since)
        .orderBy('last_at')
        .limit(1),
    )
    .execute();
}
