import { type Kysely, sql } from 'kysely';
import type { Day } from '../../domain/day.ts';
import type { Database } from './schema.ts';

/**
 * The first day of the history of all printings. Computing it reads every block, so it is stored.
 */

/** Returns the first day; null without a history. */
export async function historySince(db: Kysely<Database>): Promise<Day | null> {
  const state = db.selectFrom('catalog_state').select('history_since');
  return (await state.executeTakeFirstOrThrow()).history_since as Day | null;
}

/** Stores a day as the first one if it is earlier. */
export async function extendHistory(db: Kysely<Database>, day: Day): Promise<void> {
  await db
    .updateTable('catalog_state')
    .set({ history_since: day })
    .where(({ eb, or }) => or([eb('history_since', 'is', null), eb('history_since', '>', day)]))
    .execute();
}

/** Computes the first day again, after days were removed. Reads every block. */
export async function findHistorySince(db: Kysely<Database>): Promise<void> {
  const recent = await sql<{ day: number | null }>`
    select min(first_day) as day from history_recent`.execute(db);
  // The first day of a block is in its second and third byte (docs/history-format.md).
  const sealed = await sql<{ day: Uint8Array }>`
    select distinct substr(block, 2, 2) as day from history`.execute(db);
  const days = [
    ...recent.rows.flatMap(({ day }) => day ?? []),
    ...sealed.rows.map(({ day: [high = 0, low = 0] }) => high * 256 + low),
  ];
  const first = days.length > 0 ? Math.min(...days) : null;
  await db.updateTable('catalog_state').set({ history_since: first }).execute();
}
