import { setImmediate as yieldToRequests } from 'node:timers/promises';
import {
  type Card,
  type CardSet,
  ownPrintings,
  type Printing,
  type ServedPrices,
} from '../domain/card.ts';
import { type ConfidenceFilter, isReliable, isSureEnough } from '../domain/confidence-level.ts';
import { type Day, dayOf } from '../domain/day.ts';
import type { GameSlug } from '../domain/games.ts';
import type { Cents } from '../domain/money.ts';
import {
  CHANGE_WINDOW_NAMES,
  CHANGE_WINDOWS,
  type ChangeDoubt,
  type ChangeWindow,
  factorBetween,
  isShifted,
  type PriceMove,
  tookPriceOf,
} from '../domain/price-changes.ts';
import { foldText } from '../domain/text.ts';
import type { Publication } from '../store/catalogue/publications.ts';

/** The printings whose market prices have moved most (docs/movers.md). */

/** A printing whose market price has moved. */
export interface Mover extends PriceMove {
  readonly card: Card;
  readonly printing: Printing;
}

/** A set with the sum of its reliable market prices, then and now. */
export interface SetMover extends PriceMove {
  readonly set: CardSet;
}

/** A mover with the reason for leaving it out. */
export interface LeftOutMover {
  readonly mover: Mover;
  readonly doubt: ChangeDoubt;
}

export type MoverSort = 'relevance' | 'percent' | 'amount';

export interface MoverFilter {
  readonly window: ChangeWindow;
  /** The order: largest first. {@link sorted} defines each. */
  readonly sort: MoverSort;
  readonly game?: GameSlug | undefined;
  /** A setId, or a code or name that sets may share. */
  readonly set?: string | undefined;
  readonly direction: 'up' | 'down' | 'both';
  /** Both prices must be at least this high. */
  readonly least: Cents;
  /** The least confidence of the price. */
  readonly confidence?: ConfidenceFilter | undefined;
}

export interface MoverList {
  readonly movers: readonly Mover[];
  /** The movers left out because of a doubt. */
  readonly leftOut: readonly LeftOutMover[];
}

/** Smaller moves, in cents or in percent, are not listed. */
const FLOORS: { readonly amount: number; readonly factor: number } = { amount: 50, factor: 1.05 };

/** Single cards move by percents every day; a whole set rarely does. */
const SET_FLOORS = { amount: 100, factor: 1.005 };

/** The fewest printings whose sum can stand for a set. */
const LEAST_OF_SET = 10;

/** How many days the newest price of a printing may lag behind the newest of its game. */
const NEWEST_DAYS = 2;

/** Cards examined in one tick of the event loop, in about a millisecond. */
const CARDS_PER_TICK = 1000;

/** The part of the catalogue in which movers are found. */
export interface MoversCatalog {
  readonly publication: Publication;
  cards(): Iterable<Card>;
  asOf(game: GameSlug): Day | null;
  /** The newest day of a quarantined price of a printing, by row id of the printing. */
  quarantinedOn(printing: number): Day | undefined;
}

/** A mover that has been judged. */
interface JudgedMover extends Mover {
  /** The doubt about the move; undefined if there is none. */
  readonly doubt: ChangeDoubt | undefined;
}

type Sorted = Readonly<Record<MoverSort, readonly JudgedMover[]>>;
type SortedMovers = Readonly<Record<ChangeWindow, Sorted & { readonly sets: readonly SetMover[] }>>;

/** The movers of a window. */
interface Found {
  readonly movers: JudgedMover[];
  readonly sets: SetMover[];
}

/** Lists the movers of the last publication. The first request computes them. */
export class Movers {
  readonly #catalog: MoversCatalog;
  /** Caches the folded code and name of requested sets, because folding is the slowest part. */
  readonly #labels = new WeakMap<CardSet, readonly string[]>();
  #found: { readonly in: Publication; readonly movers: Promise<SortedMovers> } | undefined;

  constructor(catalog: MoversCatalog) {
    this.#catalog = catalog;
  }

