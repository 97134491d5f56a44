import { setImmediate as yieldToRequests } from 'node:timers/promises';
import type { Card, CardSet } from '../domain/card.ts';
import type { Day, Millis } from '../domain/day.ts';
import { GAMES, type GameSlug } from '../domain/games.ts';
import type { Cents } from '../domain/money.ts';
import { combineRates, type Rates } from '../domain/rates.ts';
import type { ExternalId } from '../domain/sources.ts';
import { indexLoads } from '../lib/counts.ts';
import {
  type ForeignName,
  ProductIndex,
  SearchIndex,
  type SearchOptions,
} from '../search/index.ts';
import { firstPublishedAfter, type Publication } from '../store/catalogue/publications.ts';
import type { Store } from '../store/connect.ts';
import { Changes } from './changes.ts';
import { Contents, type CountedGame, type CountedSet } from './contents.ts';
import { Coverage } from './coverage.ts';
import { Differences } from './differences.ts';
import { ExternalIds } from './external-ids.ts';
import type { CountedRarity } from './facets.ts';
import type { Fingerprints } from './fingerprints.ts';
import { Movers } from './movers.ts';
import { Printings } from './printings.ts';
import { ProductCatalog } from './products.ts';
import { readPublished, type Snapshot } from './published.ts';
import { cardsOfSameName } from './relatives.ts';
import { RowsByKind } from './rows-by-kind.ts';
import type { SnapshotFile } from './snapshot-file.ts';

export type { CountedGame, CountedSet };

export interface CatalogOptions extends SearchOptions {
  /** The place where an earlier process may have left its search index. */
  readonly snapshot?: SnapshotFile;
  /** The operator's exchange rates. */
  readonly rates?: Rates;
}

/** The parts of cards and of products. */
interface Kinds<Part> {
  readonly cards: Part;
  readonly products: Part;
}

interface Whole {
  readonly cards: Contents<SearchIndex>;
  readonly products: Contents<ProductIndex>;
}

/** A receiver of the rows of publications: new contents, or changes of the served ones. */
type AnyRows = RowsByKind<
  Contents<SearchIndex> | Differences | Changes,
  Contents<ProductIndex> | Differences | Changes
>;

function changesIn(rows: Differences | Changes): Changes {
  return rows instanceof Differences ? rows.finish() : rows;
}

/** Cards indexed in one tick of the event loop, in a few milliseconds. */
const CARDS_PER_TICK = 200;

/**
 * A snapshot of the last publication in memory: every card with its prices, and the search index.
 * Readers see one publication or the next, never a mixture: {@link refresh} reads and indexes
 * changes aside, then applies them in one tick of the event loop.
 */
