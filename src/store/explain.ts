import type { Rates } from '../domain/rates.ts';
import type { Store } from './connect.ts';
import { observationsOf, readRates, type StoredObservation } from './observations.ts';
import type { QuarantineRow } from './schema.ts';

/** SQL of what the prices of a card come from. */

/** All that is known of where the prices of a card come from. */
export interface CardObservations {
  /** By row id of the printing. */
  readonly quotes: ReadonlyMap<number, readonly StoredObservation[]>;
  /** By which they were merged. */
  readonly rates: Rates;
  /** What is held back of the card, oldest first, and not let through. */
  readonly held: readonly QuarantineRow[];
}

/** A card by row ids. */
export interface AskedCard {
  readonly card: number;
  readonly set: number;
  readonly printings: readonly number[];
}

export type ObservationsReader = (asked: AskedCard) => Promise<CardObservations>;

/** A function that looks up where the prices of a card come from. */
export function observationsReader(store: Store): ObservationsReader {
  return async (asked) => {
    const quotes = await observationsOf(store, store.db, asked.printings);
    return {
      quotes: Map.groupBy(quotes, ({ printingRowId }) => printingRowId),
      rates: await readRates(store.db),
      held: await readHeld(store, asked),
    };
  };
}

async function readHeld({ db }: Store, asked: AskedCard): Promise<QuarantineRow[]> {
  const rows = await db
    .selectFrom('quarantine')
    .where((row) =>
      row.or([
        row('card_id', '=', asked.card),
        row.and([row('card_id', 'is', null), row('set_id', '=', asked.set)]),
      ]),
    )
    .where((row) => row.or([row('decision', 'is', null), row('decision', '=', 'rejected')]))
    .selectAll()
    .orderBy('id')
    .execute();
  return rows.filter((row) => concerns(row, asked));
}

/** Whether a row is about a card: one about a whole set says of which printings in `quote`. */
function concerns({ card_id, quote }: QuarantineRow, { printings }: AskedCard): boolean {
  if (card_id !== null) return true;
  const lost = quote === null ? {} : (JSON.parse(quote) as { printings?: number[] });
  return lost.printings?.some((printing) => printings.includes(printing)) ?? false;
}
