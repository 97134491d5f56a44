import type { Entry } from './entries.ts';
import type { Order } from './order.ts';
import type { SortedList } from './sorted.ts';
import { TOGETHER } from './together.ts';

/**
 * A card's rank by id is below this. Both halves of a sort key then fit into the 53 bits of a
 * number, and an array of plain numbers sorts ten times faster than one with a comparator.
 */
const RANKS = 2 ** 21;

/**
 * Equally relevant matches of a query. Until a page touches them they stay in the lists that
 * names have of their cards: most are on no page, and to copy them takes longer than to find them.
 */
export class Tier {
  /** How many matches there are. */
  count = 0;
  #lists: (readonly Entry[])[] = [];
  /** How many of each list: names may get more cards, always behind those that they have. */
  #counts: number[] = [];
  /** Matches that are not all of their name. */
  #single: Entry[] = [];
  #sorted: readonly Entry[] | undefined;

  /** All matches of some tiers, none of which was put in order. */
  static merged(tiers: readonly Tier[]): Tier {
    const all = new Tier();
    for (const tier of tiers) {
      all.#lists = all.#lists.concat(tier.#lists);
      all.#counts = all.#counts.concat(tier.#counts);
      all.#single = all.#single.concat(tier.#single);
      all.count += tier.count;
    }
    return all;
  }

  /** Takes in matches from the list of a name. */
  add(entries: readonly Entry[]): void {
    this.#lists.push(entries);
    this.#counts.push(entries.length);
    this.count += entries.length;
  }

  addOne(entry: Entry): void {
    this.#single.push(entry);
    this.count += 1;
  }

  /** The matches in an order as it was when they were first asked for. */
  sorted(order: Order, byId: SortedList<Entry>): readonly Entry[] {
    this.#sorted ??= this.#sort(order, byId);
    return this.#sorted;
  }

  #sort(order: Order, { items }: SortedList<Entry>): Entry[] {
    const entries = this.#takeOut();
    const keys = new Float64Array(entries.length);
    for (let from = 0; from < entries.length; from += TOGETHER) {
      const some = entries.slice(from, from + TOGETHER);
      order(some).forEach((value, i) => {
        keys[from + i] = value * RANKS + (some[i] as Entry).rank;
      });
    }
    const sorted = new Array<Entry>(keys.length);
    keys.sort().forEach((key, i) => {
      sorted[i] = items[key - Math.floor(key / RANKS) * RANKS] as Entry; // `%` is much slower
    });
    return sorted;
  }

  /** The matches, of which the lists are not needed any more. */
  #takeOut(): Entry[] {
    const entries = this.#single;
    this.#lists.forEach((list, i) => {
      const count = this.#counts[i] ?? 0;
      for (let j = 0; j < count; j++) entries.push(list[j] as Entry);
    });
    this.#lists = [];
    this.#counts = [];
    this.#single = [];
    return entries;
  }
}
