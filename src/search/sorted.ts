/**
 * A list in the order of its items' keys, by code units, while items are added in bulk.
 * Keys are made anew when needed: they would take more memory than the items.
 */
export class SortedList<T> {
  #items: T[] = [];
  #staged: T[] = [];
  readonly #key: (item: T) => string;
  readonly #rank: (items: readonly T[], from: number) => void;

  /** `rank` tells the items from a place in the list on where they are now. */
  constructor(key: (item: T) => string, rank: (items: readonly T[], from: number) => void) {
    this.#key = key;
    this.#rank = rank;
  }

  /** The items in order, without those that are staged. */
  get items(): readonly T[] {
    return this.#items;
  }

  /** Takes an item that joins the list at the next {@link settle}. */
  stage(item: T): void {
    this.#staged.push(item);
  }

  /**
   * Puts the staged items into their places and gives every item its rank. A few items cost
   * little more than shifting what comes after them.
   */
  settle(): void {
    const staged = this.#staged.map((item) => ({ item, key: this.#key(item) }));
    staged.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
    this.#staged = [];
    const items = this.#items;
    let end = items.length;
    for (const { item } of staged) items.push(item);
    // From the last to the first, so that each item is shifted once.
    for (let i = staged.length - 1; i >= 0; i--) {
      const { item, key } = staged[i] as Keyed<T>;
      const place = this.indexOf(key, end);
      for (let j = end - 1; j >= place; j--) items[j + i + 1] = items[j] as T;
      items[place + i] = item;
      end = place;
    }
    this.#rank(items, end);
  }

  /** The place of the first item whose key is `key` or comes after it, among the first `count`. */
  indexOf(key: string, count = this.#items.length): number {
    let low = 0;
    let high = count;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#key(this.#items[middle] as T) < key) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

interface Keyed<T> {
  readonly item: T;
  readonly key: string;
}

/** For items that know their rank. */
export function ownRank(items: readonly { rank: number }[], from: number): void {
  for (let rank = from; rank < items.length; rank++) (items[rank] as { rank: number }).rank = rank;
}
