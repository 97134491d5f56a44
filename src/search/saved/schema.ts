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
