import type { DocId, Documents } from './cards.ts';
import type { Order } from './order.ts';

/**
 * A card's rank by id is below this. Both halves of a sort key then fit into the 53 bits of a
 * number, and an array of plain numbers sorts ten times faster than one with a comparator.
 */
const RANKS = 2 ** 21;

/**
 * Equally relevant matches of a query. Until a page touches them they stay in the lists that
 * names have of their cards: most are on no page, and to copy them takes longer than to find them.
 */
export class RankBucket {
  /** How many matches there are. */
  count = 0;
  #lists: (readonly DocId[])[] = [];
  /** How many of each list: names may get more cards, always behind those that they have. */
  #counts: number[] = [];
  /** Matches that are not all of their name. */
  #single: DocId[] = [];
  #sorted: Int32Array | undefined;

  /** All matches of some tiers, none of which was put in order. */
  static merged(tiers: readonly RankBucket[]): RankBucket {
    const all = new RankBucket();
    for (const tier of tiers) {
      all.#lists = all.#lists.concat(tier.#lists);
      all.#counts = all.#counts.concat(tier.#counts);
      all.#single = all.#single.concat(tier.#single);
      all.count += tier.count;
    }
    return all;
  }

  /** Takes in matches from the list of a name. */
  add(slots: readonly DocId[]): void {
    this.#lists.push(slots);
    this.#counts.push(slots.length);
    this.count += slots.length;
  }

  addOne(slot: DocId): void {
    this.#single.push(slot);
    this.count += 1;
  }

  /** Some of the matches, in an order as it was when one of them was first asked for. */
  sorted(order: Order, cards: Documents, from = 0, to = this.count): DocId[] {
    this.#sorted ??= this.#sort(order, cards);
    return Array.from(this.#sorted.subarray(from, to)) as DocId[];
  }

  #sort(order: Order, cards: Documents): Int32Array {
    const slots = this.#takeOut();
    const keys = new Float64Array(slots.length);
    for (let i = 0; i < slots.length; i++) {
      const slot = slots[i] as DocId;
      keys[i] = order(cards, slot) * RANKS + cards.rank(slot);
    }
    keys.sort();
    for (let i = 0; i < slots.length; i++) {
      const key = keys[i] as number;
      slots[i] = cards.atRank(key - Math.floor(key / RANKS) * RANKS); // `%` is much slower
    }
    return slots;
  }

  /** The matches, of which the lists are not needed any more. */
  #takeOut(): Int32Array {
    const slots = new Int32Array(this.count);
    slots.set(this.#single);
    let filled = this.#single.length;
    this.#lists.forEach((list, i) => {
      const count = this.#counts[i] ?? 0;
      for (let j = 0; j < count; j++) slots[filled++] = list[j] as DocId;
    });
    this.#lists = [];
    this.#counts = [];
    this.#single = [];
    return slots;
  }
}
