import { comparePrintings, type ServedPrices } from '../../domain/card.ts';
import { dayOf, type Millis, startOfDay } from '../../domain/day.ts';
import { type Merged, mergeObservations } from '../../domain/merge.ts';
import { hasPrice, type PriceFigures, samePrices } from '../../domain/price.ts';
import type { Rates } from '../../domain/rates.ts';
import type { NextRowIds } from '../../store/catalogue.ts';
import type { BulkRow } from '../../store/engine.ts';
import { amountsJson, observationRow, type StoredObservation } from '../../store/observations.ts';
import type { PrintingRow } from '../../store/schema.ts';

/** A printing with all that is said of it. */
export interface PrintingState {
  readonly row: PrintingRow;
  /** Only the book changes them. */
  readonly quotes: StoredObservation[];
}

/** What a source says now, before it is known whether something later is known. */
export type NewObservation = Omit<StoredObservation, 'printingRowId'>;

/** What became of a observation: something later of its source was known, or it is the latest. */
export type Reception = 'outdated' | 'older' | 'latest';

/** Where the figures come from that a printing serves; null when it serves none. */
export type ServedFigures = Merged<StoredObservation>['figures']['choice'];

export interface BookOptions {
  readonly next: NextRowIds;
  readonly revision: number;
  readonly rates: Rates;
}

/** The printings of some cards with what is said of them, and what an import makes of them. */
export class PrintingBook {
  readonly #byCard = new Map<number, PrintingState[]>();
  readonly #changedRows = new Set<PrintingRow>();
  readonly #changedQuotes = new Map<string, StoredObservation>();
  readonly #options: BookOptions;
  readonly counts = { printingsAdded: 0, pricesChanged: 0 };

