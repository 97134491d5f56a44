import { isDeepStrictEqual } from 'node:util';
import {
  comparePrintings,
  type NativePrices,
  type Origins,
  type Printing,
  type ServedPrices,
} from '../domain/card.ts';
import {
  type Confidence,
  type Dispute,
  packConfidence,
  unpackConfidence,
} from '../domain/confidence.ts';
import type { Cents } from '../domain/money.ts';
import { type BasePrices, NO_DOUBTS } from '../domain/price-changes.ts';
import type { ServedTrade } from '../domain/trade.ts';
import {
  AmountColumn,
  IntegerColumn,
  MomentColumn,
  RepetitiveColumn,
  SmallColumn,
} from './columns.ts';

/** A printing with its card. */
export interface CardPrinting {
  readonly cardRowId: number;
  readonly printing: Printing;
}

/** Properties that few printings have. */
interface Rare extends Pick<ServedPrices, 'conditions' | 'graded' | 'conditionsAt' | 'gradedAt'> {
  readonly doubts: BasePrices['doubts'];
  readonly origins: Origins | undefined;
  readonly dispute: Dispute | undefined;
  readonly native: readonly NativePrices[] | undefined;
  readonly trade: ServedTrade | undefined;
}

const NOTHING_RARE: Rare = {
  conditions: {},
  graded: {},
  conditionsAt: null,
  gradedAt: null,
  doubts: NO_DOUBTS,
  origins: undefined,
  dispute: undefined,
  native: undefined,
  trade: undefined,
};

/**
 * All printings with their prices, as columns: 70 bytes each. As objects they took 330 bytes each,
 * and made up most of the work of garbage collection. {@link of} builds the objects on demand.
 */
