import type { Kysely } from 'kysely';
import type { Millis } from '../domain/day.ts';
import type { Cents } from '../domain/money.ts';
import type { FetchedObservation } from '../domain/observation.ts';
import { FIGURES, type PriceFigures } from '../domain/price.ts';
import type { Rates } from '../domain/rates.ts';
import { amountsOf } from './catalogue.ts';
import type { Store } from './connect.ts';
import type { BulkRow, BulkTable } from './engine.ts';
import type { Database, ObservationRow } from './schema.ts';

/** SQL of what each source says of each printing. */

export const OBSERVATIONS: BulkTable = {
  name: 'quotes',
  columns: {
    printing_id: 'int4',
    source: 'text',
    origin: 'text',
    currency: 'text',
    market: 'int4',
    low: 'int4',
    mid: 'int4',
    high: 'int4',
    conditions: 'text',
    graded: 'text',
    observed_at: 'int8',
    fetched_at: 'int8',
    source_key: 'text',
  },
  key: ['printing_id', 'source', 'origin'],
};

/** A fetched observation in the database: the last one of its printing, source and marketplace. */
export interface StoredObservation extends FetchedObservation {
  /** The row id of the printing. */
  readonly printingRowId: number;
}

/** What all sources say of these printings, in any order. */
export async function observationsOf(
  { engine }: Store,
  db: Kysely<Database>,
  printings: readonly number[],
): Promise<StoredObservation[]> {
  return (await engine.lookup<ObservationRow>(db, OBSERVATIONS, printings)).map(toQuote);
}

/** Inserts observations, or replaces those of the same printing, source and marketplace. */
export async function upsertObservations(
  { engine }: Store,
  transaction: Kysely<Database>,
  observations: readonly StoredObservation[],
): Promise<void> {
  await engine.upsert(transaction, OBSERVATIONS, observations.map(observationRow));
}

function observationRow(quote: StoredObservation): BulkRow {
  const { market, low, mid, high } = quote.prices;
  return [
    quote.printingRowId,
    quote.source,
    quote.marketplace,
    quote.currency,
    market,
    low,
    mid,
    high,
    amountsJson(quote.conditions),
    amountsJson(quote.graded),
    quote.observedAt,
    quote.fetchedAt,
    quote.externalId,
  ];
}

/** Amounts by name as they are stored: null when there are none. */
export function amountsJson(amounts: object): string | null {
  for (const _ in amounts) return JSON.stringify(amounts);
  return null;
}

/** A printing that a source has a price of. */
export interface PricedPrinting {
  /** Row id, and name, of the card. */
  readonly card: number;
  readonly name: string;
  readonly printing: string;
  /** The source's own id of the card. */
  readonly externalId: string | null;
}

/** The printings of a set of which a source had a price of a market before a moment. */
export async function pricedBefore(
  db: Kysely<Database>,
  set: number,
  { source, marketplace }: Pick<StoredObservation, 'source' | 'marketplace'>,
  moment: Millis,
): Promise<PricedPrinting[]> {
  return db
    .selectFrom('cards')
    .innerJoin('printings', 'printings.card_id', 'cards.id')
    .innerJoin('quotes', 'quotes.printing_id', 'printings.id')
    .where('cards.set_id', '=', set)
    .where('quotes.source', '=', source)
    .where('quotes.origin', '=', marketplace)
    .where('quotes.observed_at', '<', moment)
    .where((quote) => quote.or(FIGURES.map((figure) => quote(`quotes.${figure}`, 'is not', null))))
    .select([
      'cards.id as card',
      'cards.name',
      'printings.name as printing',
      'source_key as externalId',
    ])
    .execute();
}

const PAGE_ROWS = 1000;

/** The printings of which anything is said in other money than dollars, in pages of at least one. */
export async function* printingsInOtherMoney(db: Kysely<Database>): AsyncGenerator<number[]> {
  const rows = db
    .selectFrom('quotes')
    .where('currency', '<>', 'USD')
    .select('printing_id')
    .distinct()
    .orderBy('printing_id')
    .limit(PAGE_ROWS);
  let page = await rows.execute();
  for (let last = page.at(-1); last; last = page.at(-1)) {
    yield page.map((row) => row.printing_id);
    page = await rows.where('printing_id', '>', last.printing_id).execute();
  }
}

/** The rates of exchange by which all that is served was merged. */
export async function readRates(db: Kysely<Database>): Promise<Rates> {
  const { rates } = await db.selectFrom('catalog_state').select('rates').executeTakeFirstOrThrow();
  return rates === null ? [] : (JSON.parse(rates) as Rates);
}

export async function writeRates(db: Kysely<Database>, rates: Rates): Promise<void> {
  await db
    .updateTable('catalog_state')
    .set({ rates: JSON.stringify(rates) })
    .execute();
}

function toQuote(row: ObservationRow): StoredObservation {
  return {
    printingRowId: row.printing_id,
    source: row.source,
    marketplace: row.origin,
    currency: row.currency,
    prices: quadOf(row),
    conditions: amountsOf(row.conditions),
    graded: amountsOf(row.graded),
    observedAt: row.observed_at,
    fetchedAt: row.fetched_at,
    externalId: row.source_key,
  };
}

function quadOf({ market, low, mid, high }: ObservationRow): PriceFigures {
  return {
    market: market as Cents | null,
    low: low as Cents | null,
    mid: mid as Cents | null,
    high: high as Cents | null,
  };
}
