/** Arrays below this length are copied. */
const SMALL = 16;

/**
 * Returns the array with one more item. Use only the result: the given array may have changed.
 * Copies a short array, because `push` reserves room for 17 items at once. Most arrays of the
 * search index have one or two items, so the reserve would be a third of its memory.
 */
export function append<T>(items: T[], item: T): T[] {
  if (items.length >= SMALL) {
    items.push(item);
    return items;
  }
  return items.concat(item);
}
