import type { Card, CardSet } from '../domain/card.ts';
import { type Day, dayOf } from '../domain/day.ts';
import { GAMES, type Game, type GameSlug } from '../domain/games.ts';
import type { Rates } from '../domain/rates.ts';
import { compareText } from '../domain/text.ts';
import type { FactColumns, ForeignNames } from '../search/index.ts';
import type { StoredSearchedFacts } from '../store/catalogue/facts.ts';
import type { Publication } from '../store/catalogue/publications.ts';
import type { StoredCard, StoredName } from '../store/catalogue/records.ts';
import { CatalogCard, CatalogProduct } from './catalog-card.ts';
import type { ExternalIds } from './external-ids.ts';
import { Facets } from './facets.ts';
import { Fingerprints } from './fingerprints.ts';
import { ImageAddresses } from './image-address.ts';
import { NewestFigures } from './newest-figures.ts';
import type { CardPrinting, Printings } from './printings.ts';
import type { CardExternalId, Rows, Snapshot } from './published.ts';
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

/** Changes of contents. */
interface Update {
  /** The row ids of the cards that change, or whose prices change. */
  readonly affected: ReadonlySet<number>;
  /** Applies all changes to the contents. */
  apply(): void;
}

/** Parts that are easier to rebuild than to change. */
export interface Replacements {
  readonly externalIds: ExternalIds;
  readonly names: ForeignNames;
  readonly facts: FactColumns;
  readonly newestFigures: NewestFigures;
}

/** The contents before the first publication. */
const NOTHING: Publication = { revision: 0, id: '', publishedAt: null };

/** Cards counted in one step, in a few milliseconds. */
const CARDS_PER_STEP = 2000;

/** An index. Changes are staged; searches see them from the next commit on. */
export interface Index {
  add(card: Card): void;
  remove(card: Card): void;
  commit(): void;
  /** Updates the prices of a committed card. Nothing else may have changed. */
  updatePrice(card: Card): void;
  /** Only for cards: products have no names in other languages, and no facts. */
  readonly foreignNames?: ForeignNames;
  readonly facts?: FactColumns;
  replaceDetails?(names: ForeignNames, facts: FactColumns): void;
}

/** Columns by row id. Each takes memory for all row ids. */
interface SharedColumns {
  readonly printings: Printings;
  readonly externalIds: ExternalIds;
}

/** Returns the card with a public id, or with an external id such as `tcgplayer:85637`. */
type CardWithId = (id: string) => Card | undefined;

/**
 * All cards or all products of a publication in memory, with their printings and prices, and the
 * search index over them.
 */
export class Contents<Search extends Index = Index> implements Rows {
  readonly search: Search;
  readonly cardsById = new Map<string, CatalogCard>();
  readonly facets = new Facets();
  readonly fingerprints = new Fingerprints();
  readonly setCards = new SetCards((rowId) => this.cards[rowId]);
  readonly #printings: Printings;
  readonly #images = new ImageAddresses();
  /** These two by row id. */
  readonly cards: (CatalogCard | undefined)[] = [];
  readonly sets = new Map<number, CardSet>();
  #externalIds: ExternalIds;
  #newestFigures = new NewestFigures();
  #quarantined: ReadonlyMap<number, Day> = new Map();
  #publication = NOTHING;
  #publishedRates: Rates = [];
  #historySince: Day | null = null;
  #counts: Counts = this.#count();

  /** Contents may share columns, because a row id belongs to only one of them. */
  constructor(columns: SharedColumns, indexOf: (cardWithId: CardWithId) => Search) {
    this.#printings = columns.printings;
    this.#externalIds = columns.externalIds;
    this.search = indexOf((id) => this.cardWithId(id));
  }

  /** The card with a public id, or with an external id such as `tcgplayer:85637`. */
  cardWithId(id: string): Card | undefined {
    const end = id.indexOf(':');
    if (end === -1) return this.cardsById.get(id);
    const rowId = this.#externalIds.find({ space: id.slice(0, end), id: id.slice(end + 1) });
    return rowId === undefined ? undefined : this.cards[rowId];
  }

  get publication(): Publication {
    return this.#publication;
  }

  /** The exchange rates that a source has published. */
  get publishedRates(): Rates {
    return this.#publishedRates;
  }

  /** The first day of the history; null without one. */
  get historySince(): Day | null {
    return this.#historySince;
  }

  get counts(): Counts {
    return this.#counts;
  }

