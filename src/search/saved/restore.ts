import type { Card } from '../../domain/card.ts';
import type { Documents } from '../documents.ts';
import type { DocId, Fields, IndexedNumber, IndexedSet, Name } from '../fields.ts';
import type { Filters } from '../filters.ts';
import type { InvertedIndex } from '../inverted-index.ts';
import { checkColumns, groupPlaces, type SavedIndex, splitByGroup } from './format.ts';

/** The parts of an index. */
export interface Parts {
  readonly documents: Documents;
  readonly inverted: InvertedIndex;
  readonly filters: Filters;
}

type CardsByRowId = readonly (Card | undefined)[];

/**
 * Fills an empty index with saved columns. Returns the cards that the index does not have in their
 * current version: new ones, and those with another name, number or set code.
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
  const isSameCode = codeComparer(saved);
  const changed: Card[] = [];
  for (const card of indexed) {
    const doc = documents.count;
    const name = names[saved.docNames[doc] ?? 0] as Name;
    const number = numbers[saved.docNumbers[doc] ?? 0] as IndexedNumber;
    const set = filters.setOf(card);
    restoreDocument(documents, card, { name, number, set, rarity: filters.rarityOf(card) });
    inverted.addToSet(doc);
    const isSame = name.text === card.name && number.text === numberOf(card);
    if (!isSame || !isSameCode(card.set.rowId, set)) changed.push(card);
  }
  documents.restoreOrder(saved.docOrder);
  return [...changed, ...newCards(saved, cards)];
}

function numberOf({ number }: Card): string {
  return number ?? '';
}

/** Replaces saved texts by equal texts of the cards, so that no text is in memory twice. */
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

function restoreDocument(documents: Documents, card: Card, fields: Fields): void {
  const doc = documents.append(card, fields);
  documents.setLive(doc, true);
  documents.setPrinted(doc, card);
}

/** Returns the documents of each name, or of each number. */
function docsBy(ids: Int32Array, count: number): DocId[][] {
  return splitByGroup(groupPlaces(ids, count), (place) => place as DocId);
}

function cardsOf({ docRowIds }: SavedIndex, cards: CardsByRowId): Card[] {
  const found: Card[] = [];
  for (const rowId of docRowIds) {
    const card = cards[rowId];
    if (!card) throw new RangeError('The index has a card that is not there.');
    found.push(card);
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

/** Returns a test whether a set still has the code that was used to read its numbers. */
function codeComparer({ setRowIds, setCodes }: SavedIndex) {
  const codes = new Map(setCodes.map((code, i) => [setRowIds[i] ?? 0, code]));
  return (rowId: number, set: IndexedSet) => codes.get(rowId) === set.code;
}

function newCards({ docRowIds }: SavedIndex, cards: CardsByRowId): Card[] {
  const isKnown = new Uint8Array(cards.length);
  for (const rowId of docRowIds) isKnown[rowId] = 1;
  return cards.filter((card) => card !== undefined && isKnown[card.rowId] === 0) as Card[];
}
