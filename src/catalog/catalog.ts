import { setImmediate as yieldToRequests } from 'node:timers/promises';
import {
  type Card,
  type CardSet,
  comparePrintings,
  isPriced,
  marketPrice,
  type Printing,
} from '../domain/card.ts';
import { type Day, dayOf, type Millis } from '../domain/day.ts';
import { GAMES, type Game, type GameSlug } from '../domain/games.ts';
import type { ExternalId } from '../domain/id-spaces.ts';
import type { Cents } from '../domain/money.ts';
import { hasPrice } from '../domain/price.ts';
import { compareText } from '../domain/text.ts';
import { indexLoads } from '../lib/tally.ts';
import { SearchIndex, type SearchOptions } from '../search/index.ts';
import type { Store } from '../store/connect.ts';
import { type Changes, readChanges } from './changes.ts';
import { ExternalIds } from './external-ids.ts';
import { type CountedRarity, Facets } from './facets.ts';
import { Movers } from './movers.ts';
import { cardsOfSameName } from './relatives.ts';
import { SetCards } from './set-cards.ts';
import type { SnapshotFile } from './snapshot-file.ts';

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

export interface CatalogOptions extends SearchOptions {
  /** Where an earlier process may have left its search index. */
  readonly snapshot?: SnapshotFile;
}

/** How many cards are indexed in one tick of the event loop: a few milliseconds' worth. */
const CARDS_PER_TICK = 200;

/**
 * A snapshot of the last publication in memory: every card with its prices, and the search index.
 * Readers see one publication or the next, never a mixture: {@link refresh} reads and indexes
 * changes aside, then applies them in one tick of the event loop.
 */
export class Catalog {
  readonly search: SearchIndex;
  readonly movers = new Movers(this);
  readonly #store: Store;
  readonly #snapshot: SnapshotFile | undefined;
  /** By public id. */
  readonly #cardsById = new Map<string, Card>();
  /** These three by row id. */
  readonly #cards: (Card | undefined)[] = [];
  readonly #printings: (Printing | undefined)[] = [];
  readonly #sets = new Map<number, CardSet>();
  /** When the newest figures of each game were observed. */
  readonly #newestFigures = new Map<GameSlug, Millis>();
  /** The newest day of a quarantined price, by row id of the printing. */
  #quarantined: ReadonlyMap<number, Day> = new Map();
  #revision = 0;
  readonly #facets = new Facets();
  readonly #setCards = new SetCards((rowId) => this.#cards[rowId]);
  readonly #externalIds = new ExternalIds();
  #counts: Counts = this.#count();
  #refreshing: Promise<boolean> | undefined;

  constructor(store: Store, { snapshot, ...options }: CatalogOptions = {}) {
    this.#store = store;
    this.#snapshot = snapshot;
    this.search = new SearchIndex(options);
  }

  /** Whether there are any cards. */
  get ready(): boolean {
    return this.#cardsById.size > 0;
  }

  get cardCount(): number {
    return this.#cardsById.size;
  }

  /** The number of the publication that is served. */
  get revision(): number {
    return this.#revision;
  }

  /** The card with a public id. */
  card(id: string): Card | undefined {
    return this.#cardsById.get(id);
  }

  /** The card with a row id. */
  cardByRowId(rowId: number): Card | undefined {
    return this.#cards[rowId];
  }

  /** The card that has an external id. */
  cardByExternalId(id: ExternalId): Card | undefined {
    const rowId = this.#externalIds.find(id);
    return rowId === undefined ? undefined : this.#cards[rowId];
  }

  /** The external ids of a card, by id space. */
  externalIds({ rowId }: Card): readonly ExternalId[] {
    return this.#externalIds.of(rowId);
  }

  /** The set with a setId, if it has cards. */
  set(id: string): CountedSet | undefined {
    return this.#counts.setsById.get(id);
  }

  /** The cards of a set by collector number, 2 before 10; those without a number come last. */
  cardsOf(set: CardSet): readonly Card[] {
    return this.#setCards.of(set.rowId);
  }

  /** Other cards of the same name in all sets and languages, newest first. */
  namesakes(card: Card): Card[] {
    return cardsOfSameName(card, this.search.lookup);
  }

  /** All cards. */
  cards(): Iterable<Card> {
    return this.#cardsById.values();
  }

  /** The newest day of a price of a printing that is in quarantine, by row id of the printing. */
  quarantinedOn(printing: number): Day | undefined {
    return this.#quarantined.get(printing);
  }

  /** The sets that have cards, by game, newest first within a game, those without a date last. */
  sets(game?: GameSlug): readonly CountedSet[] {
    const { sets } = this.#counts;
    return game ? sets.filter((counted) => counted.set.game === game) : sets;
  }

