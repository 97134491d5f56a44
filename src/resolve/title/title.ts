import type { CardSet } from '../../domain/card.ts';
import { foldWords } from '../../domain/text.ts';
import { findPhrases, type Phrase } from '../../search/index.ts';
import type { KnownSets } from '../sets.ts';

/** Words of a title: from this one, up to and without that one. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** What may be a collector number, as typed. */
export interface NumberSpan extends Span {
  readonly text: string;
}

/** A text in folded words, with all that its words may mean whatever the card. */
export interface Title {
  readonly words: readonly string[];
  readonly numbers: readonly NumberSpan[];
  readonly phrases: readonly Phrase[];
  /** The sets of which the name or a code stands in it. */
  readonly sets: readonly CardSet[];
}

/** The year of a copyright is not that of the set, `HP 120` no condition, and `Mint?` a question. */
const NO_FACTS =
  /(?:©|\(c\)) ?(?:19|20)\d\d(?:[-–](?:19|20)?\d\d)?|\bHP ?\d+|(?<![/\d])\d+ ?HP\b|\bmint\?/gi;

/** `4 / 102` is one number. */
const SPACED_SLASH = /(\d) ?\/ ?(?=[A-Za-z]{0,4}\d)/g;

/** Takes a text apart. */
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

/** A number without what stands around it: `4/102` of `#4/102,`. */
function bareNumber(piece: string): string {
  return piece.replace(/^[^A-Za-z0-9]+|[^A-Za-z0-9★†]+$/g, '');
}

/** Whether a piece is a number and signs around it. Other letters make it a name: `カード151`. */
function isNumber(bare: string, piece: string): boolean {
  return /\d/.test(bare) && bare.length <= 20 && !/\p{L}/u.test(piece.replace(bare, ''));
}

/** Years, grades and quantities are no collector numbers. */
function isOfPhrase({ from, to }: Span, phrases: readonly Phrase[]): boolean {
  return phrases.some((phrase) => {
    const isOther = phrase.as === 'year' || phrase.as === 'grade' || phrase.as === 'noise';
    return isOther && phrase.from <= from && phrase.to >= to;
  });
}

/** Returns every place where words of a title, written together, are a folded text. */
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

/** The words of a span, with spaces between. */
export function wordsIn({ words }: Title, { from, to }: Span): string {
  return words.slice(from, to).join(' ');
}
