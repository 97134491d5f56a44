import { firstLetter } from './letters.ts';
import type { Phrase, QueryWord, ReadQuery } from './query.ts';
import type { KnownSet, Name, PrintedNumber } from './records.ts';

/** How one word of a query matches a name. */
export interface WordMatch {
  /** The word as the name has it, where it was misspelt; else as typed. */
  readonly text: string;
  readonly whole: boolean;
  readonly edits: number;
}

/** How one word of a query matches what is printed beside the name. */
export type PrintMatch = 'number' | 'number of another total' | 'code';

/** For each word of a query how it matches, undefined where it does not. */
type Matches<T> = readonly (T | undefined)[];

/** How the words of a query make up a name, best first. */
const SHAPES = {
  exactName: 0,
  exactNumber: 1,
  exactWithoutVariant: 2,
  exactBesideCode: 3,
  unfinishedName: 4,
  beginningOfName: 5,
  allWordsOfName: 6,
  wholeWords: 7,
  partsOfWords: 8,
} as const;
const SHAPE_COUNT = 9;

const NOTHING: Matches<never> = [];

/** More edits than this in all make no difference. */
const MOST_EDITS = 9;

/**
 * The place of a match in the order of relevance, 0 for the best. Every word must match either
 * the name or what is printed. Spelling as written goes before the shape of the match, and that
 * before what stands behind the slash of a number.
 */
export function relevance(
  query: ReadQuery,
  name: Name,
  byName: Matches<WordMatch>,
  byPrint: Matches<PrintMatch> = NOTHING,
): number {
  let shape = shapeOf(query, name, byName, byPrint);
  if (byPrint.length > 0) {
    // `mew 151` may mean a card called Mew, or the 151st card of the set MEW.
    const notPrinted = byName.map((match, i) => (byPrint[i] ? undefined : match));
    shape = Math.min(shape, shapeOf(query, name, notPrinted, byPrint));
  }
  let edits = 0;
  for (const match of byName) edits += match?.edits ?? 0;
  const otherTotal = byPrint.includes('number of another total') ? 1 : 0;
  return (Math.min(edits, MOST_EDITS) * SHAPE_COUNT + shape) * 2 + otherTotal;
}

/** How a word matches what is printed beside the name of a card. */
export function printMatch(
  { numbers, total, coded, text }: QueryWord,
  number: PrintedNumber,
  set: KnownSet,
): PrintMatch | undefined {
  if (numbers.has(number)) {
    return total === '' || total === number.total ? 'number' : 'number of another total';
  }
  const isCode = coded.length > 0 && (set.code === text || number.code === text);
  return isCode ? 'code' : undefined;
}

/** The shape that some words of a query make of a name; the others are printed beside it. */
function shapeOf(
  query: ReadQuery,
  name: Name,
  matches: Matches<WordMatch>,
  byPrint: Matches<PrintMatch>,
): number {
  if (byPrint.length === 0) return shapeByName(query, name, matches);
  const numbered = byPrint.some((match) => match !== undefined && match !== 'code');
  if (!matches.some((match) => match)) return numbered ? SHAPES.exactNumber : SHAPES.wholeWords;
  const shape = shapeByName(query, name, matches);
  const besideCode = byPrint.some((match, i) => match === 'code' && !matches[i]);
  // With a number it is that card. With a code alone (`mewtwo ex`) it may well be another name.
  return besideCode && !numbered ? Math.max(shape, SHAPES.exactBesideCode) : shape;
}

/** The same for the words that match the name; loops, for they run for every candidate. */
function shapeByName(query: ReadQuery, name: Name, matches: Matches<WordMatch>): number {
  let isAsTyped = true;
  let isWhole = true;
  for (let i = 0; i < matches.length; i++) {
    const match = matches[i];
    if (match?.text !== query.words[i]?.text) isAsTyped = false;
    if (match?.whole === false) isWhole = false;
  }
  const phrase = isAsTyped ? query.phrase : phraseOf(query, matches);
  const shape = shapeOfPhrase(name, phrase);
  if (shape !== undefined) return shape;
  if (!isWhole) return SHAPES.partsOfWords;
  return name.words.length === phrase.count ? SHAPES.allWordsOfName : SHAPES.wholeWords;
}

function phraseOf({ sequence }: ReadQuery, matches: Matches<WordMatch>): Phrase {
  const typed = sequence.flatMap((place) => matches[place]?.text ?? []);
  return { text: typed.join(''), count: typed.length };
}

/** The shape when the words, in the order typed, are the name or its beginning. */
function shapeOfPhrase(name: Name, { text, count }: Phrase): number | undefined {
  if ((name.openings & firstLetter(text)) === 0) return undefined;
  const { key, words, otherKeys } = name;
  if (key === text) return SHAPES.exactName;
  let isBegun = key.startsWith(text);
  let isUnfinished = isBegun && words.length === count;
  for (const other of otherKeys) {
    if (other.text === text) return SHAPES.exactWithoutVariant;
    if (!other.text.startsWith(text)) continue;
    isBegun = true;
    isUnfinished ||= other.wordCount === count;
  }
  if (!isBegun) return undefined;
  return isUnfinished ? SHAPES.unfinishedName : SHAPES.beginningOfName;
}
