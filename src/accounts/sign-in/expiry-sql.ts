import { type Kysely, sql } from 'kysely';
import type { Millis } from '../../domain/day.ts';
import type { AccountDatabase } from '../../store/accounts/schema.ts';

/** The tables whose rows expire, with their primary key and the moment that says when. */
const EXPIRING = {
  sessions: { key: 'token_hash', moment: 'expires_at' },
  attempts: { key: 'subject', moment: 'last_at' },
  challenges: { key: 'token_hash', moment: 'expires_at' },
} as const;

/**
 * Deletes the one row with the oldest moment, if it is before `before`. Called whenever a row is
 * added, it keeps the table from growing. Since it locks a single row, calls never deadlock.
 */
export async function deleteOldest(
  db: Kysely<AccountDatabase>,
  table: keyof typeof EXPIRING,
  before: Millis,
): Promise<void> {
  const rows = sql.table(table);
  const key = sql.ref(EXPIRING[table].key);
  const moment = sql.ref(EXPIRING[table].moment);
  await sql`delete from ${rows} where ${key} =
    (select ${key} from ${rows} where ${moment} < ${before} order by ${moment} limit 1)`.execute(
    db,
  );
}
