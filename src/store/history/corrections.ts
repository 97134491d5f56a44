import type { Kysely } from 'kysely';
import type { Day } from '../../domain/day.ts';
import type { DayPrices, Provenance } from '../../domain/price.ts';
import { UNKNOWN_PROVENANCE } from '../../history/provenance.ts';
import type { Database } from '../catalogue/schema.ts';
import { queryInChunks, writeInChunks } from '../engine/paging.ts';
import { readProvenances } from './provenances.ts';

/** SQL of what becomes of corrections when days of a source are removed. */

/** Days of a source, from the first to the last, both inclusive. */
export interface SourceDays {
  /** By its name in the table of sources. */
  readonly source: string;
  readonly from: Day;
  readonly to: Day;
}

/** Deletes the corrections that have prices of a source on these days, of some printings. */
export async function deleteCorrections(
  db: Kysely<Database>,
  printings: readonly number[],
  { source, from, to }: SourceDays,
  provenances: ReadonlyMap<number, Provenance>,
): Promise<void> {
  const own = [...provenances].filter(([, one]) => one.source === source).map(([id]) => id);
  if (own.length === 0) return;
  await writeInChunks(printings, (chunk) =>
    db
      .deleteFrom('history_corrections')
      .where('printing_id', 'in', chunk)
      .where('day', '>=', from)
      .where('day', '<=', to)
      .where('source_id', 'in', own)
      .execute(),
  );
}

/** Prices that a correction replaced, of a known source. */
export interface ReplacedDay {
  readonly printing: number;
  readonly prices: DayPrices;
  readonly provenance: Provenance;
}

/**
 * Returns what was known of removed days before they were corrected, of each day the newest prices,
 * and forgets that these were replaced: they are to be recorded again.
 *
 * @param removed The days that `removeSourceDays` has removed, by row id of the printing.
 */
export async function takeReplacedDays(
  db: Kysely<Database>,
  removed: ReadonlyMap<number, readonly Day[]>,
  { from, to }: SourceDays,
): Promise<ReplacedDay[]> {
  const provenances = await readProvenances(db);
  const shortened = [...removed].filter(([, { length }]) => length > 0).map(([id]) => id);
  const rows = await queryInChunks(shortened, (chunk) =>
    db
      .selectFrom('history_corrections')
      .where('printing_id', 'in', chunk)
      .where('day', '>=', from)
      .where('day', '<=', to)
      .where('source_id', 'is not', null)
      .selectAll()
      .orderBy('replaced_at')
      .execute(),
  );
  const newest = new Map(rows.map((row) => [`${row.printing_id} ${row.day}`, row]));
  const taken: ReplacedDay[] = [];
  for (const row of newest.values()) {
    const { printing_id: printing, replaced_at, source_id, ...prices } = row;
    const provenance = provenances.get(source_id ?? UNKNOWN_PROVENANCE);
    if (!provenance || !removed.get(printing)?.includes(row.day as Day)) continue;
    taken.push({ printing, prices: prices as DayPrices, provenance });
    await db
      .deleteFrom('history_corrections')
      .where('printing_id', '=', printing)
      .where('day', '=', row.day)
      .where('replaced_at', '=', replaced_at)
      .execute();
  }
  return taken;
}