  get externalIds(): ExternalIds {
    return this.#externalIds;
  }

  get newestFigures(): NewestFigures {
    return this.#newestFigures;
  }

  /** The newest day of a quarantined price, by row id of the printing. */
  get quarantined(): ReadonlyMap<number, Day> {
    return this.#quarantined;
  }

  putSet(set: CardSet): void {
    this.sets.set(set.rowId, set);
  }

  putCard(card: StoredCard): void {
    const set = this.sets.get(card.setRowId);
    if (set) this.put(this.cardOf(card, set));
  }

  /** Returns a card without putting it into the contents. It has the printings of its row id. */
  cardOf(card: StoredCard, set: CardSet): CatalogCard {
    const image = this.#images.compact(card.image);
    const { product } = card;
    if (!product) return new CatalogCard({ ...card, set }, image, this.#printings);
    return new CatalogProduct({ ...card, ...product, set }, image, this.#printings);
  }

  put(card: CatalogCard): void {
    const before = this.cards[card.rowId];
    this.setCards.put(card, before);
    if (before) this.#forgetId(before);
    this.cards[card.rowId] = card;
    this.cardsById.set(card.id, card);
  }

  remove(card: CatalogCard): void {
    this.search.remove(card);
    this.setCards.remove(card);
    this.#forgetId(card);
    this.cards[card.rowId] = undefined;
  }

  /** Another card may already have got the id. */
  #forgetId(card: CatalogCard): void {
    if (this.cardsById.get(card.id) === card) this.cardsById.delete(card.id);
  }

  replace({ externalIds, names, facts, newestFigures }: Replacements): void {
    this.#externalIds = externalIds;
    this.search.replaceDetails?.(names, facts);
    this.#newestFigures = newestFigures;
  }

  putExternalId({ cardRowId, space, id }: CardExternalId): void {
    this.#externalIds.add(cardRowId, { space, id });
  }

  putName({ cardRowId, language, name }: StoredName): void {
    this.search.foreignNames?.put(cardRowId, language, name);
  }

  putFacts({ cardRowId, ...facts }: StoredSearchedFacts): void {
    this.search.facts?.put(cardRowId, facts);
  }

  putPrinting(printing: CardPrinting): void {
    const card = this.cards[printing.cardRowId];
    if (!card) return;
    this.#printings.put(printing);
    this.#newestFigures.add(card.set.game, printing.printing.prices.figuresAt);
  }

  removePrinting(rowId: number): void {
    this.#printings.remove(rowId);
  }

  /** Whether a printing is here with the same prices. */
  hasPrinting(printing: CardPrinting): boolean {
    return this.#printings.has(printing);
  }

  /** All printings with their cards, both by row id. */
  *printingRowIds(): Generator<readonly [printing: number, card: number]> {
    for (const one of this.#printings.rowIds()) if (this.cards[one[1]]) yield one;
  }

  /** The UTC day of a game's newest figures; null without any. */
  asOf(game: GameSlug): Day | null {
    const newest = this.#newestFigures.of(game);
    return newest === undefined ? null : dayOf(newest);
  }

  /** Applies changes, whose cards are staged in the index, without leaving the tick. */
  update(changes: Update, published: Snapshot): void {
    const { affected } = changes;
    for (const rowId of affected) this.#countFacets(rowId, -1);
    changes.apply();
    for (const rowId of affected) this.#countFacets(rowId, 1);
    for (const rowId of affected) this.#updatePrice(rowId);
    for (const rowId of affected) this.fingerprints.forget(rowId);
    this.#publish(published);
  }

  /** Completes new contents, whose cards are staged in the index, in steps. */
  *complete(published: Snapshot): Generator<undefined, void> {
    for (let rowId = 0; rowId < this.cards.length; rowId++) {
      this.#countFacets(rowId, 1);
      if (rowId % CARDS_PER_STEP === 0) yield;
    }
    this.#publish(published);
  }

  #publish({ publication, quarantined, rates, historySince }: Snapshot): void {
    if (rates) this.#publishedRates = rates;
    this.#counts = this.#count();
    this.search.commit();
    this.#quarantined = quarantined;
    this.#historySince = historySince;
    this.#publication = publication;
  }

  #countFacets(rowId: number, by: 1 | -1): void {
    const card = this.cards[rowId];
    if (card) this.facets.count(card, by);
  }

  #updatePrice(rowId: number): void {
    const card = this.cards[rowId];
    if (card) this.search.updatePrice(card);
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
