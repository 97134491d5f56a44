import type { Card } from '../domain/card.ts';
import type { ConfidenceFilter } from '../domain/confidence-level.ts';
import type { Day } from '../domain/day.ts';
import type { Facet } from '../domain/facets.ts';
import type { GameSlug } from '../domain/games.ts';
import type { LanguageCode } from '../domain/languages.ts';
import type { LocalPrices } from '../domain/local-prices.ts';
import { MAX_CENTS } from '../domain/money.ts';
import type { PriceFilter } from '../domain/price.ts';
import type { Documents } from './documents.ts';
import type { DocId } from './fields.ts';
import type { Understood } from './lexicon/phrase.ts';
import { type PriceReader, priceReader } from './prices.ts';
import { SortedDocs, type SortKey } from './sorted-docs.ts';

/** A search, as callers request it. */
export interface SearchQuery {
  readonly q: string;
  readonly game?: GameSlug;
  /** A set's code or name. */
  readonly set?: string;
  readonly rarity?: string;
  readonly price?: PriceFilter;
  readonly confidence?: ConfidenceFilter;
  readonly sort: SearchSort;
  readonly limit: number;
  readonly offset: number;
  /** Chooses the cards of the page from all sorted matches, instead of `offset` and `limit`. */
  readonly pick?: (matches: Iterable<Card>) => readonly Card[];
  /** The facets to count over all matches. */
  readonly facets?: readonly Facet[];
  /** Whether to return how the words were read for each card. */
  readonly explain?: boolean;
  /** The day (UTC) that decides whether prices are stale; the current one by default. */
  readonly today?: Day;
  /** The currency of bounds and of orders by price; by default, dollars without any rate. */
  readonly local?: LocalPrices;
}

/**
 * A printing, by its position among those of its card. A card without printings has one position.
 */
export interface PrintingPlace {
  readonly doc: DocId;
  readonly place: number;
}

/**
 * The sorted matches of a query. A rank bucket is sorted when a page first reads it and keeps that
 * order. Every match is on exactly one page, even if prices change in the meantime.
 */
export class Results implements Iterable<DocId> {
  readonly total: number;
  readonly #buckets: readonly RankBucket[];
  readonly #sortKey: SortKey;
  readonly #documents: Documents;

  /** `buckets` are ordered best first. Only the sort by relevance keeps them apart. */
  constructor(
    buckets: readonly RankBucket[],
    sort: SearchSort,
    documents: Documents,
    local?: LocalPrices,
  ) {
    this.#buckets = sort === 'relevance' ? buckets : [RankBucket.merged(buckets)];
    this.total = buckets.reduce((sum, { count }) => sum + count, 0);
    this.#sortKey = sortKeyOf(sort, priceReader(local));
    this.#documents = documents;
  }

