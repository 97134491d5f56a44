import type { Kysely } from 'kysely';
import { type Day, dayOf } from '../../domain/day.ts';
import type { Database } from '../catalogue/schema.ts';
import { readPages } from '../engine/paging.ts';
import { isOfMarket } from './entries.ts';

/** Parsing a page of entries takes about a millisecond. */
const PAGE_ROWS = 500;

/**
 * Returns the newest day of each printing's quarantined market price that was not approved since,
 * by row id of the printing. Ignores entries that concern only other amounts.
 */
export async function quarantinedDays(db: Kysely<Database>): Promise<Map<number, Day>> {
  const rows = db
    .selectFrom('quarantine')
    .where('printing_id', 'is not', null)
    .where('observed_at', 'is not', null)
    .where('observation', 'is not', null)
    .where((row) => row.or([row('decision', 'is', null), row('decision', '=', 'rejected')]))
    .select(['id', 'printing_id', 'observed_at', 'observation'])
    .orderBy('id')
    .limit(PAGE_ROWS);
  const pages = readPages(
    (above) => rows.where('id', '>', above).execute(),
    ({ id }) => id,
  );
  const days = new Map<number, Day>();
  for await (const page of pages) {
    for (const { printing_id, observed_at, observation } of page) {
      if (printing_id === null || !isOfMarket(observation)) continue;
      const day = dayOf(observed_at ?? 0);
      if (day > (days.get(printing_id) ?? -1)) days.set(printing_id, day);
    }
  }
  return days;
}
