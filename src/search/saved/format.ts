import type { ColumnsOf } from '../../lib/columns.ts';

/**
 * What is saved of an index: what takes long to compute from the cards, and nothing else of them.
 * Names, terms and numbers are numbered in the order in which the documents lead to them; an order
 * is a column of such numbers. Columns that end in `Ends` are of {@link Lists}.
 */
export const SAVED_INDEX = {
  /** The live documents by the row id of their card, ascending. */
  docRowIds: 'integers',
  docNames: 'integers',
  docNumbers: 'integers',
  /** The documents in the order of public ids. */
  docOrder: 'integers',
  /** The sets, and the folded codes by which the numbers of their cards were read. */
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
  /** Places in the two columns of short names. */
  nameShorts: 'integers',
  shortTexts: 'texts',
  shortTermCounts: 'integers',
  termTexts: 'texts',
  termOrder: 'integers',
  suffixTexts: 'texts',
  suffixOrder: 'integers',
  numberTexts: 'texts',
  /** Places in the column of parts, because few parts differ. */
  numberOwnCodes: 'integers',
  numberCodes: 'integers',
  numberTotals: 'integers',
  partTexts: 'texts',
  numberOrder: 'integers',
  /** The forms under which each number is found. */
  numberFormEnds: 'integers',
  numberForms: 'integers',
  formTexts: 'texts',
} as const;

export type SavedIndex = ColumnsOf<typeof SAVED_INDEX>;

/**
 * Checks that saved columns fit together, so that restoring them cannot fail on the way: columns of
 * the same things are equally long, numbers lead to what is there, and orders have everything once.
 *
 * @throws RangeError when they do not.
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

/** Lists of whole numbers in two columns, as they are saved. */
export interface Lists {
  /** Where each list ends in `items`; it begins where the one before ends. */
  readonly ends: Int32Array;
  readonly items: Int32Array;
}

/** Gathers lists. */
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

/** Returns a function that makes the list of a number out of what its items stand for. */
export function listsOf<T>({ ends, items }: Lists, at: (item: number) => T) {
  return (list: number): T[] => {
    const made: T[] = [];
    const end = ends[list] ?? 0;
    for (let i = list === 0 ? 0 : (ends[list - 1] ?? 0); i < end; i++) made.push(at(items[i] ?? 0));
    return made;
  };
}

/** Returns for each item the number of the list that it is in. */
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

/** Places sorted by the group that each is in. */
interface Grouped {
  /** Where the places of each group begin, and as the last item where those of the last end. */
  readonly begins: Uint32Array<ArrayBuffer>;
  /** The places of the first group in ascending order, those of the second and so on. */
  readonly places: Uint32Array<ArrayBuffer>;
}

/** Sorts the places of `groups`, which holds a group below `count` for each place. */
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

/** Returns the items of each group in an array of its own, which has no room for more. */
export function splitByGroup<T>({ begins, places }: Grouped, itemAt: (place: number) => T): T[][] {
  const sorted: T[] = [];
  for (const place of places) sorted.push(itemAt(place));
  const groups: T[][] = [];
  for (let group = 0; group + 1 < begins.length; group++) {
    groups.push(sorted.slice(begins[group], begins[group + 1]));
  }
  return groups;
}

/** Returns the items that stand at some places, in their order. */
export function pick<T>(items: readonly T[], places: Int32Array): T[] {
  const picked: T[] = [];
  for (const place of places) picked.push(items[place] as T);
  return picked;
}

/** Returns the numbers from 0 in the order of their ordinals, all of which differ. */
export function inOrder(ordinals: readonly number[]): Int32Array {
  let highest = -1;
  for (const ordinal of ordinals) if (ordinal > highest) highest = ordinal;
  const byOrdinal = new Int32Array(highest + 1).fill(-1);
  for (let id = 0; id < ordinals.length; id++) byOrdinal[ordinals[id] ?? 0] = id;
  return byOrdinal.filter((id) => id >= 0);
}
