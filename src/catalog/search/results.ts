import type { Entry } from './entries.ts';
import { ORDERS, type Order, type SearchSort } from './order.ts';
import type { SortedList } from './sorted.ts';
import { Tier } from './tier.ts';

/**
 * The matches of a query in order. A tier of equally relevant ones is put in order when a page
 * first touches it, and keeps that order: every match is on one page, whatever prices do.
 */
export class Results implements Iterable<Entry> {
  readonly total: number;
  readonly #tiers: readonly Tier[];
  readonly #order: Order;
  readonly #byId: SortedList<Entry>;

  constructor(tiers: readonly Tier[], sort: SearchSort, byId: SortedList<Entry>) {
    this.#tiers = sort === 'relevance' ? tiers : [Tier.merged(tiers)];
    this.total = tiers.reduce((sum, { count }) => sum + count, 0);
    this.#order = ORDERS[sort];
    this.#byId = byId;
  }

  /** At most `limit` matches, after the first `offset`. */
  page(offset: number, limit: number): Entry[] {
    const page: Entry[] = [];
    let skipped = 0;
    for (const tier of this.#tiers) {
      const from = Math.max(0, offset - skipped);
      if (from < tier.count) {
        page.push(...this.#sorted(tier).slice(from, from + limit - page.length));
        if (page.length === limit) break;
      }
      skipped += tier.count;
    }
    return page;
  }

  *[Symbol.iterator](): Iterator<Entry> {
    for (const tier of this.#tiers) yield* this.#sorted(tier);
  }

  #sorted(tier: Tier): readonly Entry[] {
    return tier.sorted(this.#order, this.#byId);
  }
}