export class Printings {
  /** The first printing of each card, by row id of the card; 0 for a card without printings. */
  readonly #first = new IntegerColumn();
  /**
   * The next printing of the card; 0 after the last. This and the columns below are by row id of
   * the printing.
   */
  readonly #next = new IntegerColumn();
  readonly #cards = new IntegerColumn();
  readonly #names = new RepetitiveColumn<string>();
  readonly #market = new AmountColumn<Cents>();
  readonly #low = new AmountColumn<Cents>();
  readonly #mid = new AmountColumn<Cents>();
  readonly #high = new AmountColumn<Cents>();
  readonly #figuresAt = new MomentColumn();
  readonly #sources = new RepetitiveColumn<readonly string[]>();
  readonly #bases = {
    '1d': new AmountColumn<Cents>(),
    '7d': new AmountColumn<Cents>(),
    '30d': new AmountColumn<Cents>(),
  };
  readonly #confidence = new SmallColumn();
  readonly #interval = { low: new AmountColumn<Cents>(), high: new AmountColumn<Cents>() };
  readonly #rare = new Map<number, Rare>();
  /** Greater than all row ids. */
  #end = 1;

  /** Returns the printings of a card, plainest first, by row id of the card. */
  of(card: number): Printing[] {
    const printings: Printing[] = [];
    for (let rowId = this.#first.get(card); rowId !== 0; rowId = this.#next.get(rowId)) {
      printings.push(this.#at(rowId));
    }
    return printings;
  }

  /** Adds a printing to its card, or replaces the prices of an existing printing. */
  put({ cardRowId, printing }: CardPrinting): void {
    const { rowId, name, prices, bases, confidence } = printing;
    if (this.#cards.get(rowId) !== cardRowId || this.#names.get(rowId) !== name) {
      this.remove(rowId);
      this.#add(rowId, name, cardRowId);
    }
    this.#market.set(rowId, prices.market);
    this.#low.set(rowId, prices.low);
    this.#mid.set(rowId, prices.mid);
    this.#high.set(rowId, prices.high);
    this.#figuresAt.set(rowId, prices.figuresAt);
    this.#sources.set(rowId, prices.sources);
    this.#bases['1d'].set(rowId, bases?.['1d'] ?? null);
    this.#bases['7d'].set(rowId, bases?.['7d'] ?? null);
    this.#bases['30d'].set(rowId, bases?.['30d'] ?? null);
    this.#confidence.set(rowId, packConfidence(confidence));
    this.#interval.low.set(rowId, confidence?.interval?.low ?? null);
    this.#interval.high.set(rowId, confidence?.interval?.high ?? null);
    this.#putRare(printing);
  }

  /** Whether a printing is here with the same name, card and prices. */
  has({ cardRowId, printing }: CardPrinting): boolean {
    const { rowId, bases, confidence, origins, dispute, native, trade } = printing;
    if (this.#cards.get(rowId) !== cardRowId) return false;
    return isDeepStrictEqual(this.#at(rowId), {
      ...printing,
      bases: isKnown(bases) ? bases : undefined,
      confidence,
      origins,
      dispute,
      native,
      trade,
    });
  }

  remove(rowId: number): void {
    const card = this.#cards.get(rowId);
    const next = this.#next.get(rowId);
    this.#cards.set(rowId, 0);
    this.#rare.delete(rowId);
    if (this.#first.get(card) === rowId) this.#first.set(card, next);
    for (let at = this.#first.get(card); at !== 0; at = this.#next.get(at)) {
      if (this.#next.get(at) === rowId) this.#next.set(at, next);
    }
  }

  /** All printings with their cards, both by row id. */
  *rowIds(): Generator<readonly [printing: number, card: number]> {
    for (let rowId = 1; rowId < this.#end; rowId++) {
      const card = this.#cards.get(rowId);
      if (card !== 0) yield [rowId, card];
    }
  }

  #add(rowId: number, name: string, card: number): void {
    this.#end = Math.max(this.#end, rowId + 1);
    this.#cards.set(rowId, card);
    this.#names.set(rowId, name);
    let before = 0;
    let after = this.#first.get(card);
    while (after !== 0 && comparePrintings(this.#names.get(after), name) <= 0) {
      before = after;
      after = this.#next.get(after);
    }
    this.#next.set(rowId, after);
    if (before === 0) this.#first.set(card, rowId);
    else this.#next.set(before, rowId);
  }

  #putRare({ rowId, prices, bases, origins, dispute, native, trade }: Printing): void {
    const { conditions, graded, conditionsAt, gradedAt } = prices;
    const doubts = bases?.doubts ?? NO_DOUBTS;
    const hasAge = conditionsAt !== null || gradedAt !== null;
    const isRare =
      hasAge || origins || dispute || native || trade || [conditions, graded, doubts].some(hasKeys);
    const rare = {
      conditions,
      graded,
      conditionsAt,
      gradedAt,
      doubts,
      origins,
      dispute,
      native,
      trade,
    };
    if (isRare) this.#rare.set(rowId, rare);
    else this.#rare.delete(rowId);
  }

  #at(rowId: number): Printing {
    const rare = this.#rare.get(rowId) ?? NOTHING_RARE;
    const { conditions, graded, conditionsAt, gradedAt, doubts, origins, dispute, native, trade } =
      rare;
    return {
      rowId,
      name: this.#names.get(rowId),
      prices: {
        market: this.#market.get(rowId),
        low: this.#low.get(rowId),
        mid: this.#mid.get(rowId),
        high: this.#high.get(rowId),
        conditions,
        graded,
        sources: this.#sources.get(rowId),
        figuresAt: this.#figuresAt.get(rowId),
        conditionsAt,
        gradedAt,
      },
      bases: this.#basesOf(rowId, doubts),
      confidence: this.#confidenceOf(rowId),
      origins,
      dispute,
      native,
      trade,
    };
  }

  #confidenceOf(rowId: number): Confidence | undefined {
    const low = this.#interval.low.get(rowId);
    const high = this.#interval.high.get(rowId);
    const interval = low === null || high === null ? null : { low, high };
    return unpackConfidence(this.#confidence.get(rowId), interval);
  }

  /** Undefined if no base is known. */
  #basesOf(rowId: number, doubts: BasePrices['doubts']): BasePrices | undefined {
    const bases = {
      '1d': this.#bases['1d'].get(rowId),
      '7d': this.#bases['7d'].get(rowId),
      '30d': this.#bases['30d'].get(rowId),
      doubts,
    };
    return isKnown(bases) ? bases : undefined;
  }
}

function isKnown(bases: BasePrices | undefined): boolean {
  return bases?.['1d'] != null || bases?.['7d'] != null || bases?.['30d'] != null;
}

function hasKeys(object: object): boolean {
  for (const _ in object) return true;
  return false;
}
