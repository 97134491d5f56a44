import type { CardSet } from '../../domain/card.ts';
import { foldWords } from '../../domain/text.ts';
import { findPhrases, type Phrase } from '../../search/index.ts';
import type { KnownSets } from '../sets.ts';

/** Words of a title from index `from` up to, but not including, `to`. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** A possible collector number, as typed. */
export interface NumberSpan extends Span {
  readonly text: string;
}

/** A text in folded words, with all their meanings that do not depend on a card. */
export interface Title {
  readonly words: readonly string[];
  readonly numbers: readonly NumberSpan[];
  readonly phrases: readonly Phrase[];
  /** The sets whose name or code occurs in it. */
  readonly sets: readonly CardSet[];
}

/** Not facts: the year of a copyright, `HP 120` (not a condition) and `Mint?` (a question). */
const NO_FACTS =
  /(?:©|\(c\)) ?(?:19|20)\d\d(?:[-–](?:19|20)?\d\d)?|\bHP ?\d+|(?<![/\d])\d+ ?HP\b|\bmint\?/gi;

/** `4 / 102` is one number. */
const SPACED_SLASH = /(\d) ?\/ ?(?=[A-Za-z]{0,4}\d)/g;

/** Parses a text. */
export function readTitle(text: string, known: KnownSets): Title {
  const words: string[] = [];
  const numbers: NumberSpan[] = [];
  for (const piece of text.replace(NO_FACTS, ' ').replace(SPACED_SLASH, '$1/').split(/\s+/)) {
    const folded = foldWords(piece);
    if (folded.length === 0) continue;
    const span = { from: words.length, to: words.length + folded.length };
    words.push(...folded);
    const number = bareNumber(piece);
    if (isNumber(number, piece)) numbers.push({ ...span, text: number });
  }
  const phrases = findPhrases(words);
  return {
    words,
    phrases,
    sets: known.within(words),
    numbers: numbers.filter((span) => !isOfPhrase(span, phrases)),
  };
}

/** Returns a number without the signs around it: `4/102` of `#4/102,`. */
function bareNumber(piece: string): string {
  return piece.replace(/^[^A-Za-z0-9]+|[^A-Za-z0-9★†]+$/g, '');
}

/** Whether a piece is a number with signs around it. Other letters make it a name: `カード151`. */
function isNumber(bare: string, piece: string): boolean {
  return /\d/.test(bare) && bare.length <= 20 && !/\p{L}/u.test(piece.replace(bare, ''));
}

/** Whether a number is a year, grade or quantity and not a collector number. */
function isOfPhrase({ from, to }: Span, phrases: readonly Phrase[]): boolean {
  return phrases.some((phrase) => {
    const isOther = phrase.as === 'year' || phrase.as === 'grade' || phrase.as === 'noise';
    return isOther && phrase.from <= from && phrase.to >= to;
  });
}

/** Returns every span of words that, written together, equal a folded text. */
export function findSpans(words: readonly string[], folded: string): Span[] {
  const spans: Span[] = [];
  if (folded === '') return spans;
  for (let from = 0; from < words.length; from++) {
    const to = endOf(words, from, folded);
    if (to !== undefined) spans.push({ from, to });
  }
  return spans;
}

function endOf(words: readonly string[], from: number, folded: string): number | undefined {
  let length = 0;
  for (let to = from; to < words.length && length < folded.length; to++) {
    const word = words[to] ?? '';
    if (!folded.startsWith(word, length)) return undefined;
    length += word.length;
    if (length === folded.length) return to + 1;
  }
  return undefined;
}

/** Whether two spans have a word in common. */
export function overlap(a: Span, b: Span): boolean {
  return a.from < b.to && b.from < a.to;
}

/** Returns the words of a span, separated by spaces. */
export function wordsIn({ words }: Title, { from, to }: Span): string {
  return words.slice(from, to).join(' ');
}
