import { type Day, formatDay } from '../../domain/day.ts';
import type { DayPrices } from '../../domain/price.ts';
import { DamagedBlock, decodeBlock, encodeBlock } from '../../history/codec.ts';
import { sealedSpan } from '../../history/spans.ts';
import type { BulkRow, BulkTable } from '../engine.ts';
import type { HistoryRecentRow, HistoryRow } from '../schema.ts';

/** The rows of history and the blocks in them. */

export const SEALED: BulkTable = {
  name: 'history',
  columns: { id: 'int8', block: 'bytea' },
  key: ['id'],
};

export const RECENT: BulkTable = {
  name: 'history_recent',
  columns: { printing_id: 'int4', first_day: 'int4', last_day: 'int4', block: 'bytea' },
  key: ['printing_id'],
};

/** A block of history cannot be read: nothing of it is served. */
export class DamagedHistory extends Error {
  readonly printing: number;
  /** The first day that the block may hold. */
  readonly firstDay: Day;
  /** What is wrong with the block. */
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

/**
 * The days of a recent row from `from` to `to`, both inclusive.
 *
 * @throws DamagedHistory
 */
export function recentDays(row: HistoryRecentRow, from?: Day, to?: Day): DayPrices[] {
  try {
    return decodeBlock(row.block, row.printing_id, from, to);
  } catch (error) {
    throw named(error, row.printing_id, row.first_day as Day);
  }
}

/**
 * The days of a sealed row from `from` to `to`, both inclusive.
 *
 * @throws DamagedHistory
 */
export function sealedDays(row: HistoryRow, from?: Day, to?: Day): DayPrices[] {
  try {
    return decodeBlock(row.block, row.id, from, to);
  } catch (error) {
    const { printing, firstDay } = sealedSpan(row.id);
    throw named(error, printing, firstDay);
  }
}

function named(error: unknown, printing: number, firstDay: Day): unknown {
  if (!(error instanceof DamagedBlock)) return error;
  return new DamagedHistory(printing, firstDay, error.message, { cause: error });
}

/** The recent row of a printing that holds `days`, of which there is at least one. */
export function recentRow(printing: number, days: readonly DayPrices[]): BulkRow {
  const block = encodeBlock(days, printing);
  return [printing, days[0]?.day ?? null, days.at(-1)?.day ?? null, block];
}

/** The sealed row with this id that holds `days`, of which there is at least one. */
export function sealedRow(id: number, days: readonly DayPrices[]): BulkRow {
  return [id, encodeBlock(days, id)];
}