  /** How many cards of a set have a price in their default printing. */
  pricedCount(set: CardSet): number {
    return this.#facets.pricedCount(set);
  }

  /** What one of each card of a set costs, in cents; null when no card has a market price. */
  value(set: CardSet): Cents | null {
    return this.#facets.value(set);
  }

  /** The rarities of a game's cards with the number of each, in alphabetical order. */
  rarities(game: GameSlug): readonly CountedRarity[] {
    return this.#facets.rarities(game);
  }

  /** All games, those without cards too. */
  games(): readonly CountedGame[] {
    return this.#counts.games;
  }

  /** The UTC day of the game's newest figures; null for a game without prices. */
  asOf(game: GameSlug): Day | null {
    const newest = this.#newestFigures.get(game);
    return newest === undefined ? null : dayOf(newest);
  }

  /** Reads and applies what was published since the last call; returns whether anything was. */
  refresh(): Promise<boolean> {
    this.#refreshing ??= this.#load().finally(() => {
      this.#refreshing = undefined;
    });
    return this.#refreshing;
  }

  async #load(): Promise<boolean> {
    const changes = await readChanges(this.#store, this.#revision, this.#sets);
    if (!changes) return false;
    for (const card of this.#cardsOfChangedSets(changes)) changes.cards.set(card.rowId, card);
    let inThisTick = 0;
    for (const card of this.#notIndexed(changes.cards)) {
      this.search.add(card);
      inThisTick = (inThisTick + 1) % CARDS_PER_TICK;
      if (inThisTick === 0) await yieldToRequests();
    }
    this.#apply(changes);
    return true;
  }

  /** Of new and changed cards, those that are to be indexed: at the start, all but saved ones. */
  #notIndexed(cards: ReadonlyMap<number, Card>): Iterable<Card> {
    if (this.ready) return cards.values();
    const unsaved = this.#restored(cards);
    indexLoads.add(unsaved ? 'snapshot' : 'built');
    return unsaved ?? cards.values();
  }

  /** Restores what an earlier process saved; returns the cards that it lacks, undefined without any. */
  #restored(cards: ReadonlyMap<number, Card>): Iterable<Card> | undefined {
    const saved = this.#snapshot?.read();
    try {
      return saved && this.search.restore(saved, cards);
    } catch (error) {
      this.#snapshot?.drop(error);
      return undefined;
    }
  }

  /** Yields the unchanged cards of changed sets: filters find them by its name and code. */
  *#cardsOfChangedSets({ sets, cards }: Changes): Generator<Card> {
    if (![...sets.keys()].some((rowId) => this.#sets.has(rowId))) return;
    for (const card of this.#cards) {
      const set = card && sets.get(card.set.rowId);
      if (card && set && !cards.has(card.rowId)) yield { ...card, set };
    }
  }

  /** Applies changes without an `await`, so that no reader sees some of them and not others. */
  #apply(changes: Changes): void {
    for (const set of changes.sets.values()) this.#sets.set(set.rowId, set);
    for (const card of changes.cards.values()) {
      const before = this.#cards[card.rowId];
      if (before) this.#facets.count(before, -1);
      card.printings = before?.printings ?? card.printings;
      this.#facets.count(card, 1);
      this.#setCards.put(card, before);
      this.#cards[card.rowId] = card;
      this.#cardsById.set(card.id, card);
    }
    for (const { cardRowId, ...id } of changes.externalIds) this.#externalIds.add(cardRowId, id);
    for (const { printing, cardRowId } of changes.printings) this.#putPrinting(printing, cardRowId);
    this.#counts = this.#count();
    this.search.commit();
    this.#quarantined = changes.quarantined;
    this.#revision = changes.revision;
  }

  /** Adds a printing to its card, or replaces the prices of the printing that it has. */
  #putPrinting(printing: Printing, cardRowId: number): void {
    const card = this.#cards[cardRowId];
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
    this.#facets.replaceMarket(card.set, marketBefore, marketPrice(card));
    if (mayChange) {
      this.#facets.countPriced(card.set, Number(isPriced(card)) - Number(wasPriced));
    }
    this.#updateNewestFigures(card.set.game, printing.prices.figuresAt);
  }

  #updateNewestFigures(game: GameSlug, figuresAt: Millis | null): void {
    if (figuresAt !== null && figuresAt > (this.#newestFigures.get(game) ?? 0)) {
      this.#newestFigures.set(game, figuresAt);
    }
  }

  #count(): Counts {
    const sets = [...this.#sets.values()]
      .map((set) => ({ set, cardCount: this.#setCards.count(set.rowId) }))
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
