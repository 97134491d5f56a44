import { dayOf, type Millis, startOfDay } from '../domain/day.ts';
import { hasPrice, type PriceQuad, samePrices } from '../domain/price.ts';
import type { Listing } from '../sources/source.ts';
import type { NextKeys } from '../store/catalogue.ts';
import type { BulkRow } from '../store/engine.ts';
import type { PrintingRow } from '../store/schema.ts';

type Observed = Pick<Listing, 'printing' | 'prices'>;

/**
 * When prices were observed. Of some only the day is known, which the start of the day stands for:
 * if another moment of that day is served, they are taken to be of that moment, and correct it.
 */
function momentOf(observedAt: Millis, { observed_at: served }: PrintingRow): Millis {
  const day = dayOf(observedAt);
  const isDayOnly = observedAt === startOfDay(day);
  return isDayOnly && served !== null && dayOf(served) === day ? served : observedAt;
}

/** Whether something later of the same day is served already. */
export function isOutdated(observedAt: Millis, row: PrintingRow): boolean {
  const { observed_at: served } = row;
  if (served === null || dayOf(served) !== dayOf(observedAt)) return false;
  return served > momentOf(observedAt, row);
}

/** The printings of some cards with what they serve, and what an import makes of them. */
export class PrintingBook {
  readonly #rows = new Map<string, PrintingRow>();
  readonly #changed = new Set<PrintingRow>();
  readonly #next: NextKeys;
  readonly #revision: number;
  readonly counts = { printings: 0, printingsAdded: 0, prices: 0, pricesChanged: 0 };

  constructor(rows: readonly PrintingRow[], next: NextKeys, revision: number) {
    this.#next = next;
    this.#revision = revision;
    for (const row of rows) this.#rows.set(`${row.card_id}/${row.name}`, row);
  }

  /** Takes in what a source says of a printing, unless what we have was observed later. */
  observe(
    card: number,
    listing: Observed,
    observedAt: Millis,
    sources: readonly string[],
  ): PrintingRow {
    const row = this.printing(card, listing.printing);
    this.counts.printings += 1;
    if (hasPrice(listing.prices)) this.counts.prices += 1;
    const moment = momentOf(observedAt, row);
    if (row.observed_at !== null && row.observed_at > moment) return row;
    const same = samePrices(row as PriceQuad, listing.prices);
    if (same && row.observed_at === moment) return row;
    const { market, low, mid, high } = listing.prices;
    const named = JSON.stringify(hasPrice(listing.prices) ? sources : []);
    Object.assign(row, { market, low, mid, high, sources: named, observed_at: moment });
    row.revision = this.#revision;
    this.#changed.add(row);
    if (!same) this.counts.pricesChanged += 1;
    return row;
  }

  /** The printing of a card by its name; one that is new gets a row without a price. */
  printing(card: number, name: string): PrintingRow {
    const key = `${card}/${name}`;
    const known = this.#rows.get(key);
    if (known) return known;
    const row: PrintingRow = {
      id: this.#next.printing++,
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
      revision: this.#revision,
    };
    this.#rows.set(key, row);
    this.#changed.add(row);
    this.counts.printingsAdded += 1;
    return row;
  }

  /** What is to be written, as rows of PRINTINGS. */
  changedRows(): BulkRow[] {
    return [...this.#changed].map((row) => [
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
      row.revision,
    ]);
  }
}