  /** Skips the first `offset` matches and returns at most `limit`. */
  page(offset: number, limit: number): DocId[] {
    const page: DocId[] = [];
    let skipped = 0;
    for (const bucket of this.#buckets) {
      const from = Math.max(0, offset - skipped);
      if (from < bucket.count) {
        const to = from + limit - page.length;
        page.push(...bucket.sorted(this.#sortKey, this.#documents).slice(from, to));
        if (page.length === limit) break;
      }
      skipped += bucket.count;
    }
    return page;
  }

  /** The number of printings of the matches. It stays the same after the first read. */
  get printingTotal(): number {
    return this.#buckets.reduce((sum, bucket) => sum + bucket.printingCount(this.#documents), 0);
  }

  /** Skips the first `offset` printings of the matches and returns at most `limit`. */
  printings(offset: number, limit: number): PrintingPlace[] {
    const page: PrintingPlace[] = [];
    let skipped = 0;
    for (const bucket of this.#buckets) {
      const from = Math.max(0, offset - skipped);
      const count = bucket.printingCount(this.#documents);
      if (from < count) {
        const to = Math.min(count, from + limit - page.length);
        page.push(...bucket.printings(this.#sortKey, this.#documents, from, to));
        if (page.length === limit) break;
      }
      skipped += count;
    }
    return page;
  }

  /** Calls a function with each match, in no particular order. */
  visit(each: (doc: DocId) => void): void {
    for (const bucket of this.#buckets) bucket.visit(each);
  }

  *[Symbol.iterator](): Iterator<DocId> {
    for (const bucket of this.#buckets) yield* bucket.sorted(this.#sortKey, this.#documents);
  }
}

/**
 * Equally relevant matches of a query. They stay in their names' document lists until a page reads
 * them, because most are never read and copying takes longer than finding.
 */
export class RankBucket {
  /** The rank of its matches, 0 for the best. */
  readonly rank: number;
  /** The number of matches. */
  count = 0;
  #lists: (readonly DocId[])[] = [];
  /**
   * The number of items in each list that are matches. Later commits may append documents to a
   * list.
   */
  #listCounts: number[] = [];
  /** Matches that were added one by one. */
  #singles: DocId[] = [];
  #sorted: SortedDocs | undefined;
  #printingCount: number | undefined;

  constructor(rank = 0) {
    this.rank = rank;
  }

  /** Merges buckets that were not sorted yet. */
  static merged(buckets: readonly RankBucket[]): RankBucket {
    const all = new RankBucket();
    for (const bucket of buckets) {
      all.#lists = all.#lists.concat(bucket.#lists);
      all.#listCounts = all.#listCounts.concat(bucket.#listCounts);
      all.#singles = all.#singles.concat(bucket.#singles);
      all.count += bucket.count;
    }
    return all;
  }

  /** Adds a list of matches without copying it. Items may be appended to the list later. */
  addList(docs: readonly DocId[]): void {
    this.#lists.push(docs);
    this.#listCounts.push(docs.length);
    this.count += docs.length;
  }

  add(doc: DocId): void {
    this.#singles.push(doc);
    this.count += 1;
  }

  /** Returns the matches that pass a test. Call it only before the first page reads them. */
  filter(test: (doc: DocId) => boolean): RankBucket {
    const passing = new RankBucket(this.rank);
    for (const doc of this.unsorted()) if (test(doc)) passing.add(doc);
    return passing;
  }

  /** Yields all matches in no particular order. Call it only before the first page reads them. */
  *unsorted(): Iterable<DocId> {
    yield* this.#singles;
    for (const [i, list] of this.#lists.entries()) yield* list.slice(0, this.#listCounts[i]);
  }

  /** Returns the matches in order. The first call decides it. */
  sorted(sortKey: SortKey, documents: Documents): SortedDocs {
    this.#sorted ??= new SortedDocs(this.#takeDocs(), sortKey, documents);
    return this.#sorted;
  }

  /** The number of printings of the matches when this was first called. */
  printingCount(documents: Documents): number {
    this.#printingCount ??= this.#countPrintings(documents);
    return this.#printingCount;
  }

  #countPrintings(documents: Documents): number {
    let count = 0;
    this.visit((doc) => {
      count += documents.printingCount(doc);
    });
    return count;
  }

  /** Calls a function with each match, in no particular order. Does not sort them. */
  visit(each: (doc: DocId) => void): void {
    this.#sorted?.visit(each);
    for (const doc of this.#singles) each(doc);
    this.#lists.forEach((list, i) => {
      const count = this.#listCounts[i] ?? 0;
      for (let j = 0; j < count; j++) each(list[j] as DocId);
    });
  }

  /** Like {@link sorted}, for the printings of the matches. */
  printings(sortKey: SortKey, documents: Documents, from: number, to: number): PrintingPlace[] {
    const found: PrintingPlace[] = [];
    let first = 0;
    for (const doc of this.sorted(sortKey, documents)) {
      if (first >= to) break;
      const end = first + documents.printingCount(doc);
      for (let at = Math.max(first, from); at < Math.min(end, to); at++) {
        found.push({ doc, place: at - first });
      }
      first = end;
    }
    return found;
  }

  /** Returns the matches in one array and releases the lists. */
  #takeDocs(): Int32Array {
    const docs = new Int32Array(this.count);
    docs.set(this.#singles);
    let filled = this.#singles.length;
    this.#lists.forEach((list, i) => {
      const count = this.#listCounts[i] ?? 0;
      for (let j = 0; j < count; j++) docs[filled++] = list[j] as DocId;
    });
    this.#lists = [];
    this.#listCounts = [];
    this.#singles = [];
    return docs;
  }
}

export const SEARCH_SORTS = [
  'relevance',
  'price_desc',
  'price_asc',
  'name',
  'newest',
  'number',
] as const;
export type SearchSort = (typeof SEARCH_SORTS)[number];

/** Returns the sort key for documents of one rank bucket. */
function sortKeyOf(sort: SearchSort, price: PriceReader): SortKey {
  if (sort === 'price_asc') {
    return (documents, doc) => Math.min(price(documents, doc) ?? DEAREST, DEAREST);
  }
  if (sort === 'price_desc') {
    return (documents, doc) => DEAREST - Math.min(price(documents, doc) ?? -1, DEAREST);
  }
  return SORT_KEYS[sort];
}

const SORT_KEYS: Readonly<Record<Exclude<SearchSort, 'price_asc' | 'price_desc'>, SortKey>> = {
  relevance: oversizedLast,
  name: (documents, doc) => documents.name(doc).ordinal,
  newest: (documents, doc) => LAST_DAY - (documents.set(doc).releaseDay ?? UNKNOWN_DAY),
  number: (documents, doc) => documents.number(doc).ordinal,
};

/** Above the highest price in dollars. In yen, prices of 42 million or more count as equal. */
const DEAREST = 2 ** 32 - 2;
const LAST_DAY = 2 ** 31;
/** Sets of unknown age count as the oldest. */
const UNKNOWN_DAY = 1 - LAST_DAY;

/** Above the highest price, and below 2^32 together with it. */
const OVERSIZED = 2 ** 31;

/** Sorts oversized cards after the card that they show, even if they cost more. */
function oversizedLast(documents: Documents, doc: DocId): number {
  const highestPriceFirst = MAX_CENTS - (documents.price(doc) ?? -1);
  return highestPriceFirst + (documents.isOversized(doc) ? OVERSIZED : 0);
}

/** The results of a query, and how it was read. */
export interface CachedResults {
  readonly results: Results;
  readonly understood: Understood | undefined;
  /** The query in the spelling of its best match; undefined if it was typed that way. */
  readonly corrected: string | undefined;
  /** The language whose prices the query asks for. */
  readonly language: LanguageCode | undefined;
}

/** The cache holds at most this many matches in total, at most 16 bytes each. */
const MAX_MATCHES = 500_000;

/**
 * An LRU cache of the results of first pages, which also serves later pages. Every match is on
 * exactly one page, even if new prices change the order in the meantime. After an eviction, later
 * pages come from a new search in the current order.
 */
export class ResultCache {
  readonly #entries = new Map<string, CachedResults>();
  #matches = 0;

  get(query: SearchQuery): CachedResults | undefined {
    const key = cacheKey(query);
    const cached = this.#entries.get(key);
    if (!cached) return undefined;
    this.#entries.delete(key); // moves it to the newest end
    this.#entries.set(key, cached);
    return cached;
  }

  set(query: SearchQuery, cached: CachedResults): void {
    const key = cacheKey(query);
    this.#evict(key);
    this.#entries.set(key, cached);
    this.#matches += cached.results.total;
    for (const oldest of this.#entries.keys()) {
      if (this.#matches <= MAX_MATCHES) break;
      this.#evict(oldest);
    }
  }

  clear(): void {
    this.#entries.clear();
    this.#matches = 0;
  }

  #evict(key: string): void {
    this.#matches -= this.#entries.get(key)?.results.total ?? 0;
    this.#entries.delete(key);
  }
}

/** Returns the key without the limit, which a caller may change from page to page. */
function cacheKey(query: SearchQuery): string {
  const { q, game, set, rarity, price, confidence, sort, local } = query;
  return JSON.stringify([q, game, set, rarity, price, confidence, sort, local?.currency]);
}
