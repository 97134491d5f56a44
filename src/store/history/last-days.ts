import type { Kysely } from 'kysely';
import { addDays, type Day } from '../../domain/day.ts';
import { type DayPrices, hasPrice } from '../../domain/price.ts';
import { sealedId, sealedSpan } from '../../history/spans.ts';
import type { Database } from '../catalogue/schema.ts';
import type { Store } from '../connect.ts';
import {
  asNumber,
  DamagedHistory,
  LOOK_BACK,
  RECENT_BLOCKS,
  recentDays,
  SEALED_BLOCKS,
  sealedDays,
} from './blocks.ts';

/**
 * Returns, for each printing, the newest day with a price among the 90 days before a given day. The
 * map leaves out printings without such a day, and those whose history is damaged there.
 *
 * @param before The day of each printing, by row id.
 */
export async function lastDaysBefore(
  { engine }: Store,
  transaction: Kysely<Database>,
  before: ReadonlyMap<number, Day>,
): Promise<Map<number, DayPrices>> {
  const found = new Map<number, DayPrices>();
  const recent = await engine.lookup(transaction, RECENT_BLOCKS, [...before.keys()]);
  const sealedIds = new Set<number>();
  for (const row of recent) {
    const day = before.get(row.printing_id) ?? (0 as Day);
    keepLast(found, row.printing_id, () => recentDays(row, asNumber, ...window(day)));
    if (found.has(row.printing_id)) continue;
    for (const one of window(day)) sealedIds.add(sealedId(row.printing_id, one));
  }
  const sealed = await engine.lookup(transaction, SEALED_BLOCKS, [...sealedIds]);
  for (const row of sealed.sort((a, b) => a.id - b.id)) {
    const { printing } = sealedSpan(row.id);
    const day = before.get(printing) ?? (0 as Day);
    keepLast(found, printing, () => sealedDays(row, asNumber, ...window(day)));
  }
  return found;
}

function window(day: Day): [from: Day, to: Day] {
  return [Math.max(0, addDays(day, -LOOK_BACK)) as Day, Math.max(0, addDays(day, -1)) as Day];
}

function keepLast(
  found: Map<number, DayPrices>,
  printing: number,
  read: () => readonly DayPrices[],
): void {
  try {
    const last = read().findLast(hasPrice);
    if (last) found.set(printing, last);
  } catch (error) {
    if (!(error instanceof DamagedHistory)) throw error;
  }
}
