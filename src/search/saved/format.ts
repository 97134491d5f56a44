import type { ColumnsOf } from '../../lib/columns.ts';

/**
 * The columns of a saved index: only values that are slow to compute from the cards.
 * Names, terms and numbers get ids in the order of the documents that use them. An `…Order` column
 * lists such ids in sorted order. Columns that end in `Ends` belong to {@link Lists}.
 */
export const SAVED_INDEX = {
  /** The row ids of the live documents' cards, ascending. */
  docRowIds: 'integers',
  docNames: 'integers',
  docNumbers: 'integers',
  /** The documents, sorted by public id. */
  docOrder: 'integers',
  /** The sets, with the folded codes that were used to read their numbers. */
  setRowIds: 'integers',
  setCodes: 'texts',
  nameTexts: 'texts',
  nameOrder: 'integers',
  nameTermEnds: 'integers',
  nameTerms: 'integers',
  /** The suffixes of the Japanese terms of each name. */
  nameSuffixEnds: 'integers',
  nameSuffixes: 'integers',
  nameShortEnds: 'integers',
  /** Indexes into the two columns of short names. */
  nameShorts: 'integers',
  shortTexts: 'texts',
  shortTermCounts: 'integers',
  termTexts: 'texts',
  termOrder: 'integers',
  suffixTexts: 'texts',
  suffixOrder: 'integers',
  numberTexts: 'texts',
  /** Indexes into `partTexts`, because few parts differ. */
  numberOwnCodes: 'integers',
  numberCodes: 'integers',
  numberTotals: 'integers',
  partTexts: 'texts',
  numberOrder: 'integers',
  /** The forms that find each number. */
  numberFormEnds: 'integers',
  numberForms: 'integers',
  formTexts: 'texts',
} as const;

export type SavedIndex = ColumnsOf<typeof SAVED_INDEX>;

/**
 * Checks that saved columns fit together, so restoring them cannot fail halfway: related columns
 * have equal lengths, ids are in range, and orders list every id once.
 *
 * @throws RangeError if they do not fit.
 */
export function checkColumns(saved: SavedIndex): void {
  const { docRowIds, setCodes, nameTexts, termTexts, suffixTexts, numberTexts } = saved;
  const { formTexts, shortTexts, partTexts } = saved;
  const [docs, names, numbers] = [docRowIds.length, nameTexts.length, numberTexts.length];
  checkLengths(docs, saved.docNames, saved.docNumbers);
  checkLengths(setCodes.length, saved.setRowIds);
  checkLengths(shortTexts.length, saved.shortTermCounts);
  for (const parts of [saved.numberOwnCodes, saved.numberCodes, saved.numberTotals]) {
    checkLengths(numbers, parts);
    checkBelow(partTexts.length, parts);
  }
  checkBelow(names, saved.docNames);
  checkBelow(numbers, saved.docNumbers);
  checkLists(names, saved.nameTermEnds, saved.nameTerms, termTexts.length);
  checkLists(names, saved.nameSuffixEnds, saved.nameSuffixes, suffixTexts.length);
  checkLists(names, saved.nameShortEnds, saved.nameShorts, shortTexts.length);
  checkLists(numbers, saved.numberFormEnds, saved.numberForms, formTexts.length);
  checkOrder(docs, saved.docOrder);
  checkOrder(names, saved.nameOrder);
  checkOrder(termTexts.length, saved.termOrder);
  checkOrder(suffixTexts.length, saved.suffixOrder);
  checkOrder(numbers, saved.numberOrder);
}

function checkLengths(length: number, ...columns: readonly { readonly length: number }[]): void {
  require(columns.every((column) => column.length === length));
}

function checkBelow(limit: number, column: Int32Array): void {
  require(column.every((value) => value >= 0 && value < limit));
}

function checkLists(count: number, ends: Int32Array, items: Int32Array, limit: number): void {
  checkLengths(count, ends);
  require(ends.every((end, i) => end >= (i === 0 ? 0 : (ends[i - 1] ?? 0))));
  require((ends.at(-1) ?? 0) === items.length);
  checkBelow(limit, items);
}

