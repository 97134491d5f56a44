import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Card, type CardSet, comparePrintings, type Printing } from '../domain/card.ts';
import { type Day, dayOf, type Millis } from '../domain/day.ts';
import { GAMES, type Game, type GameSlug } from '../domain/games.ts';
import { hasPrice } from '../domain/price.ts';
import { compareText } from '../domain/text.ts';
import { SearchIndex } from '../search/index.ts';
import type { Store } from '../store/connect.ts';
import { type Changes, readChanges } from './changes.ts';
import { Facets, isPriced } from './facets.ts';

/** A set with the number of cards that can be served of it. */
export interface CountedSet {
  readonly set: CardSet;
  readonly cardCount: number;
}

/** A game with what can be served of it. */
export interface CountedGame {
  readonly game: Game;
  readonly cardCount: number;
  readonly setCount: number;
}

/** Cards indexed for search between two turns of the event loop: a few milliseconds' worth. */
const CARDS_PER_TURN = 200;

/**
 * Everything that requests are answered from, in memory. Readers see one publication or the
 * next, nothing between: changes are read and indexed aside, then applied in one go.
 */
export class Catalog {
  readonly search = new SearchIndex();
  readonly #store: Store;
  readonly #cardsById = new Map<string, Card>();
  /** By row id. */
  readonly #cards: (Card | undefined)[] = [];
  readonly #printings: (Printing | undefined)[] = [];
  readonly #sets = new Map<number, CardSet>();
  readonly #newest = new Map<GameSlug, Millis>();
  #revision = 0;
  readonly #facets = new Facets();
  #counts: { sets: readonly CountedSet[]; games: readonly CountedGame[] } = count([], []);
  #refreshing: Promise<boolean> | undefined;

  constructor(store: Store) {
    this.#store = store;
  }

  /** Whether there is anything to serve. */
  get ready(): boolean {
    return this.#cardsById.size > 0;
  }

  get cardCount(): number {
    return this.#cardsById.size;
  }

  /** The publication that is served. */
  get revision(): number {
    return this.#revision;
  }

  /** The card of a public id. */
  card(id: string): Card | undefined {
    return this.#cardsById.get(id);
  }

  /** Sets in the order of games, newest first within a game, those without a date last. */
  sets(game?: GameSlug): readonly CountedSet[] {
    const { sets } = this.#counts;
    return game ? sets.filter((counted) => counted.set.game === game) : sets;
  }

  /** How many cards of a set have a price in their default printing. */
  pricedCount(set: CardSet): number {
    return this.#facets.pricedCount(set);
  }

  /** The rarities that there are of a game, in alphabetical order. */
  rarities(game: GameSlug): readonly string[] {
    return this.#facets.rarities(game);
  }

  /** All games, also those without a card. */
  games(): readonly CountedGame[] {
    return this.#counts.games;
  }

  /** The newest day of which the game has figures; null for a game without prices. */
  asOf(game: GameSlug): Day | null {
    const newest = this.#newest.get(game);
    return newest === undefined ? null : dayOf(newest);
  }

  /** Takes in what was published since the last call. Tells whether there was anything. */
  refresh(): Promise<boolean> {
    this.#refreshing ??= this.#load().finally(() => {
      this.#refreshing = undefined;
    });
    return this.#refreshing;
  }

  async #load(): Promise<boolean> {
    const changes = await readChanges(this.#store, this.#revision, this.#sets);
    if (!changes) return false;
    for (const card of this.#renamed(changes)) changes.cards.set(card.rowId, card);
    let sinceTurn = 0;
    for (const card of changes.cards.values()) {
      this.search.add(card);
      sinceTurn = (sinceTurn + 1) % CARDS_PER_TURN;
      if (sinceTurn === 0) await nextTurn();
    }
    this.#apply(changes);
    return true;
  }

  /** Cards of sets whose name changed: they are found by it, so they are indexed anew. */
  *#renamed({ sets, cards }: Changes): Generator<Card> {
    if (![...sets.keys()].some((key) => this.#sets.has(key))) return;
    for (const card of this.#cards) {
      const set = card && sets.get(card.set.key);
      if (card && set && !cards.has(card.rowId)) yield { ...card, set };
    }
  }

  /** No await from here on: this is the moment in which readers pass from the old to the new. */
  #apply(changes: Changes): void {
    for (const set of changes.sets.values()) this.#sets.set(set.key, set);
    for (const card of changes.cards.values()) {
      const before = this.#cards[card.rowId];
      if (before) this.#facets.count(before, -1);
      card.printings = before?.printings ?? card.printings;
      this.#facets.count(card, 1);
      this.#cards[card.rowId] = card;
      this.#cardsById.set(card.id, card);
    }
    for (const { printing, cardKey } of changes.printings) this.#place(printing, cardKey);
    this.#counts = count(this.#sets.values(), this.#cardsById.values());
    this.search.commit();
    this.#revision = changes.revision;
  }

  #place(printing: Printing, cardKey: number): void {
    const card = this.#cards[cardKey];
    if (!card) return;
    const known = this.#printings[printing.rowId];
    // Only with one of its printings can a card become priced, or unpriced.
    const mayTurn = hasPrice(printing.prices) !== (known !== undefined && hasPrice(known.prices));
    const before = mayTurn && isPriced(card);
    if (known) {
      known.prices = printing.prices;
    } else {
      this.#printings[printing.rowId] = printing;
      card.printings = [...card.printings, printing].sort((a, b) => {
        return comparePrintings(a.name, b.name);
      });
    }
    this.search.updatePrice(card);
    if (mayTurn) this.#facets.countPriced(card.set, Number(isPriced(card)) - Number(before));
    const { figuresAt } = printing.prices;
    if (figuresAt !== null && figuresAt > (this.#newest.get(card.set.game) ?? 0)) {
      this.#newest.set(card.set.game, figuresAt);
    }
  }
}

function count(sets: Iterable<CardSet>, cards: Iterable<Card>) {
  const cardsOf = new Map<number, number>();
  for (const { set } of cards) cardsOf.set(set.key, (cardsOf.get(set.key) ?? 0) + 1);
  const countedSets = [...sets]
    .map((set) => ({ set, cardCount: cardsOf.get(set.key) ?? 0 }))
    .filter(({ cardCount }) => cardCount > 0)
    .sort((a, b) => compareSets(a.set, b.set));
  const games = GAMES.map((game) => {
    const own = countedSets.filter(({ set }) => set.game === game.slug);
    const cardCount = own.reduce((sum, counted) => sum + counted.cardCount, 0);
    return { game, cardCount, setCount: own.length };
  });
  return { sets: countedSets, games };
}

const GAME_ORDER = new Map(GAMES.map(({ slug }, index) => [slug, index]));

function compareSets(a: CardSet, b: CardSet): number {
  const byGame = (GAME_ORDER.get(a.game) ?? 0) - (GAME_ORDER.get(b.game) ?? 0);
  return (
    byGame ||
    compareText(b.releaseDate ?? '', a.releaseDate ?? '') ||
    compareText(a.name, b.name) ||
    a.key - b.key
  );
}
