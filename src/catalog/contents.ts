import {
  type Card,
  type CardSet,
  comparePrintings,
  isPriced,
  marketPrice,
  type Printing,
} from '../domain/card.ts';
import type { Day, Millis } from '../domain/day.ts';
import { GAMES, type Game, type GameSlug } from '../domain/games.ts';
import { hasPrice } from '../domain/price.ts';
import { compareText } from '../domain/text.ts';
import { SearchIndex, type SearchOptions } from '../search/index.ts';
import type { Publication } from '../store/catalogue/publications.ts';
import type { CardPrinting, Changes } from './changes.ts';
import { ExternalIds } from './external-ids.ts';
import { Facets } from './facets.ts';
import { SetCards } from './set-cards.ts';

/** A set with the number of its cards. */
export interface CountedSet {
  readonly set: CardSet;
  readonly cardCount: number;
}

/** A game with the numbers of its cards and sets. */
export interface CountedGame {
  readonly game: Game;
  readonly cardCount: number;
  readonly setCount: number;
}

interface Counts {
  readonly sets: readonly CountedSet[];
  /** By setId. */
  readonly setsById: ReadonlyMap<string, CountedSet>;
  readonly games: readonly CountedGame[];
}

/** The contents before the first publication. */
const NOTHING: Publication = { revision: 0, id: '', publishedAt: null };

/** How many rows one step applies, in a few milliseconds. */
const ROWS_PER_STEP = 2000;

/** All cards, printings and prices of a publication in memory, and the search index over them. */
export class Contents {
  readonly search: SearchIndex;
  readonly cardsById = new Map<string, Card>();
  readonly facets = new Facets();
  readonly setCards = new SetCards((rowId) => this.cards[rowId]);
  readonly externalIds = new ExternalIds();
  /** These three by row id. */
  readonly cards: (Card | undefined)[] = [];
  readonly sets = new Map<number, CardSet>();
  readonly #printings: (Printing | undefined)[] = [];
  /** When the newest figures of each game were observed. */
  readonly newestFigures = new Map<GameSlug, Millis>();
  #quarantined: ReadonlyMap<number, Day> = new Map();
  #publication = NOTHING;
  #counts: Counts = this.#count();

  constructor(options: SearchOptions) {
    this.search = new SearchIndex(options);
  }

  get publication(): Publication {
    return this.#publication;
  }

  get counts(): Counts {
    return this.#counts;
  }

  /** The newest day of a quarantined price, by row id of the printing. */
  get quarantined(): ReadonlyMap<number, Day> {
    return this.#quarantined;
  }

  /**
   * Applies changes whose cards are staged in the index. Between two steps the contents mix two
   * publications, so served contents must run all steps in one tick of the event loop.
   */
  *apply(changes: Changes): Generator<undefined, void> {
    for (const set of changes.sets.values()) this.sets.set(set.rowId, set);
    yield* inSteps(changes.cards.values(), (card) => this.#putCard(card));
    yield* inSteps(changes.externalIds, ({ cardRowId, ...id }) => {
      this.externalIds.add(cardRowId, id);
    });
    yield* inSteps(changes.printings, (printing) => this.#putPrinting(printing));
    this.#counts = this.#count();
    this.search.commit();
    this.#quarantined = changes.quarantined;
    this.#publication = changes.publication;
  }

  #putCard(card: Card): void {
    const before = this.cards[card.rowId];
    if (before) this.facets.count(before, -1);
    card.printings = before?.printings ?? card.printings;
    this.facets.count(card, 1);
    this.setCards.put(card, before);
    this.cards[card.rowId] = card;
    this.cardsById.set(card.id, card);
  }

  /** Adds a printing to its card, or replaces the prices of the printing that it has. */
  #putPrinting({ printing, cardRowId }: CardPrinting): void {
    const card = this.cards[cardRowId];
    if (!card) return;
    const known = this.#printings[printing.rowId];
    // A card becomes priced, or unpriced, only together with one of its printings.
    const hadPrice = known !== undefined && hasPrice(known.prices);
    const mayChange = hasPrice(printing.prices) !== hadPrice;
    const wasPriced = mayChange && isPriced(card);
    const marketBefore = marketPrice(card);
    if (known) {
      known.prices = printing.prices;
      known.bases = printing.bases;
    } else {
      this.#printings[printing.rowId] = printing;
      card.printings = [...card.printings, printing].sort((a, b) => {
        return comparePrintings(a.name, b.name);
      });
    }
    this.search.updatePrice(card);
    this.facets.replaceMarket(card.set, marketBefore, marketPrice(card));
    if (mayChange) {
      this.facets.countPriced(card.set, Number(isPriced(card)) - Number(wasPriced));
    }
    this.#updateNewestFigures(card.set.game, printing.prices.figuresAt);
  }

  #updateNewestFigures(game: GameSlug, figuresAt: Millis | null): void {
    if (figuresAt !== null && figuresAt > (this.newestFigures.get(game) ?? 0)) {
      this.newestFigures.set(game, figuresAt);
    }
  }

  #count(): Counts {
    const sets = [...this.sets.values()]
      .map((set) => ({ set, cardCount: this.setCards.count(set.rowId) }))
      .filter(({ cardCount }) => cardCount > 0)
      .sort((a, b) => compareSets(a.set, b.set));
    const setsById = new Map(sets.map((counted) => [counted.set.id, counted]));
    const games = GAMES.map((game) => {
      const own = sets.filter(({ set }) => set.game === game.slug);
      const cardCount = own.reduce((sum, counted) => sum + counted.cardCount, 0);
      return { game, cardCount, setCount: own.length };
    });
    return { sets, setsById, games };
  }
}

function* inSteps<Row>(rows: Iterable<Row>, put: (row: Row) => void): Generator<undefined, void> {
  let inThisStep = 0;
  for (const row of rows) {
    put(row);
    inThisStep = (inThisStep + 1) % ROWS_PER_STEP;
    if (inThisStep === 0) yield;
  }
}

const GAME_ORDER = new Map(GAMES.map(({ slug }, index) => [slug, index]));

function compareSets(a: CardSet, b: CardSet): number {
  const byGame = (GAME_ORDER.get(a.game) ?? 0) - (GAME_ORDER.get(b.game) ?? 0);
  return (
    byGame ||
    compareText(b.releaseDate ?? '', a.releaseDate ?? '') ||
    compareText(a.name, b.name) ||
    a.rowId - b.rowId
  );
}
