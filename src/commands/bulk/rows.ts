import { parseDay, type Window } from '../../domain/day.ts';
import { dollarsOrNull } from '../../domain/money.ts';
import { type HistoryDay, NO_PRICES, type Provenance } from '../../domain/price.ts';
import { countsAs, ID_SPACES_BY_SOURCE } from '../../domain/sources.ts';
import {
  type NamedPrinting,
  namedPrintings,
  publishedCards,
  type WholeCard,
} from '../../store/catalogue/bulk.ts';
import { importedSources } from '../../store/catalogue/imports.ts';
import { type Reporter, reportersOf } from '../../store/catalogue/observations.ts';
import type { StoredExternalId, StoredPrinting, StoredSet } from '../../store/catalogue/records.ts';
import type { Store } from '../../store/connect.ts';
import { historiesReader, seriesOf } from '../../store/history/index.ts';
import type { Cell } from './cells.ts';

/** The rows of bulk files, each a record with a value for every column of its type. */

export type BulkRow = Readonly<Record<string, Cell>>;

/**
 * The published catalogue in one snapshot of the database, and the parts that may be given away.
 */
export interface Published {
  readonly store: Store;
  /** The number of the publication. */
  readonly revision: number;
  /** The sources whose prices files may contain. */
  readonly sources: ReadonlySet<string>;
  readonly sets: ReadonlyMap<number, StoredSet>;
}

/**
 * Returns the sources whose prices files may contain, by their names in prices. Prices of the
 * starter count as another source's: they may be given away until that source itself is imported.
 */
export async function redistributable(
  store: Store,
  allowed: readonly string[],
): Promise<ReadonlySet<string>> {
  const imported = await importedSources(store.db);
  // Bulk files do not show which prices came from the starter.
  const isCopy = imported.includes('bulk');
  const names = allowed.filter((name) => {
    const copies = imported.filter((one) => countsAs(one) === countsAs(name));
    return countsAs(name) === name || (!isCopy && copies.every((one) => one === name));
  });
  return new Set(names.map(countsAs));
}

export function setRow({ id, game, code, name, releaseDate }: StoredSet): BulkRow {
  const day = releaseDate === null ? null : parseDay(releaseDate);
  return { setId: id, game, code, name, releaseDate: day };
}

/** Yields the rows of cards in an order of row ids. The rows also have the columns of prices. */
export async function* cardRows(
  published: Published,
  order: Int32Array,
): AsyncGenerator<BulkRow[]> {
  const { store, revision } = published;
  for await (const page of publishedCards(store.db, order, revision)) {
    const printings = page.flatMap((whole) => whole.printings.map(({ rowId }) => rowId));
    const reporters = await reportersOf(store.db, printings);
    const byPrinting = Map.groupBy(reporters, ({ printing }) => printing);
    yield page.flatMap((whole) => {
      const fields = cardFields(published, whole);
      const printings = pricedPrintings(published, whole, byPrinting);
      return printings.map((priced): BulkRow => ({ ...fields, ...priced }));
    });
  }
}

/** Returns the printings that may be given away; a card without printings has an empty one. */
function pricedPrintings(
  { sources: allowed }: Published,
  { printings }: WholeCard,
  reporters: ReadonlyMap<number, readonly Reporter[]>,
) {
  if (printings.length === 0) return [{ printing: null, ...NO_PRICE_FIELDS }];
  return printings.flatMap((one) => {
    const sources = sourcesOf(one, reporters.get(one.rowId) ?? []);
    if (!sources?.every((source) => allowed.has(source))) return [];
    return [{ printing: one.name, ...priceFields(one, sources) }];
  });
}

/**
 * Returns the sources that report the marketplaces of a price, any of which may be its origin;
 * undefined if they are unknown.
 */
function sourcesOf({ prices }: StoredPrinting, reporters: readonly Reporter[]) {
  const own = reporters.filter(({ marketplace }) => prices.sources.includes(marketplace));
  if (own.length === 0 && prices.sources.length > 0) return undefined;
  return [...new Set(own.map(({ source }) => source))].sort();
}

