import type { Card } from '../../domain/card.ts';
import type { Documents } from '../documents.ts';
import type { DocId, IndexedSet } from '../fields.ts';
import type { Filters } from '../filters.ts';
import type { InvertedIndex } from '../inverted-index.ts';
import { checkColumns, groupPlaces, pick, type SavedIndex, splitByGroup } from './format.ts';

/** The parts of an index. */
export interface Parts {
  readonly documents: Documents;
  readonly inverted: InvertedIndex;
  readonly filters: Filters;
}

type CardsByRowId = readonly (Card | undefined)[];

/**
 * Fills an empty index with saved columns. Returns the cards that the index does not have in their
 * current version: new ones, and cards with another name, number or set code.
 *
 * @param cards All cards by row id.
 * @throws Error if the columns contradict each other or the cards; the index then stays empty.
 */
export function restoreIndex(
  { documents, inverted, filters }: Parts,
  saved: SavedIndex,
  cards: CardsByRowId,
): Card[] {
  checkColumns(saved);
  const indexed = cardsOf(saved, cards);
  checkOrder(saved.docOrder, indexed);
  const nameTexts = withTextsOf(indexed, saved.nameTexts, saved.docNames, ({ name }) => name);
  const numberTexts = withTextsOf(indexed, saved.numberTexts, saved.docNumbers, numberOf);
  const names = inverted.restoreNames(
    { ...saved, nameTexts },
    docsBy(saved.docNames, nameTexts.length),
  );
  const numbers = inverted.numbers.restore(
    { ...saved, numberTexts },
    docsBy(saved.docNumbers, numberTexts.length),
  );
  documents.restore({
    cards: indexed,
    names: pick(names, saved.docNames),
    numbers: pick(numbers, saved.docNumbers),
    sets: indexed.map((card) => filters.setOf(card)),
    rarities: indexed.map((card) => filters.rarityOf(card)),
    order: saved.docOrder,
  });
  const isSameCode = codeComparer(saved);
  const changed = indexed.filter((card, i) => {
    const doc = i as DocId;
    inverted.addToSet(doc);
    const isSame =
      documents.name(doc).text === card.name && documents.number(doc).text === numberOf(card);
    return !isSame || !isSameCode(card.set.rowId, documents.set(doc));
  });
  return [...changed, ...newCards(saved, cards)];
}

function numberOf({ number }: Card): string {
  return number ?? '';
}

/** Replaces saved texts with equal texts of the cards, so no text is in memory twice. */
function withTextsOf(
  cards: readonly Card[],
  saved: readonly string[],
  ids: Int32Array,
  textOf: (card: Card) => string,
): string[] {
  const texts = [...saved];
  for (let doc = 0; doc < cards.length; doc++) {
    const id = ids[doc] ?? 0;
    const text = textOf(cards[doc] as Card);
    if (texts[id] === text) texts[id] = text;
  }
  return texts;
}

/** Returns the documents of each name, or of each number. */
function docsBy(ids: Int32Array, count: number): DocId[][] {
  return splitByGroup(groupPlaces(ids, count), (place) => place as DocId);
}

function cardsOf({ docRowIds }: SavedIndex, cards: CardsByRowId): Card[] {
  const found = pick(cards, docRowIds);
  if (!found.every((card) => card !== undefined)) {
    throw new RangeError('The index has a card that is not there.');
  }
  return found;
}

function checkOrder(order: Int32Array, cards: readonly Card[]): void {
  let last = '';
  for (const doc of order) {
    const { id } = cards[doc] as Card;
    if (id <= last) throw new RangeError('The index has cards under other ids.');
    last = id;
  }
}

/** Returns a test for whether a set still has the code that was used to read its numbers. */
function codeComparer({ setRowIds, setCodes }: SavedIndex) {
  const codes = new Map(setCodes.map((code, i) => [setRowIds[i] ?? 0, code]));
  return (rowId: number, set: IndexedSet) => codes.get(rowId) === set.code;
}

function newCards({ docRowIds }: SavedIndex, cards: CardsByRowId): Card[] {
  const isKnown = new Uint8Array(cards.length);
  for (const rowId of docRowIds) isKnown[rowId] = 1;
  return cards.filter((card) => card !== undefined && isKnown[card.rowId] === 0) as Card[];
}
