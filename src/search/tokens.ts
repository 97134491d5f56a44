import { type Chunk, foldChunks, withoutZeros } from '../domain/text.ts';
import { findCompound, isLiveCompound } from './compounds.ts';
import type { InvertedIndex } from './inverted-index.ts';
import type { Text } from './text.ts';

/** A word of a query before it is looked up. */
export interface Token {
  readonly text: string;
  /** The word as a number: with the typed hyphens, without the total after a slash. */
  readonly number: string;
  /** The total after the slash. */
  readonly total: string;
  /** As typed, in lower case. */
  readonly typed: string;
}

const DIGIT = /\d/;

/** Splits a query into tokens. The words of a text that was read before are tokens as they are. */
export function tokensOf(q: string | Text, index: InvertedIndex): Token[] {
  if (typeof q !== 'string') return q.words.map((word) => wordToken(word));
  return foldChunks(q).flatMap((chunk) => tokenize(chunk, index));
}

/**
 * Splits a chunk into tokens. `OP01-025`, `ST-01` and `D/D/D` stay one token if a number, code or
 * name is written that way. Otherwise each of their words is a token.
 */
function tokenize({ words, afterSlash, typed }: Chunk, index: InvertedIndex): Token[] {
  const all = [...words, ...afterSlash];
  if (all.length < 2) return all.map((word) => wordToken(word, typed[0]));
  const text = all.join('');
  const areLetters = all.length === text.length;
  const initials = areLetters ? findCompound(index, text, true) : undefined;
  if (initials && isLiveCompound(initials)) return [wordToken(text)];
  if (afterSlash.length > 0) return tokenizeSlashed(words, afterSlash, index);
  const number = words.join('-');
  const isOne = isLiveNumber(number, index) || index.isLiveCode(text);
  if (isOne) return [{ text, number, total: '', typed: number }];
  return words.map((word, i) => wordToken(word, typed[i]));
}

/** Reads `4/102` as one number if there is a live number 4, otherwise as two words. */
function tokenizeSlashed(
  words: readonly string[],
  afterSlash: readonly string[],
  index: InvertedIndex,
): Token[] {
  const last = words.at(-1) ?? '';
  const hasDigit = DIGIT.test(last) || afterSlash.some((word) => DIGIT.test(word));
  if (!hasDigit || !isLiveNumber(last, index)) {
    return [...words, ...afterSlash].map((word) => wordToken(word));
  }
  const after = afterSlash.join('');
  const total = withoutZeros(after);
  const slashed = { text: last + after, number: last, total, typed: `${last}/${after}` };
  return [...words.slice(0, -1).map((word) => wordToken(word)), slashed];
}

function isLiveNumber(typed: string, index: InvertedIndex): boolean {
  return index.findNumbers(typed).listed.length > 0;
}

function wordToken(text: string, typed = text): Token {
  return { text, number: text, total: '', typed };
}
