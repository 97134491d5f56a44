import { sql } from 'kysely';
import type { Millis } from '../../domain/day.ts';
import type { Store } from '../connect.ts';

/**
 * Returns when a PostgreSQL server last archived its log, from which it can be restored; null if
 * it has not archived any.
 */
export async function lastArchivedAt({ db }: Store): Promise<Millis | null> {
  const { rows } = await sql<{ readonly at: number | null }>`
    select (extract(epoch from last_archived_time) * 1000)::float8 as at from pg_stat_archiver
  `.execute(db);
  return rows[0]?.at ?? null;
}
