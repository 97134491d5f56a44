import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Day, Millis } from '../../domain/day.ts';
import type { GameSlug } from '../../domain/games.ts';
import type { Cents } from '../../domain/money.ts';
import type { FetchedObservation } from '../../domain/observation.ts';
import { FIGURES, type PriceFigures } from '../../domain/price.ts';
import type { Store } from '../connect.ts';
import type { BulkTable } from '../engine/engine.ts';
import { isOneOf } from '../engine/id-lists.ts';
import { queryInChunks, readPages, writeInChunks } from '../engine/paging.ts';
import { readAmounts, TRADE, writeAmounts } from './json-columns.ts';
import type { Database, ObservationRow } from './schema.ts';

/** SQL of observations: the last report of each source about each printing. */

type Db = Kysely<Database>;

const OBSERVATIONS: BulkTable<ObservationRow> = {
  name: 'observations',
  columns: {
    printing_id: 'int4',
    source: 'text',
    marketplace: 'text',
    currency: 'text',
    market: 'int4',
    low: 'int4',
    mid: 'int4',
    high: 'int4',
    conditions: 'text',
    graded: 'text',
    observed_at: 'int8',
    fetched_at: 'int8',
    external_id: 'text',
    agreed_on: 'int4',
    trade: 'text',
  },
  key: ['printing_id', 'source', 'marketplace'],
};

/** The last report of a source about a printing at one marketplace. */
export interface StoredObservation extends FetchedObservation {
  /** The row id of the printing. */
  readonly printingRowId: number;
}

/** Observations of a source between two moments, optionally only of one game or some sets. */
export interface ObservedSpan {
  /** By its name in the table of sources. */
  readonly source: string;
  readonly from: Millis;
  readonly before: Millis;
  readonly game?: GameSlug | undefined;
  /** Row ids of sets. */
  readonly sets?: readonly number[] | undefined;
}

/** Returns the observations of the printings with these row ids, in any order. */
export async function observationsOf(
  { engine }: Pick<Store, 'engine'>,
  db: Db,
  printings: readonly number[],
): Promise<StoredObservation[]> {
  return (await engine.lookup(db, OBSERVATIONS, printings)).map(observationOf);
}

/** A source, and a marketplace for which it reports a printing. */
export interface Reporter {
  readonly printing: number;
  readonly source: string;
  readonly marketplace: string;
}

/** Returns the sources and marketplaces that report the printings with these row ids. */
export function reportersOf(db: Db, printings: readonly number[]): Promise<Reporter[]> {
  return db
    .selectFrom('observations')
    .where(isOneOf('printing_id', printings))
    .select(['printing_id as printing', 'source', 'marketplace'])
    .execute();
}

/** Inserts observations. Overwrites one of the same printing, source and marketplace. */
export function upsertObservations(
  { engine }: Store,
  transaction: Db,
  observations: readonly StoredObservation[],
): Promise<void> {
  return engine.upsert(transaction, OBSERVATIONS, observations.map(rowOf));
}

/** Deletes observations of some printings, sources and marketplaces. */
export async function deleteObservations(
  db: Db,
  observations: readonly StoredObservation[],
): Promise<void> {
  const series = Map.groupBy(observations, ({ source, marketplace }) => `${source}/${marketplace}`);
  for (const own of series.values()) {
    const [first] = own;
    if (!first) continue;
    const { source, marketplace } = first;
    const printings = own.map(({ printingRowId }) => printingRowId);
    await writeInChunks(printings, (chunk) =>
      db
        .deleteFrom('observations')
        .where('printing_id', 'in', chunk)
        .where('source', '=', source)
        .where('marketplace', '=', marketplace)
        .execute(),
    );
  }
}

function rowOf(observation: StoredObservation): ObservationRow {
  const { market, low, mid, high } = observation.prices;
  return {
    printing_id: observation.printingRowId,
    source: observation.source,
    marketplace: observation.marketplace,
    currency: observation.currency,
    market,
    low,
    mid,
    high,
    conditions: writeAmounts(observation.conditions),
    graded: writeAmounts(observation.graded),
    observed_at: observation.observedAt,
    fetched_at: observation.fetchedAt,
    external_id: observation.externalId,
    agreed_on: observation.agreedOn ?? null,
    trade: observation.trade ? TRADE.write(observation.trade) : null,
  };
}

