import { type Day, formatDay } from '../../domain/day.ts';
import { DamagedBlock, decodeBlock, encodeBlock } from '../../history/codec.ts';
import type { BlockDay } from '../../history/provenance.ts';
import { sealedSpan } from '../../history/spans.ts';
import type { HistoryRecentRow, HistoryRow } from '../catalogue/schema.ts';
import type { BulkTable } from '../engine/engine.ts';

/** Encodes and decodes the blocks in the rows of the history tables. */

/** Days to look back for the newest day before a given day. */
export const LOOK_BACK = 90;

export const SEALED_BLOCKS: BulkTable<HistoryRow> = {
  name: 'history',
  columns: { id: 'int8', block: 'bytea' },
  key: ['id'],
};

export const RECENT_BLOCKS: BulkTable<HistoryRecentRow> = {
  name: 'history_recent',
  columns: { printing_id: 'int4', first_day: 'int4', last_day: 'int4', block: 'bytea' },
  key: ['printing_id'],
};

/** A block cannot be decoded, so none of its days is served. */
export class DamagedHistory extends Error {
  readonly printing: number;
  /** The first day that the block can hold. */
  readonly firstDay: Day;
  /** The fault of the block. */
  readonly reason: string;

  constructor(printing: number, firstDay: Day, reason: string, options?: ErrorOptions) {
    super(
      `The history of printing ${printing} from ${formatDay(firstDay)} on is damaged: ${reason}.`,
      options,
    );
    this.name = 'DamagedHistory';
    this.printing = printing;
    this.firstDay = firstDay;
    this.reason = reason;
  }
}

/** A `provenanceOf` that keeps the number from the block. */
export function asNumber(number: number): number {
  return number;
}

/**
 * Decodes the days of a recent block from `from` to `to`, both inclusive.
 *
 * @throws DamagedHistory
 */
export function recentDays<Provenance>(
  row: HistoryRecentRow,
  provenanceOf: (number: number) => Provenance,
  from?: Day,
  to?: Day,
): BlockDay<Provenance>[] {
  try {
    return decodeBlock(row.block, row.printing_id, provenanceOf, from, to);
  } catch (error) {
    throw located(error, row.printing_id, row.first_day as Day);
  }
}

/**
 * Decodes the days of a sealed block from `from` to `to`, both inclusive.
 *
 * @throws DamagedHistory
 */
export function sealedDays<Provenance>(
  row: HistoryRow,
  provenanceOf: (number: number) => Provenance,
  from?: Day,
  to?: Day,
): BlockDay<Provenance>[] {
  try {
    return decodeBlock(row.block, row.id, provenanceOf, from, to);
  } catch (error) {
    const { printing, firstDay } = sealedSpan(row.id);
    throw located(error, printing, firstDay);
  }
}

/** Adds the printing and the first day to an error of the codec. */
function located(error: unknown, printing: number, firstDay: Day): unknown {
  if (!(error instanceof DamagedBlock)) return error;
  return new DamagedHistory(printing, firstDay, error.message, { cause: error });
}

/**
 * Encodes days, in ascending order, into the recent block of a printing.
 *
 * @throws RangeError if there is no day, or one that a block cannot hold.
 */
export function recentRow(printing: number, days: readonly BlockDay[]): HistoryRecentRow {
  const [first, last] = [days.at(0), days.at(-1)];
  if (!first || !last) throw new RangeError('A block holds at least one day.');
  const block = encodeBlock(days, printing);
  return { printing_id: printing, first_day: first.day, last_day: last.day, block };
}

/**
 * Encodes days, in ascending order, into the sealed block with this id.
 *
 * @throws RangeError if there is no day, or one that a block cannot hold.
 */
export function sealedRow(id: number, days: readonly BlockDay[]): HistoryRow {
  return { id, block: encodeBlock(days, id) };
}
