/**
 * A list of items in the order of their keys (by code units), to which items are added in bulk.
 * Keys are computed when they are needed: kept, they would take more memory than the items.
 */
export class SortedList<T> {
  #items: T[] = [];
  #staged: T[] = [];
  readonly #keyOf: (item: T) => string;
  readonly #onMove: (items: readonly T[], from: number) => void;

  /** `onMove` is called with all items and the first index at which an item is new or has moved. */
  constructor(keyOf: (item: T) => string, onMove: (items: readonly T[], from: number) => void) {
    this.#keyOf = keyOf;
    this.#onMove = onMove;
  }

  /** The committed items in order. */
  get items(): readonly T[] {
    return this.#items;
  }

  /** Fills an empty list with items that are in order; the list keeps the array. */
  restore(items: T[]): void {
    this.#items = items;
    this.#onMove(items, 0);
  }

  /** Adds an item, which joins the list at the next {@link commit}. */
  stage(item: T): void {
    this.#staged.push(item);
  }

  /**
   * Merges the staged items into the list. A few items cost little more than shifting what comes
   * after them.
   */
  commit(): void {
    const staged = this.#staged.map((item) => ({ item, key: this.#keyOf(item) }));
    staged.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
    this.#staged = [];
    const items = this.#items;
    let end = items.length;
    for (const { item } of staged) items.push(item);
    // Merges from the last item to the first, so that each is shifted once.
    for (let i = staged.length - 1; i >= 0; i--) {
      const { item, key } = staged[i] as Keyed<T>;
      const place = this.indexOf(key, end);
      for (let j = end - 1; j >= place; j--) items[j + i + 1] = items[j] as T;
      items[place + i] = item;
      end = place;
    }
    this.#onMove(items, end);
  }

  /** Where the items whose keys begin with `prefix` begin, and the index after the last of them. */
  rangeOf(prefix: string): [from: number, to: number] {
    return [this.indexOf(prefix), this.indexOf(prefix + LAST_LETTER)];
  }

  /** The index of the first item whose key is `key` or comes after it, among the first `count`. */
  indexOf(key: string, count = this.#items.length): number {
    let low = 0;
    let high = count;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#keyOf(this.#items[middle] as T) < key) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** No key has a letter after this one. */
const LAST_LETTER = '\uffff';

interface Keyed<T> {
  readonly item: T;
  readonly key: string;
}

/** The `onMove` of items that know their own place in the list. */
export function setOrdinals(items: readonly { ordinal: number }[], from: number): void {
  for (let i = from; i < items.length; i++) (items[i] as { ordinal: number }).ordinal = i;
}