function cardFields({ sets }: Published, { card, externalIds }: WholeCard) {
  const set = sets.get(card.setRowId);
  return {
    id: card.id,
    name: card.name,
    game: set?.game ?? null,
    set: set?.name ?? null,
    setId: set?.id ?? null,
    setCode: set?.code ?? null,
    number: card.number,
    rarity: card.rarity,
    image: card.image,
    product: card.product?.type ?? null,
    upc: card.product?.upc ?? null,
    externalIds: JSON.stringify(idsBySpace(externalIds)),
  };
}

function idsBySpace(ids: readonly StoredExternalId[]): Readonly<Record<string, string[]>> {
  const bySpace: Record<string, string[]> = {};
  for (const { idSpace, externalId } of ids) {
    const space = ID_SPACES_BY_SOURCE.get(idSpace) ?? idSpace;
    bySpace[space] = [...(bySpace[space] ?? []), externalId].sort();
  }
  return bySpace;
}

function priceFields(
  { prices, origins }: Pick<StoredPrinting, 'prices' | 'origins'>,
  sources: readonly string[],
) {
  const { market, low, mid, high, conditions, figuresAt, conditionsAt, gradedAt } = prices;
  return {
    market,
    low,
    mid,
    high,
    ...(conditions as Readonly<Record<string, Cell>>),
    graded: gradeFields(prices.graded),
    updatedAt: figuresAt,
    conditionsAt,
    gradedAt,
    marketplaces: prices.sources,
    origins: origins === undefined ? null : JSON.stringify(origins),
    sources,
  };
}

const NO_DATES = { figuresAt: null, conditionsAt: null, gradedAt: null };
const NO_PRICE_FIELDS = priceFields(
  { prices: { ...NO_PRICES, ...NO_DATES, conditions: {}, graded: {}, sources: [] } },
  [],
);

function gradeFields(graded: StoredPrinting['prices']['graded']) {
  const grades = Object.entries(graded).map(([grade, cents]) => [grade, dollarsOrNull(cents)]);
  return grades.length === 0 ? null : JSON.stringify(Object.fromEntries(grades));
}

/** The days of a printing, or of one condition or grade of it, that may be given away. */
export interface SeriesDays {
  readonly id: string;
  readonly printing: string;
  /** Null for the four figures. */
  readonly copy: string | null;
  readonly days: readonly KnownDay[];
}

/** A day whose source was recorded. */
type KnownDay = HistoryDay & { readonly provenance: Provenance };

/** Yields the history of cards on some days, in an order of row ids. */
export async function* historyPages(
  { store, sources }: Published,
  order: Int32Array,
  window: Window,
): AsyncGenerator<SeriesDays[]> {
  const read = historiesReader(store);
  const isAllowed = (day: HistoryDay): day is KnownDay => {
    return day.provenance !== null && sources.has(day.provenance.source);
  };
  for await (const page of namedPrintings(store.db, order)) {
    const histories = await historiesOf(store, page);
    const days = await read(histories.map(({ series }) => ({ printing: series, ...window })));
    yield histories.flatMap(({ series, ...names }) => {
      const own = (days.get(series) ?? []).filter(isAllowed);
      return own.length === 0 ? [] : [{ ...names, days: own }];
    });
  }
}

export function historyRows({ days, ...names }: SeriesDays): BulkRow[] {
  return days.map(({ day, market, low, mid, high, provenance }) => ({
    ...names,
    date: day,
    market,
    low,
    mid,
    high,
    source: provenance.source,
    marketplace: provenance.marketplace,
    repeated: provenance.repeated,
  }));
}

/**
 * Returns the histories of printings: first the printing's own, then those of its conditions and
 * grades.
 */
async function historiesOf({ db }: Store, printings: readonly NamedPrinting[]) {
  const series = await seriesOf(
    db,
    printings.map(({ rowId }) => rowId),
  );
  const copies = Map.groupBy(series, ({ printing }) => printing);
  return printings.flatMap(({ rowId, id, printing }) => [
    { series: rowId, id, printing, copy: null },
    ...(copies.get(rowId) ?? []).map((one) => ({ series: one.id, id, printing, copy: one.copy })),
  ]);
}
