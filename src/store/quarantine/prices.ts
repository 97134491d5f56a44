import { dayOf } from '../../domain/day.ts';
import type { Cents } from '../../domain/money.ts';
import { type QuarantinedPrice, quarantinedAmounts } from '../../domain/quarantined.ts';
import { observationsOf, type StoredObservation } from '../catalogue/observations.ts';
import type { Database, QuarantineRow } from '../catalogue/schema.ts';
import type { Opened } from '../engine/engine.ts';
import { delistedPrintings, quarantinedObservation } from './contents.ts';

/** Returns the prices of quarantine entries, in the same order, with the last accepted prices. */
export async function quarantinedPrices(
  store: Opened<Database>,
  rows: readonly QuarantineRow[],
): Promise<QuarantinedPrice[]> {
  const printings = new Set(rows.flatMap(({ printing_id }) => printing_id ?? []));
  const accepted = await observationsOf(store, store.db, [...printings]);
  const byPrinting = Map.groupBy(accepted, ({ printingRowId }) => printingRowId);
  return rows.map((row) => {
    const own = byPrinting.get(row.printing_id ?? 0)?.find((one) => isOfSeries(one, row));
    return quarantinedPrice(row, own);
  });
}

function isOfSeries(one: StoredObservation, { source, marketplace }: QuarantineRow): boolean {
  return one.source === source && one.marketplace === marketplace;
}

function quarantinedPrice(
  row: QuarantineRow,
  accepted: StoredObservation | undefined,
): QuarantinedPrice {
  const { id, source, marketplace, printing, rule, detail, decision } = row;
  return {
    ...{ id, source, marketplace, printing, rule, detail, decision },
    ...contentOf(row, accepted),
    externalId: row.external_id,
    observedAt: row.observed_at,
    quarantinedAt: row.quarantined_at,
  };
}

function contentOf(
  row: QuarantineRow,
  accepted: StoredObservation | undefined,
): Pick<QuarantinedPrice, 'currency' | 'amounts' | 'delisted' | 'days'> {
  const quarantined = quarantinedObservation(row);
  if (quarantined === undefined) {
    return { currency: 'USD', amounts: [], delisted: delistedPrintings(row), days: 1 };
  }
  const { currency, days, amounts, was, ...observation } = quarantined;
  const { observed_at } = row;
  // The accepted price says nothing about an earlier day or another currency.
  const day = observed_at === null ? 0 : dayOf(observed_at);
  const isBefore = accepted?.currency === currency && dayOf(accepted.observedAt) <= day;
  const before = { ...(days > 0 && isBefore ? amountsOf(accepted) : {}), ...was };
  const { prices, conditions, graded } = observation;
  const held = quarantinedAmounts({ prices, conditions, graded }, before, amounts);
  return { currency, days, amounts: held, delisted: [] };
}

function amountsOf({ prices, conditions, graded }: StoredObservation): Record<string, Cents> {
  const all = Object.entries<Cents | null | undefined>({ ...prices, ...conditions, ...graded });
  return Object.fromEntries(all.flatMap(([name, cents]) => (cents ? [[name, cents]] : [])));
}
