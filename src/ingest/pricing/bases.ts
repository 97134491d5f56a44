import type { Kysely } from 'kysely';
import { findBasePrices, type ServedMarket } from '../../domain/base-prices.ts';
import { dayOf } from '../../domain/day.ts';
import type { Cents } from '../../domain/money.ts';
import type { HistoryDay } from '../../domain/price.ts';
import { type BasePrices, CHANGE_DAYS, NO_BASES } from '../../domain/price-changes.ts';
import type { Database } from '../../store/catalogue/schema.ts';
import type { Store } from '../../store/connect.ts';
import { newestDays } from '../../store/history/index.ts';
import type { KnownPrintings, PrintingState } from './printings.ts';

/** How old the price of another source may be, in days, to confirm the one that is served. */
const WITNESS_DAYS = 7;

/**
 * Finds anew the prices from which the changes of some printings count, by what is known of them now.
 * Call it when the history is written.
 */
export async function updateBases(
  store: Store,
  transaction: Kysely<Database>,
  printings: KnownPrintings,
  updated: readonly PrintingState[],
): Promise<void> {
  const ids = updated.map(({ row }) => row.id);
  const histories = await newestDays(store, transaction, ids, CHANGE_DAYS);
  for (const printing of updated) {
    printings.setBases(printing, basesOf(printing, histories.get(printing.row.id)));
  }
}

function basesOf(printing: PrintingState, days: readonly HistoryDay[] = []): BasePrices {
  const served = servedMarket(printing);
  return served ? findBasePrices(days, served) : NO_BASES;
}

function servedMarket({ row, observations }: PrintingState): ServedMarket | undefined {
  if (row.figures_at === null) return undefined;
  const day = dayOf(row.figures_at);
  const reported = observations.flatMap(({ currency, prices: { market }, observedAt }) => {
    const isRecent = dayOf(observedAt) >= day - WITNESS_DAYS;
    return market !== null && currency === 'USD' && isRecent ? [market] : [];
  });
  return { market: row.market as Cents | null, day, reported };
}