  constructor(
    rows: readonly PrintingRow[],
    quotes: readonly StoredObservation[],
    options: BookOptions,
  ) {
    this.#options = options;
    const byRow = new Map(rows.map((row) => [row.id, this.#add(row)]));
    for (const observation of quotes)
      byRow.get(observation.printingRowId)?.quotes.push(observation);
  }

  /** The names of the printings that a card has. */
  names(card: number): readonly string[] {
    return (this.#byCard.get(card) ?? []).map(({ row }) => row.name);
  }

  /** Every printing in the book. */
  all(): readonly PrintingState[] {
    return [...this.#byCard.values()].flat();
  }

  find(card: number, name: string): PrintingState | undefined {
    return this.#byCard.get(card)?.find(({ row }) => row.name === name);
  }

  /** The name of the plainest printing of a card that has a price, else of the plainest. */
  defaultName(card: number): string | undefined {
    const all = this.#byCard.get(card) ?? [];
    const priced = all.filter(({ row }) => hasPrice(row as PriceFigures));
    return (priced.length > 0 ? priced : all).map(({ row }) => row.name).sort(comparePrintings)[0];
  }

  /** The printing of a card by its name; one that is new gets a row without a price. */
  printing(card: number, name: string): PrintingState {
    return this.find(card, name) ?? this.#newPrinting(card, name);
  }

  /** Takes in what a source says of a printing, unless what we have of it was observed later. */
  take({ row, quotes }: PrintingState, told: NewObservation): Reception {
    const at = quotes.findIndex((observation) => isSameSeries(observation, told));
    const known = quotes[at];
    const observedAt = momentOf(told.observedAt, known);
    if (known && known.observedAt > observedAt) {
      return dayOf(known.observedAt) === dayOf(observedAt) ? 'outdated' : 'older';
    }
    const observation = { ...told, printingRowId: row.id, observedAt };
    if (known && isSame(known, observation)) return 'latest';
    if (known) quotes[at] = observation;
    else quotes.push(observation);
    this.#changedQuotes.set(
      `${row.id}/${observation.source}/${observation.marketplace}`,
      observation,
    );
    return 'latest';
  }

  /** Lets a printing serve what all that is said of it comes to, and tells whether that is news. */
  serve({ row, quotes }: PrintingState): { figures: ServedFigures; isNew: boolean } {
    const merged = mergeObservations(quotes, this.#options.rates);
    const figures = merged.figures.choice;
    const { prices } = merged;
    const { market, low, mid, high, observedAt: observed_at, figuresAt: figures_at } = prices;
    const texts = servedTexts(prices);
    const same = samePrices(row as PriceFigures, prices) && hasTexts(row, texts);
    const sameTime = row.observed_at === observed_at && row.figures_at === figures_at;
    if (same && sameTime) return { figures, isNew: false };
    Object.assign(row, { market, low, mid, high, ...texts, observed_at, figures_at });
    row.revision = this.#options.revision;
    this.#changedRows.add(row);
    if (!same) this.counts.pricesChanged += 1;
    return { figures, isNew: true };
  }

  /** What is to be written, as rows of PRINTINGS. */
  changedRows(): BulkRow[] {
    return [...this.#changedRows].map(printingRow);
  }

  /** What is to be written, as rows of QUOTES. */
  changedQuotes(): BulkRow[] {
    return [...this.#changedQuotes.values()].map(observationRow);
  }

  #add(row: PrintingRow): PrintingState {
    const printing = { row, quotes: [] };
    const own = this.#byCard.get(row.card_id);
    if (own) own.push(printing);
    else this.#byCard.set(row.card_id, [printing]);
    return printing;
  }

  #newPrinting(card: number, name: string): PrintingState {
    const { next, revision } = this.#options;
    const row: PrintingRow = {
      id: next.printing++,
      card_id: card,
      name,
      market: null,
      low: null,
      mid: null,
      high: null,
      conditions: null,
      graded: null,
      sources: '[]',
      observed_at: null,
      figures_at: null,
      revision,
    };
    this.#changedRows.add(row);
    this.counts.printingsAdded += 1;
    return this.#add(row);
  }
}

type Origin = Pick<StoredObservation, 'source' | 'marketplace'>;

/** Whether two quotes of a printing are of one source and market, so that the later one counts. */
export function isSameSeries(a: Origin, b: Origin): boolean {
  return a.source === b.source && a.marketplace === b.marketplace;
}

/**
 * When prices were observed. Of some only the day is known, which the start of the day stands for:
 * if another moment of that day is known, they are taken to be of that moment, and correct it.
 */
function momentOf(observedAt: Millis, known: StoredObservation | undefined): Millis {
  const day = dayOf(observedAt);
  const isDayOnly = observedAt === startOfDay(day);
  return isDayOnly && known && dayOf(known.observedAt) === day ? known.observedAt : observedAt;
}

/** Whether a observation says what is known, as of the same moment; when it was fetched is no news. */
function isSame(known: StoredObservation, observation: StoredObservation): boolean {
  return (
    known.observedAt === observation.observedAt &&
    known.currency === observation.currency &&
    known.externalId === observation.externalId &&
    samePrices(known.prices, observation.prices) &&
    amountsJson(known.conditions) === amountsJson(observation.conditions) &&
    amountsJson(known.graded) === amountsJson(observation.graded)
  );
}

type ServedTexts = Pick<PrintingRow, 'conditions' | 'graded' | 'sources'>;

function servedTexts({ conditions, graded, sources }: ServedPrices): ServedTexts {
  return {
    conditions: amountsJson(conditions),
    graded: amountsJson(graded),
    sources: JSON.stringify(sources),
  };
}

function hasTexts(row: PrintingRow, { conditions, graded, sources }: ServedTexts): boolean {
  return row.conditions === conditions && row.graded === graded && row.sources === sources;
}

function printingRow(row: PrintingRow): BulkRow {
  return [
    row.id,
    row.card_id,
    row.name,
    row.market,
    row.low,
    row.mid,
    row.high,
    row.conditions,
    row.graded,
    row.sources,
    row.observed_at,
    row.figures_at,
    row.revision,
  ];
}
