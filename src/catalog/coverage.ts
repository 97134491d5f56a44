import { setImmediate as yieldToRequests } from 'node:timers/promises';
import { type Card, type CardSet, defaultPrinting } from '../domain/card.ts';
import type { Day, Millis } from '../domain/day.ts';
import { hasPrice } from '../domain/price.ts';
import { areStale } from '../domain/staleness.ts';
import type { Publication } from '../store/catalogue/publications.ts';

/** Coverage of a set by the prices of its default printings. */
export interface SetCoverage {
  readonly set: CardSet;
  readonly cardCount: number;
  /** Cards with a price: market, low, mid or high. */
  readonly pricedCount: number;
  /** Cards whose price is not stale. */
  readonly freshCount: number;
  /** When the newest of these prices was observed at its source; null without prices. */
  readonly newestAt: Millis | null;
  /** The number of cards that each marketplace has prices for. */
  readonly marketplaces: ReadonlyMap<string, number>;
}

/** Cards examined in one tick of the event loop, in about a millisecond. */
const CARDS_PER_TICK = 1000;

/** The part of the catalogue whose coverage is counted. */
interface CoveredCatalog {
  readonly publication: Publication;
  cards(): Iterable<Card>;
}

type Counts = { -readonly [Field in keyof SetCoverage]: SetCoverage[Field] } & {
  readonly marketplaces: Map<string, number>;
};

interface Counted {
  readonly in: Publication;
  readonly on: Day;
  readonly sets: Promise<ReadonlyMap<number, SetCoverage>>;
}

/** Counts the priced cards of the last publication, at the first request of a day. */
export class Coverage {
  readonly #catalog: CoveredCatalog;
  #counted: Counted | undefined;

  constructor(catalog: CoveredCatalog) {
    this.#catalog = catalog;
  }

  /** Returns the coverage of every set with cards on a day (UTC), by row id of the set. */
  sets(today: Day): Promise<ReadonlyMap<number, SetCoverage>> {
    const { publication } = this.#catalog;
    const known = this.#counted;
    if (known?.in === publication && known.on === today) return known.sets;
    const sets = this.#count(today);
    this.#counted = { in: publication, on: today, sets };
    return sets;
  }

  /** Starts again if a new publication is loaded, so all cards are from the same one. */
  async #count(today: Day): Promise<ReadonlyMap<number, SetCoverage>> {
    for (;;) {
      const sets = await this.#countIn(this.#catalog.publication, today);
      if (sets) return sets;
    }
  }

  async #countIn(publication: Publication, today: Day) {
    const sets = new Map<number, Counts>();
    let count = 0;
    for (const card of this.#catalog.cards()) {
      const { set } = card;
      const counts = sets.get(set.rowId) ?? nothingOf(set);
      sets.set(set.rowId, counts);
      add(counts, card, today);
      count += 1;
      if (count % CARDS_PER_TICK > 0) continue;
      await yieldToRequests();
      if (this.#catalog.publication !== publication) return undefined;
    }
    return sets;
  }
}

function nothingOf(set: CardSet): Counts {
  const marketplaces = new Map<string, number>();
  return { set, cardCount: 0, pricedCount: 0, freshCount: 0, newestAt: null, marketplaces };
}

function add(counts: Counts, card: Card, today: Day): void {
  counts.cardCount += 1;
  const prices = defaultPrinting(card)?.prices;
  if (!prices || !hasPrice(prices)) return;
  counts.pricedCount += 1;
  if (!areStale(prices, today)) counts.freshCount += 1;
  const { figuresAt, sources } = prices;
  if (figuresAt !== null && figuresAt > (counts.newestAt ?? 0)) counts.newestAt = figuresAt;
  for (const marketplace of sources) {
    counts.marketplaces.set(marketplace, (counts.marketplaces.get(marketplace) ?? 0) + 1);
  }
}
