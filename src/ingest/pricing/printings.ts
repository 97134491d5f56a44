import { comparePrintings, printingInFront, type ServedPrices } from '../../domain/card.ts';
import { agreementOf } from '../../domain/choose.ts';
import type { Confidence, Dispute } from '../../domain/confidence.ts';
import { dayOf, type Millis, startOfDay } from '../../domain/day.ts';
import { languageOfPrinting } from '../../domain/languages.ts';
import { type Merged, mergeObservations, nativePrices } from '../../domain/merge.ts';
import type { FetchedObservation } from '../../domain/observation.ts';
import { NO_PRICES, samePrices } from '../../domain/price.ts';
import { type BasePrices, CHANGE_WINDOW_NAMES, NO_BASES } from '../../domain/price-changes.ts';
import type { Rates } from '../../domain/rates.ts';
import { servedTrade } from '../../domain/served-trade.ts';
import type { NextRowIds } from '../../store/catalogue/catalogue.ts';
import type { NewMarketplaceChange } from '../../store/catalogue/marketplace-changes.ts';
import type { StoredObservation } from '../../store/catalogue/observations.ts';
import type { StoredPrinting } from '../../store/catalogue/records.ts';

/** A printing with the observations of all sources. */
export interface PrintingState {
  /** Only `KnownPrintings` replaces it and changes the observations. */
  stored: StoredPrinting;
  readonly observations: StoredObservation[];
}

/**
 * The outcome of an observation: it is now the latest of its source, or a later one was known, from
 * another day (`older`) or from the same day (`outdated`).
 */
export type Reception = 'outdated' | 'older' | 'latest';

/** The origin of a printing's served figures; null if it serves none. */
export type ServedFigures = Merged<StoredObservation>['figures']['choice'];

export interface KnownPrintingsOptions {
  readonly nextIds: NextRowIds;
  /** The revision for changed rows. */
  readonly revision: number;
  readonly rates: Rates;
  /** The row ids of the cards with a foil rarity. */
  readonly foilCards: ReadonlySet<number>;
}

/** Values derived from the history of a printing. */
export interface Judgement {
  readonly bases: BasePrices;
  readonly confidence: Confidence | undefined;
}

type CopiedPrices = Pick<StoredPrinting, 'prices' | 'origins' | 'marketplace'>;

/** The printings of some cards with all of their observations, and the changes of an import. */
export class KnownPrintings {
  readonly #byCard = new Map<number, PrintingState[]>();
  readonly #changed = new Set<PrintingState>();
  readonly #changedObservations = new Map<string, StoredObservation>();
  readonly #marketplaceChanges: NewMarketplaceChange[] = [];
  readonly #options: KnownPrintingsOptions;
  readonly counts = { printingsAdded: 0, pricesChanged: 0 };

