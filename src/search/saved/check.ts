import type { SavedIndex } from './schema.ts';

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
