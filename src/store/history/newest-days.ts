import type { Kysely } from 'kysely';
import { addDays, type Day } from '../../domain/day.ts';
import type { HistoryDay } from '../../domain/price.ts';
import { SPAN_DAYS, sealedId, sealedSpan } from '../../history/spans.ts';
import type { Database, HistoryRecentRow } from '../catalogue/schema.ts';
import type { Store } from '../connect.ts';
import { DamagedHistory, RECENT_BLOCKS, recentDays, SEALED_BLOCKS, sealedDays } from './blocks.ts';
import { type ProvenanceOf, readProvenances } from './provenances.ts';

/**
 * Returns the newest days of each history, in ascending order: the `count` days that end with the
 * newest one. The map leaves out printings without a history or with a damaged one.
 *
 * @param printings By row id.
 */
export async function newestDays(
  { engine }: Store,
  transaction: Kysely<Database>,
  printings: readonly number[],
  count: number,
): Promise<Map<number, HistoryDay[]>> {
  const known = await readProvenances(transaction);
  const provenanceOf: ProvenanceOf = (number) => known.get(number) ?? null;
  const rows = await engine.lookup(transaction, RECENT_BLOCKS, printings);
  const older = await engine.lookup(
    transaction,
    SEALED_BLOCKS,
    rows.flatMap((row) => sealedIds(row, count)),
  );
  const sealed = Map.groupBy(older, ({ id }) => sealedSpan(id).printing);
  const found = new Map<number, HistoryDay[]>();
  for (const row of rows) {
    const from = firstDay(row, count);
    const blocks = (sealed.get(row.printing_id) ?? []).sort((a, b) => a.id - b.id);
    try {
      const before = blocks.flatMap((block) => sealedDays(block, provenanceOf, from));
      found.set(row.printing_id, before.concat(recentDays(row, provenanceOf, from)));
    } catch (error) {
      if (!(error instanceof DamagedHistory)) throw error;
    }
  }
  return found;
}

function firstDay({ last_day }: HistoryRecentRow, count: number): Day {
  return Math.max(0, addDays(last_day as Day, 1 - count)) as Day;
}

/** Returns the ids of the sealed blocks that may hold some of the newest `count` days. */
function sealedIds(row: HistoryRecentRow, count: number): number[] {
  const from = firstDay(row, count);
  const ids: number[] = [];
  for (let day = from; day < row.first_day; day = addDays(day, SPAN_DAYS)) {
    ids.push(sealedId(row.printing_id, day));
  }
  const last = sealedId(row.printing_id, addDays(row.first_day as Day, -1));
  if (row.first_day > from && ids.at(-1) !== last) ids.push(last);
  return ids;
}
