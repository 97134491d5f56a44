/**
 * A list of items sorted by key (in code unit order), with bulk insertion. Keys are computed on
 * demand, because stored keys would take more memory than the items.
 */
export class SortedList<T> {
  #items: T[] = [];
  #staged: T[] = [];
  readonly #keyOf: (item: T) => string;
  readonly #onMove: (items: readonly T[], from: number) => void;

  /** `onMove` receives all items and the first index at which an item is new or has moved. */
  constructor(keyOf: (item: T) => string, onMove: (items: readonly T[], from: number) => void) {
    this.#keyOf = keyOf;
    this.#onMove = onMove;
  }

  /** The committed items in order. */
  get items(): readonly T[] {
    return this.#items;
  }

  /** Fills an empty list with sorted items. The list keeps the array. */
  restore(items: T[]): void {
    this.#items = items;
    this.#onMove(items, 0);
  }

  /** Adds an item, which joins the list at the next {@link commit}. */
  stage(item: T): void {
    this.#staged.push(item);
  }

  /**
   * Merges the staged items into the list. Merging a few items costs little more than shifting the
   * items after them.
   */
  commit(): void {
    const staged = this.#staged.map((item) => ({ item, key: this.#keyOf(item) }));
    staged.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
    this.#staged = [];
    const items = this.#items;
    let end = items.length;
    for (const { item } of staged) items.push(item);
    // Merges from the last item to the first, which shifts each item once.
    for (let i = staged.length - 1; i >= 0; i--) {
      const { item, key } = staged[i] as Keyed<T>;
      const place = this.indexOf(key, end);
      for (let j = end - 1; j >= place; j--) items[j + i + 1] = items[j] as T;
      items[place + i] = item;
      end = place;
    }
    this.#onMove(items, end);
  }

  /**
   * Returns the first index and the end index of the items whose keys begin with `prefix`. Faster
   * if the first is known.
   */
  rangeOf(prefix: string, from = this.indexOf(prefix)): [from: number, to: number] {
    const begins = (at: number) => this.#keyOf(this.#items[at] as T).startsWith(prefix);
    const { length } = this.#items;
    // Most ranges are short, so the steps from their first item double until they pass the end.
    let step = 1;
    while (from + step <= length && begins(from + step - 1)) step *= 2;
    let [low, high] = [from + (step >>> 1), Math.min(from + step - 1, length)];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (begins(middle)) low = middle + 1;
      else high = middle;
    }
    return [from, low];
  }

  /** Returns the committed item with a key. */
  find(key: string): T | undefined {
    const item = this.#items[this.indexOf(key)];
    return item !== undefined && this.#keyOf(item) === key ? item : undefined;
  }

  /** Returns the first index below `end` whose item has a key that is not below `key`, or `end`. */
  indexOf(key: string, end = this.#items.length): number {
    let low = 0;
    let high = end;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#keyOf(this.#items[middle] as T) < key) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

interface Keyed<T> {
  readonly item: T;
  readonly key: string;
}

/** An `onMove` for items that store their own position in the list. */
export function setOrdinals(items: readonly { ordinal: number }[], from: number): void {
  for (let i = from; i < items.length; i++) (items[i] as { ordinal: number }).ordinal = i;
}