  /**
   * Lists the sets whose prices have moved as a sum, the most relevant first. Counts only printings
   * with reliable prices then and now and no doubt about their change.
   */
  async sets({ game, window }: Pick<MoverFilter, 'game' | 'window'>): Promise<readonly SetMover[]> {
    const { sets } = (await this.#sorted())[window];
    return game === undefined ? sets : sets.filter(({ set }) => set.game === game);
  }

  /** Lists all movers that pass a filter. */
  async list(filter: MoverFilter): Promise<MoverList> {
    const sorted = await this.#sorted();
    const movers: Mover[] = [];
    const leftOut: LeftOutMover[] = [];
    const passes = this.#compile(filter);
    for (const mover of sorted[filter.window][filter.sort]) {
      if (!passes(mover)) continue;
      const { doubt } = mover;
      if (doubt === undefined) movers.push(mover);
      else leftOut.push({ mover, doubt });
    }
    return { movers, leftOut };
  }

  #sorted(): Promise<SortedMovers> {
    const { publication } = this.#catalog;
    if (this.#found?.in !== publication) this.#found = { in: publication, movers: this.#find() };
    return this.#found.movers;
  }

  #compile({ game, set, direction, least, confidence }: MoverFilter): (mover: Mover) => boolean {
    const isInSet = set === undefined ? undefined : this.#setNamed(set);
    return ({ card, printing, from, to }) =>
      from >= least &&
      to >= least &&
      (direction === 'both' || to > from === (direction === 'up')) &&
      (game === undefined || card.set.game === game) &&
      (confidence === undefined || isSureEnough(printing, confidence)) &&
      (isInSet === undefined || isInSet(card.set));
  }

  /** Returns a function that tests whether a set has this setId, code or name. */
  #setNamed(text: string): (set: CardSet) => boolean {
    const id = text.trim().toLowerCase();
    const folded = foldText(text);
    return (set) => set.id === id || this.#labelsOf(set).includes(folded);
  }

  #labelsOf(set: CardSet): readonly string[] {
    const known = this.#labels.get(set);
    if (known) return known;
    const labels = [foldText(set.code), foldText(set.name)];
    this.#labels.set(set, labels);
    return labels;
  }

  /** Starts again if a new publication is loaded, so all moves are from the same one. */
  async #find(): Promise<SortedMovers> {
    for (;;) {
      const found = await this.#findIn(this.#catalog.publication);
      if (found) return found;
    }
  }

  async #findIn(publication: Publication): Promise<SortedMovers | undefined> {
    const nothing = (): Found => ({ movers: [], sets: [] });
    const found = { '1d': nothing(), '7d': nothing(), '30d': nothing() };
    const bySet = Map.groupBy(this.#catalog.cards(), ({ set }) => set.rowId);
    let inThisTick = 0;
    for (const cards of bySet.values()) {
      for (const window of CHANGE_WINDOW_NAMES) this.#findInSet(cards, window, found[window]);
      inThisTick += cards.length;
      if (inThisTick < CARDS_PER_TICK) continue;
      inThisTick = 0;
      await yieldToRequests();
      if (this.#catalog.publication !== publication) return undefined;
    }
    return { '1d': sorted(found['1d']), '7d': sorted(found['7d']), '30d': sorted(found['30d']) };
  }

  #findInSet(cards: readonly Card[], window: ChangeWindow, { movers, sets }: Found): void {
    const moves = cards.map((card) => this.#movesOf(card, window));
    const shift = isShifted(moves.flat()) ? 'set-shift' : undefined;
    const sure: JudgedMover[] = [];
    for (const ofCard of moves) {
      for (const move of ofCard) {
        const doubt = move.doubt ?? this.#doubtAround(move, ofCard, window) ?? shift;
        if (doubt === undefined) sure.push(move);
        if (isLarge(move)) movers.push({ ...move, doubt });
      }
    }
    const [first] = sure;
    if (first && sure.length >= LEAST_OF_SET) {
      const total = { set: first.card.set, from: sumOf(sure, 'from'), to: sumOf(sure, 'to') };
      if (isLarge(total, SET_FLOORS)) sets.push(total);
    }
  }

  /** Returns the doubt about a move that the quarantine or other printings of the card raise. */
  #doubtAround(
    move: Mover,
    ofCard: readonly Mover[],
    window: ChangeWindow,
  ): ChangeDoubt | undefined {
    const { printing } = move;
    if (printing.dispute || this.#isQuarantined(printing, window)) return 'quarantined';
    const isTaken = (other: Mover) => other.printing !== printing && tookPriceOf(move, other);
    if (ofCard.some(isTaken)) return 'swapped-printings';
    return isReliable(printing) ? undefined : 'few-observations';
  }

  /** Returns the moves of a card's printings that have a price from the newest days of the game. */
  #movesOf(card: Card, window: ChangeWindow): JudgedMover[] {
    const newest = this.#catalog.asOf(card.set.game) ?? 0;
    return ownPrintings(card).flatMap((printing) => {
      const { prices, bases } = printing;
      const from = bases?.[window] ?? null;
      const { market: to, figuresAt } = prices;
      if (from === null || to === null || figuresAt === null) return [];
      if (dayOf(figuresAt) < newest - NEWEST_DAYS) return [];
      return [{ card, printing, from, to, doubt: bases?.doubts[window] }];
    });
  }

  #isQuarantined({ rowId, prices: { figuresAt } }: Printing, window: ChangeWindow): boolean {
    const day = this.#catalog.quarantinedOn(rowId);
    return day !== undefined && day >= dayOf(figuresAt ?? 0) - CHANGE_WINDOWS[window].days;
  }
}

