import { readNumber } from '../collector-numbers.ts';
import type { Documents } from '../documents.ts';
import type { DocId, IndexedNumber, Name, ShortName } from '../fields.ts';
import { type InvertedIndex, suffixesOf } from '../inverted-index.ts';
import { inOrder, ListsBuilder, type SavedIndex } from './format.ts';

/** The documents, names or numbers to save in one step: about a millisecond's worth. */
const STEP = 500;

type Steps<Result> = Generator<undefined, Result>;

/** Gives items ids in the order of their first appearance. */
class Numbering<T> {
  readonly items: T[] = [];
  readonly #ids = new Map<T, number>();

  idOf(item: T): number {
    const known = this.#ids.get(item);
    if (known !== undefined) return known;
    this.#ids.set(item, this.items.length);
    return this.items.push(item) - 1;
  }
}

/**
 * Returns the columns to save, in steps that leave time for other work. The index must not change
 * before the last step. Indexes of the same cards give the same columns, no matter how they got
 * there.
 *
 * @param docs The live documents in the order of the row ids of their cards.
 */
export function* saveIndex(
  documents: Documents,
  inverted: InvertedIndex,
  docs: readonly DocId[],
): Steps<SavedIndex> {
  const names = new Numbering<Name>();
  const numbers = new Numbering<IndexedNumber>();
  const codes = new Map<number, string>();
  const columns = {
    docRowIds: newColumn(docs),
    docNames: newColumn(docs),
    docNumbers: newColumn(docs),
  };
  const ordinals: number[] = [];
  for (const [i, doc] of docs.entries()) {
    if (i % STEP === 0) yield;
    const card = documents.card(doc);
    codes.set(card.set.rowId, documents.set(doc).code);
    columns.docRowIds[i] = card.rowId;
    columns.docNames[i] = names.idOf(documents.name(doc));
    columns.docNumbers[i] = numbers.idOf(documents.number(doc));
    ordinals.push(documents.idOrdinal(doc));
  }
  yield;
  const docOrder = inOrder(ordinals);
  yield;
  return {
    ...columns,
    docOrder,
    setRowIds: Int32Array.from(codes.keys()),
    setCodes: [...codes.values()],
    ...(yield* saveNames(names.items, inverted)),
    ...(yield* saveNumbers(numbers.items)),
  };
}

function* saveNames(names: readonly Name[], inverted: InvertedIndex) {
  const [terms, suffixes] = [new Numbering<string>(), new Numbering<string>()];
  const shortNames: ShortName[] = [];
  const [ofTerms, ofSuffixes, ofShorts] = [
    new ListsBuilder(),
    new ListsBuilder(),
    new ListsBuilder(),
  ];
  for (const [i, name] of names.entries()) {
    if (i % STEP === 0) yield;
    ofTerms.add(name.terms.map((term) => terms.idOf(term)));
    ofSuffixes.add(name.terms.flatMap(suffixesOf).map((suffix) => suffixes.idOf(suffix)));
    ofShorts.add(name.shortNames.map((short) => shortNames.push(short) - 1));
  }
  yield;
  const ofNames = {
    nameTexts: names.map(({ text }) => text),
    nameOrder: inOrder(names.map(({ ordinal }) => ordinal)),
  };
  yield;
  const [{ ends: nameTermEnds, items: nameTerms }, suffixLists] = [
    ofTerms.build(),
    ofSuffixes.build(),
  ];
  yield;
  const { ends: nameShortEnds, items: nameShorts } = ofShorts.build();
  const termOrder = inOrder(terms.items.map((term) => inverted.terms.ordinalOf(term) ?? 0));
  yield;
  return {
    ...ofNames,
    nameTermEnds,
    nameTerms,
    nameShortEnds,
    nameShorts,
    nameSuffixEnds: suffixLists.ends,
    nameSuffixes: suffixLists.items,
    shortTexts: shortNames.map(({ folded }) => folded),
    shortTermCounts: Int32Array.from(shortNames, ({ termCount }) => termCount),
    termTexts: terms.items,
    termOrder,
    suffixTexts: suffixes.items,
    suffixOrder: inOrder(suffixes.items.map((text) => inverted.suffixes.ordinalOf(text) ?? 0)),
  };
}

function* saveNumbers(numbers: readonly IndexedNumber[]) {
  const [forms, parts] = [new Numbering<string>(), new Numbering<string>()];
  const ofForms = new ListsBuilder();
  const [ownCodes, codes, totals] = [newColumn(numbers), newColumn(numbers), newColumn(numbers)];
  for (const [i, { text, ownCode, code, total }] of numbers.entries()) {
    if (i % STEP === 0) yield;
    const { keys } = readNumber(text, ownCode);
    ofForms.add([...keys].map((key) => forms.idOf(key)));
    ownCodes[i] = parts.idOf(ownCode);
    codes[i] = parts.idOf(code);
    totals[i] = parts.idOf(total);
  }
  yield;
  const { ends, items } = ofForms.build();
  yield;
  return {
    numberTexts: numbers.map(({ text }) => text),
    numberOwnCodes: ownCodes,
    numberCodes: codes,
    numberTotals: totals,
    partTexts: parts.items,
    numberOrder: inOrder(numbers.map(({ ordinal }) => ordinal)),
    numberFormEnds: ends,
    numberForms: items,
    formTexts: forms.items,
  };
}

function newColumn({ length }: { readonly length: number }): Int32Array {
  return new Int32Array(length);
}
