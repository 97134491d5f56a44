import type { Kysely } from 'kysely';
import type { Millis } from '../../domain/day.ts';
import { OperatorError } from '../../domain/errors.ts';
import type { Store } from '../../store/connect.ts';
import { DamagedHistory, type PrintingDay, recordHistory } from '../../store/history.ts';
import type { Database } from '../../store/schema.ts';

/** What recording days did, as an import counts it. */
export interface RecordedDays {
  readonly historyAdded: number;
  readonly historyCorrected: number;
  /** Where the history cannot be read: the days of those printings were left out. */
  readonly damaged: readonly DamagedHistory[];
}

/** More damage than this at once is not a flipped bit here and there. */
const MOST_DAMAGED = 20;

/**
 * Records days in the history. Those of a printing whose history is damaged are left out: a
 * flipped bit must not keep all other prices from coming in.
 *
 * @throws OperatorError when the history is damaged in many places.
 */
export async function recordDays(
  store: Store,
  transaction: Kysely<Database>,
  days: readonly PrintingDay[],
  at: Millis,
): Promise<RecordedDays> {
  const damaged = new Map<number, DamagedHistory>();
  for (;;) {
    try {
      const sound = days.filter(({ printing }) => !damaged.has(printing));
      // It decodes all blocks before it writes the first: what fails here has changed nothing.
      const { added, corrected } = await recordHistory(store, transaction, sound, at);
      return { historyAdded: added, historyCorrected: corrected, damaged: [...damaged.values()] };
    } catch (error) {
      if (!(error instanceof DamagedHistory)) throw error;
      damaged.set(error.printing, error);
      if (damaged.size > MOST_DAMAGED) {
        const message = `${error.message} So is that of many others: restore a backup.`;
        throw new OperatorError(message, { cause: error });
      }
    }
  }
}
