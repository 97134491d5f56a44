import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Millis } from '../../domain/day.ts';
import type { AccountDatabase } from '../../store/accounts/schema.ts';
import { deleteOldest } from './session-sql.ts';

/** SQL of attempts that slow down, such as attempts to sign in. */

type Db = Kysely<AccountDatabase>;

/** How attempts at one subject, such as an e-mail address, are slowed down. */
export interface AttemptRule {
  /** Failed attempts allowed before the first wait. */
  readonly free: number;
  /** The waits before further attempts; the last one repeats. */
  readonly waits: readonly Millis[];
  /** The time without an attempt after which the count starts again. */
  readonly forgottenAfter: Millis;
}

/**
 * Counts an attempt as a failure and returns the number of failures. Returns undefined, and counts
 * nothing, during a wait. A single statement decides, so simultaneous attempts in all processes
 * never exceed the rule.
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
        .doUpdateSet({ failures: nextCount(rule, now), last_at: now })
        .where(isWaitOver(rule, now)),
    )
    .returning('failures')
    .executeTakeFirst();
  return row?.failures;
}

function nextCount({ forgottenAfter }: AttemptRule, now: Millis): RawBuilder<number> {
  return sql`case when attempts.last_at <= ${now - forgottenAfter} then 1
    else attempts.failures + 1 end`;
}

/**
 * The condition that the wait is over. Ignores moments too far ahead: they come from a wrong clock.
 */
function isWaitOver({ free, waits }: AttemptRule, now: Millis): RawBuilder<boolean> {
  const longest = waits.at(-1) ?? 0;
  const steps = waits.map(
    (wait, index) => sql`when ${sql.lit(free + index)} then ${sql.lit(wait)}`,
  );
  return sql`attempts.failures < ${sql.lit(free)} or attempts.last_at > ${now + longest}
    or attempts.last_at + (case attempts.failures ${sql.join(steps, sql` `)}
      else ${sql.lit(longest)} end) <= ${now}`;
}

/** The attempts at a subject that failed or are undecided, and the moment of the last one. */
export interface CountedAttempts {
  readonly failures: number;
  readonly lastAt: Millis;
}

export function findAttempts(db: Db, subject: string): Promise<CountedAttempts | undefined> {
  return db
    .selectFrom('attempts')
    .select(['failures', 'last_at as lastAt'])
    .where('subject', '=', subject)
    .executeTakeFirst();
}

/** Deletes the attempts at a subject. */
export async function deleteAttempts(db: Db, subject: string): Promise<void> {
  await db.deleteFrom('attempts').where('subject', '=', subject).execute();
}

/** Subtracts one failure, because a counted attempt has succeeded. */
export async function uncountAttempt(db: Db, subject: string): Promise<void> {
  await db
    .updateTable('attempts')
    .set((attempts) => ({ failures: attempts('failures', '-', 1) }))
    .where('subject', '=', subject)
    .where('failures', '>', 0)
    .execute();
}

/** Deletes one subject whose last attempt was before `before`: see `deleteOldest`. */
export function deleteOldAttempts(db: Db, before: Millis): Promise<void> {
  return deleteOldest(db, 'attempts', before);
}
