import type { Card } from '../../src/domain/card.ts';
import { numbered } from './tree.ts';

const LATIN = 26;
const KATAKANA = 80;

/**
 * Returns the cards so many times, with new names and new sets in each copy. Sets keep their names,
 * so that the words of one mean many sets: more than a real catalogue of this size would have.
 */
export function withCopies(cards: readonly Card[], times: number): Card[] {
  const copies = Array.from({ length: times - 1 }, (_, at) => {
    return cards.map((card) => renamed(card, at + 1));
  });
  return numbered([...cards, ...copies.flat()]);
}

function renamed(card: Card, copy: number): Card {
  const shift = copy * 7;
  return {
    ...card,
    id: `${card.id}-${copy}`,
    name: shifted(card.name, shift),
    set: { ...card.set, rowId: card.set.rowId + copy * 1e9, code: `${card.set.code}${copy}` },
  };
}

/** Shifts every letter in its alphabet, so that names stay as long and as varied as they are. */
export function shifted(name: string, by: number): string {
  return name
    .replace(/[a-z]/g, (letter) => moved(letter, 'a', LATIN, by))
    .replace(/[A-Z]/g, (letter) => moved(letter, 'A', LATIN, by))
    .replace(/[ァ-ヮ]/g, (kana) => moved(kana, 'ァ', KATAKANA, by));
}

function moved(letter: string, first: string, count: number, by: number): string {
  const start = first.charCodeAt(0);
  return String.fromCharCode(start + ((letter.charCodeAt(0) - start + by) % count));
}