function isLarge({ from, to }: PriceMove, floors: typeof FLOORS = FLOORS): boolean {
  return Math.abs(to - from) >= floors.amount && factorBetween(from, to) >= floors.factor;
}

function sumOf(moves: readonly PriceMove[], end: keyof PriceMove): Cents {
  return moves.reduce((sum, move) => sum + move[end], 0) as Cents;
}

/** Larger factors do not make a move more relevant. Prices of a dollar can rise tenfold. */
const MOST_FACTOR = 3;

/** The share of its relevance that a price far from its own listings keeps. */
const FAR_FROM_LISTINGS = 0.5;

/** How far a market price may lie above or below the lowest and the median listing. */
const LISTINGS_REACH = { overLow: 3, overMid: 1.5, underLow: 1.25 } as const;

/** Sorts movers by percent, by the amount of money, or by relevance, which weighs both. */
function sorted({ movers, sets }: Found): SortedMovers[ChangeWindow] {
  const shareOf = ({ from, to }: Mover) => Math.abs(to - from) / from;
  const amountOf = ({ from, to }: Mover) => Math.abs(to - from);
  return {
    relevance: mixed(movers),
    percent: [...movers].sort((a, b) => shareOf(b) - shareOf(a) || amountOf(b) - amountOf(a)),
    amount: [...movers].sort((a, b) => amountOf(b) - amountOf(a) || shareOf(b) - shareOf(a)),
    sets: [...sets].sort((a, b) => relevanceOf(b) - relevanceOf(a)),
  };
}

/** Lists the most relevant mover of each game first, then the second of each, and so on. */
function mixed(movers: readonly JudgedMover[]): readonly JudgedMover[] {
  const weighed = movers.map((mover) => ({ mover, weight: weightOf(mover), place: 0 }));
  weighed.sort((a, b) => b.weight - a.weight);
  const places = new Map<string, number>();
  for (const one of weighed) {
    const { card, doubt } = one.mover;
    const list = `${card.set.game} ${doubt === undefined}`;
    one.place = places.get(list) ?? 0;
    places.set(list, one.place + 1);
  }
  weighed.sort((a, b) => a.place - b.place || b.weight - a.weight);
  return weighed.map(({ mover }) => mover);
}

function weightOf(mover: Mover): number {
  const relevance = relevanceOf(mover);
  const isNear = isNearListings(mover.to, mover.printing.prices);
  return isNear ? relevance : relevance * FAR_FROM_LISTINGS;
}

/** Weighs the money of a move and its factor. */
function relevanceOf({ from, to }: PriceMove): number {
  const factor = Math.min(factorBetween(from, to), MOST_FACTOR);
  return Math.sqrt(Math.abs(to - from)) * Math.log(factor);
}

/** Whether a market price is near the known listings. */
function isNearListings(market: Cents, { low, mid }: Pick<ServedPrices, 'low' | 'mid'>): boolean {
  const { overLow, overMid, underLow } = LISTINGS_REACH;
  if (low !== null && (market > low * overLow || market * underLow < low)) return false;
  return mid === null || market <= mid * overMid;
}
