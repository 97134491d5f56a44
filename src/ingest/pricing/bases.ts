import type { Kysely } from 'kysely';
import { findBasePrices, type ServedMarket } from '../../domain/base-prices.ts';
import { dayOf } from '../../domain/day.ts';
import type { Cents } from '../../domain/money.ts';
import type { HistoryDay } from '../../domain/price.ts';
import { type BasePrices, CHANGE_DAYS, NO_BASES } from '../../domain/price-changes.ts';
import type { Store } from '../../store/connect.ts';
import { newestDays } from '../../store/history.ts';
import type { Database } from '../../store/schema.ts';
import type { KnownPrintings, PrintingState } from './printings.ts';

/** How old the price of another source may be, in days, to confirm the one that is served. */
const WITNESS_DAYS = 7;

/**
 * Finds anew the prices from which changes count: of the printings whose served prices have changed,
 * and of those whose history has, which are given by row id. Call it when the history is written.
 */
export async function updateBases(
  store: Store,
  transaction: Kysely<Database>,
  printings: KnownPrintings,
  withNewDays: readonly number[],
): Promise<void> {
  const changed = new Set(withNewDays);
  for (const { id } of printings.changedRows()) changed.add(id);
  const histories = await newestDays(store, transaction, [...changed], CHANGE_DAYS);
  for (const printing of printings.all()) {
    const { id } = printing.row;
    if (changed.has(id)) printings.setBases(printing, basesOf(printing, histories.get(id)));
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
