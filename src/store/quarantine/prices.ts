import type { Kysely } from 'kysely';
import { type Day, dayOf } from '../../domain/day.ts';
import type { Cents } from '../../domain/money.ts';
import { type QuarantinedPrice, quarantinedAmounts } from '../../domain/quarantined.ts';
import { observationsOf, type StoredObservation } from '../catalogue/observations.ts';
import type { Database } from '../catalogue/schema.ts';
import type { Opened } from '../engine/engine.ts';
import { readPages } from '../engine/paging.ts';
import { isOfMarket, type QuarantineEntry } from './entries.ts';

/** Returns the prices of quarantine entries, in the same order, with the last accepted prices. */
export async function quarantinedPrices(
  store: Opened<Database>,
  entries: readonly QuarantineEntry[],
): Promise<QuarantinedPrice[]> {
  const printings = new Set(entries.flatMap(({ printingRowId }) => printingRowId ?? []));
  const accepted = await observationsOf(store, store.db, [...printings]);
  const byPrinting = Map.groupBy(accepted, ({ printingRowId }) => printingRowId);
  return entries.map((entry) => {
    const own = byPrinting.get(entry.printingRowId ?? 0)?.find((one) => isOfSeries(one, entry));
    return quarantinedPrice(entry, own);
  });
}

function isOfSeries(one: StoredObservation, { source, marketplace }: QuarantineEntry): boolean {
  return one.source === source && one.marketplace === marketplace;
}

function quarantinedPrice(
  entry: QuarantineEntry,
  accepted: StoredObservation | undefined,
): QuarantinedPrice {
  const { id, source, marketplace, printing, rule, detail, decision } = entry;
  const { externalId, observedAt, quarantinedAt } = entry;
  return {
    id,
    source,
    marketplace,
    printing,
    rule,
    detail,
    decision,
    ...contentOf(entry, accepted),
    externalId,
    observedAt,
    quarantinedAt,
  };
}

function contentOf(
  entry: QuarantineEntry,
  accepted: StoredObservation | undefined,
): Pick<QuarantinedPrice, 'currency' | 'amounts' | 'delisted' | 'days'> {
  const { observation: quarantined, delisted, observedAt } = entry;
  if (quarantined === null) return { currency: 'USD', amounts: [], delisted, days: 1 };
  const { currency, days, amounts, was, ...observation } = quarantined;
  // The accepted price says nothing about an earlier day or another currency.
  const day = observedAt === null ? 0 : dayOf(observedAt);
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

/** Parsing a page of entries takes about a millisecond. */
const PAGE_ROWS = 500;

/**
 * Returns the newest day of each printing's quarantined market price that was not approved since,
 * by row id of the printing. Ignores entries that concern only other amounts.
 */
export async function quarantinedDays(db: Kysely<Database>): Promise<Map<number, Day>> {
  const rows = db
    .selectFrom('quarantine')
    .where('printing_id', 'is not', null)
    .where('observed_at', 'is not', null)
    .where('observation', 'is not', null)
    .where((row) => row.or([row('decision', 'is', null), row('decision', '<>', 'approved')]))
    .select(['id', 'printing_id', 'observed_at', 'observation'])
    .orderBy('id')
    .limit(PAGE_ROWS);
  const pages = readPages(
    (above) => rows.where('id', '>', above).execute(),
    ({ id }) => id,
  );
  const days = new Map<number, Day>();
  for await (const page of pages) {
    for (const { printing_id, observed_at, observation } of page) {
      if (printing_id === null || !isOfMarket(observation)) continue;
      const day = dayOf(observed_at ?? 0);
      if (day > (days.get(printing_id) ?? -1)) days.set(printing_id, day);
    }
  }
  return days;
}
