import { comparePrintings, printingInFront, type ServedPrices } from '../../domain/card.ts';
import { dayOf, type Millis, startOfDay } from '../../domain/day.ts';
import { type Merged, mergeObservations } from '../../domain/merge.ts';
import type { FetchedObservation } from '../../domain/observation.ts';
import { type PriceFigures, samePrices } from '../../domain/price.ts';
import type { BasePrices } from '../../domain/price-changes.ts';
import type { Rates } from '../../domain/rates.ts';
import type { NextRowIds } from '../../store/catalogue/catalogue.ts';
import {
  CHANGE_DOUBTS_COLUMN,
  PRINTING_SOURCES,
  writeAmounts,
} from '../../store/catalogue/json-columns.ts';
import type { NewMarketplaceChange } from '../../store/catalogue/marketplace-changes.ts';
import type { StoredObservation } from '../../store/catalogue/observations.ts';
import type { PrintingRow } from '../../store/catalogue/schema.ts';

/** A printing with what all sources report of it. */
export interface PrintingState {
  readonly row: PrintingRow;
  /** Only `KnownPrintings` changes them. */
  readonly observations: StoredObservation[];
}

/**
 * What became of an observation: it is now the latest of its source, or a later one was known, of
 * another day (`older`) or of the same day (`outdated`).
 */
export type Reception = 'outdated' | 'older' | 'latest';

/** Where a printing's served figures come from; null when it serves none. */
export type ServedFigures = Merged<StoredObservation>['figures']['choice'];

export interface KnownPrintingsOptions {
  readonly nextIds: NextRowIds;
  /** The revision that changed rows get. */
  readonly revision: number;
  readonly rates: Rates;
  /** The row ids of the cards of a foil rarity. */
  readonly foilCards: ReadonlySet<number>;
}

/** The printings of some cards with all observations of them, and the changes of an import. */
export class KnownPrintings {
  readonly #byCard = new Map<number, PrintingState[]>();
  readonly #changedRows = new Set<PrintingRow>();
  readonly #changedObservations = new Map<string, StoredObservation>();
  readonly #marketplaceChanges: NewMarketplaceChange[] = [];
  readonly #options: KnownPrintingsOptions;
  readonly counts = { printingsAdded: 0, pricesChanged: 0 };