function observationOf(row: ObservationRow): StoredObservation {
  return {
    printingRowId: row.printing_id,
    source: row.source,
    marketplace: row.marketplace,
    currency: row.currency,
    prices: figuresOf(row),
    conditions: readAmounts(row.conditions),
    graded: readAmounts(row.graded),
    observedAt: row.observed_at,
    fetchedAt: row.fetched_at,
    externalId: row.external_id,
    ...(row.agreed_on !== null && { agreedOn: row.agreed_on as Day }),
    ...(row.trade !== null && { trade: TRADE.read(row.trade) }),
  };
}

function figuresOf({ market, low, mid, high }: ObservationRow): PriceFigures {
  return {
    market: market as Cents | null,
    low: low as Cents | null,
    mid: mid as Cents | null,
    high: high as Cents | null,
  };
}

/** A printing that a source has a price for. */
export interface PricedPrinting {
  /** The row id of the set. */
  readonly set: number;
  /** The row id and the name of the card. */
  readonly card: number;
  readonly name: string;
  readonly printing: string;
  /** The source's own id of the card. */
  readonly externalId: string | null;
  readonly observedAt: Millis;
}

/**
 * Returns the printings of some sets that have any of the four figures from a source at a
 * marketplace, if that source has not observed them there since `moment`.
 */
export async function pricedBefore(
  db: Db,
  sets: readonly number[],
  { source, marketplace }: Pick<StoredObservation, 'source' | 'marketplace'>,
  moment: Millis,
): Promise<PricedPrinting[]> {
  return queryInChunks(sets, (chunk) =>
    db
      .selectFrom('cards')
      .innerJoin('printings', 'printings.card_id', 'cards.id')
      .innerJoin('observations', 'observations.printing_id', 'printings.id')
      .where('cards.set_id', 'in', chunk)
      .where('observations.source', '=', source)
      .where('observations.marketplace', '=', marketplace)
      .where('observations.observed_at', '<', moment)
      .where((row) =>
        row.or(FIGURES.map((figure) => row(`observations.${figure}`, 'is not', null))),
      )
      .select([
        'cards.set_id as set',
        'cards.id as card',
        'cards.name',
        'printings.name as printing',
        'observations.external_id as externalId',
        'observations.observed_at as observedAt',
      ])
      .execute(),
  );
}

/** The SQL condition that an observation has any price: a figure, a condition or a grade. */
export function hasAnyPrice(): RawBuilder<boolean> {
  return sql`coalesce(cast(observations.market as text), cast(observations.low as text),
    cast(observations.mid as text), cast(observations.high as text),
    observations.conditions, observations.graded) is not null`;
}

/**
 * Returns the number of a source's observations with a price for each set, by row id of the set.
 */
export async function countPriced(
  db: Db,
  source: string,
  sets: readonly number[],
): Promise<Map<number, number>> {
  const rows = await queryInChunks(sets, (chunk) =>
    db
      .selectFrom('observations')
      .innerJoin('printings', 'printings.id', 'observations.printing_id')
      .innerJoin('cards', 'cards.id', 'printings.card_id')
      .where('observations.source', '=', source)
      .where('cards.set_id', 'in', chunk)
      .where(hasAnyPrice())
      .groupBy('cards.set_id')
      .select(({ fn }) => ['cards.set_id', fn.countAll().as('count')])
      .execute(),
  );
  return new Map(rows.map(({ set_id, count }) => [set_id, Number(count)]));
}

/** Returns the printings that a source has observed after a moment. */
export async function printingsObservedSince(
  db: Db,
  source: string,
  printings: readonly number[],
  moment: Millis,
): Promise<Set<number>> {
  const rows = await queryInChunks(printings, (chunk) =>
    db
      .selectFrom('observations')
      .where('printing_id', 'in', chunk)
      .where('source', '=', source)
      .where('observed_at', '>', moment)
      .select('printing_id')
      .execute(),
  );
  return new Set(rows.map(({ printing_id }) => printing_id));
}

const PAGE_ROWS = 1000;

/**
 * Yields, in pages, the row ids of printings with an observation in another currency than USD since
 * a moment.
 */
export async function* printingsInOtherCurrencies(
  db: Db,
  since: Millis = 0,
): AsyncGenerator<number[]> {
  const rows = db
    .selectFrom('observations')
    .where('currency', '<>', 'USD')
    .where('observed_at', '>=', since)
    .select('printing_id')
    .distinct()
    .orderBy('printing_id')
    .limit(PAGE_ROWS);
  const pages = readPages(
    (above) => rows.where('printing_id', '>', above).execute(),
    ({ printing_id }) => printing_id,
  );
  for await (const page of pages) yield page.map(({ printing_id }) => printing_id);
}
