import type { Card } from '../../domain/card.ts';
import type { GameSlug } from '../../domain/games.ts';
import { foldText } from '../../domain/text.ts';
import { append } from './append.ts';
import type { Entry } from './entries.ts';
import { Filters } from './filters.ts';
import { Lexicon } from './lexicon.ts';
import { findMatches } from './match.ts';
import { SEARCH_SORTS, type SearchSort } from './order.ts';
import { readQuery } from './query.ts';
import { Results } from './results.ts';
import { SortedList } from './sorted.ts';
import { suggestName } from './suggest.ts';
import { Walks } from './walks.ts';

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

/** Finds cards by what collectors type. Everything is in memory; docs/search.md says how. */
export class SearchIndex {
  readonly #lexicon = new Lexicon();
  readonly #filters = new Filters();
  readonly #walks = new Walks();
  readonly #byId = new SortedList<Entry>(({ card }) => card.id);
  /** The live cards by their key. */
  readonly #entries = new Map<number, Entry>();
  #staged: Entry[] = [];

  /**
   * Takes in a card, or a newer version of a card with the same key. Searches do not see it, and
   * still see the older version, until {@link publish}.
   */
  add(card: Card): void {
    const setCode = this.#filters.add(card);
    const entry = {
      card,
      name: this.#lexicon.names.add(card.name),
      number: this.#lexicon.numbers.add(card.number ?? '', setCode),
      setCode,
      live: false,
      rank: 0,
    };
    this.#lexicon.addEntry(entry);
    this.#byId.stage(entry);
    this.#staged.push(entry);
  }

  /** Lets searches see all cards added since the last time, at once. */
  publish(): void {
    this.#lexicon.settle();
    this.#byId.settle();
    for (const entry of this.#staged) this.#reveal(entry);
    this.#staged = [];
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
    const tiers = findMatches(read, this.#filters.test(query));
    for (const { name } of new Results(tiers, 'relevance', this.#byId)) {
      if (names.size === query.limit) break;
      const key = foldText(name.plain);
      if (!names.has(key)) names.set(key, name.plain);
    }
    return [...names.values()];
  }

  #begin(query: SearchQuery): SearchResult {
    const read = readQuery(query.q, this.#lexicon);
    const accepts = this.#filters.test(query);
    const results = new Results(findMatches(read, accepts), query.sort, this.#byId);
    if (results.total > query.limit) this.#walks.set(query, results);
    const suggestion = results.total === 0 ? suggestName(read, this.#lexicon, accepts) : undefined;
    return { ...this.#page(results, query), ...(suggestion === undefined ? {} : { suggestion }) };
  }

  #page(results: Results, { offset, limit }: SearchQuery): SearchResult {
    const cards = results.page(offset, limit).map((entry) => this.#current(entry));
    return { cards, total: results.total };
  }

  /** The newest version of a card that a walk has found. */
  #current({ card }: Entry): Card {
    return this.#entries.get(card.key)?.card ?? card;
  }

  #reveal(entry: Entry): void {
    const older = this.#entries.get(entry.card.key);
    if (older) {
      older.live = false;
      older.name.entries = older.name.entries.filter((other) => other !== older);
    }
    entry.live = true;
    entry.name.entries = append(entry.name.entries, entry);
    this.#entries.set(entry.card.key, entry);
  }
}