  constructor(
    rows: readonly PrintingRow[],
    observations: readonly StoredObservation[],
    options: KnownPrintingsOptions,
  ) {
    this.#options = options;
    const byId = new Map(rows.map((row) => [row.id, this.#add(row)]));
    for (const one of observations) byId.get(one.printingRowId)?.observations.push(one);
  }

  /** The names of the printings that a card has. */
  names(card: number): readonly string[] {
    return (this.#byCard.get(card) ?? []).map(({ row }) => row.name);
  }

  /** The names of those printings of a card that a source has reported before. */
  reportedNames(card: number, source: string): readonly string[] {
    const reported = (this.#byCard.get(card) ?? []).filter(({ observations }) => {
      return observations.some((one) => one.source === source);
    });
    return reported.map(({ row }) => row.name);
  }

  all(): readonly PrintingState[] {
    return [...this.#byCard.values()].flat();
  }

  find(card: number, name: string): PrintingState | undefined {
    return this.#byCard.get(card)?.find(({ row }) => row.name === name);
  }

  /** The name of the card's default printing, which sources mean that name none. */
  defaultName(card: number): string | undefined {
    const all = (this.#byCard.get(card) ?? [])
      .map(({ row }) => ({ name: row.name, prices: row as PriceFigures }))
      .sort((a, b) => comparePrintings(a.name, b.name));
    return printingInFront(all, this.#options.foilCards.has(card))?.name;
  }

  /** Returns a card's printing by name. A new one gets a row without a price. */
  findOrAdd(card: number, name: string): PrintingState {
    return this.find(card, name) ?? this.#addNew(card, name);
  }

  /** Keeps what a source reports of a printing, unless a later observation of it is known. */
  keep({ row, observations }: PrintingState, reported: FetchedObservation): Reception {
    const at = observations.findIndex((one) => isSameSeries(one, reported));
    const known = observations[at];
    const observedAt = momentOf(reported.observedAt, known);
    if (known && known.observedAt > observedAt) {
      return dayOf(known.observedAt) === dayOf(observedAt) ? 'outdated' : 'older';
    }
    const observation = { ...reported, printingRowId: row.id, observedAt };
    if (known && isSame(known, observation)) return 'latest';
    if (known) observations[at] = observation;
    else observations.push(observation);
    const { source, marketplace } = observation;
    this.#changedObservations.set(`${row.id}/${source}/${marketplace}`, observation);
    return 'latest';
  }

  /** Merges every observation of a printing into what it serves; returns whether that changed. */
  merge({ row, observations }: PrintingState): { figures: ServedFigures; isNew: boolean } {
    const merged = mergeObservations(observations, this.#options.rates);
    const figures = merged.figures.choice;
    const { prices } = merged;
    const { market, low, mid, high } = prices;
    const texts = servedTexts(prices);
    const ages = servedAges(prices);
    const same = samePrices(row as PriceFigures, prices) && hasTexts(row, texts);
    const marketplace = figures?.observation.marketplace ?? row.marketplace;
    if (same && hasAges(row, ages) && row.marketplace === marketplace) {
      return { figures, isNew: false };
    }
    if (figures) this.#recordMarketplace(row, figures.observation);
    Object.assign(row, { market, low, mid, high, ...texts, ...ages, marketplace });
    row.revision = this.#options.revision;
    this.#changedRows.add(row);
    if (!same) this.counts.pricesChanged += 1;
    return { figures, isNew: true };
  }

  /** Sets the prices from which a printing's changes are counted. */
  setBases({ row }: PrintingState, bases: BasePrices): void {
    const columns = baseColumns(bases);
    if (hasBases(row, columns)) return;
    Object.assign(row, columns);
    row.revision = this.#options.revision;
    this.#changedRows.add(row);
  }

  /** The printings whose figures now come from another marketplace. */
  marketplaceChanges(): readonly NewMarketplaceChange[] {
    return this.#marketplaceChanges;
  }

  /** The rows to write. */
  changedRows(): readonly PrintingRow[] {
    return [...this.#changedRows];
  }

  /** The observations to write. */
  changedObservations(): readonly StoredObservation[] {
    return [...this.#changedObservations.values()];
  }

  #recordMarketplace(row: PrintingRow, { marketplace, observedAt }: StoredObservation): void {
    const { id: printing, marketplace: from } = row;
    if (from === null || from === marketplace) return;
    this.#marketplaceChanges.push({ printing, from, to: marketplace, day: dayOf(observedAt) });
  }

  #add(row: PrintingRow): PrintingState {
    const printing = { row, observations: [] };
    const own = this.#byCard.get(row.card_id);
    if (own) own.push(printing);
    else this.#byCard.set(row.card_id, [printing]);
    return printing;
  }

  #addNew(card: number, name: string): PrintingState {
    const { nextIds, revision } = this.#options;
    const row = unpricedRow(nextIds.printing++, card, name, revision);
    this.#changedRows.add(row);
    this.counts.printingsAdded += 1;
    return this.#add(row);
  }
}

function unpricedRow(id: number, card: number, name: string, revision: number): PrintingRow {
  return {
    id,
    card_id: card,
    name,
    market: null,
    low: null,
    mid: null,
    high: null,
    conditions: null,
    graded: null,
    sources: '[]',
    figures_at: null,
    conditions_at: null,
    graded_at: null,
    marketplace: null,
    base_1d: null,
    base_7d: null,
    base_30d: null,
    change_doubts: null,
    revision,
  };
}

type SeriesName = Pick<StoredObservation, 'source' | 'marketplace'>;

/** Whether two observations of a printing have one source and marketplace, so the later counts. */
export function isSameSeries(a: SeriesName, b: SeriesName): boolean {
  return a.source === b.source && a.marketplace === b.marketplace;
}

/**
 * When prices were observed. The start of a day means that only the day is known: if another moment
 * of that day is known, the prices are taken to be of that moment, and correct it.
 */
function momentOf(observedAt: Millis, known: StoredObservation | undefined): Millis {
  const day = dayOf(observedAt);
  const isDayOnly = observedAt === startOfDay(day);
  return isDayOnly && known && dayOf(known.observedAt) === day ? known.observedAt : observedAt;
}

/**
 * Whether two observations report the same for one moment, regardless of when they were fetched.
 */
function isSame(known: StoredObservation, observation: StoredObservation): boolean {
  return (
    known.observedAt === observation.observedAt &&
    known.currency === observation.currency &&
    known.externalId === observation.externalId &&
    samePrices(known.prices, observation.prices) &&
    writeAmounts(known.conditions) === writeAmounts(observation.conditions) &&
    writeAmounts(known.graded) === writeAmounts(observation.graded)
  );
}

type ServedTexts = Pick<PrintingRow, 'conditions' | 'graded' | 'sources'>;

function servedTexts({ conditions, graded, sources }: ServedPrices): ServedTexts {
  return {
    conditions: writeAmounts(conditions),
    graded: writeAmounts(graded),
    sources: PRINTING_SOURCES.write(sources),
  };
}

function hasTexts(row: PrintingRow, { conditions, graded, sources }: ServedTexts): boolean {
  return row.conditions === conditions && row.graded === graded && row.sources === sources;
}

type BaseColumns = Pick<PrintingRow, 'base_1d' | 'base_7d' | 'base_30d' | 'change_doubts'>;

function baseColumns({ doubts, ...bases }: BasePrices): BaseColumns {
  const change_doubts =
    Object.keys(doubts).length === 0 ? null : CHANGE_DOUBTS_COLUMN.write(doubts);
  return {
    base_1d: bases['1d'],
    base_7d: bases['7d'],
    base_30d: bases['30d'],
    change_doubts,
  };
}

function hasBases(row: PrintingRow, columns: BaseColumns): boolean {
  return (
    row.base_1d === columns.base_1d &&
    row.base_7d === columns.base_7d &&
    row.base_30d === columns.base_30d &&
    row.change_doubts === columns.change_doubts
  );
}

type ServedAges = Pick<PrintingRow, 'figures_at' | 'conditions_at' | 'graded_at'>;

function servedAges({ figuresAt, conditionsAt, gradedAt }: ServedPrices): ServedAges {
  return { figures_at: figuresAt, conditions_at: conditionsAt, graded_at: gradedAt };
}

function hasAges(row: PrintingRow, { figures_at, conditions_at, graded_at }: ServedAges): boolean {
  return (
    row.figures_at === figures_at &&
    row.conditions_at === conditions_at &&
    row.graded_at === graded_at
  );
}
