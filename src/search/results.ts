import type { DocId, Documents } from './cards.ts';
import { ORDERS, type Order, type SearchSort } from './order.ts';
import { RankBucket } from './tier.ts';

/**
 * The matches of a query in order. A tier of equally relevant ones is put in order when a page
 * first touches it, and keeps that order: every match is on one page, whatever prices do.
 */
export class Results implements Iterable<DocId> {
  readonly total: number;
  readonly #tiers: readonly RankBucket[];
  readonly #order: Order;
  readonly #cards: Documents;

  constructor(tiers: readonly RankBucket[], sort: SearchSort, cards: Documents) {
    this.#tiers = sort === 'relevance' ? tiers : [RankBucket.merged(tiers)];
    this.total = tiers.reduce((sum, { count }) => sum + count, 0);
    this.#order = ORDERS[sort];
    this.#cards = cards;
  }

  /** At most `limit` matches, after the first `offset`. */
  page(offset: number, limit: number): DocId[] {
    const page: DocId[] = [];
    let skipped = 0;
    for (const tier of this.#tiers) {
      const from = Math.max(0, offset - skipped);
      if (from < tier.count) {
        const to = from + limit - page.length;
        page.push(...tier.sorted(this.#order, this.#cards, from, to));
        if (page.length === limit) break;
      }
      skipped += tier.count;
    }
    return page;
  }

  *[Symbol.iterator](): Iterator<DocId> {
    for (const tier of this.#tiers) yield* tier.sorted(this.#order, this.#cards);
  }
}
