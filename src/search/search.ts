import { type Card, marketPrice } from '../domain/card.ts';
import type { GameSlug } from '../domain/games.ts';
import { foldText } from '../domain/text.ts';
import { append } from '../lib/append.ts';
import { type Described, type DocId, Documents } from './cards.ts';
import { Filters } from './filters.ts';
import { Lexicon } from './lexicon.ts';
import { findMatches } from './match.ts';
import { SEARCH_SORTS, type SearchSort } from './order.ts';
import { readQuery } from './query.ts';
import { Results } from './results.ts';
import { suggestName } from './suggest.ts';
import { ResultCache } from './walks.ts';

export { SEARCH_SORTS, type SearchSort };

export interface SearchQuery {
  readonly q: string;
  readonly game?: GameSlug;
  /** A set's code or name. */
  readonly set?: string;
  readonly rarity?: string;
  readonly sort: SearchSort;
  readonly limit: number;
  readonly offset: number;
}

export interface SearchResult {
  readonly cards: readonly Card[];
  /** All matches, on whatever page. */
  readonly total: number;
  /** The nearest name that would match; only when nothing does. */
  readonly suggestion?: string;
}

interface Changed {
  readonly slot: DocId;
  readonly card: Card;
  readonly described: Described;
}

/** Finds cards by what collectors type. Everything is in memory; docs/search.md says how. */
export class SearchIndex {
  readonly #cards = new Documents();
  readonly #lexicon = new Lexicon(this.#cards);
  readonly #filters = new Filters(this.#cards);
  readonly #walks = new ResultCache();
  /** The live cards by their key: a row id, so there are few gaps. */
  readonly #live: (DocId | undefined)[] = [];
  #staged: DocId[] = [];
  /** Newer versions of live cards, which are found like them and take their places. */
  #changed: Changed[] = [];
  /** The keys of live cards that give way to one that is staged. */
  #replaced = new Set<number>();

  /**
   * Takes in a card, or a newer version of a card with the same key. Searches do not see it, and
   * still see the older version, until {@link commit}.
   */
  add(card: Card): void {
    const described = this.#describe(card);
    const live = this.#live[card.rowId];
    if (live !== undefined && !this.#replaced.has(card.rowId)) {
      if (this.#cards.isFoundAlike(live, described)) {
        this.#changed.push({ slot: live, card, described });
        return;
      }
      this.#replaced.add(card.rowId);
    }
    const slot = this.#cards.add(card, described);
    this.#lexicon.addCard(slot);
    this.#staged.push(slot);
  }

  /** Lets searches see all cards added since the last time, at once. */
  commit(): void {
    this.#lexicon.settle();
    this.#cards.settle();
    for (const { slot, card, described } of this.#changed) {
      this.#cards.describe(slot, card, described);
      this.updatePrice(card);
    }
    for (const slot of this.#staged) this.#reveal(slot);
    for (const slot of this.#staged) this.updatePrice(this.#cards.card(slot));
    this.#staged = [];
    this.#changed = [];
    this.#replaced = new Set();
  }

  /** Lets searches see the new price of a published card; nothing else of it may have changed. */
  updatePrice(card: Card): void {
    const slot = this.#live[card.rowId];
    if (slot !== undefined) this.#cards.setPrice(slot, marketPrice(card));
  }

  /** The page of matches that a query asks for. */
  search(query: SearchQuery): SearchResult {
    // Later pages are of the same results as the first, whatever happened in between.
    const begun = query.offset > 0 ? this.#walks.get(query) : undefined;
    return begun ? this.#page(begun, query) : this.#begin(query);
  }

  /** Names for a search box, best first, each once; variants in brackets are left out. */
  autocomplete(query: { q: string; game?: GameSlug; limit: number }): string[] {
    const names = new Map<string, string>();
    const read = readQuery(query.q, this.#lexicon);
    const tiers = findMatches(read, this.#cards, this.#filters.test(query));
    for (const slot of new Results(tiers, 'relevance', this.#cards)) {
      if (names.size === query.limit) break;
      const { plain } = this.#cards.name(slot);
      const key = foldText(plain);
      if (!names.has(key)) names.set(key, plain);
    }
    return [...names.values()];
  }

  #describe(card: Card): Described {
    const set = this.#filters.setOf(card);
    return {
      name: this.#lexicon.names.add(card.name),
      number: this.#lexicon.numbers.add(card.number ?? '', set.code),
      set,
      rarity: this.#filters.rarityOf(card),
    };
  }

  #begin(query: SearchQuery): SearchResult {
    const read = readQuery(query.q, this.#lexicon);
    const accepts = this.#filters.test(query);
    const results = new Results(findMatches(read, this.#cards, accepts), query.sort, this.#cards);
    if (results.total > query.limit) this.#walks.set(query, results);
    const suggestion = results.total === 0 ? suggestName(read, this.#lexicon, accepts) : undefined;
    return { ...this.#page(results, query), ...(suggestion === undefined ? {} : { suggestion }) };
  }

  #page(results: Results, { offset, limit }: SearchQuery): SearchResult {
    const cards = results.page(offset, limit).map((slot) => this.#newest(slot));
    return { cards, total: results.total };
  }

  /** The newest version of a card that a walk has found. */
  #newest(slot: DocId): Card {
    const card = this.#cards.card(slot);
    return this.#cards.card(this.#live[card.rowId] ?? slot);
  }

  #reveal(slot: DocId): void {
    const { rowId } = this.#cards.card(slot);
    const older = this.#live[rowId];
    if (older !== undefined) this.#withdraw(older);
    const name = this.#cards.name(slot);
    name.slots = append(name.slots, slot);
    this.#cards.setLive(slot, true);
    this.#live[rowId] = slot;
  }

  #withdraw(slot: DocId): void {
    const name = this.#cards.name(slot);
    name.slots = name.slots.filter((other) => other !== slot);
    this.#cards.setLive(slot, false);
  }
}