function checkOrder(count: number, order: Int32Array): void {
  checkLengths(count, order);
  checkBelow(count, order);
  const seen = new Uint8Array(count);
  for (const id of order) seen[id] = 1;
  require(!seen.includes(0));
}

function require(holds: boolean): void {
  if (!holds) throw new RangeError('The columns of the index do not fit together.');
}

/** Lists of whole numbers, saved as two columns. */
export interface Lists {
  /** The end of each list in `items`. Each begins at the end of the previous one. */
  readonly ends: Int32Array;
  readonly items: Int32Array;
}

/** Builds {@link Lists}. */
export class ListsBuilder {
  readonly #ends: number[] = [];
  readonly #items: number[] = [];

  add(list: Iterable<number>): void {
    for (const item of list) this.#items.push(item);
    this.#ends.push(this.#items.length);
  }

  build(): Lists {
    return { ends: Int32Array.from(this.#ends), items: Int32Array.from(this.#items) };
  }
}

/**
 * Returns a function that returns a list by number, with each item mapped by `at`. The arrays have
 * no spare capacity: `push` would reserve room for 17 items in each.
 */
export function listsOf<T>({ ends, items }: Lists, at: (item: number) => T) {
  const all = arrayOf(items.length, (i) => at(items[i] ?? 0));
  return (list: number): T[] => all.slice(list === 0 ? 0 : ends[list - 1], ends[list]);
}

/** Returns the list number of each item. */
export function ownersOf({ ends, items }: Lists): Int32Array {
  const owners = new Int32Array(items.length);
  let begin = 0;
  for (let list = 0; list < ends.length; list++) {
    const end = ends[list] ?? 0;
    owners.fill(list, begin, end);
    begin = end;
  }
  return owners;
}

/** Indexes sorted by their group. */
interface Grouped {
  /** The start of each group in `places`. The last item is the end of the last group. */
  readonly begins: Uint32Array<ArrayBuffer>;
  /** The indexes of the first group in ascending order, of the second and so on. */
  readonly places: Uint32Array<ArrayBuffer>;
}

/** Sorts the indexes of `groups` by their group. Every group is below `count`. */
export function groupPlaces(groups: Int32Array, count: number): Grouped {
  const begins = new Uint32Array(count + 1);
  for (const group of groups) begins[group + 1] = (begins[group + 1] ?? 0) + 1;
  for (let group = 0; group < count; group++) {
    begins[group + 1] = (begins[group + 1] ?? 0) + (begins[group] ?? 0);
  }
  const next = begins.slice();
  const places = new Uint32Array(groups.length);
  for (let place = 0; place < groups.length; place++) {
    const group = groups[place] ?? 0;
    const at = next[group] ?? 0;
    places[at] = place;
    next[group] = at + 1;
  }
  return { begins, places };
}

/** Returns one array for each group, without spare capacity. */
export function splitByGroup<T>({ begins, places }: Grouped, itemAt: (place: number) => T): T[][] {
  const sorted = arrayOf(places.length, (i) => itemAt(places[i] ?? 0));
  return arrayOf(begins.length - 1, (group) => sorted.slice(begins[group], begins[group + 1]));
}

/** Returns the items at these indexes. */
export function pick<T>(items: readonly T[], places: Int32Array): T[] {
  return arrayOf(places.length, (i) => items[places[i] ?? 0] as T);
}

/**
 * Creates an array of a known length. An array that grows by `push` leaves more garbage than it
 * keeps, and garbage of large arrays stays until the next collection of the whole heap.
 */
function arrayOf<T>(length: number, itemAt: (i: number) => T): T[] {
  return Array.from({ length }, (_, i) => itemAt(i));
}

/** Returns the ids from 0, sorted by their ordinals. All ordinals differ. */
export function inOrder(ordinals: readonly number[]): Int32Array {
  let highest = -1;
  for (const ordinal of ordinals) if (ordinal > highest) highest = ordinal;
  const byOrdinal = new Int32Array(highest + 1).fill(-1);
  for (let id = 0; id < ordinals.length; id++) byOrdinal[ordinals[id] ?? 0] = id;
  return byOrdinal.filter((id) => id >= 0);
}
