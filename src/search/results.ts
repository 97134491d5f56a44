import type { Documents } from './documents.ts';
import type { DocId } from './fields.ts';
import { type SearchSort, SORT_KEYS, type SortKey, sortDocs } from './sort.ts';

/**
 * The matches of a query in order. A rank bucket is sorted when a page first reads it, and keeps
 * that order: every match is on one page, whatever happens to prices in between.
 */
export class Results implements Iterable<DocId> {
  readonly total: number;
  readonly #buckets: readonly RankBucket[];
  readonly #sortKey: SortKey;
  readonly #documents: Documents;

  /** `buckets` come best first; only the sort by relevance keeps them apart. */
  constructor(buckets: readonly RankBucket[], sort: SearchSort, documents: Documents) {
    this.#buckets = sort === 'relevance' ? buckets : [RankBucket.merged(buckets)];
    this.total = buckets.reduce((sum, { count }) => sum + count, 0);
    this.#sortKey = SORT_KEYS[sort];
    this.#documents = documents;
  }

  /** Returns at most `limit` matches, after the first `offset`. */
  page(offset: number, limit: number): DocId[] {
    const page: DocId[] = [];
    let skipped = 0;
    for (const bucket of this.#buckets) {
      const from = Math.max(0, offset - skipped);
      if (from < bucket.count) {
        const to = from + limit - page.length;
        page.push(...bucket.sorted(this.#sortKey, this.#documents, from, to));
        if (page.length === limit) break;
      }
      skipped += bucket.count;
    }
    return page;
  }

  *[Symbol.iterator](): Iterator<DocId> {
    for (const bucket of this.#buckets) yield* bucket.sorted(this.#sortKey, this.#documents);
  }
}

/**
 * Equally relevant matches of a query. Until a page reads them they stay in the lists that names
 * have of their documents: most are on no page, and copying them takes longer than finding them.
 */
export class RankBucket {
  /** The rank of its matches, 0 for the best. */
  readonly rank: number;
  /** How many matches there are. */
  count = 0;
  #lists: (readonly DocId[])[] = [];
  /** How many items of each list are matches: later commits may append documents to a list. */
  #listCounts: number[] = [];
  /** Matches that are not all documents of their name. */
  #singles: DocId[] = [];
  #sorted: Int32Array | undefined;

  constructor(rank = 0) {
    this.rank = rank;
  }

  /** Returns one bucket with the matches of several, none of which was sorted. */
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

  /** Adds a list of matches without copying it; items may be appended to the list later. */
  addList(docs: readonly DocId[]): void {
    this.#lists.push(docs);
    this.#listCounts.push(docs.length);
    this.count += docs.length;
  }

  add(doc: DocId): void {
    this.#singles.push(doc);
    this.count += 1;
  }

  /** All matches, in no order; only before the first page reads them. */
  *unsorted(): Iterable<DocId> {
    yield* this.#singles;
    for (const [i, list] of this.#lists.entries()) yield* list.slice(0, this.#listCounts[i]);
  }

  /** Returns the matches from one place up to another, in the order of the first call. */
  sorted(sortKey: SortKey, documents: Documents, from = 0, to = this.count): DocId[] {
    this.#sorted ??= this.#sort(sortKey, documents);
    return Array.from(this.#sorted.subarray(from, to)) as DocId[];
  }

  #sort(sortKey: SortKey, documents: Documents): Int32Array {
    const docs = this.#takeDocs();
    sortDocs(docs, sortKey, documents);
    return docs;
  }

  /** Returns the matches in one array and lets the lists go. */
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