  constructor(
    printings: readonly StoredPrinting[],
    observations: readonly StoredObservation[],
    options: KnownPrintingsOptions,
  ) {
    this.#options = options;
    const byId = new Map(printings.map((stored) => [stored.rowId, this.#add(stored)]));
    for (const one of observations) byId.get(one.printingRowId)?.observations.push(one);
  }

  /** The exchange rates for converting prices into dollars. */
  get rates(): Rates {
    return this.#options.rates;
  }

  /** The names of a card's printings in the catalogue's language. */
  names(card: number): readonly string[] {
    const names = (this.#byCard.get(card) ?? []).map(({ stored }) => stored.name);
    return names.filter((name) => languageOfPrinting(name) === undefined);
  }

  /** The names of a card's printings, in any language, that a source has reported before. */
  reportedNames(card: number, source: string): readonly string[] {
    const reported = (this.#byCard.get(card) ?? []).filter(({ observations }) => {
      return observations.some((one) => one.source === source);
    });
    return reported.map(({ stored }) => stored.name);
  }

  all(): readonly PrintingState[] {
    return [...this.#byCard.values()].flat();
  }

  find(card: number, name: string): PrintingState | undefined {
    return this.#byCard.get(card)?.find(({ stored }) => stored.name === name);
  }

  /** The name of the card's default printing, which sources mean if they name none. */
  defaultName(card: number): string | undefined {
    const all = (this.#byCard.get(card) ?? [])
      .map(({ stored: { name, prices } }) => ({ name, prices }))
      .sort((a, b) => comparePrintings(a.name, b.name));
    return printingInFront(all, this.#options.foilCards.has(card))?.name;
  }

  /** Returns a card's printing by name. A new one has no price. */
  findOrAdd(card: number, name: string): PrintingState {
    return this.find(card, name) ?? this.#addNew(card, name);
  }

  /** Stores a source's observation of a printing, unless a later one is known. */
  keep({ stored, observations }: PrintingState, reported: FetchedObservation): Reception {
    const at = observations.findIndex((one) => isSameSeries(one, reported));
    const known = observations[at];
    const observedAt = momentOf(reported.observedAt, known);
    if (known && known.observedAt > observedAt) {
      return dayOf(known.observedAt) === dayOf(observedAt) ? 'outdated' : 'older';
    }
    const agreedOn = agreementOf(reported, known, observations);
    const agreement = agreedOn === undefined ? {} : { agreedOn };
    const observation = { ...reported, printingRowId: stored.rowId, observedAt, ...agreement };
    if (known && isSame(known, observation)) return 'latest';
    if (known) observations[at] = observation;
    else observations.push(observation);
    const { source, marketplace } = observation;
    this.#changedObservations.set(`${stored.rowId}/${source}/${marketplace}`, observation);
    return 'latest';
  }

  /**
   * Merges every observation of a printing into its served prices; returns whether they changed.
   */
  merge(printing: PrintingState): { merged: Merged<StoredObservation>; isNew: boolean } {
    const { stored, observations } = printing;
    const merged = mergeObservations(observations, this.#options.rates);
    const { prices, origins } = merged;
    const { choice } = merged.figures;
    const same = isSameServed(stored.prices, prices);
    const marketplace = choice?.observation.marketplace ?? stored.marketplace;
    const native = nativePrices(observations, choice);
    const trade = servedTrade(observations, { market: prices.market, rates: this.#options.rates });
    const isOfSame =
      stored.marketplace === marketplace &&
      isEqual(stored.origins, origins) &&
      isEqual(stored.native, native) &&
      isEqual(stored.trade, trade);
    if (same && hasSameAges(stored.prices, prices) && isOfSame) {
      return { merged, isNew: false };
    }
    if (choice) this.#recordMarketplace(stored, choice.observation);
    this.#change(printing, { prices, origins, native, trade, marketplace });
    if (!same) this.counts.pricesChanged += 1;
    return { merged, isNew: true };
  }

  /** Serves another service's merged prices, with the marketplace of its figures. */
  serve(printing: PrintingState, served: CopiedPrices): void {
    const { prices, origins, marketplace } = printing.stored;
    const isSame = isSameServed(prices, served.prices);
    const isWhole =
      isSame && hasSameAges(prices, served.prices) && isEqual(origins, served.origins);
    if (isWhole && marketplace === served.marketplace) return;
    this.#change(printing, served);
    if (!isSame) this.counts.pricesChanged += 1;
  }

  /** Sets the values derived from a printing's history. */
  setJudgement(printing: PrintingState, judged: Judgement): void {
    const { bases, confidence } = printing.stored;
    const isSame = isSameBases(bases, judged.bases) && isEqual(confidence, judged.confidence);
    if (!isSame) this.#change(printing, judged);
  }

  /** Sets a source's quarantined report about a printing. */
  setDispute(printing: PrintingState, dispute: Dispute | undefined): void {
    if (!isEqual(printing.stored.dispute, dispute)) this.#change(printing, { dispute });
  }

  /** The printings whose figures now come from another marketplace. */
  marketplaceChanges(): readonly NewMarketplaceChange[] {
    return this.#marketplaceChanges;
  }

  /** The printings to write. */
  changedPrintings(): readonly StoredPrinting[] {
    return [...this.#changed].map(({ stored }) => stored);
  }

  /** The observations to write. */
  changedObservations(): readonly StoredObservation[] {
    return [...this.#changedObservations.values()];
  }

  #change(printing: PrintingState, change: Partial<StoredPrinting>): void {
    printing.stored = { ...printing.stored, ...change, revision: this.#options.revision };
    this.#changed.add(printing);
  }

  #recordMarketplace(
    { rowId: printing, marketplace: from }: StoredPrinting,
    { marketplace, observedAt }: StoredObservation,
  ): void {
    if (from === null || from === marketplace) return;
    this.#marketplaceChanges.push({ printing, from, to: marketplace, day: dayOf(observedAt) });
  }

  #add(stored: StoredPrinting): PrintingState {
    const printing = { stored, observations: [] };
    const own = this.#byCard.get(stored.cardRowId);
    if (own) own.push(printing);
    else this.#byCard.set(stored.cardRowId, [printing]);
    return printing;
  }

  #addNew(cardRowId: number, name: string): PrintingState {
    const { nextIds, revision } = this.#options;
    const unpriced = { prices: UNPRICED, marketplace: null, bases: NO_BASES };
    const printing = this.#add({
      rowId: nextIds.printing++,
      cardRowId,
      name,
      ...unpriced,
      revision,
    });
    this.#changed.add(printing);
    this.counts.printingsAdded += 1;
    return printing;
  }
}

const UNPRICED: ServedPrices = {
  ...NO_PRICES,
  conditions: {},
  graded: {},
  sources: [],
  figuresAt: null,
  conditionsAt: null,
  gradedAt: null,
};

type SeriesName = Pick<StoredObservation, 'source' | 'marketplace'>;

/**
 * Whether two observations of a printing have the same source and marketplace, so the later one
 * counts.
 */
export function isSameSeries(a: SeriesName, b: SeriesName): boolean {
  return a.source === b.source && a.marketplace === b.marketplace;
}

/**
 * When prices were observed. The start of a day means that only the day is known. If another moment
 * of that day is known, the prices are assigned to that moment and correct it.
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
    isSameJson(known.conditions, observation.conditions) &&
    isSameJson(known.graded, observation.graded) &&
    isEqual(known.trade, observation.trade)
  );
}

/** Whether two prices are the same, regardless of when they were observed. */
function isSameServed(a: ServedPrices, b: ServedPrices): boolean {
  return (
    samePrices(a, b) &&
    isSameJson(a.conditions, b.conditions) &&
    isSameJson(a.graded, b.graded) &&
    isSameJson(a.sources, b.sources)
  );
}

function hasSameAges(a: ServedPrices, b: ServedPrices): boolean {
  return (
    a.figuresAt === b.figuresAt && a.conditionsAt === b.conditionsAt && a.gradedAt === b.gradedAt
  );
}

/** Whether two values are equal. The order of members counts. */
function isEqual(a: object | undefined, b: object | undefined): boolean {
  return a === b || (a !== undefined && b !== undefined && isSameJson(a, b));
}

function isSameBases(a: BasePrices, b: BasePrices): boolean {
  return (
    CHANGE_WINDOW_NAMES.every((window) => a[window] === b[window]) && isSameJson(a.doubts, b.doubts)
  );
}

/** Whether two values are written as the same JSON. The order of their members counts. */
function isSameJson(a: object, b: object): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}
