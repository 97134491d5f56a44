import { type Day, formatDay } from '../../src/domain/day.ts';
import type { PrintingRow } from '../../src/store/catalogue/schema.ts';
import type { Store } from '../../src/store/connect.ts';
import { historyReader } from '../../src/store/history/index.ts';

/** Served as of 2026-01-28T20:05:12Z: market 453.86, low 330.04, mid 499.50, high 1249.99. */
export const CHARIZARD_ID = 'pokemon-bs-charizard-004';

/** TCGCSV's data for its only printing. */
export const CHARIZARD = { productId: 42_382, subTypeName: 'Holofoil' };

/** Returns the row of Charizard's printing in the fixture of TCGCSV. */
export async function charizard(store: Store): Promise<PrintingRow> {
  return store.db
    .selectFrom('printings')
    .innerJoin('cards', 'cards.id', 'printings.card_id')
    .where('cards.public_id', '=', CHARIZARD_ID)
    .selectAll('printings')
    .executeTakeFirstOrThrow();
}

/** Returns the market prices of a printing in cents, with the day of each. */
export async function daysOf(
  store: Store,
  { id }: Pick<PrintingRow, 'id'>,
): Promise<[string, number | null][]> {
  const days = await historyReader(store)(id, 0 as Day, 60_000 as Day);
  return days.map(({ day, market }) => [formatDay(day), market]);
}
