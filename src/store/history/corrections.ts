import type { Kysely } from 'kysely';
import type { Day, Millis } from '../../domain/day.ts';
import type { DayPrices, Provenance } from '../../domain/price.ts';
import { type BlockDay, UNKNOWN_PROVENANCE } from '../../history/provenance.ts';
import type { Database, HistoryCorrectionRow } from '../catalogue/schema.ts';
import { queryInChunks, writeInChunks } from '../engine/paging.ts';
import { readProvenances } from './provenances.ts';

/**
 * SQL of corrections: the days that publications replaced or removed. Corrections are never
 * deleted.
 */

/** A range of days of a source, both ends inclusive. */
export interface SourceDays {
  /** By its name in the table of sources. */
  readonly source: string;
  readonly from: Day;
  readonly to: Day;
}

/** Returns the correction of a day whose prices the publication `revision` replaces. */
export function correctionOf(
  printing: number,
  { provenance, ...prices }: BlockDay,
  revision: number,
  at: Millis,
): HistoryCorrectionRow {
  const source_id = provenance === UNKNOWN_PROVENANCE ? null : provenance;
  return { printing_id: printing, revision, replaced_at: at, ...prices, source_id, withdrawn: 0 };
}

/**
 * Keeps the first of several corrections of a day at one moment, because it contains the served
 * prices.
 */
export function insertCorrections(
  transaction: Kysely<Database>,
  corrections: readonly HistoryCorrectionRow[],
): Promise<void> {
  return writeInChunks(corrections, (chunk) =>
    transaction
      .insertInto('history_corrections')
      .values(chunk)
      .onConflict((conflict) => conflict.doNothing())
      .execute(),
  );
}

/** Withdraws the corrections of some printings that contain prices of a source on these days. */
export async function withdrawCorrections(
  db: Kysely<Database>,
  printings: readonly number[],
  { source, from, to }: SourceDays,
  provenances: ReadonlyMap<number, Provenance>,
): Promise<void> {
  const own = [...provenances].filter(([, one]) => one.source === source).map(([id]) => id);
  if (own.length === 0) return;
  await writeInChunks(printings, (chunk) =>
    db
      .updateTable('history_corrections')
      .set({ withdrawn: 1 })
      .where('printing_id', 'in', chunk)
      .where('day', '>=', from)
      .where('day', '<=', to)
      .where('source_id', 'in', own)
      .execute(),
  );
}

/** Prices of a known source that a correction replaced. */
export interface ReplacedDay {
  readonly printing: number;
  readonly prices: DayPrices;
  readonly provenance: Provenance;
}

/**
 * Returns the newest prices that removed days had before they were corrected. Withdraws these
 * corrections, because the caller records the prices again.
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
      .where('withdrawn', '=', 0)
      .selectAll()
      .orderBy('revision')
      .orderBy('replaced_at')
      .execute(),
  );
  const newest = new Map(rows.map((row) => [`${row.printing_id} ${row.day}`, row]));
  const taken: ReplacedDay[] = [];
  for (const row of newest.values()) {
    const { printing_id: printing, day, revision, replaced_at, source_id } = row;
    const { market, low, mid, high } = row;
    const provenance = provenances.get(source_id ?? UNKNOWN_PROVENANCE);
    if (!provenance || !removed.get(printing)?.includes(row.day as Day)) continue;
    taken.push({ printing, prices: { day, market, low, mid, high } as DayPrices, provenance });
    await db
      .updateTable('history_corrections')
      .set({ withdrawn: 1 })
      .where('printing_id', '=', printing)
      .where('day', '=', day)
      .where('revision', '=', revision)
      .where('replaced_at', '=', replaced_at)
      .execute();
  }
  return taken;
}
