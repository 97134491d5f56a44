import type { Entry } from './entries.ts';
import type { Tiers } from './match.ts';
import { ORDERS, type SearchSort } from './order.ts';
import type { SortedList } from './sorted.ts';

/**
 * A card's rank by id is below this. Both halves of a sort key then fit into the 53 bits of a
 * number, and an array of plain numbers sorts ten times faster than one with a comparator.
 */
const RANKS = 2 ** 21;

/**
 * The matches of a query in order. A group of equally relevant ones is put in order when a page
 * first touches it, and keeps that order: every match is on one page, whatever prices do.
 */
export class Results implements Iterable<Entry> {
  readonly total: number;
  readonly #groups: Entry[][];
  readonly #inOrder = new Set<Entry[]>();
  readonly #order: (entry: Entry) => number;
  readonly #byId: SortedList<Entry>;

  constructor(tiers: Tiers, sort: SearchSort, byId: SortedList<Entry>) {
    // `filter` also leaves out the tiers that were never filled.
    this.#groups = sort === 'relevance' ? tiers.filter(() => true) : [tiers.flat()];
    this.total = this.#groups.reduce((sum, group) => sum + group.length, 0);
    this.#order = ORDERS[sort];
    this.#byId = byId;
  }

  /** At most `limit` matches, after the first `offset`. */
  page(offset: number, limit: number): Entry[] {
    const page: Entry[] = [];
    let skipped = 0;
    for (const group of this.#groups) {
      const from = Math.max(0, offset - skipped);
      if (from < group.length) {
        page.push(...this.#sorted(group).slice(from, from + limit - page.length));
        if (page.length === limit) break;
      }
      skipped += group.length;
    }
    return page;
  }

  *[Symbol.iterator](): Iterator<Entry> {
    for (const group of this.#groups) yield* this.#sorted(group);
  }

  /** The group itself, put in order unless it is already. */
  #sorted(group: Entry[]): Entry[] {
    if (this.#inOrder.has(group)) return group;
    this.#inOrder.add(group);
    const keys = new Float64Array(group.length);
    group.forEach((entry, i) => {
      keys[i] = this.#order(entry) * RANKS + entry.rank;
    });
    keys.sort().forEach((key, i) => {
      group[i] = this.#byId.items[key % RANKS] as Entry;
    });
    return group;
  }
}