export class Catalog {
  readonly movers = new Movers(this);
  readonly coverage = new Coverage(this);
  /** The products, which no other member returns. */
  readonly products = new ProductCatalog(() => this.#products, this);
  readonly #store: Store;
  readonly #snapshot: SnapshotFile | undefined;
  readonly #options: SearchOptions;
  #rates: { readonly own: Rates; readonly published: Rates; readonly all: Rates };
  #contents: Contents<SearchIndex>;
  #products: Contents<ProductIndex>;
  #refreshing: Promise<boolean> | undefined;
  readonly #onPublished: (() => void)[] = [];

  constructor(store: Store, { snapshot, rates = [], ...options }: CatalogOptions = {}) {
    this.#rates = { own: rates, published: [], all: rates };
    this.#store = store;
    this.#snapshot = snapshot;
    this.#options = options;
    ({ cards: this.#contents, products: this.#products } = this.#empty());
  }

  /** The index over the cards. Do not keep it: a new publication may replace it. */
  get search(): SearchIndex {
    return this.#contents.search;
  }

  /** Whether there are any cards. */
  get ready(): boolean {
    return this.#contents.cardsById.size > 0;
  }

  get cardCount(): number {
    return this.#contents.cardsById.size;
  }

  /** The publication that is served. */
  get publication(): Publication {
    return this.#contents.publication;
  }

  /** The exchange rates: the operator's and the published ones. */
  get rates(): Rates {
    const { publishedRates: published } = this.#contents;
    const { own } = this.#rates;
    if (published !== this.#rates.published) {
      this.#rates = { own, published, all: combineRates(own, published) };
    }
    return this.#rates.all;
  }

  /** The card with a public id. */
  card(id: string): Card | undefined {
    return this.#contents.cardsById.get(id);
  }

  /** The card with a public id, or with an external id such as `tcgplayer:85637`. */
  cardWithId(id: string): Card | undefined {
    return this.#contents.cardWithId(id);
  }

  /** The card with a row id. */
  cardByRowId(rowId: number): Card | undefined {
    return this.#contents.cards[rowId];
  }

  /** The card that has an external id. */
  cardByExternalId(id: ExternalId): Card | undefined {
    // The id may belong to a product, which is not among the cards.
    const rowId = this.#contents.externalIds.find(id);
    return rowId === undefined ? undefined : this.#contents.cards[rowId];
  }

  /** The cards that have an external id of a space whose ids are texts. */
  cardsWithIdIn(space: string): Card[] {
    const rowIds = new Set(this.#contents.externalIds.textOwners(space));
    return [...rowIds].flatMap((rowId) => this.#contents.cards[rowId] ?? []);
  }

  /** The external ids of a card, by id space. */
  externalIds({ rowId }: Card): readonly ExternalId[] {
    return this.#contents.externalIds.of(rowId);
  }

  /** The names of a card in other languages. */
  foreignNames({ rowId }: Card): readonly ForeignName[] {
    return this.search.foreignNames.of(rowId);
  }

  /** The set with a setId, if it has cards. */
  set(id: string): CountedSet | undefined {
    return this.#contents.counts.setsById.get(id);
  }

  /** The set with a row id, also one that has no cards. */
  setByRowId(rowId: number): CardSet | undefined {
    return this.#contents.sets.get(rowId);
  }

  /** The cards of a set by collector number, 2 before 10; those without a number come last. */
  cardsOf(set: CardSet): readonly Card[] {
    return this.#contents.setCards.of(set.rowId);
  }

  /** Other cards of the same name in all sets and languages, the most alike first. */
  namesakes(card: Card): Card[] {
    return cardsOfSameName(card, this.search.lookup);
  }

  /** The cards with row ids above one, in their order. */
  *cardsAfter(rowId: number): Generator<Card> {
    const { cards } = this.#contents;
    for (let next = rowId + 1; next < cards.length; next += 1) {
      const card = cards[next];
      if (card) yield card;
    }
  }

  /** The fingerprints of the cards. */
  get fingerprints(): Fingerprints {
    return this.#contents.fingerprints;
  }

  /** All cards. */
  cards(): Iterable<Card> {
    return this.#contents.cardsById.values();
  }

  /** The newest day of a quarantined price of a printing, by row id of the printing. */
  quarantinedOn(printing: number): Day | undefined {
    return this.#contents.quarantined.get(printing);
  }

  /** The sets that have cards, by game, newest first within a game, those without a date last. */
  sets(game?: GameSlug): readonly CountedSet[] {
    const { sets } = this.#contents.counts;
    return game ? sets.filter((counted) => counted.set.game === game) : sets;
  }

  /** The number of cards of a set whose default printing has a price. */
  pricedCount(set: CardSet): number {
    return this.#contents.facets.pricedCount(set);
  }

  /** The number of printings of a set's cards; a card without printings counts as one. */
  printingCount(set: CardSet): number {
    return this.#contents.facets.printingCount(set);
  }

  /** The number of printings with a market price. */
  get priceCount(): number {
    return this.#contents.facets.priceCount;
  }

  /** The number of days from the first day of the history to the newest prices. */
  get historyDays(): number {
    const { historySince } = this.#contents;
    const newest = Math.max(...GAMES.map(({ slug }) => this.asOf(slug) ?? 0));
    return historySince === null ? 0 : Math.max(0, newest + 1 - historySince);
  }

  /**
   * The total price of one copy of each card of a set, in cents; null if no market price is
   * reliable.
   */
  value(set: CardSet): Cents | null {
    return this.#contents.facets.value(set);
  }

  /** The rarities of a game's cards with the number of each, in alphabetical order. */
  rarities(game: GameSlug): readonly CountedRarity[] {
    return this.#contents.facets.rarities(game);
  }

  /** All games, including those without cards. */
  games(): readonly CountedGame[] {
    return this.#contents.counts.games;
  }

  /** The UTC day of the game's newest figures; null for a game without prices. */
  asOf(game: GameSlug): Day | null {
    return this.#contents.asOf(game);
  }

  /** When the first unserved publication was published; null if all are served. */
  outdatedSince(): Promise<Millis | null> {
    return firstPublishedAfter(this.#store.db, this.publication);
  }

  /** Calls a listener whenever a new publication is served, for as long as the catalogue exists. */
  onPublished(listener: () => void): void {
    this.#onPublished.push(listener);
  }

  /** Reads and applies new publications; returns whether there were any. */
  refresh(): Promise<boolean> {
    this.#refreshing ??= this.#load().finally(() => {
      this.#refreshing = undefined;
    });
    return this.#refreshing;
  }

  async #load(): Promise<boolean> {
    let read = await this.#read(() => (this.ready ? this.#differences() : this.#empty()));
    if (!read) return false;
    // If too much differs, everything is loaded separately from the served contents.
    const { cards: differences } = read.rows;
    if (differences instanceof Differences && differences.isMuch) {
      read = (await this.#read(() => this.#empty())) ?? read;
    }
    const { rows, snapshot } = read;
    const { cards, products } = rows;
    if (cards instanceof Contents && products instanceof Contents) {
      await this.#replace({ cards, products }, snapshot);
    } else if (!(cards instanceof Contents) && !(products instanceof Contents)) {
      await this.#update({ cards: changesIn(cards), products: changesIn(products) }, snapshot);
    }
    for (const listener of this.#onPublished) listener();
    return true;
  }

  #empty() {
    const columns = { printings: new Printings(), externalIds: new ExternalIds() };
    const cards = new Contents(columns, (cardWithId) => {
      return new SearchIndex({ ...this.#options, cardWithId });
    });
    const products = new Contents(columns, () => new ProductIndex());
    return new RowsByKind(cards, products, () => false);
  }

  #differences() {
    const [cards, products] = [new Differences(this.#contents), new Differences(this.#products)];
    return new RowsByKind(cards, products, () => false);
  }

  #changes() {
    const { cards: known } = this.#products;
    const [cards, products] = [new Changes(this.#contents), new Changes(this.#products)];
    return new RowsByKind(cards, products, (rowId) => known[rowId] !== undefined);
  }

  /** Reads new publications. `whole` creates the receiver for a publication of another database. */
  #read(whole: () => AnyRows) {
    const changes = () => this.#changes();
    const isStarting = !this.ready;
    const served = this.#contents.publication;
    return readPublished<AnyRows, AnyRows>(this.#store, served, { whole, changes, isStarting });
  }

  /** Applies changes without an `await`, so readers see all of them or none. */
  async #update({ cards, products }: Kinds<Changes>, snapshot: Snapshot): Promise<void> {
    await this.#index(this.#contents, cards.cards.values());
    await this.#index(this.#products, products.cards.values());
    this.#contents.update(cards, snapshot);
    this.#products.update(products, snapshot);
  }

  /** Completes contents that were loaded next to the served ones, then replaces these. */
  async #replace({ cards, products }: Whole, snapshot: Snapshot): Promise<void> {
    await this.#index(cards, this.#notIndexed(cards));
    await this.#index(products, products.cardsById.values());
    for (const _step of cards.complete(snapshot)) await yieldToRequests();
    for (const _step of products.complete(snapshot)) await yieldToRequests();
    this.#contents = cards;
    this.#products = products;
  }

  async #index({ search }: Pick<Contents, 'search'>, cards: Iterable<Card>): Promise<void> {
    let inThisTick = 0;
    for (const card of cards) {
      search.add(card);
      inThisTick = (inThisTick + 1) % CARDS_PER_TICK;
      if (inThisTick === 0) await yieldToRequests();
    }
  }

  /** Returns the cards of new contents to index: at the start, all except the saved ones. */
  #notIndexed(contents: Contents<SearchIndex>): Iterable<Card> {
    if (this.ready) return contents.cardsById.values();
    const unsaved = this.#restored(contents);
    indexLoads.add(unsaved ? 'snapshot' : 'built');
    return unsaved ?? contents.cardsById.values();
  }

  /**
   * Restores a saved index. Returns the cards that it lacks; undefined if there is no saved index.
   */
  #restored({ search, cards }: Contents<SearchIndex>): Iterable<Card> | undefined {
    const saved = this.#snapshot?.read();
    try {
      return saved && search.restore(saved, cards);
    } catch (error) {
      this.#snapshot?.drop(error);
      return undefined;
    }
  }
}
