/** Up to this length an array is copied to be one longer. */
const SMALL = 16;

/**
 * The array with one more item; the array itself may have grown, so only the result may be used.
 * Most words, names and numbers belong to one or two cards, and an array that is pushed to
 * takes room for 17 items at once: for the whole catalogue that is a third of the index.
 */
export function append<T>(items: T[], item: T): T[] {
  if (items.length >= SMALL) {
    items.push(item);
    return items;
  }
  return items.concat(item);
}
