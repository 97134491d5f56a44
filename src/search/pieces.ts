import { type Chunk, withoutZeros } from '../domain/text.ts';
import type { Lexicon } from './lexicon.ts';
import { findRun, isVisibleRun } from './runs.ts';

/** A word of a query before it is looked up. */
export interface Piece {
  readonly text: string;
  /** The same as a number: with hyphens where they were typed, without what follows a slash. */
  readonly number: string;
  /** What follows the slash. */
  readonly total: string;
}

const DIGIT = /\d/;

/** `OP01-025`, `ST-01` and `D/D/D` are one piece where something is called so, else their words. */
export function piecesOf({ words, afterSlash }: Chunk, lexicon: Lexicon): Piece[] {
  const all = [...words, ...afterSlash];
  if (all.length < 2) return all.map(plainPiece);
  const text = all.join('');
  const run = all.length === text.length ? findRun(lexicon.names.words, text, true) : undefined;
  if (run && isVisibleRun(run)) return [plainPiece(text)];
  if (afterSlash.length > 0) return slashedPieces(words, afterSlash, lexicon);
  const number = words.join('-');
  const isOne = isNumber(number, lexicon) || lexicon.hasCode(text);
  return isOne ? [{ text, number, total: '' }] : words.map(plainPiece);
}

/** `4/102` is a number where a card bears it, else two words. */
function slashedPieces(
  words: readonly string[],
  afterSlash: readonly string[],
  lexicon: Lexicon,
): Piece[] {
  const last = words.at(-1) ?? '';
  const hasDigit = DIGIT.test(last) || afterSlash.some((word) => DIGIT.test(word));
  if (!hasDigit || !isNumber(last, lexicon)) {
    return [...words, ...afterSlash].map(plainPiece);
  }
  const after = afterSlash.join('');
  const slashed = { text: last + after, number: last, total: withoutZeros(after) };
  return [...words.slice(0, -1).map(plainPiece), slashed];
}

function isNumber(typed: string, lexicon: Lexicon): boolean {
  return lexicon.isAnyBorne(lexicon.numbers.find(typed));
}

function plainPiece(text: string): Piece {
  return { text, number: text, total: '' };
}
